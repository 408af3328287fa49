/* platform.h - functions of the operating system beyond ISO C and files.
 *
 * One file implements them for each system: posix.c for Linux, wasm.c for a
 * program in a browser (Emscripten), which has one thread, one process and
 * files in memory only.  CMake takes one of them (src/CMakeLists.txt).  Missing
 * features have functions too, so that callers need no #if. */
#ifndef HS_BASE_PLATFORM_PLATFORM_H
#define HS_BASE_PLATFORM_PLATFORM_H

#include <stdbool.h>
#include <stddef.h>

/* The smaller number of processors: of the machine or of those this process may
 * use; at least one. */
int hs_platform_processors(void);
int hs_platform_bound_processors(void);

/* False if no further thread can be started. */
bool hs_platform_has_threads(void);

/* Bytes of memory, of which callers use a share; 0 if unknown. */
double hs_platform_memory(void);

/* Whether files use no memory, so that large blocks may be in one. */
bool hs_platform_has_disk(void);

/* Asks for large pages; results do not depend on it. */
void hs_platform_widen_pages(char *block, size_t bytes);

/* The program or library that contains this code: an absolute path without
 * links, at most PATH_MAX bytes.  False if unknown. */
bool hs_platform_own_file(char *path);

/* Opens a new file that no other process sees; -1 with errno on failure.  It
 * can be opened again as /proc/self/fd/N. */
int hs_platform_unnamed_file(const char *name);

/* Like GNU qsort_r: a stable sort. */
void hs_platform_sort(void *base, size_t count, size_t size,
                      int (*compare)(const void *, const void *, void *),
                      void *context);

/* Asks the system to kill this process when its parent ends. */
void hs_platform_die_with_parent(void);

/* Loads a library at run time.  On failure returns NULL and a reason that lasts
 * until the next call. */
void *hs_platform_library_open(const char *path, const char **reason);
void *hs_platform_library_symbol(void *library, const char *name);
void hs_platform_library_close(void *library);

#endif
