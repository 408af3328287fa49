/* betas.h - temperatures for a population, placed by a small one.
 *
 * A pilot population with reserved chains moves from uniform states to the
 * target.  The next beta is the one at which a given share of the population
 * still counts.  The run uses these betas unchanged: betas that depended on its
 * own replicas would bias its estimate of Z. */
#ifndef HS_RUN_SCHEDULE_BETAS_H
#define HS_RUN_SCHEDULE_BETAS_H

#include <hiss/status.h>

#include "kernel/library.h"
#include "kernel/sampler.h"
#include "run/account/pilot_account.h"

#define HS_BETAS_MAX 4000 /* capacity: temperatures */

typedef struct hs_betas {
    hs_reals list;  /* owned: rising to 1 */
    double evals;   /* evaluations of a replica, from the first to the last, */
    double seconds; /* seconds of one processor */
} hs_betas;

/* smc: the sampler with its defaults written out.  If it has betas, the pilot
 * runs them to measure their cost.  As the account's budget or time is spent,
 * it cools faster; 0: no limit. */
hiss_status hs_betas_find(hs_betas *b, const hs_model *m, const hs_sampler *smc,
                          const hs_library *library, hs_pilot_account *account,
                          hiss_error *err);
void hs_betas_clear(hs_betas *b);

#endif
