/* mcse.h - Monte Carlo standard error of a mean. */
#ifndef HS_DIAG_CHAINS_MCSE_H
#define HS_DIAG_CHAINS_MCSE_H

#include <hiss/status.h>
#include <stdint.h>

/* sd / sqrt(ESS of the mean) of the draws [chain][n], as in ArviZ 0.23; NaN if
 * that ESS is, and 0 for a column that never changed. */
hiss_status hs_mcse_mean(const double *draws, int chains, int64_t n,
                         double *mcse, hiss_error *err);

#endif
