/* flat_arm.h - multicanonical sampling for `auto`: where two phases coexist,
 * what learning its weights costs, and what its steps bring. */
#ifndef HS_RUN_ARMS_FLAT_ARM_H
#define HS_RUN_ARMS_FLAT_ARM_H

#include <hiss/status.h>

#include "base/text.h"
#include "kernel/sampler.h"
#include "run/account/pilot_account.h"
#include "run/atlas/pilot_chains.h"

/* What was learned; all 0: nothing. */
typedef struct hs_flat_arm {
    hs_sampler *sampler; /* kept: with its weights */
    int16_t *start;      /* owned, [HS_FLAT_STARTS][dim]: where chains begin */
    double rate;         /* round trips per evaluation, halved */
    double barrier;      /* ln of how much less likely the valley is than the
                            phases; 0: nothing was learned */
    int crossings;       /* of the range of log p while it was learned last */
} hs_flat_arm;

/* Whether log p of these chains has two peaks that are far apart, and whether
 * learning weights is worth it: another sampler brings `brought` effective
 * draws per evaluation. */
hiss_status hs_flat_arm_is_wanted(bool *out, const hs_model *m,
                                  const hs_pilot_chains *chains, double brought,
                                  hs_pilot_account *account, hiss_error *err);

/* Learns weights with this local sampler, or with single sites where it cannot
 * be the base. a->sampler stays NULL where there are no two phases between
 * which chains travel. */
hiss_status hs_flat_arm_learn(hs_flat_arm *a, const hs_model *m,
                              const hs_sampler *local,
                              hs_pilot_account *account, hs_text *text,
                              hiss_error *err);
void hs_flat_arm_clear(hs_flat_arm *a);

#endif
