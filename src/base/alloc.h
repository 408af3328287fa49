/* alloc.h - every allocation of the library, overflow-checked.
 *
 * Blocks are zeroed and aligned for 16 lanes of float (64 bytes).  The test
 * switch makes the n-th allocation fail, so that every failure path can be
 * tested. It also counts allocations: a test shows that a step makes none. */
#ifndef HS_BASE_ALLOC_H
#define HS_BASE_ALLOC_H

#include <stddef.h>
#include <stdint.h>

#define HS_ALIGN 64

/* Returns zeroed memory for count elements of size bytes, or NULL if memory is
 * short or the product overflows.  A count of 0 gives a valid pointer. */
void *hs_alloc_array(size_t count, size_t size);

/* Resizes a block and keeps its contents; new bytes are zero.  On failure
 * returns NULL and leaves the old block untouched. */
void *hs_realloc_array(void *old, size_t old_count, size_t count, size_t size);

char *hs_strdup(const char *text);
char *hs_strndup(const char *text, size_t length);
void hs_free(void *block);

/* Copies the array and its count strings.  NULL if memory is short. */
char **hs_strings_copy(char *const *at, int count);
/* Frees the strings and the array; at, and any string, may be NULL. */
void hs_strings_free(char **at, int count);

/* Limits what an untrusted file can allocate: until a call with 0, allocations
 * of this thread fail after so many bytes in all, freed or not.  Returns
 * whether one has failed since. */
int hs_alloc_budget(int64_t bytes);

/* For tests: the n-th allocation from now on fails (1 = the next one), and so
 * do all after it; 0 switches this off. */
void hs_alloc_fail_after(int64_t n);

/* For tests: the number of allocations so far. */
int64_t hs_alloc_count(void);

#endif
