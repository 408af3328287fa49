/* choose.c - chooses the table of primitives of this process.  Compiled
 * once.
 *
 * HISS_ISA=base|avx2|avx512 asks for one.  If it does not exist or the
 * processor cannot run it, the best table is used. */
#include "lanes/lanes.h"

#include <pthread.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

#include "lanes/cpu.h"

extern const hs_lane_table hs_lanes_base;
#if defined(HS_HAVE_AVX2)
extern const hs_lane_table hs_lanes_avx2;
#endif
#if defined(HS_HAVE_AVX512)
extern const hs_lane_table hs_lanes_avx512;
#endif

static pthread_once_t once = PTHREAD_ONCE_INIT;
static const hs_lane_table *available[4]; /* best first, NULL-terminated */
static const hs_lane_table *chosen;       /* NULL until it is chosen; atomic */

static void choose(void)
{
    const char *wish = getenv("HISS_ISA");
    const hs_lane_table *best;
    int count = 0;

#if defined(HS_HAVE_AVX512)
    if (hs_cpu_has_avx512())
        available[count++] = &hs_lanes_avx512;
#endif
#if defined(HS_HAVE_AVX2)
    if (hs_cpu_has_avx2())
        available[count++] = &hs_lanes_avx2;
#endif
    available[count] = &hs_lanes_base;
    best = available[0];
    for (int i = 0; i <= count; i++)
        if (wish && strcmp(wish, available[i]->isa) == 0)
            best = available[i];
    __atomic_store_n(&chosen, best, __ATOMIC_RELEASE);
}

const hs_lane_table *hs_lanes(void)
{
    const hs_lane_table *t = __atomic_load_n(&chosen, __ATOMIC_ACQUIRE);

    if (!t) {
        pthread_once(&once, choose);
        t = __atomic_load_n(&chosen, __ATOMIC_ACQUIRE);
    }
    return t;
}

const hs_lane_table *const *hs_lanes_all(void)
{
    pthread_once(&once, choose);
    return available;
}
