/* flat_report.h - the results of multicanonical sampling: the histogram of U,
 * two phases, log Z. */
#ifndef HS_RUN_FLAT_FLAT_REPORT_H
#define HS_RUN_FLAT_FLAT_REPORT_H

#include <hiss/result.h>
#include <hiss/status.h>

#include "run/chain/group.h"

/* Owns its pointers; all 0 if there are no weights. */
typedef hiss_multicanonical hs_flat_report;

/* Gathers over all chains of all groups. */
hiss_status hs_flat_report_gather(hs_flat_report *r, hs_group *const *group,
                                  int groups, hiss_error *err);
void hs_flat_report_clear(hs_flat_report *r);

#endif
