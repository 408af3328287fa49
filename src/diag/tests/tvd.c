/* tvd.c - the distance of counted states from their distribution.
 *
 * `law` sums to 1 over all states.  Even independent draws do not reach a
 * distance of 0: the mean of |counts / N - p| is near sqrt(2 p (1 - p) / (pi
 * N)). */
#include "diag/tests/tvd.h"

#include <math.h>

static int64_t total(const int64_t *counts, int64_t states)
{
    int64_t sum = 0;

    for (int64_t i = 0; i < states; i++)
        sum += counts[i];
    return sum;
}

/* Sum of |counts / all - law|. */
static double l1(const int64_t *counts, const double *law, int64_t states,
                 int64_t all)
{
    double sum = 0.0;

    for (int64_t i = 0; i < states; i++)
        sum += fabs((double)counts[i] / (double)all - law[i]);
    return sum;
}

double hs_tvd(const int64_t *counts, const double *law, int64_t states)
{
    int64_t all = total(counts, states);

    return all > 0 ? 0.5 * l1(counts, law, states, all) : 1.0;
}

double hs_tvd_seen(const int64_t *counts, const double *law, int64_t seen)
{
    int64_t all = total(counts, seen);
    double mass = 0.0;

    for (int64_t i = 0; i < seen; i++)
        mass += law[i];
    return all > 0 ? 0.5 * (l1(counts, law, seen, all) + fabs(1.0 - mass))
                   : 1.0;
}
