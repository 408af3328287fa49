/* paired.h - a few repetitions: their mean, its error, and which is larger. */
#ifndef HISS_CLI_COMPARE_PAIRED_H
#define HISS_CLI_COMPARE_PAIRED_H

/* Mean of n numbers and its standard error (NaN for one). */
void cli_mean(const double *x, int n, double *mean, double *se);

/* The probability that the mean of a - b is this far from 0, or farther, when
 * the two are alike: over all 2^n signs of the differences (n <= 16), else by
 * the normal law. */
double cli_paired_p(const double *a, const double *b, int n);

#endif
