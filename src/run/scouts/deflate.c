/* deflate.c - what is left of U when the known modes are subtracted. */
#include "run/scouts/deflate.h"

#include <math.h>
#include <string.h>

#include "base/alloc.h"
#include "base/error.h"
#include "run/scouts/neighbors.h"

#define ROUNDING 1e-14 /* precision: of U, less is no gain */

hiss_status hs_deflation_init(hs_deflation *d, const hs_model *m, int64_t looks,
                              hiss_error *err)
{
    size_t room = (size_t)looks, dim = (size_t)m->domain.dim;
    size_t values = (size_t)m->domain.value[m->domain.dim];

    *d = (hs_deflation){.m = m, .room = looks};
    d->state = hs_alloc_array(room * dim, sizeof *d->state);
    d->u = hs_alloc_array(room, sizeof *d->u);
    d->is_used = hs_alloc_array(room, sizeof *d->is_used);
    d->gain = hs_alloc_array(HS_DEFLATED_MAX * values, sizeof *d->gain);
    d->change = hs_alloc_array(values, sizeof *d->change);
    d->next = hs_alloc_array(dim, sizeof *d->next);
    d->anchor = hs_alloc_array(dim, sizeof *d->anchor);
    if (d->state && d->u && d->is_used && d->gain && d->change && d->next &&
        d->anchor)
        return HISS_OK;
    hs_deflation_clear(d);
    return hs_fail_memory(err);
}

void hs_deflation_clear(hs_deflation *d)
{
    hs_free(d->state);
    hs_free(d->u);
    hs_free(d->is_used);
    hs_free(d->gain);
    hs_free(d->change);
    hs_free(d->next);
    hs_free(d->anchor);
    hs_free(d->pair);
    *d = (hs_deflation){0};
}

hiss_status hs_deflation_look(hs_deflation *d, hs_tile *t)
{
    int dim = d->m->domain.dim;

    if (d->looks + HS_LANES > d->room)
        return HISS_OK;
    t->lanes = HS_LANES;
    HS_TRY(hs_tile_evaluate(t, d->m, &t->at, HS_U));
    for (int l = 0; l < HS_LANES; l++, d->looks++) {
        d->u[d->looks] = t->at.u[l];
        hs_point_read(&t->at, dim, l, d->state + d->looks * dim);
    }
    return HISS_OK;
}

/* --- modes --------------------------------------------------------------- */

hiss_status hs_deflation_add(hs_deflation *d, hs_tile *t, const int16_t *state)
{
    if (d->modes == HS_DEFLATED_MAX)
        return HISS_OK;
    HS_TRY(hs_neighbours(d->m, t, state, true, &d->top[d->modes],
                         hs_deflation_gains(d, d->modes)));
    d->modes++;
    return HISS_OK;
}

/* U of a state after each of up to sixteen pairs of changes of the anchor,
 * less the effect of each change alone: entries of the table and of its
 * transpose. */
struct duo {
    int a[HS_LANES], b[HS_LANES]; /* sites, */
    int v[HS_LANES], w[HS_LANES]; /* and their values */
    int count;
};

static hiss_status fit_pairs(hs_deflation *d, hs_tile *t, struct duo *c)
{
    const hs_domain *domain = &d->m->domain;
    const double *gain = hs_deflation_gains(d, 0);
    size_t values = (size_t)domain->value[domain->dim];

    for (int l = 0; l < HS_LANES; l++)
        hs_point_write(&t->at, domain->dim, l, d->anchor);
    for (int l = 0; l < c->count; l++) {
        t->at.x[c->a[l]][l] = (int16_t)c->v[l];
        t->at.x[c->b[l]][l] = (int16_t)c->w[l];
    }
    t->lanes = HS_LANES;
    HS_TRY(hs_tile_evaluate(t, d->m, &t->at, HS_U));
    for (int l = 0; l < c->count; l++) {
        size_t p = (size_t)(domain->value[c->a[l]] + c->v[l]);
        size_t q = (size_t)(domain->value[c->b[l]] + c->w[l]);

        d->pair[p * values + q] = d->pair[q * values + p] =
            t->at.u[l] - d->top[0] - gain[p] - gain[q];
    }
    c->count = 0;
    return HISS_OK;
}

/* All pairs of changes at sites i and j < i. */
static hiss_status add_pairs(hs_deflation *d, hs_tile *t, int i, struct duo *c)
{
    const hs_domain *domain = &d->m->domain;

    for (int j = 0; j < i; j++)
        for (int v = 0; v < domain->states[i]; v++)
            for (int w = 0; w < domain->states[j]; w++) {
                if (v == d->anchor[i] || w == d->anchor[j])
                    continue;
                c->a[c->count] = i;
                c->b[c->count] = j;
                c->v[c->count] = v;
                c->w[c->count++] = w;
                if (c->count == HS_LANES)
                    HS_TRY(fit_pairs(d, t, c));
            }
    return HISS_OK;
}

