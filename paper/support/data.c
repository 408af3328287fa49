/* data.c - data files of experiments, and the message if one is missing. */
#include "paper/support/data.h"

#include <hiss/hiss.h>

#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "cli/print/fail.h"

static const char *folder(void)
{
    const char *set = getenv("HISS_DATA");

    return set && *set ? set : "data";
}

/* free() it; NULL: it is not there. */
static char *find(const char *name)
{
    char *found = NULL, *path = NULL;
    hiss_error err = {0};

    if (hiss_find_data(name, &found, &err) != HISS_OK)
        exit(cli_fail(CLI_FAULT, "%s", err.message));
    if (found)
        path = cli_text("%s", found);
    hiss_free(found);
    return path;
}

char *paper_data_path(const char *name)
{
    char *path = find(name);

    return path ? path : cli_text("%s/%s", folder(), name);
}

/* KIND/FILE is what is kept of a path. */
char *paper_data_neutral(const char *text)
{
    const char *quote = strchr(text, '"'), *kept = NULL;
    const char *end = quote ? strchr(quote + 1, '"') : NULL;
    int slashes = 0;

    if (!end)
        return cli_text("%s", text);
    for (kept = end; kept > quote + 1; kept--)
        if (kept[-1] == '/' && ++slashes == 2)
            break;
    return cli_text("%.*s\"data/%s", (int)(quote - text), text, kept);
}

/* One of several names will do: a|b. */
static bool is_there(const char *names)
{
    bool found = false;

    while (*names && !found) {
        size_t length = strcspn(names, "|");
        char *name = cli_text("%.*s", (int)length, names);
        char *path = find(name);

        found = path != NULL;
        free(path);
        free(name);
        names += length;
        names += *names == '|';
    }
    return found;
}

const paper_file *paper_data_missing(const paper_file *files)
{
    for (; files && files->name; files++)
        if (!files->part && !is_there(files->name))
            return files;
    return NULL;
}

const paper_file *paper_data_left_out(const paper_file *files, const char *part)
{
    for (; files && files->name; files++)
        if (files->part && (!part || strcmp(part, files->part) == 0) &&
            !is_there(files->name))
            return files;
    return NULL;
}

char *paper_data_complaint(const char *experiment, const paper_file *file)
{
    return cli_text("%s needs %.*s, which is not in '%s': %s, SHA-256 %s; name "
                    "the folder by HISS_DATA or --data DIR",
                    experiment, (int)strcspn(file->name, "|"), file->name,
                    folder(), file->what, file->sha256);
}
