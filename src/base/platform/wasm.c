/* wasm.c - a program in a browser, compiled by Emscripten.  It has no threads,
 * processes or libraries; files are in the memory of the page. */
#include "base/platform/platform.h"

#include <emscripten/heap.h>
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

int hs_platform_processors(void)
{
    return 1;
}

int hs_platform_bound_processors(void)
{
    return 1;
}

bool hs_platform_has_threads(void)
{
    return false;
}

/* All addressable memory: it grows up to this on demand. */
double hs_platform_memory(void)
{
    return (double)emscripten_get_heap_max();
}

bool hs_platform_has_disk(void)
{
    return false;
}

void hs_platform_widen_pages(char *block, size_t bytes)
{
    (void)block;
    (void)bytes;
}

bool hs_platform_own_file(char *path)
{
    (void)path;
    return false;
}

int hs_platform_unnamed_file(const char *name)
{
    char path[64];

    if (snprintf(path, sizeof path, "/tmp/%s", name) >= (int)sizeof path) {
        errno = ENAMETOOLONG;
        return -1;
    }
    return open(path, O_RDWR | O_CREAT | O_TRUNC, 0600);
}

/* Sorts base[0 ..  count); room has the same size. */
static void merge_sort(char *base, char *room, size_t count, size_t size,
                       int (*compare)(const void *, const void *, void *),
                       void *context)
{
    size_t half = count / 2, a = 0, b = half;
    char *to = room;

    if (count < 2)
        return;
    merge_sort(base, room, half, size, compare, context);
    merge_sort(base + half * size, room, count - half, size, compare, context);
    while (a < half && b < count) {
        bool is_right = compare(base + a * size, base + b * size, context) > 0;
        size_t from = is_right ? b++ : a++;

        memcpy(to, base + from * size, size);
        to += size;
    }
    memcpy(to, base + a * size, (half - a) * size);
    memcpy(base, room, b * size); /* the elements from b on are in place */
}

/* The same sort without extra memory. */
static void insertion_sort(char *base, size_t count, size_t size,
                           int (*compare)(const void *, const void *, void *),
                           void *context)
{
    for (size_t n = 1; n < count; n++)
        for (char *at = base + n * size;
             at > base && compare(at - size, at, context) > 0; at -= size)
            for (size_t k = 0; k < size; k++) {
                char byte = at[k];

                at[k] = (at - size)[k];
                (at - size)[k] = byte;
            }
}

void hs_platform_sort(void *base, size_t count, size_t size,
                      int (*compare)(const void *, const void *, void *),
                      void *context)
{
    char *room = malloc(count * size + 1);

    if (room)
        merge_sort(base, room, count, size, compare, context);
    else
        insertion_sort(base, count, size, compare, context);
    free(room);
}

/* Replaces the qsort of musl, which is not stable: draws would differ from
 * those on Linux. */
typedef int (*comparison)(const void *, const void *);

static int compare_plain(const void *a, const void *b, void *context)
{
    return (*(comparison *)context)(a, b);
}

void qsort(void *base, size_t count, size_t size, comparison compare)
{
    hs_platform_sort(base, count, size, compare_plain, &compare);
}

void hs_platform_die_with_parent(void)
{
}

void *hs_platform_library_open(const char *path, const char **reason)
{
    (void)path;
    *reason = "a WebAssembly build loads no libraries";
    return NULL;
}

void *hs_platform_library_symbol(void *library, const char *name)
{
    (void)library;
    (void)name;
    return NULL;
}

void hs_platform_library_close(void *library)
{
    (void)library;
}
