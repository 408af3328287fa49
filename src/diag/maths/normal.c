/* normal.c - the inverse of the standard normal distribution function.
 *
 * Starts from the rational approximation 26.2.23 of Abramowitz and Stegun
 * (absolute error 4.5e-4) and takes two steps of Halley's method on
 *     Phi(z) = erfc(-z / sqrt 2) / 2,
 * each of which cubes the error.  It solves the lower tail and mirrors the
 * upper one, so erfc never loses digits to 1 - p. */
#include "diag/maths/normal.h"

#include <math.h>

#define SQRT_HALF   0.70710678118654752440
#define SQRT_TWO_PI 2.50662827463100050242

/* For 0 < p <= 1/2. */
static double lower_tail(double p)
{
    double t = sqrt(-2.0 * log(p));
    double above = 2.515517 + t * (0.802853 + t * 0.010328);
    double below = 1.0 + t * (1.432788 + t * (0.189269 + t * 0.001308));
    double z = above / below - t;

    for (int i = 0; i < 2; i++) {
        double error = 0.5 * erfc(-z * SQRT_HALF) - p;
        double step = error * SQRT_TWO_PI * exp(0.5 * z * z);

        z -= step / (1.0 + 0.5 * z * step);
    }
    return z;
}

double hs_normal_quantile(double p)
{
    if (!(p >= 0.0 && p <= 1.0))
        return NAN;
    if (p == 0.0)
        return -INFINITY;
    if (p == 1.0)
        return INFINITY;
    if (p == 0.5)
        return 0.0; /* equal ranks must score exactly 0 */
    return p < 0.5 ? lower_tail(p) : -lower_tail(1.0 - p);
}
