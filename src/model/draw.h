/* draw.h - the random parameters of a model.
 *
 * Number k of entry i of part p (a component, a unit) is word k of the Philox
 * block at (seed; chain HS_SHARED_CHAIN, replica 0, clock p, purpose
 * HS_DRAW_MODEL, block i), so parameters do not depend on the order of drawing
 * and share no number with a run of the same seed. This layout is part of the
 * golden draws, like that of rng.h. */
#ifndef HS_MODEL_DRAW_H
#define HS_MODEL_DRAW_H

#include <stdint.h>

#include "base/random/rng.h"

#define HS_DRAW_MODEL ((hs_purpose)63) /* the last purpose of six bits */

/* Draws a random sign (number 0) and a uniform in (0, 1) (number 1). */
static inline void hs_draw_sign(uint64_t seed, int part, int entry,
                                double *sign, double *uniform)
{
    uint32_t word[4];

    hs_rng_block(seed, HS_SHARED_CHAIN, 0, (uint64_t)part, HS_DRAW_MODEL,
                 (uint32_t)entry, word);
    *sign = word[0] >> 31 ? 1.0 : -1.0;
    *uniform = hs_uniform(word[1]);
}

#endif
