/* data.c - where public data files are looked for.
 *
 * First in $HISS_DATA, or in ./data where that is not set.  Then in the folder
 * share/hiss/data that lies beside the program or library that this code is
 * part of, or one or two folders above it.  That serves bin/hiss,
 * lib/libhiss.so and lib/TRIPLET/libhiss.so wherever they were moved, and a
 * build tree, which has a link of that name to the data of its sources. */
#include "base/read/data.h"

#include <limits.h>
#include <link.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/alloc.h"
#include "base/text.h"

#define BESIDE "/share/hiss/data"

enum {
    LEVELS = 3 /* its own folder, and two above */
};

const char *hs_data_folder(void)
{
    const char *set = getenv("HISS_DATA");

    return set && *set ? set : "data";
}

/* Ends the search in `path` when the object is the one with this code.  The
 * program itself has no name there. */
static int is_ours(struct dl_phdr_info *object, size_t size, void *path)
{
    uintptr_t here = (uintptr_t)&hs_data_folder - object->dlpi_addr;
    const char *name =
        *object->dlpi_name ? object->dlpi_name : "/proc/self/exe";

    (void)size;
    for (int h = 0; h < object->dlpi_phnum; h++) {
        const ElfW(Phdr) *part = &object->dlpi_phdr[h];

        if (part->p_type == PT_LOAD && here >= part->p_vaddr &&
            here - part->p_vaddr < part->p_memsz)
            return realpath(name, path) ? 1 : -1;
    }
    return 0;
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
    if (*path || dl_iterate_phdr(is_ours, own) != 1)
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
