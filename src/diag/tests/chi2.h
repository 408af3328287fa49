/* chi2.h - Pearson's test of counts against a distribution. */
#ifndef HS_DIAG_TESTS_CHI2_H
#define HS_DIAG_TESTS_CHI2_H

#include <hiss/status.h>
#include <stdint.h>

typedef struct hs_chi2 {
    double statistic; /* +inf after an impossible observation */
    int64_t df;       /* 0 if nothing was left to compare; p is then 1 */
    double p;         /* P(chi-square of df > statistic) */
} hs_chi2;

/* P(chi-square with df degrees > x), relative error below 1e-10 down to
 * 1e-300; 1 for x <= 0 or df <= 0, 0 at +inf, NaN for NaN. */
double hs_chi2_sf(double x, double df);

/* Computes p from statistic and df, for example of summed tests. */
void hs_chi2_finish(hs_chi2 *c);

/* Sum of (observed - expected)^2 / expected, df = groups - 1.
 *
 * Cells with an expectation below 5 are pooled, smallest first, into groups of
 * at least 5. A remainder joins the smallest single cell, or the last group if
 * there is none. An observation in a cell with expectation 0 gives statistic
 * +inf and p = 0.
 *
 * @return HISS_EARG if an expectation is negative or not finite, a count is
 *         negative or the two totals differ by more than 1e-6 of the total;
 *         HISS_ENOMEM. */
hiss_status hs_chi2_pooled(const double *expected, const int64_t *observed,
                           int64_t cells, hs_chi2 *out, hiss_error *err);

#endif
