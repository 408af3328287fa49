/* smc_report.h - what populations found: weights, families, log Z. */
#ifndef HS_RUN_SAMPLING_SMC_REPORT_H
#define HS_RUN_SAMPLING_SMC_REPORT_H

#include <hiss/result.h>
#include <hiss/status.h>

/* Pointers in it are owned; all 0 when the sampler is not smc. */
typedef hiss_population hs_smc_report;

hiss_status hs_smc_report_init(hs_smc_report *r, int temperatures, int chains,
                               hiss_error *err);
void hs_smc_report_clear(hs_smc_report *r);

/* Of the chains that are done: means of what was summed up over them, and
 * log Z from chain_log_z. */
hiss_status hs_smc_report_finish(hs_smc_report *r, int chains, hiss_error *err);

/* Why the draws should not be trusted, or NULL; owned by the caller. */
char *hs_smc_report_doubt(const hs_smc_report *r);

#endif
