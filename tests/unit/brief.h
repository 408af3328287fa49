/* brief.h - whether a statistical test should only pass through its code: under
 * sanitizers, which look at memory and threads, HISS_TEST_REPLICATES=brief. */
#ifndef HS_TESTS_BRIEF_H
#define HS_TESTS_BRIEF_H

#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

static inline bool test_is_brief(void)
{
    const char *size = getenv("HISS_TEST_REPLICATES");

    return size && strcmp(size, "brief") == 0;
}

#endif
