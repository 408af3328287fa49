/* clock.h - clocks in seconds that never run backwards. */
#ifndef HS_BASE_CLOCK_H
#define HS_BASE_CLOCK_H

#include <time.h>

static inline double hs_now(void)
{
    struct timespec t;

    clock_gettime(CLOCK_MONOTONIC, &t);
    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

/* Seconds of processors that all threads of this process have used. */
static inline double hs_cpu_seconds(void)
{
    struct timespec t;

    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &t);
    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

#endif
