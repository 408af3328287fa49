/* moments.h - mean and variance of an array. */
#ifndef HS_DIAG_MATHS_MOMENTS_H
#define HS_DIAG_MATHS_MOMENTS_H

#include <stdint.h>

/* Mean, and variance with divisor n - 1 (0 for n = 1), of n >= 1 numbers.
 * Equal numbers give exactly that number and exactly 0. */
void hs_moments(const double *x, int64_t n, double *mean, double *variance);

#endif
