/* agree.h - whether chains differ by more than their own fluctuations.
 *
 * R-hat measures how much half-chains differ.  How much they would differ by
 * chance depends on the number of effective draws, and the largest R-hat of
 * many columns is always large.  This is the corresponding test. */
#ifndef HS_DIAG_TESTS_AGREE_H
#define HS_DIAG_TESTS_AGREE_H

#include <stdint.h>

#include <hiss/diagnose.h>
#include <hiss/status.h>

typedef struct hs_agreement {
    double statistic; /* chi-square of the means of the half-chains */
    double df;        /* half-chains - 1 */
    double p;         /* P(more by chance); 1 if nothing varies */
    double tau;       /* autocorrelation time within half-chains, in draws */
} hs_agreement;

/* Draws [chain][n].  With m half-chains of length n, their means x_j, the mean
 * variance W within them and tau the autocorrelation time within them,
 *
 *   statistic = sum_j (x_j - mean)^2 / (W tau / n)
 *
 * is about chi-square with m - 1 degrees of freedom if all chains have the same
 * distribution and n is many times tau.  If no chain moves, p is 1 if they
 * agree and 0 if not.  With fewer than HS_MIN_DRAWS draws, p is 1. */
hiss_status hs_agree(const double *draws, int chains, int64_t n,
                     hs_agreement *out, hiss_error *err);

/* Computes this and all figures of the column, from the same half-chains. */
hiss_status hs_measure(const double *draws, int chains, int64_t n,
                       hiss_column *column, hs_agreement *out, hiss_error *err);

#endif
