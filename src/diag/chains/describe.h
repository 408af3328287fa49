/* describe.h - a column of draws: mean, spread, and effective draws. */
#ifndef HS_DIAG_CHAINS_DESCRIBE_H
#define HS_DIAG_CHAINS_DESCRIBE_H

#include <stdint.h>

#include <hiss/diagnose.h>
#include <hiss/status.h>

#include "diag/chains/halves.h"

/* Draws [chain][n].  h gets the half-chains that the figures come from, with
 * count 0 if the column does not vary; clear it. */
hiss_status hs_describe_halves(const double *draws, int chains, int64_t n,
                               hiss_column *out, hs_halves *h, hiss_error *err);
/* Draws [chain][n]. */
hiss_status hs_describe(const double *draws, int chains, int64_t n,
                        hiss_column *out, hiss_error *err);

#endif
