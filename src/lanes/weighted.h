/* weighted.h - sweeps under weights w(U) (kernel/multicanonical) on lanes. */
#ifndef HS_LANES_WEIGHTED_H
#define HS_LANES_WEIGHTED_H

#include <stdbool.h>

#include "base/lane.h"
#include "base/random/rng.h"

#define HS_WEIGHTED_DEGREE 6 /* most neighbors of a site */

/* w is piecewise linear: at[c] at low + width c, and slope[c] from there on.  A
 * lane proposes by exp(beta U) and corrects by h(U), which is exp(w(U) - beta
 * U) for from <= U <= to and else 0.  If is_target, h is 1. */
typedef struct hs_weighted {
    const hs_rng *rng;
    const int *site; /* the site of each visit, or NULL for the given order */
    int visits;
    int cells;
    double low, width;
    const double *at, *slope; /* unused if all lanes are at the target */
    const float *beta;        /* [HS_LANES], not negative */
    const double *from, *to;  /* [HS_LANES] */
    const bool *is_target;    /* [HS_LANES] */
} hs_weighted;

#endif
