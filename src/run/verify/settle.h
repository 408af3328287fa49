/* settle.h - the law that a kernel settles at, by the transitions counted. */
#ifndef HS_RUN_VERIFY_SETTLE_H
#define HS_RUN_VERIFY_SETTLE_H

#include <stdbool.h>
#include <stdint.h>

#include <hiss/status.h>

#include "run/verify/judge.h"

/* Where that law is close to e^(beta U), true and beta: the regression of
 * ln(settled / law) on U explains most of its variance.  False also for tables
 * that are too large, or for want of memory. */
bool hs_settle(const hs_verdict *v, const hs_tally *once, double *beta);

#endif
