/* platform.h - what an operating system gives beyond ISO C and plain files.
 *
 * One file fills this in for each: posix.c for Linux, wasm.c for a program in a
 * browser (Emscripten), which has one thread, one process and files in memory
 * alone.  CMake takes one of them (src/CMakeLists.txt).  This file declares
 * what a platform lacks, so that callers need no conditions on it. */
#ifndef HS_BASE_PLATFORM_PLATFORM_H
#define HS_BASE_PLATFORM_PLATFORM_H

#include <stdbool.h>
#include <stddef.h>

/* Processors of the machine, and those that this process is bound to; at least
 * one. */
int hs_platform_processors(void);
int hs_platform_bound_processors(void);

/* false: a further thread cannot be started. */
bool hs_platform_has_threads(void);

/* Bytes of memory of which callers take a share; 0 if unknown. */
double hs_platform_memory(void);

/* Whether a file takes no memory, so that large blocks may lie in one. */
bool hs_platform_has_disk(void);

/* Asks for large pages; nothing depends on the answer. */
void hs_platform_widen_pages(char *block, size_t bytes);

/* The file that this code is in, a program or a library: an absolute path
 * without links, of PATH_MAX bytes at most.  false if unknown. */
bool hs_platform_own_file(char *path);

/* A descriptor of a new file that nobody else sees, or -1 with errno.  It can
 * be opened again as /proc/self/fd/N. */
int hs_platform_unnamed_file(const char *name);

/* qsort_r of GNU: equal elements keep their order, as with its qsort. */
void hs_platform_sort(void *base, size_t count, size_t size,
                      int (*compare)(const void *, const void *, void *),
                      void *context);

/* This process is killed when the one that started it ends. */
void hs_platform_die_with_parent(void);

/* Libraries that are loaded while the program runs.  NULL with a reason, which
 * lasts until the next call. */
void *hs_platform_library_open(const char *path, const char **reason);
void *hs_platform_library_symbol(void *library, const char *name);
void hs_platform_library_close(void *library);

#endif
