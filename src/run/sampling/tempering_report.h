/* tempering_report.h - the results of parallel tempering: rates, round trips,
 * log Z. */
#ifndef HS_RUN_SAMPLING_TEMPERING_REPORT_H
#define HS_RUN_SAMPLING_TEMPERING_REPORT_H

#include <hiss/result.h>
#include <hiss/status.h>

#include "run/chain/group.h"

/* Owns its pointers; all 0 if there is one level, or the sampler is not pt. */
typedef hiss_tempering hs_tempering_report;

/* Gathers over all chains of all groups. */
hiss_status hs_tempering_report_gather(hs_tempering_report *r,
                                       hs_group *const *group, int groups,
                                       hiss_error *err);
void hs_tempering_report_clear(hs_tempering_report *r);

#endif
