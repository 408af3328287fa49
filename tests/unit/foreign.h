/* foreign.h - public data files, for tests that need them.  They are not part
 * of this tree: tests that miss one are skipped.  Include after <cmocka.h>. */
#ifndef HS_TESTS_FOREIGN_H
#define HS_TESTS_FOREIGN_H

#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

/* The path of a file such as "uai/Grids_11.uai": in $HISS_DATA or ./data;
 * skips the test with a message if it is in neither. */
static inline const char *foreign(const char *name, char *path, size_t room)
{
    const char *folder[] = {getenv("HISS_DATA"), "data"};

    for (int n = 0; n < 2; n++) {
        if (!folder[n])
            continue;
        snprintf(path, room, "%s/%s", folder[n], name);
        if (access(path, R_OK) == 0)
            return path;
    }
    printf("       %s is not in $HISS_DATA or ./data: skipped\n", name);
    skip();
    return NULL;
}

#endif
