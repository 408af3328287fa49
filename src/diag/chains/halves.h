/* halves.h - a column cut into half-chains, with what all figures need of it.
 *
 * Effective draws, R-hat and the test of agreement all come from the means and
 * the autocovariances of the same half-chains.  They are made once.  A column
 * of two values is kept as bits: any figure of it is that of its indicator, and
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
    hs_autocov acov; /* of the half-chains, each less its mean */
    uint64_t *bits;  /* owned, or NULL: of an indicator */
    double *own;     /* owned, or NULL: what would else be borrowed */
} hs_halves;

/* Of half-chains x [count][n], which are centered and stay borrowed. */
hiss_status hs_halves_init(hs_halves *h, double *x, int count, int64_t n,
                           hiss_error *err);
/* Of the indicator draws > low, from a column [chains][n] that is not split. */
hiss_status hs_halves_init_bits(hs_halves *h, const double *draws, int chains,
                                int64_t n, double low, hiss_error *err);
void hs_halves_clear(hs_halves *h);

/* Effective draws of the mean (ess.h). */
hiss_status hs_halves_ess(hs_halves *h, double *ess, hiss_error *err);
/* R-hat of the half-chains as they are. */
hiss_status hs_halves_rhat(hs_halves *h, double *rhat, hiss_error *err);

#endif
