/* alloc.h - every allocation of the library, overflow-checked.
 *
 * Blocks are zeroed and aligned for 16 lanes of float (64 bytes).  The test
 * switch makes the n-th allocation fail, so that every failure path can be
 * walked, and counts allocations, so that a step can be shown to make none. */
#ifndef HS_BASE_ALLOC_H
#define HS_BASE_ALLOC_H

#include <stddef.h>
#include <stdint.h>

#define HS_ALIGN 64

/* Zeroed memory for count elements of size bytes; NULL when there is none or
 * the product overflows.  A count of 0 gives a valid pointer. */
void *hs_alloc_array(size_t count, size_t size);

/* A larger or smaller block with the old contents; new bytes are zero.  On
 * failure the old block is untouched and NULL is returned. */
void *hs_realloc_array(void *old, size_t old_count, size_t count, size_t size);

char *hs_strdup(const char *text);
char *hs_strndup(const char *text, size_t length);
void hs_free(void *block);

/* A copy of count strings and their array; NULL without memory. */
char **hs_strings_copy(char *const *at, int count);
/* Frees them; at may be NULL, and so may single strings. */
void hs_strings_free(char **at, int count);

/* Until it is called with 0, allocations of this thread fail after so many
 * bytes in all, whether they are freed meanwhile or not: what a stranger's
 * file asks for is bounded.  Returns whether one has failed since. */
int hs_alloc_budget(int64_t bytes);

/* For tests: the n-th allocation from now on fails (1 = the next one), and so
 * do all after it; 0 switches this off. */
void hs_alloc_fail_after(int64_t n);

/* For tests: allocations made so far. */
int64_t hs_alloc_count(void);

#endif
