/* normal.h - the inverse of the standard normal distribution function. */
#ifndef HS_DIAG_MATHS_NORMAL_H
#define HS_DIAG_MATHS_NORMAL_H

/* The z with Phi(z) = p, relative error below 1e-14 for 1e-300 <= p and p not
 * within rounding of 1; -inf at 0, +inf at 1, NaN outside [0, 1]. */
double hs_normal_quantile(double p);

#endif
