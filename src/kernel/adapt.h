/* adapt.h - tunes a positive number to an acceptance rate, in a pilot.
 *
 * It uses Robbins-Monro on the logarithm, ln v += 2 (acceptance - target) /
 * sqrt(n + 1), and an average of ln v in which the last quarter of the warm-up
 * weighs most (weights grow as n^3).  The average becomes the frozen value.
 * All arithmetic is correctly rounded everywhere, so tuning is reproducible.
 *
 * Everything is linear in the acceptances.  So chains whose columns are
 * averaged after every step (run/chain/group.h) tune one value to their mean
 * acceptance. */
#ifndef HS_KERNEL_ADAPT_H
#define HS_KERNEL_ADAPT_H

#include <stddef.h>

#include "base/lane.h"
#include "base/random/rng.h"

/* Three columns of a kernel's lane values. */
typedef struct hs_adapt {
    double *log_value;   /* [HS_LANES] */
    double *log_average; /* [HS_LANES] */
    double *count;       /* [HS_LANES] */
} hs_adapt;

enum {
    HS_ADAPT_COLUMNS = 3
};

/* Returns the three columns from `first` on. */
hs_adapt hs_adapt_columns(double (*first)[HS_LANES]);

void hs_adapt_start(hs_adapt a, double value);
/* The value stays within a factor of e^14 of the unit. */
void hs_adapt_update(hs_adapt a, const float *acceptance, double target,
                     double log_unit);
/* Keeps the value between two bounds. */
void hs_adapt_confine(hs_adapt a, double log_least, double log_most);
/* Makes the average the value from now on. */
void hs_adapt_freeze(hs_adapt a);
/* Writes "alpha=0.31", or "alpha=any" at the end of its range, where every
 * proposal is accepted and another value would change nothing. */
int hs_adapt_describe(const char *name, double log_value, double log_unit,
                      char *text, size_t size);
/* Computes e^ln v by the lane exponential. */
void hs_adapt_values(hs_adapt a, float *value);

/* For a domain with far values (hs_domain_far_gap), which steps of the tuned
 * size would never reach: one step in four of a lane, independent of its state,
 * gets a size whose logarithm is uniform between the tuned one and log_far.
 * Every size keeps the distribution, and so does a choice among them. */
void hs_adapt_reach(hs_adapt a, const hs_rng *rng, double log_far,
                    float *value);

#endif
