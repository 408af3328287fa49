/* bulk.c - one large block, in memory or in an unnamed file. */
#include "base/read/bulk.h"

#include <errno.h>
#include <fcntl.h>
#include <math.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/statvfs.h>
#include <unistd.h>

#include "base/alloc.h"
#include "base/platform/platform.h"

#define MEMORY_SHARE 0.5
#define DISK_SHARE   0.9 /* fraction of the free disk space */

static double test_limit; /* 0 means no limit */

/* The most bytes that may be taken from memory: half of it. */
static double memory_limit(void)
{
    double all = hs_platform_memory();

    if (test_limit > 0.0)
        return test_limit;
    return all > 0.0 ? MEMORY_SHARE * all : HUGE_VAL;
}

void hs_bulk_set_limit(double bytes)
{
    test_limit = bytes;
}

/* Makes the file despite a limit on file sizes (sink/apart.c): raises the limit
 * as far as possible, and map restores it after mapping. */
static int make_file(char *path)
{
    char again[4096];
    struct rlimit files;
    int fd;

    strcpy(again, path);
    fd = mkostemp(path, O_CLOEXEC);
    if (fd >= 0 || errno != EMFILE || getrlimit(RLIMIT_NOFILE, &files) != 0)
        return fd;
    files.rlim_cur = files.rlim_max;
    strcpy(path, again);
    return setrlimit(RLIMIT_NOFILE, &files) == 0 ? mkostemp(path, O_CLOEXEC)
                                                 : -1;
}

/* Opens a new unnamed file of this size; -1 on failure. */
static int open_file(size_t bytes)
{
    const char *folder = getenv("TMPDIR");
    struct statvfs disk;
    char path[4096];
    int fd;

    folder = folder && *folder ? folder : "/var/tmp";
    if (!hs_platform_has_disk() || statvfs(folder, &disk) != 0 ||
        (double)bytes >
            DISK_SHARE * (double)disk.f_bavail * (double)disk.f_frsize)
        return -1;
    if (snprintf(path, sizeof path, "%s/hiss-draws-XXXXXX", folder) >=
        (int)sizeof path)
        return -1;
    fd = make_file(path);
    if (fd < 0)
        return -1;
    unlink(path);
    if (posix_fallocate(fd, 0, (off_t)bytes) == 0)
        return fd;
    close(fd);
    return -1;
}

static void *map(size_t bytes)
{
    struct rlimit before;
    bool is_rationed = getrlimit(RLIMIT_NOFILE, &before) == 0;
    int fd = open_file(bytes);
    void *block = MAP_FAILED;

    if (fd >= 0) {
        block = mmap(NULL, bytes, PROT_READ | PROT_WRITE, MAP_SHARED, fd, 0);
        close(fd);
    }
    if (is_rationed)
        setrlimit(RLIMIT_NOFILE, &before);
    return block == MAP_FAILED ? NULL : block;
}

void *hs_bulk_alloc(size_t count, size_t size, double most, size_t *mapped)
{
    size_t bytes;
    void *block;

    *mapped = 0;
    if (__builtin_mul_overflow(count, size, &bytes))
        return NULL;
    if ((double)bytes <= most && (double)bytes <= memory_limit())
        return hs_alloc_array(count, size);
    block = map(bytes);
    *mapped = block ? bytes : 0;
    if (!block && (double)bytes <= memory_limit())
        block = hs_alloc_array(count, size);
    return block;
}

void hs_bulk_free(void *block, size_t mapped)
{
    if (mapped)
        munmap(block, mapped);
    else
        hs_free(block);
}

void hs_bulk_rest(void *block, size_t mapped)
{
    if (mapped)
        (void)madvise(block, mapped, MADV_DONTNEED);
}
