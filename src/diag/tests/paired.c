/* paired.c - tests whether the mean of paired differences is 0. */
#include "diag/tests/paired.h"

#include <math.h>

#define POWER_90 1.2815515655446004 /* Phi(z) = 0.9 */

static double log_factorial(double n)
{
    int sign; /* lgamma would write the sign to a global */

    return lgamma_r(n + 1.0, &sign);
}

/* P(X <= k) of the binomial distribution (n, 1/2), k <= n / 2: the term of k
 * times a sum of falling ratios, which stops when nothing is added. */
static double lower_tail(double n, double k)
{
    double log_term =
        log_factorial(n) - log_factorial(k) - log_factorial(n - k) - n * M_LN2;
    double term = 1.0, sum = 1.0;

    for (; k > 0.0 && term > 1e-17 * sum; k -= 1.0) {
        term *= k / (n - k + 1.0);
        sum += term;
    }
    return exp(log_term) * sum;
}

double hs_sign_p(int64_t up, int64_t down)
{
    double n = (double)up + (double)down;

    if (up == down)
        return 1.0;
    return fmin(1.0, 2.0 * lower_tail(n, (double)(up < down ? up : down)));
}

double hs_spread_p(double statistic, int64_t df)
{
    double ratio = df > 0 ? statistic / (double)df : 0.0;

    return ratio > 1.0 ? exp(0.5 * (double)df * (1.0 - ratio + log(ratio)))
                       : 1.0;
}

static double variance(const hs_differences *d)
{
    double v = (d->squares - d->sum * d->sum / d->n) / (d->n - 1.0);

    return v > 0.0 ? v : 0.0;
}

double hs_differences_z(const hs_differences *d)
{
    return d->squares > 0.0 ? d->sum / sqrt(d->squares) : 0.0;
}

/* sqrt(L) is the root s of a s + b s^2 = |mean|. */
double hs_differences_p(const hs_differences *d)
{
    double a, b, t, s;

    if (d->n < 2.0 || d->sum == 0.0)
        return 1.0;
    a = sqrt(2.0 * variance(d) / d->n);
    b = 7.0 * d->range / (3.0 * (d->n - 1.0));
    t = fabs(d->sum) / d->n;
    s = 2.0 * t / (a + sqrt(a * a + 4.0 * b * t));
    return fmin(1.0, 4.0 * exp(-s * s));
}

double hs_differences_reach(const hs_differences *d, double p)
{
    double l = log(4.0 / p), v;

    if (d->n < 2.0)
        return INFINITY;
    v = variance(d) / d->n;
    return sqrt(2.0 * v * l) + 7.0 * d->range * l / (3.0 * (d->n - 1.0)) +
           POWER_90 * sqrt(v);
}
