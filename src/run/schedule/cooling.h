/* cooling.h - from uniform states to the target, once, and how hard it was.
 *
 * Lanes start uniform (beta = 0) and are cooled to beta = 1 in stages of a few
 * steps of a sampler.  The speed is thermodynamic: beta grows by SPEED / sd(U)
 * per stage, so that every stage is as hard as the last.  For close levels an
 * exchange is rejected with probability (beta' - beta) sd(U) / sqrt(pi); its
 * integral is the first guess of the barrier between uniform and target. */
#ifndef HS_RUN_SCHEDULE_COOLING_H
#define HS_RUN_SCHEDULE_COOLING_H

#include <hiss/status.h>

#include "kernel/sampler.h"
#include "run/account/pilot_account.h"
#include "run/chain/group.h"

#define HS_COOLING_STAGES 4096 /* capacity: temperatures */

typedef struct hs_cooling {
    int stages;
    double *beta;     /* owned, [stages]: from 0 to 1 */
    double *barrier;  /* owned, [stages]: integrated up to there */
    hs_group **group; /* owned, [groups]: where the lanes ended, beta = 1 */
    int groups;
} hs_cooling;

/* groups * 16 lanes, chains numbered from first_chain; about `budget`
 * evaluations at most, counted in account. */
hiss_status hs_cooling_init(hs_cooling *a, const hs_model *m,
                            const hs_sampler *sampler, uint32_t first_chain,
                            int groups, double budget,
                            hs_pilot_account *account, hiss_error *err);
void hs_cooling_clear(hs_cooling *a);

#endif
