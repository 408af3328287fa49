/* logz.c - log Z from the steps between temperatures, with its error.
 *
 * The jackknife needs ln of the sum of exp over all chains except c, for every
 * c.  Sums from the front and from the back meet at c, so all of them cost
 * O(chains), and nothing is subtracted from a sum that it may dominate. */
#include "diag/observe/logz.h"

#include <math.h>

#include "base/alloc.h"
#include "base/error.h"

/* ln(e^a + e^b); -infinity is ln 0. */
static double log_add(double a, double b)
{
    double high = fmax(a, b), low = fmin(a, b);

    return low == -HUGE_VAL ? high : high + log1p(exp(low - high));
}

/* Adds sign times ln of the means of a gap: over all chains to *all, over all
 * except c to one[c].  front has room for [chains]. */
static void add_gap(const double *value, int chains, int gaps, double sign,
                    double *front, double *one, double *all)
{
    double sum = -HUGE_VAL, back = -HUGE_VAL;

    for (int c = 0; c < chains; c++) {
        front[c] = sum;
        sum = log_add(sum, value[(size_t)c * (size_t)gaps]);
    }
    *all += sign * (sum - log(chains));
    for (int c = chains - 1; c >= 0; c--) {
        one[c] += sign * (log_add(front[c], back) - log(chains - 1.0));
        back = log_add(back, value[(size_t)c * (size_t)gaps]);
    }
}

/* Ratio of Student's and the normal half width of a 95 % interval, by which an
 * error from few chains is widened. */
static double student(int freedom)
{
    static const double half[] = {12.7062, 4.3027, 3.1824, 2.7764, 2.5706,
                                  2.4469,  2.3646, 2.3060, 2.2622, 2.2281};
    int known = (int)(sizeof half / sizeof *half);
    double n = freedom;

    return (freedom <= known ? half[freedom - 1]
                             : 1.95996 + 2.3723 / n + 2.8225 / (n * n)) /
           1.95996;
}

/* Combines the estimate with all chains and those with all but one. */
static hs_logz jackknife(double all, const double *one, int chains)
{
    double mean = 0.0, square = 0.0;

    for (int c = 0; c < chains; c++)
        mean += one[c] / chains;
    for (int c = 0; c < chains; c++)
        square += (one[c] - mean) * (one[c] - mean);
    return (hs_logz){chains * all - (chains - 1.0) * mean,
                     sqrt(square * (chains - 1.0) / chains) *
                         student(chains - 1)};
}

hiss_status hs_logz_estimate(const double *up, const double *down, int chains,
                             int gaps, hs_logz *out, hiss_error *err)
{
    double *one = hs_alloc_array((size_t)chains, sizeof *one);
    double *front = hs_alloc_array((size_t)chains, sizeof *front);
    double all = 0.0;

    if (!one || !front) {
        hs_free(one);
        hs_free(front);
        return hs_fail_memory(err);
    }
    for (int g = 0; g < gaps; g++) {
        add_gap(up + g, chains, gaps, 1.0, front, one, &all);
        add_gap(down + g, chains, gaps, -1.0, front, one, &all);
    }
    *out = chains < 2 ? (hs_logz){all, NAN} : jackknife(all, one, chains);
    hs_free(one);
    hs_free(front);
    return HISS_OK;
}

double hs_logz_states(const hs_domain *d)
{
    double sum = 0.0;

    for (int i = 0; i < d->dim; i++)
        sum += log((double)(d->is_tour ? i + 1 : d->states[i]));
    return sum;
}
