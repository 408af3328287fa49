/* place.h - a folder for targets whose files need names. */
#ifndef HS_FUZZ_PLACE_H
#define HS_FUZZ_PLACE_H

#include <stddef.h>

/* A file in a folder of this process, which is removed when it ends; the same
 * pointer for the same name, at most a few. */
const char *fuzz_place(const char *name);

void fuzz_write(const char *path, const void *bytes, size_t count);

#endif
