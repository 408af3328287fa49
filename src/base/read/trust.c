/* trust.c - decides which files a name inside another file may open.
 *
 * A name is tried from the working folder, from the folder where the run was
 * started and from the folder of the file that has the name.  One of the three
 * must lead, links resolved, to a plain file below that last folder whose
 * SHA-256 is recorded.  With `anywhere` a plain file in another folder is
 * accepted too if it has the recorded SHA-256, because whoever names it knows
 * its contents.  Messages tell nothing about other files, not even their
 * checksum.
 *
 * A file can be replaced between the check and the use.  But whoever can write
 * to the folder of a result can change the result itself. */
#include "base/read/trust.h"

#include <stdbool.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "base/alloc.h"
#include "base/error.h"
#include "base/read/sha256.h"
#include "base/read/standard.h"
#include "base/text.h"

enum {
    PLACES = 3
};

static const int64_t BYTES_MAX = 1 << 30; /* largest file outside the folder */

/* Returns folder/name, owned by the caller; NULL if memory is short. */
static char *join(const char *folder, const char *name)
{
    hs_text t = {0};

    hs_text_add_string(&t, folder);
    hs_text_add_string(&t, "/");
    hs_text_add_string(&t, name);
    return hs_text_take(&t);
}

/* Resolves a name from each place, links included; NULL if it leads nowhere.
 * The caller free()s all. */
static hiss_status look(const hiss_trust *t, const char *name,
                        char *found[PLACES], hiss_error *err)
{
    const char *from[PLACES] = {NULL, t->base, t->folder};

    for (int k = 0; k < PLACES; k++)
        found[k] = NULL;
    found[0] = realpath(name, NULL);
    for (int k = 1; k < PLACES && *name != '/'; k++) {
        char *path = from[k] ? join(from[k], name) : NULL;

        if (from[k] && !path)
            return hs_fail_memory(err);
        found[k] = path ? realpath(path, NULL) : NULL;
        hs_free(path);
    }
    return HISS_OK;
}

static void forget(char *found[PLACES])
{
    for (int k = 0; k < PLACES; k++)
        free(found[k]);
}

static bool is_below(const char *folder, const char *path)
{
    char *whole = folder ? realpath(folder, NULL) : NULL;
    size_t length = whole ? strlen(whole) : 0;
    bool is = whole && strncmp(path, whole, length) == 0 &&
              (path[length] == '/' || (length == 1 && *path == '/'));

    free(whole);
    return is;
}

/* Finds a record of a file with the same last name, in any folder. */
static const hiss_recorded *record_of(const hiss_trust *t, const char *path)
{
    const char *name = strrchr(path, '/');

    name = name ? name + 1 : path;
    for (int n = 0; n < t->count; n++) {
        const char *other = strrchr(t->recorded[n].path, '/');

        other = other ? other + 1 : t->recorded[n].path;
        if (strcmp(name, other) == 0)
            return &t->recorded[n];
    }
    return NULL;
}

/* Checks whether a plain file below the folder is one that was read. */
static hiss_status check_contents(const hiss_trust *t, const char *path,
                                  hiss_error *err)
{
    const hiss_recorded *same;
    char is[HS_SHA256_TEXT];
    int64_t bytes;

    if (hs_sha256_file(path, is, &bytes, err) != HISS_OK) {
        if (err)
            err->status = HISS_EREFUSED;
        return HISS_EREFUSED;
    }
    for (int n = 0; n < t->count; n++)
        if (strcmp(t->recorded[n].sha256, is) == 0)
            return HISS_OK;
    same = record_of(t, path);
    if (!same)
        return hs_fail(err, HISS_EREFUSED,
                       "%s is refused: it is not among the files that the run "
                       "recorded",
                       path);
    return hs_fail(err, HISS_EARG,
                   "%s has changed since the run: its SHA-256 is %.12s..., was "
                   "%.12s...",
                   path, is, same->sha256);
}

/* The first file outside the folder that the run has read; -1 if none. */
static int find_elsewhere(const hiss_trust *t, char *const found[PLACES])
{
    char is[HS_SHA256_TEXT];
    struct stat about;
    int64_t bytes;

    for (int k = 0; k < PLACES && t->anywhere; k++) {
        if (!found[k] || stat(found[k], &about) != 0 ||
            !S_ISREG(about.st_mode) || about.st_size > BYTES_MAX ||
            hs_sha256_file(found[k], is, &bytes, NULL) != HISS_OK)
            continue;
        for (int n = 0; n < t->count; n++)
            if (strcmp(t->recorded[n].sha256, is) == 0)
                return k;
    }
    return -1;
}

