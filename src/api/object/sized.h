/* sized.h - structs of callers, which may be older or newer than the
 * library.
 *
 * Such a struct begins with a size_t, its size at the caller's compilation;
 * `known` is its size here.  Fields are only added at the end, so both sides
 * agree on the first min(size, known) bytes. */
#ifndef HS_API_SIZED_H
#define HS_API_SIZED_H

#include <stdbool.h>
#include <stddef.h>

#include <hiss/status.h>

/* No struct will ever be this large; such a size is an error. */
#define HS_SIZED_MAX 4096

/* Writes defaults, a struct of this library, to one of `size` bytes; fields
 * unknown to the library become zero. */
void hs_sized_init(void *to, size_t size, const void *defaults, size_t known);

/* Reads a struct of the caller over the defaults in `to`.  HISS_EARG if it has
 * no size, HISS_EUNSUP if unknown fields are not zero. */
hiss_status hs_sized_read(void *to, size_t known, const void *from,
                          const char *name, hiss_error *err);

/* Whether a struct of the caller, which may be NULL, can be filled. */
bool hs_sized_is_set(const void *to);

/* Fills a struct of the caller and returns 1.  Returns 0 without change if it
 * has no size or from is NULL. */
int hs_sized_fill(void *to, const void *from, size_t known);

/* The same check for functions that return a status. */
hiss_status hs_sized_check(const void *to, const char *name, hiss_error *err);

#endif
