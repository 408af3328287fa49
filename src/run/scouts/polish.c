/* polish.c - polishing: from where slopes have led to a true local optimum. */
#include "run/scouts/polish.h"

#include <math.h>

#include "base/alloc.h"
#include "base/error.h"
#include "run/scouts/neighbors.h"

#define HAIR 1e-5 /* precision: gains below are rounding, as in ascend.c */

hiss_status hs_polisher_init(hs_polisher *s, const hs_model *m, hiss_error *err)
{
    size_t dim = (size_t)m->domain.dim;

    *s = (hs_polisher){.m = m};
    s->gain = hs_alloc_array((size_t)m->domain.value[dim], sizeof *s->gain);
    s->best = hs_alloc_array(dim, sizeof *s->best);
    if (s->gain && s->best)
        return HISS_OK;
    hs_polisher_clear(s);
    return hs_fail_memory(err);
}

void hs_polisher_clear(hs_polisher *s)
{
    hs_free(s->gain);
    hs_free(s->best);
    *s = (hs_polisher){0};
}

/* Neighbors that are evaluated, and the state itself. */
static double neighbours(const hs_domain *d, bool is_wide)
{
    double count = HS_LANES;

    for (int i = 0; i < d->dim; i++)
        count += !is_wide && hs_neighbours_is_long(d, i) ? 2 : d->states[i] - 1;
    return ceil(count / HS_LANES) * HS_LANES;
}

double hs_polisher_cost(const hs_polisher *s, bool is_far, bool checks_all)
{
    double narrow = neighbours(&s->m->domain, false);
    double wide = neighbours(&s->m->domain, true);

    return 2.0 * narrow + (is_far + checks_all) * (wide + HS_LANES);
}

/* The best value of every coordinate; the site that gains most, or -1. */
static int list_gains(hs_polisher *s, const int16_t *state)
{
    const hs_domain *d = &s->m->domain;
    double most = HAIR;
    int top = -1;

    for (int i = 0; i < d->dim; i++) {
        const double *gain = s->gain + d->value[i];
        double own = HAIR;

        s->best[i] = state[i];
        for (int v = 0; v < d->states[i]; v++)
            if (gain[v] > own) {
                own = gain[v];
                s->best[i] = (int16_t)v;
            }
        if (own > most) {
            most = own;
            top = i;
        }
    }
    return top;
}

/* Tries sixteen states.  Lane l changes the coordinates that gain at least l /
 * 15 of the largest gain; the last lane changes only the best one, which raises
 * U for sure. */
static hiss_status step(hs_polisher *s, hs_tile *t, int16_t *state, int top)
{
    const hs_domain *d = &s->m->domain;
    double most = s->gain[d->value[top] + s->best[top]];
    int best = HS_LANES - 1;

    for (int i = 0; i < d->dim; i++)
        for (int l = 0; l < HS_LANES; l++) {
            double gain = s->gain[d->value[i] + s->best[i]];
            bool goes =
                l < HS_LANES - 1 ? gain >= most * l / (HS_LANES - 1) : i == top;

            t->at.x[i][l] = goes ? s->best[i] : state[i];
        }
    t->at.have = 0;
    t->lanes = HS_LANES;
    HS_TRY(hs_tile_evaluate(t, s->m, &t->at, HS_U));
    for (int l = 0; l < HS_LANES; l++)
        if (t->at.u[l] > t->at.u[best])
            best = l;
    hs_point_read(&t->at, d->dim, best, state);
    return HISS_OK;
}

/* Fills in gains that were not evaluated, by the parabola through the
 * neighbors; at an end, by the parabola with its top there. */
static void fill_in(hs_polisher *s, const int16_t *state)
{
    const hs_domain *d = &s->m->domain;

    for (int i = 0; i < d->dim; i++) {
        double *gain = s->gain + d->value[i];
        int x = state[i], last = d->states[i] - 1;
        double down = x > 0 ? gain[x - 1] : gain[x < last ? x + 1 : x];
        double up = x < last ? gain[x + 1] : down;

        for (int v = 0; v <= last && hs_neighbours_is_long(d, i); v++) {
            double far = v - x;

            if (v < x - 1 || v > x + 1)
                gain[v] =
                    0.5 * (up - down) * far + 0.5 * (up + down) * far * far;
        }
    }
}

static double spent(const hs_tile *t)
{
    return (t->energy_evals + t->gradient_evals) * HS_LANES;
}

hiss_status hs_polisher_polish(hs_polisher *s, hs_tile *t, int16_t *state,
                               bool is_far, hs_mode_table *optima, double most,
                               bool checks_all, hs_polished *out,
                               hiss_error *err)
{
    double until = spent(t) + most;
    bool is_wide = is_far;

    *out = (hs_polished){.known = -1};
    for (;;) {
        int top;

        HS_TRY(hs_mode_table_find(optima, state, false, &out->known, err));
        if (out->known >= 0 || spent(t) >= until)
            return HISS_OK;
        HS_TRY(hs_neighbours(s->m, t, state, is_wide, &out->u, s->gain));
        if (!hs_model_is_possible(s->m, out->u))
            return HISS_OK;
        top = list_gains(s, state);
        if (top >= 0) {
            HS_TRY(step(s, t, state, top));
        } else if (is_wide || !checks_all) {
            if (!is_wide)
                fill_in(s, state);
            out->mass = hs_neighbours_mass(&s->m->domain, s->gain, out->u);
            out->is_so = true;
            return HISS_OK;
        }
        is_wide = top < 0;
    }
}
