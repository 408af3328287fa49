/* repetitions.h - a few repetitions: their mean, its error, and whether one
 * set of them is larger than another. */
#ifndef HS_DIAG_TESTS_REPETITIONS_H
#define HS_DIAG_TESTS_REPETITIONS_H

/* Mean of n >= 1 numbers and its standard error (NaN for one). */
void hs_repetitions_mean(const double *x, int n, double *mean, double *se);

/* The probability that the mean of a - b is at least this far from 0 if the two
 * are alike: over all 2^n signs of the differences (n <= 16), else by the
 * normal distribution. */
double hs_repetitions_p(const double *a, const double *b, int n);

#endif
