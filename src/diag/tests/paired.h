/* paired.h - tests whether the mean of paired differences is 0.
 *
 * The p-values hold for any distribution and any number of nonzero differences:
 * a false alarm is never more likely than p. */
#ifndef HS_DIAG_TESTS_PAIRED_H
#define HS_DIAG_TESTS_PAIRED_H

#include <stdint.h>

/* The sign test, two-sided and exact, for differences -1, 0 and 1 of an
 * indicator before and after.  Given up + down, the number of ups is binomial
 * with probability 1/2.  Returns 1 if there are none. */
double hs_sign_p(int64_t up, int64_t down);

/* The same for differences in several cells that must each have mean 0.  The
 * statistic is the sum of (up - down)^2 / (up + down) over the `df` nonempty
 * cells.  Chernoff's bound for chi-square with df degrees bounds its tail,
 * because no even moment of a sum of signs exceeds that of the normal
 * distribution. */
double hs_spread_p(double statistic, int64_t df);

/* n independent differences in an interval of length `range`. */
typedef struct hs_differences {
    double n, sum, squares;
    double range;
} hs_differences;

double hs_differences_z(const hs_differences *d); /* 0 if all are 0 */

/* A two-sided p-value by the empirical Bernstein bound (Maurer and Pontil 2009,
 * theorem 11): with probability 1 - delta for either side, with V the sample
 * variance,
 *
 *   |mean - true mean| <= sqrt(2 V L / n) + 7 range L / 3(n - 1), L = ln(2 /
 *   delta).
 *
 * It is nearly the z-test if many differ, and still valid if three do. */
double hs_differences_p(const hs_differences *d);

/* The smallest true mean that differences of this variance detect at level p
 * with probability 0.9. */
double hs_differences_reach(const hs_differences *d, double p);

#endif
