/* place.h - files of an input: in memory, or with a name in a folder. */
#ifndef HS_FUZZ_PLACE_H
#define HS_FUZZ_PLACE_H

#include <stddef.h>

#define FUZZ_PATH_MAX 64

/* A file in memory with these bytes, for readers that want a path; the caller
 * closes what is returned. */
int fuzz_memory(char path[FUZZ_PATH_MAX], const void *bytes, size_t count);

/* A file in a folder of this process, which is removed when it ends; the same
 * pointer for the same name, at most a few. */
const char *fuzz_place(const char *name);

void fuzz_write(const char *path, const void *bytes, size_t count);

#endif
