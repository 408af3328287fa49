/* dataset_known.c - the data sets of the paper, from their files.
 *
 *     wdbc    569 rows, 30 inputs; 1 is malignant
 *     compas  6172 of 7214 rows, 13 inputs; 1 is recidivism within two years
 *     hiv     1625 octamers, 8 x 20 one-hot inputs; 1 is cleaved
 *     blog    280 inputs, comments of the next day without the top tenth,
 *             scaled to [0,1]
 * docs/bnn.md says which rows and encodings, and why.  Files are searched like
 * all data (base/read/data.h), below bnn.  Not here: blog, which may consist of
 * many files (dataset_blog.c). */
#include "model/data/dataset_known.h"

#include <stdio.h>
#include <string.h>

#include "base/alloc.h"
#include "base/caret.h"
#include "base/error.h"
#include "base/read/data.h"

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
      "https://github.com/propublica/compas-analysis: tools/get_data compas",
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

/* Searches only `folder` if it is given, else also the files that come with
 * hiss. */
static hiss_status find(char **path, const char *folder, const char *name,
                        hiss_error *err)
{
    const char *first = folder ? folder : hs_data_folder();
    char below[HS_KNOWN_PATH];

    snprintf(below, sizeof below, "bnn/%s", name);
    HS_TRY(hs_data_find_in(path, first, below, err));
    if (!*path)
        HS_TRY(hs_data_find_in(path, first, name, err));
    return *path || folder ? HISS_OK : hs_data_find(path, below, err);
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
    char *path = NULL;
    hiss_status rc;

    *out = (hs_raw){0};
    if (folder && !*folder)
        folder = NULL;
    for (int n = 0; n < HS_KNOWN_NAMES && sets[k].source.names[n] && !path; n++)
        HS_TRY(find(&path, folder, sets[k].source.names[n], err));
    if (!path)
        return refuse(k, folder ? folder : hs_data_folder(), err);
    rc = sets[k].read(out, path, err);
    if (rc != HISS_OK)
        hs_raw_clear(out);
    hs_free(path);
    return rc;
}
