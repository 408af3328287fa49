/* flat_report.h - what multicanonical sampling found: the histogram of U, two
 * phases, log Z. */
#ifndef HS_RUN_FLAT_FLAT_REPORT_H
#define HS_RUN_FLAT_FLAT_REPORT_H

#include <hiss/result.h>
#include <hiss/status.h>

#include "run/chain/group.h"

/* Pointers in it are owned; all 0 where there are no weights. */
typedef hiss_multicanonical hs_flat_report;

/* Over all chains of all groups. */
hiss_status hs_flat_report_gather(hs_flat_report *r, hs_group *const *group,
                                  int groups, hiss_error *err);
void hs_flat_report_clear(hs_flat_report *r);

#endif
