/* moments.c - mean and variance of an array.
 *
 * Both passes work on differences from the first number.  So a chain that
 * never moved has variance 0 and not a rounding error, which distinguishes a
 * stuck chain from a slow one, and a large offset costs no digits. */
#include "diag/maths/moments.h"

void hs_moments(const double *x, int64_t n, double *mean, double *variance)
{
    double sum = 0.0;
    double squares = 0.0;

    for (int64_t i = 0; i < n; i++)
        sum += x[i] - x[0];

    double shift = sum / (double)n;

    for (int64_t i = 0; i < n; i++) {
        double d = (x[i] - x[0]) - shift;

        squares += d * d;
    }
    *mean = x[0] + shift;
    *variance = n > 1 ? squares / (double)(n - 1) : 0.0;
}
