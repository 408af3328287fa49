/* stationary.h - the stationary distribution of a kernel, by counted
 * transitions. */
#ifndef HS_RUN_VERIFY_STATIONARY_H
#define HS_RUN_VERIFY_STATIONARY_H

#include <stdbool.h>
#include <stdint.h>

#include <hiss/status.h>

#include "run/verify/judge.h"

/* Returns true and beta if that distribution is close to e^(beta U): the
 * regression of ln(stationary / law) on U explains most of its variance.  Also
 * false if tables are too large or memory is short. */
bool hs_stationary_beta(const hs_verdict *v, const hs_tally *once,
                        double *beta);

#endif
