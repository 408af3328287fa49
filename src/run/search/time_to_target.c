/* time_to_target.c - the time to reach a goal. */
#include "run/search/time_to_target.h"

#include <math.h>

#define TAIL   0.025
#define GOAL   0.99
#define ROUNDS 200

/* The continued fraction of the incomplete beta function, by Lentz. */
static double fraction(double a, double b, double x)
{
    double tiny = 1e-300, c = 1.0, d = 1.0 - (a + b) * x / (a + 1.0), f;

    d = 1.0 / (fabs(d) < tiny ? tiny : d);
    f = d;
    for (int m = 1; m < 10000; m++) {
        double even = m * (b - m) * x / ((a + 2.0 * m - 1.0) * (a + 2.0 * m));
        double odd =
            -(a + m) * (a + b + m) * x / ((a + 2.0 * m) * (a + 2.0 * m + 1.0));
        double step;

        d = 1.0 + even * d;
        c = 1.0 + even / c;
        d = 1.0 / (fabs(d) < tiny ? tiny : d);
        c = fabs(c) < tiny ? tiny : c;
        f *= d * c;
        d = 1.0 + odd * d;
        c = 1.0 + odd / c;
        d = 1.0 / (fabs(d) < tiny ? tiny : d);
        c = fabs(c) < tiny ? tiny : c;
        step = d * c;
        f *= step;
        if (fabs(step - 1.0) < 1e-15)
            break;
    }
    return f;
}

/* I_x(a, b), the regularized incomplete beta function. */
static double beta_below(double a, double b, double x)
{
    double front;

    if (x <= 0.0 || x >= 1.0)
        return x <= 0.0 ? 0.0 : 1.0;
    front =
        exp(lgamma(a + b) - lgamma(a) - lgamma(b) + a * log(x) + b * log1p(-x));
    if (x < (a + 1.0) / (a + b + 2.0))
        return front * fraction(a, b, x) / a;
    return 1.0 - front * fraction(b, a, 1.0 - x) / b;
}

/* The x with I_x(a, b) = p. */
static double beta_quantile(double a, double b, double p)
{
    double low = 0.0, high = 1.0;

    for (int round = 0; round < ROUNDS && high - low > 1e-15 * high; round++) {
        double x = 0.5 * (low + high);

        if (beta_below(a, b, x) < p)
            low = x;
        else
            high = x;
    }
    return 0.5 * (low + high);
}

void hs_time_to_target_interval(int64_t k, int64_t n, double *low, double *high)
{
    double hits = (double)k, misses = (double)(n - k);

    *low = k == 0 ? 0.0 : beta_quantile(hits, misses + 1.0, TAIL);
    *high = k == n ? 1.0 : beta_quantile(hits + 1.0, misses, 1.0 - TAIL);
}

static double needed(double p)
{
    double r;

    if (p <= 0.0)
        return HUGE_VAL;
    if (p >= GOAL)
        return 1.0;
    r = log(1.0 - GOAL) / log1p(-p);
    return r > 1.0 ? r : 1.0;
}

hs_time_to_target hs_time_to_target_restarts(int64_t k, int64_t n)
{
    double low, high;

    if (n <= 0)
        return (hs_time_to_target){HUGE_VAL, 1.0, HUGE_VAL};
    hs_time_to_target_interval(k, n, &low, &high);
    return (hs_time_to_target){needed((double)k / (double)n), needed(high),
                               needed(low)};
}
