/* choose.c - which table of primitives this process uses.
 *
 * Compiled once.  HISS_ISA=base|avx2|avx512 asks for one; what the processor
 * cannot run, or does not exist, is passed over for the best it can. */
#include "lanes/lanes.h"

#include <pthread.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

extern const hs_lane_table hs_lanes_base;
#if defined(HS_HAVE_AVX2)
extern const hs_lane_table hs_lanes_avx2;
#endif
#if defined(HS_HAVE_AVX512)
extern const hs_lane_table hs_lanes_avx512;
#endif

static pthread_once_t once = PTHREAD_ONCE_INIT;
static const hs_lane_table *available[4]; /* best first, NULL-terminated */
static const hs_lane_table *chosen;

static void choose(void)
{
    const char *wish = getenv("HISS_ISA");
    int count = 0;

#if defined(HS_HAVE_AVX512)
    if (__builtin_cpu_supports("avx512f") &&
        __builtin_cpu_supports("avx512bw") &&
        __builtin_cpu_supports("avx512dq") &&
        __builtin_cpu_supports("avx512vl") &&
        __builtin_cpu_supports("avx512cd"))
        available[count++] = &hs_lanes_avx512;
#endif
#if defined(HS_HAVE_AVX2)
    if (__builtin_cpu_supports("avx2") && __builtin_cpu_supports("fma") &&
        __builtin_cpu_supports("bmi2"))
        available[count++] = &hs_lanes_avx2;
#endif
    available[count] = &hs_lanes_base;
    chosen = available[0];
    for (int i = 0; i <= count; i++)
        if (wish && strcmp(wish, available[i]->isa) == 0)
            chosen = available[i];
}

const hs_lane_table *hs_lanes(void)
{
    pthread_once(&once, choose);
    return chosen;
}

const hs_lane_table *const *hs_lanes_all(void)
{
    pthread_once(&once, choose);
    return available;
}
