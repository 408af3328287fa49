/* limited.c - a limit of memory (ulimit -v) leaves no room for OpenBLAS.
 *
 * Its initializer starts threads, and where one cannot start it ends the
 * process by a signal, before main.  hiss calls BLAS with one thread, so under
 * such a limit the process begins again with OPENBLAS_NUM_THREADS=1.
 * preinit_array is what runs before the initializers of libraries. */
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <unistd.h>

#if defined(__GLIBC__) && defined(__linux__)
static char one_thread[] = "OPENBLAS_NUM_THREADS=1";

static void begin_again(int argc, char **argv, char **environment)
{
    size_t name = strcspn(one_thread, "=") + 1;
    struct rlimit limit;
    char **with;
    int count = 0;

    (void)argc;
    if (getrlimit(RLIMIT_AS, &limit) != 0 || limit.rlim_cur == RLIM_INFINITY)
        return;
    for (; environment[count]; count++)
        if (strncmp(environment[count], one_thread, name) == 0)
            return;
    with = calloc((size_t)count + 2, sizeof *with);
    if (!with)
        return;
    memcpy(with, environment, (size_t)count * sizeof *with);
    with[count] = one_thread;
    execve("/proc/self/exe", argv, with); /* if this fails, go on */
    free(with);
}

__attribute__((section(".preinit_array"),
               used)) static void (*const before)(int, char **,
                                                  char **) = begin_again;
#endif
