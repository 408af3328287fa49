/* scarce.c - loaded before a program, it lets one allocation fail, or that one
 * and all after it, whichever part asked for it: the program, jansson, HDF5,
 * libc.
 *
 *     SCARCE_AT     which one, counted from 1; 0 or nothing: none
 *     SCARCE_ONCE   if it is set, only that one
 *     SCARCE_COUNT  a file for the number of them, made at the end
 *     SCARCE_CLOCK  after so many questions for the time, clocks jump: the
 *                   steady one 100 s ahead, the other a day back */
#include <errno.h>
#include <fcntl.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

extern void *__libc_malloc(size_t size);
extern void *__libc_calloc(size_t count, size_t size);
extern void *__libc_realloc(void *block, size_t size);

static atomic_long own, *made = &own; /* of all child processes together */
static long fail_at;
static int only_once;
static atomic_long asked;
static long jump_at;

__attribute__((constructor)) static void begin(void)
{
    const char *at = getenv("SCARCE_AT");

    only_once = getenv("SCARCE_ONCE") != NULL;
    made = mmap(NULL, sizeof *made, PROT_READ | PROT_WRITE,
                MAP_SHARED | MAP_ANONYMOUS, -1, 0);
    if (made == MAP_FAILED)
        _exit(77);
    fail_at = at ? strtol(at, NULL, 10) : 0;
    at = getenv("SCARCE_CLOCK");
    jump_at = at ? strtol(at, NULL, 10) : 0;
}

__attribute__((destructor)) static void end(void)
{
    const char *path = getenv("SCARCE_COUNT");
    int file = path ? open(path, O_WRONLY | O_CREAT | O_TRUNC, 0666) : -1;
    char text[32];

    if (file >= 0)
        (void)!write(file, text,
                     (size_t)snprintf(text, sizeof text, "%ld", *made));
}

static int must_fail(void)
{
    long n = atomic_fetch_add(made, 1) + 1;

    if (fail_at == 0 || (only_once ? n != fail_at : n < fail_at))
        return 0;
    errno = ENOMEM;
    return 1;
}

void *malloc(size_t size)
{
    return must_fail() ? NULL : __libc_malloc(size);
}

void *calloc(size_t count, size_t size)
{
    return must_fail() ? NULL : __libc_calloc(count, size);
}

void *realloc(void *block, size_t size)
{
    return must_fail() ? NULL : __libc_realloc(block, size);
}

int clock_gettime(clockid_t clock, struct timespec *t)
{
    int rc = (int)syscall(SYS_clock_gettime, clock, t);

    if (rc != 0 || jump_at == 0 || atomic_fetch_add(&asked, 1) + 1 < jump_at)
        return rc;
    if (clock == CLOCK_MONOTONIC)
        t->tv_sec += 100;
    else if (clock == CLOCK_REALTIME)
        t->tv_sec -= 86400;
    return rc;
}
