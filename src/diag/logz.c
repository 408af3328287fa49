/* logz.c - log Z from the steps between temperatures, with its error. */
#include "diag/logz.h"

#include <math.h>

#include "base/alloc.h"
#include "base/error.h"

/* ln of the mean of exp over chains but one (or all: left_out < 0). */
static double log_mean(const double *value, int chains, int gaps, int gap,
                       int left_out)
{
    double max = -HUGE_VAL, sum = 0.0;
    int n = 0;

    for (int c = 0; c < chains; c++)
        if (c != left_out)
            max = fmax(max, value[c * gaps + gap]);
    for (int c = 0; c < chains; c++)
        if (c != left_out) {
            sum += exp(value[c * gaps + gap] - max);
            n++;
        }
    return max + log(sum / n);
}

static double total(const double *up, const double *down, int chains, int gaps,
                    int left_out)
{
    double sum = 0.0;

    for (int g = 0; g < gaps; g++)
        sum += log_mean(up, chains, gaps, g, left_out) -
               log_mean(down, chains, gaps, g, left_out);
    return sum;
}

hiss_status hs_logz_estimate(const double *up, const double *down, int chains,
                             int gaps, hs_logz *out, hiss_error *err)
{
    double all = total(up, down, chains, gaps, -1), mean = 0.0, square = 0.0;
    double *one;

    *out = (hs_logz){all, NAN};
    if (chains < 2)
        return HISS_OK;
    one = hs_alloc_array((size_t)chains, sizeof *one);
    if (!one)
        return hs_fail_memory(err);
    for (int c = 0; c < chains; c++) {
        one[c] = total(up, down, chains, gaps, c);
        mean += one[c] / chains;
    }
    for (int c = 0; c < chains; c++)
        square += (one[c] - mean) * (one[c] - mean);
    out->mean = chains * all - (chains - 1.0) * mean;
    out->se = sqrt(square * (chains - 1.0) / chains);
    hs_free(one);
    return HISS_OK;
}
