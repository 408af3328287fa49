/* data.c - data files that experiments need and the project does not carry. */
#include "paper/support/data.h"

#include <stdbool.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "cli/print/fail.h"

static const char *folder(void)
{
    const char *set = getenv("HISS_DATA");

    return set && *set ? set : "data";
}

char *paper_data_path(const char *name)
{
    return cli_text("%s/%s", folder(), name);
}

char *paper_data_neutral(const char *text)
{
    char *own = cli_text("\"%s/", folder());
    const char *at = strstr(text, own);
    char *neutral =
        at ? cli_text("%.*s\"data/%s", (int)(at - text), text, at + strlen(own))
           : cli_text("%s", text);

    free(own);
    return neutral;
}

/* One of several names will do: a|b. */
static bool is_there(const char *names)
{
    bool found = false;

    while (*names && !found) {
        size_t length = strcspn(names, "|");
        char *name = cli_text("%.*s", (int)length, names);
        char *path = paper_data_path(name);

        found = access(path, R_OK) == 0;
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
        if (!is_there(files->name))
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
