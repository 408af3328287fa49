/* foreign.h - public data files, for tests that need them.  Not all come with
 * hiss: a test that misses one is skipped.  Include after <cmocka.h>. */
#ifndef HS_TESTS_FOREIGN_H
#define HS_TESTS_FOREIGN_H

#include <stdio.h>

#include "base/alloc.h"
#include "base/read/data.h"

/* The path of a file such as "uai/Grids_11.uai", plain or .gz; skips the test
 * with a message if there is none. */
static inline const char *foreign(const char *name, char *path, size_t room)
{
    char *found = NULL;

    assert_int_equal(hs_data_find(&found, name, NULL), HISS_OK);
    if (!found) {
        printf("       %s is neither in $HISS_DATA nor in data: skipped, "
               "tools/get_data has it\n",
               name);
        skip();
    }
    snprintf(path, room, "%s", found);
    hs_free(found);
    return path;
}

#endif
