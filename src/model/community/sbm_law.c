/* sbm_law.c - the terms of log p of a stochastic block model. */
#include "base/logarithm.h"
#include "model/community/blocks.h"

#define HALF_LOG_TWO_PI 0.91893853320467274178

/* Uses Stirling's series beyond the table; its error is below 1e-16 from 1000
 * on. */
double hs_sbm_factorial(const hs_sbm *m, int64_t n)
{
    double x = (double)n + 1.0;

    if (n < m->factorials)
        return m->factorial[n];
    return (x - 0.5) * hs_logarithm(x) - x + HALF_LOG_TWO_PI +
           (1.0 / 12.0 - 1.0 / (360.0 * x * x)) / x;
}

double hs_sbm_pair(const hs_sbm *m, bool is_within, int64_t e, int64_t n,
                   int64_t other)
{
    int64_t places = is_within ? n * (n - 1) / 2 : n * other;

    if (m->is_corrected)
        return hs_sbm_factorial(m, e) +
               (is_within ? (double)e * 0.69314718055994530942 : 0.0);
    return hs_sbm_factorial(m, e) + hs_sbm_factorial(m, places - e) -
           hs_sbm_factorial(m, places + 1);
}

double hs_sbm_group(const hs_sbm *m, int64_t n, int64_t degrees)
{
    double size = hs_sbm_factorial(m, n);

    if (!m->is_corrected || n == 0)
        return size;
    return size + hs_sbm_factorial(m, n - 1) -
           hs_sbm_factorial(m, n + degrees - 1);
}
