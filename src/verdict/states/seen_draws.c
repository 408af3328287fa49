/* seen_draws.c - draws of a run for comparison in a search for modes. */
#include "verdict/states/seen_draws.h"

#include <math.h>

#include "base/alloc.h"
#include "base/error.h"

#define NUMBERS 4e7  /* most numbers in all draws */
#define FEWEST  16.0 /* independent states behind the distribution of a basin */
#define SPARE   4.0

hiss_status hs_seen_init(hs_seen *w, const hiss_result *run, int64_t most,
                         hiss_error *err)
{
    const hs_domain *d = &run->domain;
    int64_t samples = run->run.info.samples;
    int64_t total = run->run.info.chains * samples;
    double room = NUMBERS / d->dim;
    double *values = hs_alloc_array((size_t)d->dim, sizeof *values);

    w->count = total < most ? total : most;
    w->count = (double)w->count > room ? (int64_t)room : w->count;
    w->state =
        hs_alloc_array((size_t)w->count * (size_t)d->dim, sizeof *w->state);
    w->u = hs_alloc_array((size_t)w->count, sizeof *w->u);
    for (int64_t n = 0; values && w->state && w->u && n < w->count; n++) {
        int64_t at = (int64_t)((double)n * (double)total / (double)w->count);

        w->u[n] = run->run.store.lp[at];
        hs_store_state(&run->run.store, d, (int)(at / samples), at % samples,
                       values, w->state + n * d->dim);
    }
    hs_free(values);
    return values && w->state && w->u ? HISS_OK : hs_fail_memory(err);
}

hiss_status hs_seen_sum_up(hs_seen *w, const hs_domain *d, hiss_error *err)
{
    double values = (double)(d->value_count - d->dim); /* free values */

    /* ln of a distribution from n states is off by values / 2n, upwards for
     * these states and downwards for others */
    w->margin = SPARE + values * (1.0 / FEWEST + 1.0 / (double)w->count);
    w->log_r = hs_alloc_array((size_t)d->value_count, sizeof *w->log_r);
    if (!w->log_r)
        return hs_fail_memory(err);
    for (int64_t n = 0; n < w->count; n++)
        for (int i = 0; i < d->dim; i++)
            w->log_r[d->value[i] + w->state[n * d->dim + i]] += 1.0;
    for (int i = 0; i < d->dim; i++)
        for (int v = 0; v < d->states[i]; v++) {
            double *to = &w->log_r[d->value[i] + v];

            *to = log((*to + 1.0) / ((double)w->count + d->states[i]));
        }
    return HISS_OK;
}

void hs_seen_clear(hs_seen *w)
{
    hs_free(w->state);
    hs_free(w->u);
    hs_free(w->log_r);
    *w = (hs_seen){0};
}

int64_t hs_seen_in(const hs_seen *w, const hs_domain *d, const hs_basin *b)
{
    int64_t count = 0;

    for (int64_t n = 0; n < w->count; n++)
        count += hs_basin_log(b, d, w->state + n * d->dim) > -HUGE_VAL;
    return count;
}
