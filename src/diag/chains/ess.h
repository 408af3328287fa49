/* ess.h - effective sample size of split chains, as in Vehtari et al. 2021.
 *
 * Draws are [chain][n].  The results equal those of ArviZ 0.23, rounding apart
 * (and infinite draws, which ArviZ ranks).  In particular:
 *   - fewer than 4 draws, or one that is not finite, give NaN;
 *   - a column that never changed in any chain has the ESS of its number of
 *     draws (hs_column_inspect finds that it is constant);
 *   - chains that never moved but disagree have an ESS of about 1 each;
 *   - the autocorrelation time is at least 1 / log10(draws), so antithetic
 *     chains cannot claim an unbounded ESS. */
#ifndef HS_DIAG_CHAINS_ESS_H
#define HS_DIAG_CHAINS_ESS_H

#include <hiss/status.h>
#include <stdint.h>

/* For the mean of the draws. */
hiss_status hs_ess_mean(const double *draws, int chains, int64_t n, double *ess,
                        hiss_error *err);

/* For the bulk: the ESS of the rank-normalized draws. */
hiss_status hs_ess_bulk(const double *draws, int chains, int64_t n, double *ess,
                        hiss_error *err);

/* For the tails: the smaller ESS of the indicators of x <= q for q the 5 %
 * and the 95 % quantile. */
hiss_status hs_ess_tail(const double *draws, int chains, int64_t n, double *ess,
                        hiss_error *err);

#endif
