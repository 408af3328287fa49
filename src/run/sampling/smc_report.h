/* smc_report.h - the results of populations: weights, families, log Z. */
#ifndef HS_RUN_SAMPLING_SMC_REPORT_H
#define HS_RUN_SAMPLING_SMC_REPORT_H

#include <hiss/result.h>
#include <hiss/status.h>

/* Owns its pointers; all 0 if the sampler is not smc. */
typedef hiss_population hs_smc_report;

hiss_status hs_smc_report_init(hs_smc_report *r, int temperatures, int chains,
                               hiss_error *err);
void hs_smc_report_clear(hs_smc_report *r);

/* For the complete chains: means of their sums, and log Z from chain_log_z. */
hiss_status hs_smc_report_finish(hs_smc_report *r, int chains, hiss_error *err);

/* The reason why the draws should not be trusted, or NULL; owned by the
 * caller. */
char *hs_smc_report_doubt(const hs_smc_report *r);

#endif
