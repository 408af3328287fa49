/* paired.h - is the mean of paired differences 0?
 *
 * P-values that hold for any law and any number of differences, however few
 * of them are not 0: a false alarm is never more likely than p says. */
#ifndef HS_DIAG_TESTS_PAIRED_H
#define HS_DIAG_TESTS_PAIRED_H

#include <stdint.h>

/* Differences -1, 0 and 1 (of an indicator, before and after): the sign test,
 * two-sided and exact.  Given up + down the count of ups is binomial with
 * probability 1/2.  1 when there are none. */
double hs_sign_p(int64_t up, int64_t down);

/* The same differences in several cells that must each have mean 0.  The
 * statistic is the sum of (up - down)^2 / (up + down) over the `df` cells with
 * any; its tail is bounded by Chernoff's bound for chi-square with df degrees,
 * since a sum of signs has no even moment above that of the normal law. */
double hs_spread_p(double statistic, int64_t df);

/* n independent differences that lie in an interval of length `range`. */
typedef struct hs_differences {
    double n, sum, squares;
    double range;
} hs_differences;

double hs_differences_z(const hs_differences *d); /* 0 when all are 0 */

/* Two-sided, by the empirical Bernstein bound (Maurer and Pontil 2009, theorem
 * 11): with probability 1 - delta for either side, with V the sample variance,
 *     |mean - true mean| <= sqrt(2 V L / n) + 7 range L / 3(n - 1),
 * L = ln(2 / delta).  Nearly the z-test where many differ, and still true
 * where three do. */
double hs_differences_p(const hs_differences *d);

/* The smallest true mean that is found at level p with probability 0.9 by
 * differences of this variance. */
double hs_differences_reach(const hs_differences *d, double p);

#endif
