/* flat_arm.h - multicanonical sampling for `auto`, if two phases coexist: the
 * cost of learning its weights, and the rate of its steps. */
#ifndef HS_RUN_ARMS_FLAT_ARM_H
#define HS_RUN_ARMS_FLAT_ARM_H

#include <stdint.h>

#include "kernel/sampler.h"

/* What was learned; all 0 if nothing was. */
typedef struct hs_flat_arm {
    hs_sampler *sampler; /* kept: with its weights */
    int16_t *start;      /* owned, [HS_FLAT_STARTS][dim]: where chains begin */
    double rate;         /* round trips per evaluation, halved */
    double barrier;      /* ln of how much less likely the valley is than the
                            phases; 0: nothing was learned */
    int crossings;       /* crossings of the range of log p in the last stage of
                            learning */
} hs_flat_arm;

void hs_flat_arm_clear(hs_flat_arm *a);

#endif
