/* tvd.c - how far counted states are from their law.
 *
 * `law` sums to 1 over its `states` >= 1 entries.  Even independent draws do
 * not reach a distance of 0: the mean of |counts / N - p| is near
 * sqrt(2 p (1 - p) / (pi N)). */
#include "diag/tests/tvd.h"

#include <math.h>

static int64_t total(const int64_t *counts, int64_t states)
{
    int64_t sum = 0;

    for (int64_t i = 0; i < states; i++)
        sum += counts[i];
    return sum;
}

/* Sum of |counts / all - law|; without counts every frequency is 0. */
static double l1(const int64_t *counts, const double *law, int64_t states,
                 int64_t all)
{
    double scale = all > 0 ? 1.0 / (double)all : 0.0;
    double sum = 0.0;

    for (int64_t i = 0; i < states; i++)
        sum += fabs((double)counts[i] * scale - law[i]);
    return sum;
}

double hs_tvd(const int64_t *counts, const double *law, int64_t states)
{
    int64_t all = total(counts, states);

    return all > 0 ? 0.5 * l1(counts, law, states, all) : 1.0;
}

double hs_log_mae(const int64_t *counts, const double *law, int64_t states)
{
    int64_t all = total(counts, states);

    return log(l1(counts, law, states, all) / (double)states);
}

double hs_coverage(const int64_t *counts, int64_t states)
{
    int64_t seen = 0;

    for (int64_t i = 0; i < states; i++)
        seen += counts[i] > 0;
    return (double)seen / (double)states;
}
