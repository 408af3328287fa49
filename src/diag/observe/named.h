/* named.h - the named observables of spins and labels.
 *
 *     m        mean of s_i, s = -1 or 1 of a coordinate of two values; of k
 *              labels (k c - 1) / (k - 1), c the largest share of a label
 *     q        mean of s_i t_i over two states s, t; of labels the share of
 *              coordinates that agree, scaled as above
 *     q_link   mean of s_i s_j t_i t_j over the bonds i j
 *     cluster  the share of sites in the largest cluster of equal neighbors
 *
 * They read states as indices of values, so that a draw is one pass over short
 * numbers.
 *
 * Three are functions of means.  The series below has that value as its mean,
 * and its Monte Carlo error is the error of the value to first order:
 *     C        variance of log p, per site
 *     chi      N (<m^2> - <|m|>^2)
 *     binder   1 - <m^4> / (3 <m^2>^2) */
#ifndef HS_DIAG_OBSERVE_NAMED_H
#define HS_DIAG_OBSERVE_NAMED_H

#include <stdbool.h>
#include <stdint.h>

#include <hiss/status.h>

#include "base/state/domain.h"

/* Bonds of site i are with column[e], start[i] <= e < start[i + 1], in both
 * directions. */
typedef struct hs_bonds {
    int dim;
    const int64_t *start; /* borrowed, as is: */
    const int *column;
} hs_bonds;

/* 2 if all coordinates have two values, else their common number of labels; 0
 * if m and q are not defined. */
int hs_named_states(const hs_domain *d);

/* The indices of a draw of values. */
void hs_named_indices(const hs_domain *d, const double *x, int16_t *out);

/* Values for draws of [dim] indices each.  room: [states] for m, [dim] for
 * link, [2 * dim] for cluster. */
double hs_named_m(int dim, int states, const int16_t *x, int *room);
double hs_named_q(int dim, int states, const int16_t *x, const int16_t *y);
double hs_named_link(const hs_bonds *b, const int16_t *x, const int16_t *y,
                     int *room);
double hs_named_cluster(const hs_bonds *b, const int16_t *x, int *room);

/* The series of C from log p, and those of chi and binder from m, [count]. */
void hs_named_c(const double *lp, int64_t count, int sites, double *out);
void hs_named_chi(const double *m, int64_t count, int sites, double *out);
void hs_named_binder(const double *m, int64_t count, double *out);

#endif
