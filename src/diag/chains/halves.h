/* halves.h - a column cut into half-chains, shared by all figures.
 *
 * Effective draws, R-hat and the test of agreement use the means and the
 * autocovariances of the same half-chains, which are computed once.  A column
 * of two values is stored as bits: its figures are those of its indicator, and
 * a lag costs one pass over n / 64 words. */
#ifndef HS_DIAG_CHAINS_HALVES_H
#define HS_DIAG_CHAINS_HALVES_H

#include <stdbool.h>

#include "diag/chains/autocov.h"

typedef struct hs_halves {
    int count;       /* half-chains */
    int64_t n;       /* draws of each */
    double *mean;    /* owned, [count] */
    double between;  /* variance of the means */
    bool is_varying; /* at all */
    hs_autocov
        acov;       /* autocovariance of the half-chains, each minus its mean */
    uint64_t *bits; /* owned, or NULL: for an indicator */
    double *own;    /* owned, or NULL: data that are otherwise borrowed */
} hs_halves;

/* Uses half-chains x [count][n], which it centers and borrows. */
hiss_status hs_halves_init(hs_halves *h, double *x, int count, int64_t n,
                           hiss_error *err);
/* Uses the indicator draws > low, from an unsplit column [chains][n]. */
hiss_status hs_halves_init_bits(hs_halves *h, const double *draws, int chains,
                                int64_t n, double low, hiss_error *err);
void hs_halves_clear(hs_halves *h);

/* Effective draws of the mean (ess.h). */
hiss_status hs_halves_ess(hs_halves *h, double *ess, hiss_error *err);
/* R-hat of these half-chains. */
hiss_status hs_halves_rhat(hs_halves *h, double *rhat, hiss_error *err);

#endif
