/* dataset_known.c - the data sets of the paper, from their files.
 *
 *     wdbc    569 rows, 30 inputs; 1 is malignant
 *     compas  6172 of 7214 rows, 13 inputs; 1 is recidivism within two years
 *     hiv     1625 octamers, 8 x 20 one-hot inputs; 1 is cleaved
 *     blog    280 inputs, comments of the next day without the top tenth,
 *             scaled to [0,1]
 * docs/bnn.md says which rows and encodings, and why.  A file is looked for in
 * FOLDER/bnn, then in FOLDER, plain or with .gz.  Not here: blog, which may
 * consist of many files (dataset_blog.c). */
#include "model/data/dataset_known.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/caret.h"
#include "base/error.h"

static const struct {
    const char *name;
    hs_known_reader *read;
    hs_known_source source;
} sets[] = {
    {"wdbc",
     hs_known_wdbc,
     {{"wdbc.data"},
      "https://archive.ics.uci.edu/dataset/17, file wdbc.data",
      "a906fc5c0c27c1ff5abb84df814dd29743c24a7eedd6cac902d2b68a171cf41d"}},
    {"compas",
     hs_known_compas,
     {{"compas-scores-two-years.csv", "compas_scores_two_years.csv"},
      "https://github.com/propublica/compas-analysis",
      "d180e410066da845eceb452417fbf8b119633f05526bcb29ef2c5b546d8946c5"}},
    {"hiv",
     hs_known_hiv,
     {{"hiv-1625.txt", "1625Data.txt", "1625.txt"},
      "https://archive.ics.uci.edu/dataset/330, file 1625Data.txt",
      "c7b962810e927bf4874d596bfccbdaa89c9fb199cb9a00f844cb75a8a442b8ea"}},
    {"blog",
     hs_known_blog,
     {{"blogData_train.csv", "blogfeedback-2012-test.csv"},
      "https://archive.ics.uci.edu/dataset/304, or its 60 files of 2012 joined "
      "as blogfeedback-2012-test.csv",
      "b8143cca9c76597c0ab8b433e2dd3a547c20276771e1fc24f8804349d85160c9"}},
};

enum {
    SETS = sizeof sets / sizeof *sets
};

static int index_of(const char *name)
{
    for (int k = 0; k < SETS; k++)
        if (strcmp(sets[k].name, name) == 0)
            return k;
    return -1;
}

bool hs_known_exists(const char *name)
{
    return index_of(name) >= 0;
}

static const char *folder_of(const char *folder)
{
    const char *set = getenv("HISS_DATA");

    if (folder && *folder)
        return folder;
    return set && *set ? set : "data";
}

static bool find(char path[HS_KNOWN_PATH], const char *folder, const char *name)
{
    static const char *const below[] = {"bnn/", "bnn/", "", ""};
    static const char *const suffix[] = {"", ".gz", "", ".gz"};

    for (int k = 0; k < 4; k++)
        if (snprintf(path, HS_KNOWN_PATH, "%s/%s%s%s", folder, below[k], name,
                     suffix[k]) < HS_KNOWN_PATH &&
            access(path, R_OK) == 0)
            return true;
    return false;
}

static hiss_status refuse(int k, const char *folder, hiss_error *err)
{
    const hs_known_source *s = &sets[k].source;
    char quoted[HS_QUOTE_MAX];

    return hs_fail(err, HISS_EPARSE,
                   "data set %s: there is no file bnn/%s, plain or .gz, in the "
                   "folder '%s'\nget it from %s\n"
                   "SHA-256 of the plain file: %s\n"
                   "and name the folder by HISS_DATA or --data",
                   sets[k].name, s->names[k == SETS - 1],
                   hs_quote(quoted, folder, strlen(folder)), s->where,
                   s->sha256);
}

hiss_status hs_known_read(hs_raw *out, const char *name, const char *folder,
                          hiss_error *err)
{
    int k = index_of(name);
    char path[HS_KNOWN_PATH];
    hiss_status rc;

    *out = (hs_raw){0};
    folder = folder_of(folder);
    for (int n = 0; n < HS_KNOWN_NAMES && sets[k].source.names[n]; n++)
        if (find(path, folder, sets[k].source.names[n])) {
            rc = sets[k].read(out, path, err);
            if (rc != HISS_OK)
                hs_raw_clear(out);
            return rc;
        }
    return refuse(k, folder, err);
}
