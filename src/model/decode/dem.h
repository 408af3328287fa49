/* dem.h - detector error models of stim: independent error mechanisms, each
 * with the detectors and logical observables that it flips.
 *
 * `repeat` blocks are unrolled and shifts of detector numbers are applied.
 * Mechanisms with the same symptoms become one: an odd number of them happens
 * with probability p (1 - q) + q (1 - p).  Coordinates, tags and '^' (a
 * suggestion how to decompose an error) are ignored. */
#ifndef HS_MODEL_DECODE_DEM_H
#define HS_MODEL_DECODE_DEM_H

#include <stdint.h>

#include <hiss/status.h>

/* Most symptoms of all mechanisms together, after unrolling. */
#define HS_DEM_TARGETS_MAX 50000000

typedef struct hs_dem {
    int detectors, observables; /* the largest number of each, plus 1 */
    int count;                  /* mechanisms with a symptom and p > 0 */
    double *p;                  /* owned, [count]: probability of each */
    int64_t *at;                /* owned, [count + 1]: starts of the symptoms */
    int *symptom; /* owned: detectors, ascending, then observables as
                     detectors + number */
} hs_dem;

hiss_status hs_dem_read(hs_dem *d, const char *path, hiss_error *err);
void hs_dem_clear(hs_dem *d);

#endif
