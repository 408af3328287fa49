/* lookup.c - a distribution given state by state.
 *
 * U is looked up.  The gradient comes from the states that differ in one
 * coordinate (slope.h).  It is exact for two-valued numbers and for labels, so
 * gradient and difference proposals coincide there. */
#include "model/law/lookup.h"

#include <math.h>

#include "base/alloc.h"
#include "base/error.h"
#include "model/factors.h"
#include "model/slope.h"

struct lookup {
    hs_model base;
    double *u;    /* owned */
    float *known; /* owned, [state][row]: all rows; NULL if there are too
                     many */
    int stride[HS_LOOKUP_DIM_MAX];
};

#define KNOWN_MAX 65536 /* numbers */

static void find_states(const struct lookup *m, const hs_point *p,
                        int at[HS_LANES])
{
    for (int l = 0; l < HS_LANES; l++)
        at[l] = 0;
    for (int i = 0; i < m->base.domain.dim; i++)
        for (int l = 0; l < HS_LANES; l++)
            at[l] += m->stride[i] * p->x[i][l];
}

/* Returns U with x_i = 0 in state `at`; value v is v strides away. */
static const double *first_of(const struct lookup *m, const hs_point *p,
                              const int *at, int i, int l)
{
    return m->u + at[l] - m->stride[i] * p->x[i][l];
}

static void level_row(const struct lookup *m, const hs_point *p, const int *at,
                      int i, hs_float_row *out)
{
    const hs_domain *d = &m->base.domain;
    int states = d->states[i], stride = m->stride[i];

    for (int l = 0; l < HS_LANES; l++) {
        const double *u = m->u + at[l];
        int x = p->x[i][l];

        (*out)[l] = hs_slope_level(d->values + d->value[i], states, x,
                                   x > 0 ? u[-stride] : 0.0, u[0],
                                   x + 1 < states ? u[stride] : 0.0);
    }
}

static void coordinate_rows(const struct lookup *m, const hs_point *p,
                            const int *at, int i, hs_float_row *out)
{
    const hs_domain *d = &m->base.domain;
    const float *value = d->values + d->value[i];
    int states = d->states[i], stride = m->stride[i];

    if (d->kind[i] == HISS_CATEGORICAL) {
        bool is_wide = hs_model_is_wide(&m->base);

        for (int v = 0; v < states; v++)
            for (int l = 0; l < HS_LANES; l++) {
                /* wide models: minus U itself, as in slope.h */
                double here =
                    is_wide && isfinite(m->u[at[l]]) ? m->u[at[l]] : 0;

                out[v][l] =
                    (float)(first_of(m, p, at, i, l)[v * stride] - here);
            }
    } else if (states == 2) {
        for (int l = 0; l < HS_LANES; l++) {
            const double *u = first_of(m, p, at, i, l);

            out[0][l] = hs_slope_pair(u[0], u[stride], value[1] - value[0]);
        }
    } else {
        level_row(m, p, at, i, out);
    }
}

/* All of U belongs to coordinate 0. */
static void lookup_rows(const hs_model *base, const hs_point *p, int first,
                        int last, hs_float_row *out, double *u)
{
    const struct lookup *m = (const struct lookup *)base;
    const int *row = base->domain.row;
    int at[HS_LANES];

    find_states(m, p, at);
    if (m->known) {
        for (int r = row[first]; out && r < row[last]; r++)
            for (int l = 0; l < HS_LANES; l++)
                out[r - row[first]][l] =
                    m->known[at[l] * base->domain.rows + r];
    } else {
        for (int i = first; out && i < last; i++)
            coordinate_rows(m, p, at, i, out + (row[i] - row[first]));
    }
    for (int l = 0; u && first == 0 && l < HS_LANES; l++)
        u[l] += m->u[at[l]];
}

static void lookup_differences(const hs_model *base, const hs_point *p, int i,
                               hs_float_row *out)
{
    const struct lookup *m = (const struct lookup *)base;
    int at[HS_LANES];

    find_states(m, p, at);
    for (int v = 0; v < base->domain.states[i]; v++)
        for (int l = 0; l < HS_LANES; l++) {
            double here = m->u[at[l]];
            double there = first_of(m, p, at, i, l)[v * m->stride[i]];

            out[v][l] =
                isinf(here) && isinf(there) ? 0.0f : (float)(there - here);
        }
}

