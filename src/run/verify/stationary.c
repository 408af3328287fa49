/* stationary.c - the stationary distribution of a kernel, by counted
 * transitions.
 *
 * Counts of x -> y over those that began at x are a transition matrix.  The
 * distribution is multiplied by it until it no longer changes. */
#include "run/verify/stationary.h"

#include <math.h>
#include <string.h>

#include "base/alloc.h"

#define PAIRS_MAX (1 << 17)
#define ROUNDS    4000
#define STILL     1e-7
#define BEGAN_MIN 50  /* visits to a state that is checked */
#define EXPLAINED 0.8 /* fraction of the variance */

static void multiply(const hs_verdict *v, const hs_tally *t, const double *from,
                     double *to)
{
    for (int64_t n = 0; n < t->states; n++)
        to[n] = t->began[n] > 0 ? 0.0 : from[n];
    for (int64_t k = 0; k < v->pairs; k++)
        to[v->pair[k].to] += from[v->pair[k].from] * (double)v->pair[k].count /
                             (double)t->began[v->pair[k].from];
}

static bool is_still(const double *a, const double *b, int64_t n)
{
    double apart = 0.0;

    for (int64_t k = 0; k < n; k++)
        apart += fabs(a[k] - b[k]);
    return apart < STILL;
}

/* Fits ln(stationary / law) = c + slope U, weighted by the distribution. */
static bool regress(const hs_verdict *v, const hs_tally *t, const double *at,
                    double *slope)
{
    const double *p = t->law[0].p, *u = v->exact.u;
    double w = 0.0, mu = 0.0, my = 0.0, uu = 0.0, uy = 0.0, yy = 0.0;

    for (int pass = 0; pass < 2; pass++)
        for (int64_t n = 0; n < t->states; n++) {
            double y;

            if (t->began[n] < BEGAN_MIN || !(at[n] > 0.0))
                continue;
            y = log(at[n] / p[n]);
            if (pass == 0) {
                w += p[n];
                mu += p[n] * u[n];
                my += p[n] * y;
            } else {
                uu += p[n] * (u[n] - mu / w) * (u[n] - mu / w);
                uy += p[n] * (u[n] - mu / w) * (y - my / w);
                yy += p[n] * (y - my / w) * (y - my / w);
            }
        }
    if (!(uu > 0.0) || !(yy > 0.0))
        return false;
    *slope = uy / uu;
    return uy * uy / uu > EXPLAINED * yy;
}

bool hs_stationary_beta(const hs_verdict *v, const hs_tally *once, double *beta)
{
    size_t states = (size_t)once->states;
    double *at, *next;
    bool is_settled = false;

    if (v->pairs > PAIRS_MAX)
        return false;
    at = hs_alloc_array(states, sizeof *at);
    next = hs_alloc_array(states, sizeof *next);
    if (at && next)
        memcpy(at, once->law[0].p, states * sizeof *at);
    for (int k = 0; at && next && k < ROUNDS && !is_settled; k++) {
        double *other = at;

        multiply(v, once, at, next);
        is_settled = is_still(at, next, once->states);
        at = next;
        next = other;
    }
    is_settled = is_settled && regress(v, once, at, beta);
    *beta = is_settled ? 1.0 + *beta : 1.0;
    hs_free(at);
    hs_free(next);
    return is_settled;
}
