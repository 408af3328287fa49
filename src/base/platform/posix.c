/* posix.c - Linux, with the C library of GNU. */
#include "base/platform/platform.h"

#include <dlfcn.h>
#include <limits.h>
#include <link.h>
#include <sched.h>
#include <signal.h>
#include <stdint.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <unistd.h>

#define LARGE ((size_t)8 << 20) /* from this size on page tables cost time */

int hs_platform_processors(void)
{
    long all = sysconf(_SC_NPROCESSORS_ONLN);

    return all < 1 ? 1 : all > INT_MAX ? INT_MAX : (int)all;
}

int hs_platform_bound_processors(void)
{
    cpu_set_t bound;

    return sched_getaffinity(0, sizeof bound, &bound) == 0
               ? CPU_COUNT(&bound)
               : hs_platform_processors();
}

bool hs_platform_has_threads(void)
{
    return true;
}

double hs_platform_memory(void)
{
    long pages = sysconf(_SC_PHYS_PAGES), size = sysconf(_SC_PAGESIZE);

    return pages > 0 && size > 0 ? (double)pages * (double)size : 0.0;
}

bool hs_platform_has_disk(void)
{
    return true;
}

void hs_platform_widen_pages(char *block, size_t bytes)
{
#ifdef MADV_HUGEPAGE
    size_t page = (size_t)sysconf(_SC_PAGESIZE);
    size_t skip = page - (uintptr_t)block % page;

    if (bytes >= LARGE)
        madvise(block + skip, (bytes - skip) / page * page, MADV_HUGEPAGE);
#else
    (void)block;
    (void)bytes;
#endif
}

/* Stops the search at the object that contains this code and sets `path`.  The
 * program itself has no name there. */
static int is_ours(struct dl_phdr_info *object, size_t size, void *path)
{
    uintptr_t here = (uintptr_t)&hs_platform_own_file - object->dlpi_addr;
    const char *name =
        *object->dlpi_name ? object->dlpi_name : "/proc/self/exe";

    (void)size;
    for (int h = 0; h < object->dlpi_phnum; h++) {
        const ElfW(Phdr) *part = &object->dlpi_phdr[h];

        if (part->p_type == PT_LOAD && here >= part->p_vaddr &&
            here - part->p_vaddr < part->p_memsz)
            return realpath(name, path) ? 1 : -1;
    }
    return 0;
}

bool hs_platform_own_file(char *path)
{
    return dl_iterate_phdr(is_ours, path) == 1;
}

int hs_platform_unnamed_file(const char *name)
{
    return memfd_create(name, MFD_CLOEXEC);
}

void hs_platform_sort(void *base, size_t count, size_t size,
                      int (*compare)(const void *, const void *, void *),
                      void *context)
{
    qsort_r(base, count, size, compare, context);
}

void hs_platform_die_with_parent(void)
{
    prctl(PR_SET_PDEATHSIG, SIGKILL);
}

void *hs_platform_library_open(const char *path, const char **reason)
{
    void *library = dlopen(path, RTLD_NOW | RTLD_LOCAL);

    *reason = library ? NULL : dlerror();
    return library;
}

void *hs_platform_library_symbol(void *library, const char *name)
{
    return dlsym(library, name);
}

void hs_platform_library_close(void *library)
{
    dlclose(library);
}