/* One table. */
static hiss_status lookup_factors(const hs_model *base, hs_factors *out,
                                  hiss_error *err)
{
    const struct lookup *m = (const struct lookup *)base;
    int scope[HS_LOOKUP_DIM_MAX];
    hiss_status rc;

    HS_TRY(hs_factors_init(out, base->domain.dim, base->domain.states, err));
    for (int i = 0; i < base->domain.dim; i++)
        scope[i] = i;
    rc = hs_factors_add(out, base->domain.dim, scope, m->u, NULL, err);
    if (rc != HISS_OK)
        hs_factors_clear(out);
    return rc;
}

static void lookup_destroy(hs_model *base)
{
    hs_free(((struct lookup *)base)->u);
    hs_free(((struct lookup *)base)->known);
}

/* Computes the rows of sixteen states from `first` on; row has room for
 * them. */
static void know_tile(struct lookup *m, int states, int first, hs_point *p,
                      hs_float_row *row)
{
    const hs_domain *d = &m->base.domain;
    int at[HS_LANES];

    for (int l = 0; l < HS_LANES; l++) {
        at[l] = first + l < states ? first + l : first;
        for (int i = 0; i < d->dim; i++)
            p->x[i][l] = (int16_t)(at[l] / m->stride[i] % d->states[i]);
    }
    for (int i = 0; i < d->dim; i++)
        coordinate_rows(m, p, at, i, row + d->row[i]);
    for (int r = 0; r < d->rows; r++)
        for (int l = 0; l < HS_LANES; l++)
            m->known[at[l] * d->rows + r] = row[r][l];
}

static hiss_status know_rows(struct lookup *m, int states, hiss_error *err)
{
    size_t rows = (size_t)m->base.domain.rows;
    hs_float_row *row;
    hs_point p;

    if ((size_t)states * rows > KNOWN_MAX)
        return HISS_OK;
    HS_TRY(hs_point_init(&p, &m->base, err));
    row = hs_alloc_array(rows, sizeof *row);
    m->known = hs_alloc_array((size_t)states * rows, sizeof *m->known);
    for (int n = 0; row && m->known && n < states; n += HS_LANES)
        know_tile(m, states, n, &p, row);
    hs_point_clear(&p);
    hs_free(row);
    return row && m->known ? HISS_OK : hs_fail_memory(err);
}

static hs_model_work lookup_work(const hs_model *base)
{
    return (hs_model_work){.family = "lookup",
                           .terms = base->domain.value_count};
}

static const hs_model_ops lookup_ops = {
    .rows = lookup_rows,
    .destroy = lookup_destroy,
    .differences = lookup_differences,
    .factors = lookup_factors,
    .work = lookup_work,
};

/* All coordinates share one table. */
static hiss_status choose_precision(struct lookup *m, int states,
                                    hiss_error *err)
{
    hs_gauge g;
    double most = 0.0;

    HS_TRY(hs_gauge_init(&g, 1, err));
    for (int n = 0; n < states; n++) {
        hs_gauge_see(&g, m->u[n]);
        most = isfinite(m->u[n]) ? fmax(most, fabs(m->u[n])) : most;
    }
    hs_gauge_add(&g, 0, most);
    m->base.precision = hs_gauge_read(&g, 1.0);
    hs_gauge_clear(&g);
    return HISS_OK;
}

hiss_status hs_lookup_create(hs_model **out, hs_domain *domain, double *u,
                             hiss_error *err)
{
    struct lookup *m = hs_alloc_array(1, sizeof *m);
    int stride = 1;
    hiss_status rc;

    *out = NULL;
    if (!m) {
        hs_domain_clear(domain);
        hs_free(u);
        return hs_fail_memory(err);
    }
    m->base.ops = &lookup_ops;
    m->base.exact_rows = true;
    m->base.domain = *domain;
    *domain = (hs_domain){0};
    m->u = u;
    for (int i = m->base.domain.dim - 1; i >= 0; i--) {
        m->stride[i] = stride;
        stride *= m->base.domain.states[i];
        if (m->base.domain.kind[i] == HISS_ORDINAL &&
            m->base.domain.states[i] > 2)
            m->base.exact_rows = false;
    }
    rc = choose_precision(m, stride, err);
    if (rc == HISS_OK)
        rc = know_rows(m, stride, err);
    if (rc != HISS_OK) {
        hs_model_destroy(&m->base);
        return rc;
    }
    *out = &m->base;
    return HISS_OK;
}
