/* smc.h - a run of populations: one for each chain, one after the other. */
#ifndef HS_RUN_SAMPLING_SMC_H
#define HS_RUN_SAMPLING_SMC_H

#include <hiss/run.h>
#include <hiss/status.h>

#include "run/pilot/scheme.h"
#include "run/sampling/run.h"

/* HISS_EUNSUP if a population cannot do what the settings request. */
hiss_status hs_smc_check(const hiss_settings *set, hiss_error *err);

/* Makes the whole run of a scheme whose sampler is smc; m: the caller's model;
 * started: hs_now() at the beginning of the call, before its pilot. */
hiss_status hs_smc_run(hs_run *run, const hs_model *m, const hs_scheme *scheme,
                       const hiss_settings *set, double started,
                       hiss_error *err);

#endif
