/* joints.c - statistics of several coordinates at once. */
#include "verdict/joints.h"

#include <math.h>

#include "base/alloc.h"
#include "base/error.h"

/* for larger models there are too many terms to list */
#define DIM_MAX     20000
#define ENTRIES_MAX 4096 /* most entries of a constructed pair */
#define FEW         64   /* number of entries stored */

/* --- made-up pairs ------------------------------------------------------ */

static double scaled_value(const hs_domain *d, int i, int v)
{
    const float *value = d->values + d->value[i];
    double low = (double)value[0], high = (double)value[d->states[i] - 1];

    return 2.0 * ((double)value[v] - low) / (high - low) - 1.0;
}

static bool is_ordered(const hs_domain *d, int i)
{
    return !hs_kind_is_label(d->kind[i]) && d->states[i] > 2;
}

static hiss_status add_pair(hs_factors *f, const hs_domain *d, int a, int b,
                            hiss_error *err)
{
    const int scope[2] = {a, b};
    double *table;

    if (a == b || d->states[a] < 2 || d->states[b] < 2 ||
        (double)d->states[a] * d->states[b] > ENTRIES_MAX)
        return HISS_OK;
    HS_TRY(hs_factors_add(f, 2, scope, NULL, &table, err));
    for (int v = 0; v < d->states[a]; v++)
        for (int w = 0; w < d->states[b]; w++)
            table[v * d->states[b] + w] =
                is_ordered(d, a) && is_ordered(d, b)
                    ? scaled_value(d, a, v) * scaled_value(d, b, w)
                    : (double)(v == w);
    return HISS_OK;
}

/* Pairs neighbors in the list, and coordinates half of the list apart. */
static hiss_status make_pairs(hs_factors *f, const hs_domain *d,
                              hiss_error *err)
{
    int step = 2 * d->dim / HS_JOINTS_MAX + 1;
    hiss_status rc = hs_factors_init(f, d->dim, d->states, err);

    for (int i = 0; rc == HISS_OK && i < d->dim; i += step) {
        if (i + 1 < d->dim)
            rc = add_pair(f, d, i, i + 1, err);
        if (rc == HISS_OK && d->dim > 3)
            rc = add_pair(f, d, i, (i + d->dim / 2) % d->dim, err);
    }
    return rc;
}

/* --- which terms there are ---------------------------------------------- */

static void range_of(const hs_factors *f, int64_t n, double *low, double *high)
{
    *low = HUGE_VAL;
    *high = -HUGE_VAL;
    for (int64_t e = f->table_at[n]; e < f->table_at[n + 1]; e++)
        if (isfinite(f->table[e])) {
            *low = fmin(*low, f->table[e]);
            *high = fmax(*high, f->table[e]);
        }
}

static bool is_term(const hs_factors *f, int64_t n)
{
    double low, high;

    if (f->scope_at[n + 1] - f->scope_at[n] < 2)
        return false;
    range_of(f, n, &low, &high);
    return high > low;
}

static hiss_status choose(hs_joints *t, hiss_error *err)
{
    int64_t all = 0, seen = 0;
    size_t most;

    for (int64_t n = 0; n < t->f.count; n++)
        all += is_term(&t->f, n);
    most = (size_t)(all < HS_JOINTS_MAX ? all : HS_JOINTS_MAX);
    t->number = hs_alloc_array(most, sizeof *t->number);
    t->low = hs_alloc_array(most, sizeof *t->low);
    t->span = hs_alloc_array(most, sizeof *t->span);
    if (!t->number || !t->low || !t->span)
        return hs_fail_memory(err);
    for (int64_t n = 0; n < t->f.count && t->count < (int)most; n++) {
        double high;

        if (!is_term(&t->f, n) || seen++ < t->count * all / (int64_t)most)
            continue;
        range_of(&t->f, n, &t->low[t->count], &high);
        t->span[t->count] = high - t->low[t->count];
        t->number[t->count++] = n;
    }
    return HISS_OK;
}

hiss_status hs_joints_init(hs_joints *t, const hs_model *m, hiss_error *err)
{
    const hs_domain *d = &m->domain;
    hiss_status rc = HISS_ELIMIT;

    *t = (hs_joints){0};
    if (d->is_tour)
        return HISS_OK;
    if (m->ops->factors && d->dim <= DIM_MAX)
        rc = m->ops->factors(m, &t->f, err);
    t->is_own = rc == HISS_OK;
    if (rc == HISS_ELIMIT)
        rc = make_pairs(&t->f, d, err);
    if (rc == HISS_OK)
        rc = choose(t, err);
    if (rc != HISS_OK)
        hs_joints_clear(t);
    return rc;
}

void hs_joints_clear(hs_joints *t)
{
    hs_factors_clear(&t->f);
    hs_free(t->number);
    hs_free(t->low);
    hs_free(t->span);
    *t = (hs_joints){0};
}

/* --- their values ------------------------------------------------------- */

double hs_joints_scaled(const hs_joints *t, int k, double mean)
{
    return (mean - t->low[k]) / t->span[k];
}

/* Impossible entries count as the lowest. */
static double entry(const hs_joints *t, int k, int64_t at)
{
    double u = t->f.table[t->f.table_at[t->number[k]] + at];

    return u == -HUGE_VAL ? 0.0 : hs_joints_scaled(t, k, u);
}

double hs_joints_at(const hs_joints *t, int k, const hs_index_row *x, int lane)
{
    const hs_factors *f = &t->f;
    int64_t n = t->number[k], at = 0;

    for (int64_t j = f->scope_at[n]; j < f->scope_at[n + 1]; j++)
        at = at * f->states[f->scope[j]] + x[f->scope[j]][lane];
    return entry(t, k, at);
}

/* Adds the index of a coordinate's values to positions in a table. */
static void add_index(const hs_domain *d, int i, const double *x, int64_t total,
                      double *at)
{
    const float *values = d->values + d->value[i];
    double high = (double)values[d->states[i] - 1];
    int states = d->states[i];

    for (int64_t e = 0; states == 2 && e < total; e++)
        at[e] = at[e] * 2.0 + (x[e] == high ? 1.0 : 0.0);
    for (int64_t e = 0; states != 2 && e < total; e++) {
        int v = 0;

        while (v + 1 < states && (double)values[v] != x[e])
            v++;
        at[e] = at[e] * states + v;
    }
}

void hs_joints_column(const hs_joints *t, int k, const hs_store *store,
                      int64_t n, const hs_domain *d, double *room, double *out)
{
    const hs_factors *f = &t->f;
    int64_t number = t->number[k], total = store->chains * n;
    int64_t entries = f->table_at[number + 1] - f->table_at[number];
    double few[FEW];

    for (int64_t e = 0; e < total; e++)
        out[e] = 0.0; /* holds the position in the table for now */
    for (int64_t j = f->scope_at[number]; j < f->scope_at[number + 1]; j++) {
        hs_store_column(store, n, f->scope[j], room);
        add_index(d, f->scope[j], room, total, out);
    }
    for (int64_t e = 0; e < entries && e < FEW; e++)
        few[e] = entry(t, k, e);
    for (int64_t e = 0; e < total; e++) {
        int64_t at = (int64_t)out[e];

        out[e] = at < FEW ? few[at] : entry(t, k, at);
    }
}
