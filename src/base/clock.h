/* clock.h - a clock in seconds that never runs backwards. */
#ifndef HS_BASE_CLOCK_H
#define HS_BASE_CLOCK_H

#include <time.h>

static inline double hs_now(void)
{
    struct timespec t;

    clock_gettime(CLOCK_MONOTONIC, &t);
    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

#endif
