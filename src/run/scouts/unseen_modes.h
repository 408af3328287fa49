/* unseen_modes.h - tempering in search of unknown modes.
 *
 * Chains with tuned temperatures run for a while (trial.h), which also measures
 * the rate of tempering.  A state at the target is kept if it is unknown to the
 * provisional library of earlier finds.  The spacing of these checks is the
 * time that tempering needs, by its rejections, to bring a fresh state.  The
 * changes of mode between checks test that estimate.  The between-segment
 * variance (trial.h) says less here, because replicas that stay in their modes
 * take turns at the target. */
#ifndef HS_RUN_SCOUTS_UNSEEN_MODES_H
#define HS_RUN_SCOUTS_UNSEEN_MODES_H

#include <stdint.h>

#include <hiss/status.h>

#include "kernel/library.h"
#include "run/survey/trial.h"

#define HS_UNSEEN_MAX   64 /* capacity: unknown states */
#define HS_UNSEEN_LOOKS 64 /* capacity: of all kinds */

typedef struct hs_unseen_modes {
    int16_t *state; /* owned, [HS_UNSEEN_MAX][dim]: unknown states */
    int count;
    int16_t *look; /* owned, [HS_UNSEEN_LOOKS][dim]: the first ones seen */
    int looks;
    double freshness; /* changes of mode between checks, relative to independent
                         states; 1 if there is one mode only */
    double of_u;      /* effective draws of log p of a step, 1 at most */
    double cost;      /* evaluations of a step of one chain, all replicas */
} hs_unseen_modes;

typedef struct hs_unseen_request {
    const hs_sampler *sampler; /* borrowed: tempering */
    hs_trial_start from;
    const hs_library *known; /* borrowed */
    int every;               /* steps between checks */
    uint32_t first_chain;
    double budget; /* evaluations, about */
} hs_unseen_request;

hiss_status hs_unseen_modes_make(hs_unseen_modes *p, const hs_model *m,
                                 const hs_unseen_request *request,
                                 hs_pilot_account *account, hiss_error *err);
void hs_unseen_modes_clear(hs_unseen_modes *p);

#endif
