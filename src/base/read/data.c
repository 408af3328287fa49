/* data.c - the search for public data files.
 *
 * First in $HISS_DATA, or in ./data where that is not set.  Then in the folder
 * share/hiss/data that lies beside the program or library that this code is
 * part of, or one or two folders above it.  That serves bin/hiss,
 * lib/libhiss.so and lib/TRIPLET/libhiss.so wherever they were moved, and a
 * build tree, which has a link of that name to the data of its sources. */
#include "base/read/data.h"

#include <limits.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/alloc.h"
#include "base/platform/platform.h"
#include "base/text.h"

#define BESIDE "/share/hiss/data"

enum {
    LEVELS = 3 /* the folder itself and the two above it */
};

const char *hs_data_folder(void)
{
    const char *set = getenv("HISS_DATA");

    return set && *set ? set : "data";
}

hiss_status hs_data_find_in(char **path, const char *folder, const char *name,
                            hiss_error *err)
{
    *path = NULL;
    for (int zipped = 0; zipped < 2; zipped++) {
        hs_text text = {0};

        hs_text_print(&text, "%s/%s%s", folder, name, zipped ? ".gz" : "");
        *path = hs_text_take(&text);
        if (!*path)
            return hs_fail_memory(err);
        if (access(*path, R_OK) == 0)
            return HISS_OK;
        hs_free(*path);
        *path = NULL;
    }
    return HISS_OK;
}

hiss_status hs_data_find(char **path, const char *name, hiss_error *err)
{
    char own[PATH_MAX + sizeof BESIDE], *slash;

    HS_TRY(hs_data_find_in(path, hs_data_folder(), name, err));
    if (*path || !hs_platform_own_file(own))
        return HISS_OK;
    for (int up = 0; up < LEVELS && !*path; up++) {
        slash = strrchr(own, '/');
        if (!slash)
            break;
        strcpy(slash, BESIDE);
        HS_TRY(hs_data_find_in(path, own, name, err));
        *slash = '\0';
    }
    return HISS_OK;
}
