/* log_weights.c - w(U), piecewise linear. */
#include <math.h>

#include "base/alloc.h"
#include "base/error.h"
#include "kernel/multicanonical/log_weights.h"

hiss_status hs_log_weights_init(hs_log_weights *w, double low, double high,
                                const double *slope, int cells, hiss_error *err)
{
    *w = (hs_log_weights){
        .cells = cells,
        .low = low,
        .width = (high - low) / cells,
        .slope = hs_alloc_array((size_t)cells, sizeof *w->slope),
        .at = hs_alloc_array((size_t)cells + 1, sizeof *w->at)};
    if (!w->slope || !w->at) {
        hs_log_weights_clear(w);
        return hs_fail_memory(err);
    }
    for (int c = 0; c < cells; c++)
        w->slope[c] = slope[c];
    hs_log_weights_sum(w);
    return HISS_OK;
}

void hs_log_weights_clear(hs_log_weights *w)
{
    hs_free(w->slope);
    hs_free(w->at);
    *w = (hs_log_weights){0};
}

void hs_log_weights_sum(hs_log_weights *w)
{
    w->at[0] = 0.0;
    for (int c = 0; c < w->cells; c++)
        w->at[c + 1] = w->at[c] + w->slope[c] * w->width;
}

bool hs_log_weights_valley(const double *log_p, int count, double least,
                           int *at)
{
    bool has_any = false;

    for (int c = 1; c + 1 < count; c++) {
        int left = c, right = c;
        double depth;

        for (int n = 0; n < c; n++)
            left = log_p[n] > log_p[left] ? n : left;
        for (int n = c + 1; n < count; n++)
            right = log_p[n] > log_p[right] ? n : right;
        depth = fmin(log_p[left], log_p[right]) - log_p[c];
        if (!(depth > least))
            continue;
        least = depth;
        has_any = true;
        at[0] = left;
        at[1] = c;
        at[2] = right;
    }
    return has_any;
}
