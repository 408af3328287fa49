/* clock.h - clocks of the benchmarks, and numbers to work on. */
#ifndef BENCH_CLOCK_H
#define BENCH_CLOCK_H

#include <stdint.h>
#include <time.h>

static inline double bench_clock(clockid_t which)
{
    struct timespec t;

    clock_gettime(which, &t);
    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

/* Of the process: others who want the processor do not count.  For work of
 * one thread. */
static inline double bench_cpu(void)
{
    return bench_clock(CLOCK_PROCESS_CPUTIME_ID);
}

/* Of the wall: for work of several threads. */
static inline double bench_wall(void)
{
    return bench_clock(CLOCK_MONOTONIC);
}

/* A fixed congruential sequence: 31 bits. */
static inline uint32_t bench_draw(uint64_t *seed)
{
    *seed =
        *seed * UINT64_C(6364136223846793005) + UINT64_C(1442695040888963407);
    return (uint32_t)(*seed >> 33);
}

#endif
