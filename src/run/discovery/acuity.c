/* acuity.c - would the looks of a deflation have seen a narrow mode? */
#include "run/discovery/acuity.h"

#include <math.h>

#include "base/alloc.h"
#include "run/discovery/neighbours.h"

#define DIGITS 3e-14 /* of U: what is seen */
#define WIDTH  0.5   /* of the known mode */

/* Curvature by the next numbers on either side, the milder one. */
static double curvature(const double *gain, int states, int at)
{
    double low = at > 0 ? gain[at - 1] : -HUGE_VAL;
    double high = at < states - 1 ? gain[at + 1] : -HUGE_VAL;
    double most = fmax(low, high);

    return isfinite(most) && most < 0.0 ? -2.0 * most : 0.0;
}

/* Gains of one coordinate whose mode is at c; returns their ln sum e^gain. */
static double make_up(const double *gain, int states, bool is_long, int at,
                      int c, double *out)
{
    double k = curvature(gain, states, at) / (WIDTH * WIDTH), sum = 0.0;

    for (int v = 0; v < states; v++) {
        out[v] = is_long ? -0.5 * k * (v - c) * (v - c)
                         : gain[(v - c + at + states) % states] / WIDTH;
        sum += exp(out[v]);
    }
    return log(sum);
}

static double log_sum(const double *gain, int states)
{
    double sum = 0.0;

    for (int v = 0; v < states; v++)
        sum += exp(gain[v]);
    return log(sum);
}

/* Gains of all coordinates, of mode `lane`; returns its U at the top. */
static double make_mode(const hs_deflation *d, const int16_t *state,
                        const hs_rng *rng, int lane, double *out)
{
    const hs_domain *domain = &d->m->domain;
    double top = d->top[0];

    for (int i = 0; i < domain->dim; i++) {
        int first = domain->value[i], states = domain->states[i];
        uint32_t word =
            hs_rng_word(rng->seed, rng->chain[lane], rng->replica[lane],
                        rng->clock, HS_DRAW_PROBE, (uint32_t)i);

        top += log_sum(d->gain + first, states);
        top -=
            make_up(d->gain + first, states, hs_neighbours_is_long(domain, i),
                    state[i], hs_below(word, states), out + first);
    }
    return top;
}

static bool is_seen(const hs_deflation *d, double top, const double *gain)
{
    const hs_domain *domain = &d->m->domain;

    for (int64_t n = 0; n < d->looks; n++) {
        const int16_t *x = d->state + n * domain->dim;
        double u = top;

        if (!isfinite(d->u[n]))
            continue;
        for (int i = 0; i < domain->dim; i++)
            u += gain[domain->value[i] + x[i]];
        if (u - d->u[n] > log(DIGITS * (1.0 + fabs(d->u[n]))))
            return true;
    }
    return false;
}

int hs_acuity(const hs_deflation *d, const int16_t *state, const hs_rng *rng)
{
    int values = d->m->domain.value[d->m->domain.dim], seen = 0;
    double *gain = hs_alloc_array((size_t)values, sizeof *gain);

    for (int k = 0; gain && k < HS_ACUITY_MODES; k++) {
        double top = make_mode(d, state, rng, k, gain);

        seen += is_seen(d, top, gain);
    }
    seen = gain ? seen : -1;
    hs_free(gain);
    return seen;
}
