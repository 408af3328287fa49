/* glance.c - statistics of the draws so far, for progress displays.
 *
 * It only reads draws, so the draws of a run do not depend on it. */
#include "run/sampling/glance.h"

#include <math.h>

#include "base/alloc.h"
#include "base/clock.h"
#include "diag/chains/ess.h"
#include "diag/chains/rhat.h"

#define COORDINATES 8 /* evenly spaced, in addition to log p */
#define DRAWS_MIN   16
/* numbers of all chains, so that a signal does not wait long */
#define VALUES_MAX (1 << 18)
#define EVERY      1.0  /* seconds between two checks, at least */
#define SHARE      0.05 /* fraction of the run's time */

void hs_glance_init(hs_glance *g)
{
    *g = (hs_glance){
        .log_p = (double)NAN, .ess = (double)NAN, .rhat = (double)NAN};
}

static void judge(const double *column, int chains, int64_t n, hs_glance *out)
{
    double ess, rhat;

    if (hs_ess_bulk(column, chains, n, &ess, NULL) == HISS_OK && !isnan(ess) &&
        !(out->ess <= ess))
        out->ess = ess;
    if (hs_rhat(column, chains, n, &rhat, NULL) == HISS_OK && !isnan(rhat) &&
        !(out->rhat >= rhat))
        out->rhat = rhat;
}

/* Copies log p to the column; returns its mean. */
static double take_log_p(const hs_store *s, int64_t n, double *column)
{
    double sum = 0.0;

    for (int c = 0; c < s->chains; c++)
        for (int64_t k = 0; k < n; k++) {
            double u = s->lp[(int64_t)c * s->capacity + k];

            *column++ = u;
            sum += u;
        }
    return sum / ((double)s->chains * (double)n);
}

void hs_glance_take(hs_glance *g, const hs_store *s, int64_t n, double seconds)
{
    int columns = s->dim < COORDINATES ? s->dim : COORDINATES;
    double began = hs_now(), wait, *column;

    if (n < DRAWS_MIN || seconds < g->next || s->chains * n > VALUES_MAX)
        return; /* keep the figures of fewer draws */
    column = hs_alloc_array((size_t)s->chains * (size_t)n, sizeof *column);
    if (!column)
        return;
    hs_glance_init(g);
    g->log_p = take_log_p(s, n, column);
    judge(column, s->chains, n, g);
    for (int k = 0; k < columns; k++) {
        hs_store_column(s, n, (int)((int64_t)k * s->dim / columns), column);
        judge(column, s->chains, n, g);
    }
    hs_free(column);
    wait = (hs_now() - began) / SHARE;
    g->next = seconds + (wait > EVERY ? wait : EVERY);
}
