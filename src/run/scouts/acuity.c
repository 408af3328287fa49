/* acuity.c - would the samples of a deflation have shown a narrow mode? */
#include "run/scouts/acuity.h"

#include <math.h>

#include "base/alloc.h"
#include "run/policy/policy.h"
#include "run/scouts/neighbors.h"

#define DIGITS 3e-14 /* precision: of U, what can be seen */

/* Curvature by the next numbers on either side, the milder one. */
static double curvature(const double *gain, int states, int at)
{
    double low = at > 0 ? gain[at - 1] : -HUGE_VAL;
    double high = at < states - 1 ? gain[at + 1] : -HUGE_VAL;
    double most = fmax(low, high);

    return isfinite(most) && most < 0.0 ? -2.0 * most : 0.0;
}

/* Gains of one coordinate whose mode is at c; returns their ln sum e^gain.
 * None is above 0: an optimum gains by nothing. */
static double make_up(const double *gain, int states, bool is_long, int at,
                      int c, double width, double *out)
{
    double k = curvature(gain, states, at) / (width * width), sum = 0.0;

    for (int v = 0; v < states; v++) {
        out[v] = is_long
                     ? -0.5 * k * (v - c) * (v - c)
                     : fmin(gain[(v - c + at + states) % states] / width, 0.0);
        sum += exp(out[v]);
    }
    return log(sum);
}

/* The value of the optimum. */
static int top_of(const double *gain, int states)
{
    int at = 0;

    for (int v = 1; v < states; v++)
        at = gain[v] > gain[at] ? v : at;
    return at;
}

static bool are_apart(const hs_deflation *d, int a, int b)
{
    const hs_domain *domain = &d->m->domain;
    int count = 0;

    for (int i = 0; i < domain->dim; i++) {
        int first = domain->value[i], states = domain->states[i];

        count += top_of(hs_deflation_gains(d, a) + first, states) !=
                 top_of(hs_deflation_gains(d, b) + first, states);
    }
    return count > domain->dim / hs_policy_count(HS_NEAR_OPTIMA_RATIO);
}

/* The model of the made-up modes. */
struct pattern {
    int mode;     /* the widest known mode that matters; -1: none */
    double mass;  /* ln of that of the heaviest */
    double width; /* width of the mode */
};

static struct pattern choose(const hs_deflation *d)
{
    struct pattern p = {
        .mode = -1, .mass = -HUGE_VAL, .width = hs_policy(HS_NARROW_WIDTH)};
    double wide[HS_DEFLATED_MAX];

    for (int k = 0; k < d->modes; k++) {
        wide[k] =
            hs_neighbours_mass(&d->m->domain, hs_deflation_gains(d, k), 0.0);
        p.mass = fmax(p.mass, d->top[k] + wide[k]);
    }
    for (int k = 0; k < d->modes; k++) {
        if (d->top[k] + wide[k] < p.mass - -log(hs_policy(HS_NEGLIGIBLE)))
            continue;
        if (p.mode >= 0 && are_apart(d, p.mode, k))
            p.width = 0.5;
        if (p.mode < 0 || wide[k] > wide[p.mode])
            p.mode = k;
    }
    return p;
}

/* Makes up mode n: writes the gains of all coordinates and returns ln of its
 * mass minus its U. */
static double make_mode(const hs_deflation *d, const struct pattern *p,
                        const hs_rng *rng, int n, double *out)
{
    const hs_domain *domain = &d->m->domain;
    double sum = 0.0;

    for (int i = 0; i < domain->dim; i++) {
        int first = domain->value[i], states = domain->states[i];
        const double *gain = hs_deflation_gains(d, p->mode) + first;
        uint32_t word = hs_rng_word(
            rng->seed, rng->chain[0], rng->replica[0], rng->clock,
            HS_DRAW_PROBE, (uint32_t)i + (uint32_t)n * (uint32_t)domain->dim);

        sum += make_up(gain, states, hs_neighbours_is_long(domain, i),
                       top_of(gain, states), hs_below(word, states), p->width,
                       out + first);
    }
    return sum;
}

/* U falls with every added coordinate, so most samples are rejected after a few
 * of them. */
static bool is_seen(const hs_deflation *d, double top, const double *gain)
{
    const hs_domain *domain = &d->m->domain;

    for (int64_t n = 0; n < d->looks; n++) {
        const int16_t *x = d->state + n * domain->dim;
        double least = d->u[n] + log(DIGITS * (1.0 + fabs(d->u[n])));
        double u = top;

        if (d->is_used[n] || !isfinite(d->u[n]))
            continue; /* a state that was raised has another U */
        for (int i = 0; i < domain->dim && u > least; i++)
            u += gain[domain->value[i] + x[i]];
        if (u > least)
            return true;
    }
    return false;
}

hs_acuity hs_acuity_of(const hs_deflation *d, const hs_rng *rng)
{
    int values = d->m->domain.value[d->m->domain.dim];
    double *gain = hs_alloc_array((size_t)values, sizeof *gain);
    struct pattern p = choose(d);
    int modes = hs_policy_count(HS_NARROW_MODES);
    hs_acuity a = {.seen = gain && p.mode >= 0 ? 0 : -1, .width = p.width};

    for (int k = 0; a.seen >= 0 && k < modes; k++) {
        double more = make_mode(d, &p, rng, k, gain);

        a.seen += is_seen(d, p.mass - more, gain);
    }
    hs_free(gain);
    return a;
}