hiss_status hs_deflation_add_pairs(hs_deflation *d, hs_tile *t,
                                   const int16_t *state)
{
    const hs_domain *domain = &d->m->domain;
    size_t values = (size_t)domain->value[domain->dim];
    struct duo c = {.count = 0};

    d->modes = 0;
    d->pair = hs_alloc_array(values * values, sizeof *d->pair);
    if (!d->pair)
        return HISS_ENOMEM;
    memcpy(d->anchor, state, (size_t)domain->dim * sizeof *state);
    HS_TRY(hs_deflation_add(d, t, state));
    for (int i = 1; i < domain->dim; i++)
        HS_TRY(add_pairs(d, t, i, &c));
    return c.count > 0 ? fit_pairs(d, t, &c) : HISS_OK;
}

/* The interactions of all pairs of changes, in a state. */
static double pairs_at(const hs_deflation *d, const int16_t *state)
{
    const hs_domain *domain = &d->m->domain;
    size_t values = (size_t)domain->value[domain->dim];
    double sum = 0.0;

    for (int i = 0; i < domain->dim; i++) {
        const double *row =
            d->pair + (size_t)(domain->value[i] + state[i]) * values;

        for (int j = 0; state[i] != d->anchor[i] && j < i; j++)
            sum += row[domain->value[j] + state[j]]; /* 0 at the anchor */
    }
    return sum;
}

/* U_k of a state, for all k. */
static void modes_at(const hs_deflation *d, const int16_t *state, double *known)
{
    const hs_domain *domain = &d->m->domain;

    for (int k = 0; k < d->modes; k++) {
        const double *gain = hs_deflation_gains(d, k);

        known[k] = d->top[k];
        for (int i = 0; i < domain->dim; i++)
            known[k] += gain[domain->value[i] + state[i]];
    }
    if (d->pair)
        known[0] += pairs_at(d, state);
}

/* U - ln sum_k e^(U_k); -infinity for an impossible state. */
static double remainder_of(const hs_deflation *d, double u, const double *known)
{
    double max = -HUGE_VAL, sum = 0.0;

    for (int k = 0; k < d->modes; k++)
        max = fmax(max, known[k]);
    if (!hs_model_is_possible(d->m, u) || !isfinite(u) || !isfinite(max))
        return -HUGE_VAL;
    for (int k = 0; k < d->modes; k++)
        sum += exp(known[k] - max);
    return u - max - log(sum);
}

/* --- climbing ------------------------------------------------------------ */

/* The states of largest remainder, HS_LANES of them or fewer. */
static int best_of(hs_deflation *d, int64_t *best)
{
    int dim = d->m->domain.dim, count = 0;
    double left[HS_LANES];

    for (int64_t n = 0; n < d->looks; n++) {
        double known[HS_DEFLATED_MAX], own;
        int at;

        if (d->is_used[n])
            continue;
        modes_at(d, d->state + n * dim, known);
        own = remainder_of(d, d->u[n], known);
        if (count == HS_LANES && !(own > left[count - 1]))
            continue;
        count += count < HS_LANES;
        for (at = count - 1; at > 0 && left[at - 1] < own; at--) {
            left[at] = left[at - 1];
            best[at] = best[at - 1];
        }
        left[at] = own;
        best[at] = n;
    }
    return count;
}

/* Every coordinate goes to the value that R gains most by. */
static hiss_status raise(hs_deflation *d, hs_tile *t, int16_t *state)
{
    const hs_domain *domain = &d->m->domain;
    double known[HS_DEFLATED_MAX], after[HS_DEFLATED_MAX], u;

    HS_TRY(hs_neighbours(d->m, t, state, true, &u, d->change));
    modes_at(d, state, known);
    memcpy(d->next, state, (size_t)domain->dim * sizeof *state);
    for (int i = 0; i < domain->dim; i++) {
        double best = remainder_of(d, u, known) + ROUNDING * fabs(u);
        int16_t was = state[i];

        for (int v = 0; v < domain->states[i]; v++) {
            double left;

            state[i] = (int16_t)v;
            modes_at(d, state, after);
            left = remainder_of(d, u + d->change[domain->value[i] + v], after);
            if (v == was || !(left > best))
                continue;
            best = left;
            d->next[i] = (int16_t)v;
        }
        state[i] = was;
    }
    memcpy(state, d->next, (size_t)domain->dim * sizeof *state);
    return HISS_OK;
}

hiss_status hs_deflation_start(hs_deflation *d, hs_tile *t, int raised)
{
    int dim = d->m->domain.dim, count;
    int64_t best[HS_LANES] = {0};

    count = best_of(d, best);
    for (int l = 0; l < count; l++)
        d->is_used[best[l]] = true;
    for (int l = 0; l < raised && l < count; l++)
        HS_TRY(raise(d, t, d->state + best[l] * dim));
    t->lanes = HS_LANES;
    for (int l = 0; l < HS_LANES; l++)
        hs_point_write(&t->at, dim, l,
                       d->state + best[l < count ? l : 0] * dim);
    return HISS_OK;
}
