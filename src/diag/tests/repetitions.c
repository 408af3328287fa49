/* repetitions.c - statistics of a few repetitions. */
#include "diag/tests/repetitions.h"

#include <math.h>

enum {
    SIGNS_MAX = 16
};

void hs_repetitions_mean(const double *x, int n, double *mean, double *se)
{
    double sum = 0.0, square = 0.0;

    for (int r = 0; r < n; r++)
        sum += x[r];
    *mean = sum / n;
    for (int r = 0; r < n; r++)
        square += (x[r] - *mean) * (x[r] - *mean);
    *se = n > 1 ? sqrt(square / (n - 1) / n) : (double)NAN;
}

/* If neither set is larger, each difference is equally likely to have the other
 * sign. */
static double over_signs(const double *d, int n)
{
    unsigned all = 1u << n, as_far = 0;
    double sum = 0.0;

    for (int r = 0; r < n; r++)
        sum += d[r];
    for (unsigned s = 0; s < all; s++) {
        double other = 0.0;

        for (int r = 0; r < n; r++)
            other += s >> r & 1 ? -d[r] : d[r];
        as_far += fabs(other) >= fabs(sum) * (1.0 - 1e-12);
    }
    return (double)as_far / all;
}

double hs_repetitions_p(const double *a, const double *b, int n)
{
    double d[SIGNS_MAX], mean, se, sum = 0.0, square = 0.0;

    if (n <= SIGNS_MAX) {
        for (int r = 0; r < n; r++)
            d[r] = a[r] - b[r];
        return over_signs(d, n);
    }
    for (int r = 0; r < n; r++)
        sum += a[r] - b[r];
    mean = sum / n;
    for (int r = 0; r < n; r++)
        square += (a[r] - b[r] - mean) * (a[r] - b[r] - mean);
    se = sqrt(square / (n - 1) / n);
    return se > 0.0 ? erfc(fabs(mean) / se / sqrt(2.0)) : mean == 0.0;
}