static hiss_status refuse(const hiss_trust *t, const char *name,
                          char *const found[PLACES], const char *option,
                          hiss_error *err)
{
    const char *at = NULL;

    for (int k = 0; k < PLACES; k++)
        at = at ? at : found[k];
    if (!record_of(t, name) && !(at && record_of(t, at)))
        return hs_fail(err, HISS_EREFUSED,
                       "%s is refused: it is not among the files that the run "
                       "recorded; give it with %s if you trust it",
                       name, option);
    if (!at)
        return hs_fail(err, HISS_EARG,
                       "%s is not there any more; give it with %s", name,
                       option);
    if (t->anywhere)
        return hs_fail(err, HISS_EARG,
                       "%s is not the file that the run read: give it with %s",
                       name, option);
    return hs_fail(err, HISS_EARG,
                   "%s is at %s, outside the folder of the file that names it: "
                   "give it with %s",
                   name, at, option);
}

hiss_status hs_trust_file(const hiss_trust *t, const char *name,
                          const char *option, char **out, hiss_error *err)
{
    char *found[PLACES];
    hiss_status rc;
    int inside = -1;

    *out = NULL;
    if (hs_is_standard(name))
        return hs_fail(err, HISS_EARG,
                       "it came from standard input; give it with %s", option);
    rc = look(t, name, found, err);
    for (int k = 0; rc == HISS_OK && k < PLACES && inside < 0; k++)
        if (found[k] && is_below(t->folder, found[k]))
            inside = k;
    if (rc == HISS_OK && inside >= 0)
        rc = check_contents(t, found[inside], err);
    if (rc == HISS_OK && inside < 0 && record_of(t, name))
        inside = find_elsewhere(t, found);
    if (rc == HISS_OK && inside < 0)
        rc = refuse(t, name, found, option, err);
    if (rc == HISS_OK) {
        *out = hs_strdup(inside == 0 ? name : found[inside]);
        if (!*out)
            rc = hs_fail_memory(err);
    }
    forget(found);
    return rc;
}

/* The same for a shared library that the user has allowed. */
static hiss_status trusted_code(const hiss_trust *t, const char *name,
                                char **out, hiss_error *err)
{
    char *found[PLACES];
    hiss_status rc = look(t, name, found, err);
    const char *at = NULL;
    bool is_there = false;

    *out = NULL;
    for (int k = 0; k < PLACES; k++)
        is_there = is_there || found[k];
    for (int k = 0; rc == HISS_OK && k < PLACES; k++)
        for (int n = 0; found[k] && t->plugins && t->plugins[n]; n++) {
            char *allowed = realpath(t->plugins[n], NULL);

            if (allowed && strcmp(allowed, found[k]) == 0)
                at = found[k];
            free(allowed);
        }
    if (rc == HISS_OK && !is_there)
        rc = hs_fail(err, HISS_EARG, "the plug-in %s is not there any more",
                     name);
    else if (rc == HISS_OK && !at)
        rc = hs_fail(err, HISS_EREFUSED,
                     "the plug-in %s is refused: a file may not name code; "
                     "--allow-plugin %s loads it",
                     name, name);
    if (rc == HISS_OK && !(*out = hs_strdup(at)))
        rc = hs_fail_memory(err);
    forget(found);
    return rc;
}

/* Whether the word is one of "a|b|c". */
static bool is_word_of(const char *words, const char *word)
{
    size_t length = strlen(word);

    while (words && *words) {
        size_t next = strcspn(words, "|");

        if (next == length && memcmp(words, word, length) == 0)
            return true;
        words += next + (words[next] == '|');
    }
    return false;
}

hiss_status hs_trust_options(const hiss_trust *t, const hs_option *options,
                             void *target, hiss_error *err)
{
    for (; options->name; options++) {
        char **text = (char **)(void *)((char *)target + options->offset);
        char *path;

        if (options->type != HS_FILE && options->type != HS_CODE)
            continue;
        if (!*text || is_word_of(options->range, *text))
            continue;
        HS_TRY(options->type == HS_CODE
                   ? trusted_code(t, *text, &path, err)
                   : hs_trust_file(t, *text, "--model", &path, err));
        hs_free(*text);
        *text = path;
    }
    return HISS_OK;
}
