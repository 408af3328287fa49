/* weighted.h - sweeps under weights w(U) (kernel/multicanonical), of lanes. */
#ifndef HS_LANES_WEIGHTED_H
#define HS_LANES_WEIGHTED_H

#include <stdbool.h>

#include "base/lane.h"
#include "base/random/rng.h"

#define HS_WEIGHTED_DEGREE 6 /* neighbors that a site may have */

/* w is piecewise linear: at[c] at low + width c, and slope[c] from there on.  A
 * lane proposes by exp(beta U), and h(U) = exp(w(U) - beta U) for from <= U <=
 * to, else 0, corrects; where is_target h is 1. */
typedef struct hs_weighted {
    const hs_rng *rng;
    const int *site; /* the site of each visit, or NULL: in order */
    int visits;
    int cells;
    double low, width;
    const double *at, *slope; /* not where all lanes are the target's */
    const float *beta;        /* [HS_LANES], not negative */
    const double *from, *to;  /* [HS_LANES] */
    const bool *is_target;    /* [HS_LANES] */
} hs_weighted;

#endif
