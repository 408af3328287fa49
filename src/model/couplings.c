/* couplings.c - finds the pair form of a model from its tables. */
#include "model/couplings.h"

#include <math.h>
#include <string.h>

#include "base/alloc.h"
#include "base/error.h"
#include "model/factors.h"

/* allowed error of a table, relative to its largest entry */
#define TOLERANCE 1e-9

static hiss_status refuse(const hs_model *m, const char *why, hiss_error *err)
{
    return hs_fail(err, HISS_EUNSUP,
                   "cluster moves need a model of pairs (ising, potts, qubo, "
                   "pairwise factors), and model %s %s",
                   m->name ? m->name : "", why);
}

static double size_of(const double *table, int64_t entries)
{
    double most = 0.0;

    for (int64_t n = 0; n < entries; n++)
        most = fmax(most, fabs(table[n]));
    return most;
}

static void add_field(hs_couplings *c, const hs_domain *d, int i,
                      const double *table)
{
    for (int v = 0; v < d->states[i]; v++)
        c->field[d->value[i] + v] += table[v];
}

/* Splits table[a][b] = w [a = b] + f(a) + g(b) of two two-valued
 * coordinates. */
static double split_pair(hs_couplings *c, const hs_domain *d, const int *scope,
                         const double *t)
{
    double w = 0.5 * (t[0] + t[3] - t[1] - t[2]);
    double f[2] = {0.0, t[3] - t[1] - w}, g[2] = {0.0, t[1] - t[0] + w};

    add_field(c, d, scope[0], f);
    add_field(c, d, scope[1], g);
    return w;
}

/* Returns the weight of a table that is constant but for its diagonal; else
 * NaN. */
static double weight_of(const double *t, int a, int b)
{
    double most = size_of(t, (int64_t)a * b);
    double w = a == b ? t[0] - t[1] : (double)NAN;

    for (int64_t n = 0; a == b && n < (int64_t)a * b; n++) {
        bool is_equal = n / b == n % b;

        if (!(fabs(t[n] - (is_equal ? t[0] : t[1])) <= TOLERANCE * most))
            return (double)NAN;
    }
    return w;
}

static hiss_status add_factor(hs_couplings *c, const hs_model *m,
                              const hs_factors *f, int64_t n, hiss_error *err)
{
    const hs_domain *d = &m->domain;
    const int *scope = f->scope + f->scope_at[n];
    int size = (int)(f->scope_at[n + 1] - f->scope_at[n]), a, b;
    const double *table = f->table + f->table_at[n];
    double w;

    if (!isfinite(size_of(table, f->table_at[n + 1] - f->table_at[n])))
        return refuse(m, "has impossible combinations", err);
    if (size == 1)
        add_field(c, d, scope[0], table);
    if (size < 2)
        return HISS_OK;
    if (size > 2)
        return refuse(m, "has factors of more than two coordinates", err);
    a = d->states[scope[0]];
    b = d->states[scope[1]];
    w = a == 2 && b == 2 ? split_pair(c, d, scope, table)
                         : weight_of(table, a, b);
    if (isnan(w))
        return refuse(m, "has a table that is not w [x_i = x_j]", err);
    if ((float)w != 0.0f) {
        bool is_up = scope[0] < scope[1];

        c->bond[c->bonds++] =
            (hs_coupling){scope[is_up ? 0 : 1], scope[is_up ? 1 : 0], (float)w};
    }
    return HISS_OK;
}

static hiss_status fill(hs_couplings *c, const hs_model *m, const hs_factors *f,
                        hiss_error *err)
{
    const hs_domain *d = &m->domain;

    c->bond = hs_alloc_array((size_t)f->count, sizeof *c->bond);
    c->field = hs_alloc_array((size_t)d->value_count, sizeof *c->field);
    if (!c->bond || !c->field)
        return hs_fail_memory(err);
    for (int64_t n = 0; n < f->count; n++)
        HS_TRY(add_factor(c, m, f, n, err));
    for (int i = 0; i < d->dim; i++)
        for (int v = 1; v < d->states[i]; v++)
            c->has_fields |= c->field[d->value[i] + v] != c->field[d->value[i]];
    return HISS_OK;
}

hiss_status hs_couplings_init(hs_couplings *c, const hs_model *m,
                              hiss_error *err)
{
    hs_factors f = {0};
    hiss_status rc;

    *c = (hs_couplings){0};
    if (!m->ops->factors)
        return refuse(m, "is not", err);
    HS_TRY(m->ops->factors(m, &f, err));
    rc = fill(c, m, &f, err);
    hs_factors_clear(&f);
    if (rc != HISS_OK)
        hs_couplings_clear(c);
    return rc;
}

void hs_couplings_clear(hs_couplings *c)
{
    hs_free(c->bond);
    hs_free(c->field);
    *c = (hs_couplings){0};
}
