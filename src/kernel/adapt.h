/* adapt.h - tuning a positive number to an acceptance rate during warm-up.
 *
 * Robbins-Monro on its logarithm,
 *     ln v += 2 (acceptance - target) / sqrt(n + 1),
 * and an average of ln v in which the last quarter of the warm-up weighs most
 * (weights grow as n^3); the average is what freezes.  Only arithmetic that is
 * correctly rounded everywhere, so that tuning is reproducible. */
#ifndef HS_KERNEL_ADAPT_H
#define HS_KERNEL_ADAPT_H

#include "base/lane.h"

/* Three columns of a kernel's lane values. */
typedef struct hs_adapt {
    double *log_value;   /* [HS_LANES] */
    double *log_average; /* [HS_LANES] */
    double *count;       /* [HS_LANES] */
} hs_adapt;

enum {
    HS_ADAPT_COLUMNS = 3
};

/* The three columns from `first` on. */
hs_adapt hs_adapt_columns(double (*first)[HS_LANES]);

void hs_adapt_start(hs_adapt a, double value);
void hs_adapt_update(hs_adapt a, const float *acceptance, double target);
/* From now on the average is the value. */
void hs_adapt_freeze(hs_adapt a);
/* e^ln v by the lane exponential. */
void hs_adapt_values(hs_adapt a, float *value);

#endif
