/* smc_pilot.h - what sequential Monte Carlo needs to know beforehand: its
 * temperatures, what a replica costs, and the values of `auto` options. */
#ifndef HS_RUN_PILOT_SMC_PILOT_H
#define HS_RUN_PILOT_SMC_PILOT_H

#include "run/pilot/scheme.h"

/* Adds betas and tuning to a scheme, whose sampler is smc; full: that with
 * every default. */
hiss_status hs_smc_pilot(hs_scheme *s, const hs_sampler *full,
                         hs_pilot_account *account, hiss_error *err);

/* Gives the trees of a group what was tuned next to this beta. */
void hs_smc_pilot_apply(const hs_scheme *s, double beta, hs_group *g);

#endif
