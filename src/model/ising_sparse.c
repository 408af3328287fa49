/* ising_sparse.c - sparse pair models; the work is in lanes/ising.c.
 *
 * The primitive gives dU/ds.  Where s = 2x - 1 over 0/1 coordinates the rows
 * must be dU/dx = 2 dU/ds: J and h are stored doubled, and the doubled U is
 * halved again, both without rounding. */
#include "model/ising_sparse.h"

#include <string.h>

#include "base/alloc.h"
#include "base/error.h"
#include "lanes/lanes.h"
#include "model/factors.h"
#include "model/sparse.h"

struct ising {
    hs_model base;
    hs_sparse j;     /* couplings and fields times scale */
    float low, gap;  /* s = low + gap index */
    float scale;     /* ds/dx */
    float *diagonal; /* owned, [dim], times scale; or NULL */
};

static void ising_exact_rows(const struct ising *m, const hs_point *p,
                             int first, int last, hs_float_row *out, double *u)
{
    const hs_index_row *x = (const hs_index_row *)p->x;
    double scaled[HS_LANES] = {0};
    double weight = 1.0 / (double)m->scale;

    hs_lanes()->ising_rows(&m->j, m->low, m->gap, first, last, x, out,
                           u ? scaled : NULL);
    for (int l = 0; u && l < HS_LANES; l++)
        u[l] += weight * scaled[l];
}

static void ising_rows(const hs_model *base, const hs_point *p, int first,
                       int last, hs_float_row *out, double *u)
{
    const struct ising *m = (const struct ising *)base;

    ising_exact_rows(m, p, first, last, out, u);
    if (!m->diagonal || !out)
        return;
    for (int i = first; i < last; i++)
        for (int l = 0; l < HS_LANES; l++) {
            float s = m->low + m->gap * (float)p->x[i][l];

            out[i - first][l] += m->diagonal[i] * s;
        }
}

/* The rows without the diagonal are exact. */
static void ising_differences(const hs_model *base, const hs_point *p, int i,
                              hs_float_row *out)
{
    const struct ising *m = (const struct ising *)base;
    hs_float_row row;

    ising_exact_rows(m, p, i, i + 1, &row, NULL);
    for (int l = 0; l < HS_LANES; l++) {
        int x = p->x[i][l];
        float step = x ? -base->domain.gap : base->domain.gap;

        out[x][l] = 0.0f;
        out[1 - x][l] = step * row[l];
    }
}

static void ising_heat_bath(const hs_model *base, hs_point *p,
                            const hs_visits *visits)
{
    const struct ising *m = (const struct ising *)base;

    hs_lanes()->ising_heat_bath(&m->j, m->low, m->gap, base->domain.gap, visits,
                                p->x);
}

/* A table per coupling and per field. */
static hiss_status add_factors(const struct ising *m, hs_factors *out,
                               hiss_error *err)
{
    double s[2] = {(double)m->low, (double)m->low + (double)m->gap};

    for (int i = 0; i < m->j.dim; i++) {
        double h = m->j.field ? (double)(m->j.field[i] / m->scale) : 0.0;
        double field[2] = {h * s[0], h * s[1]};

        if (h != 0.0)
            HS_TRY(hs_factors_add(out, 1, &i, field, NULL, err));
        for (int64_t e = m->j.start[i]; e < m->j.start[i + 1]; e++) {
            int scope[2] = {i, m->j.column[e]};
            double v = (double)(m->j.value[e] / m->scale);
            double table[4] = {v * s[0] * s[0], v * s[0] * s[1],
                               v * s[1] * s[0], v * s[1] * s[1]};

            if (scope[1] > i)
                HS_TRY(hs_factors_add(out, 2, scope, table, NULL, err));
        }
    }
    return HISS_OK;
}

static hiss_status ising_factors(const hs_model *base, hs_factors *out,
                                 hiss_error *err)
{
    const struct ising *m = (const struct ising *)base;
    hiss_status rc;

    HS_TRY(hs_factors_init(out, m->j.dim, base->domain.states, err));
    out->constant = base->offset;
    rc = add_factors(m, out, err);
    if (rc != HISS_OK)
        hs_factors_clear(out);
    return rc;
}

static void ising_destroy(hs_model *base)
{
    struct ising *m = (struct ising *)base;

    hs_sparse_clear(&m->j);
    hs_free(m->diagonal);
}

static const hs_model_ops ising_ops = {
    .rows = ising_rows,
    .destroy = ising_destroy,
    .differences = ising_differences,
    .heat_bath = ising_heat_bath,
    .factors = ising_factors,
};

/* Doubling J, h and the diagonal is exact. */
static hiss_status apply_scale(struct ising *m, const float *diagonal,
                               hiss_error *err)
{
    int dim = m->j.dim;
    double constant = 0.0;

    for (int64_t e = 0; e < m->j.start[dim]; e++)
        m->j.value[e] *= m->scale;
    for (int i = 0; m->j.field && i < dim; i++)
        m->j.field[i] *= m->scale;
    m->j.uniform *= m->scale;
    if (!diagonal)
        return HISS_OK;
    m->diagonal = hs_alloc_array((size_t)dim, sizeof *m->diagonal);
    if (!m->diagonal)
        return hs_fail_memory(err);
    for (int i = 0; i < dim; i++) {
        m->diagonal[i] = m->scale * diagonal[i];
        constant += 0.5 * (double)diagonal[i];
    }
    m->base.offset += constant;
    return HISS_OK;
}

hiss_status hs_ising_create(hs_model **out, const hs_ising *options,
                            hs_sparse *j, hiss_error *err)
{
    struct ising *m = hs_alloc_array(1, sizeof *m);
    hiss_status rc;

    *out = NULL;
    if (!m) {
        hs_sparse_clear(j);
        return hs_fail_memory(err);
    }
    m->base.ops = &ising_ops;
    m->base.offset = options->offset;
    m->base.exact_rows = options->diagonal == NULL;
    m->base.is_quadratic = true;
    m->j = *j;
    memset(j, 0, sizeof *j);
    rc = hs_domain_init(&m->base.domain, options->kind, m->j.dim, 2, err);
    if (rc == HISS_OK) {
        m->low = options->has_spins ? -1.0f : m->base.domain.low;
        m->gap = options->has_spins ? 2.0f : m->base.domain.gap;
        m->scale = m->gap / m->base.domain.gap;
        rc = apply_scale(m, options->diagonal, err);
    }
    if (rc == HISS_OK)
        rc = hs_sparse_order(&m->base.order, &m->j, err);
    if (rc != HISS_OK) {
        hs_model_destroy(&m->base);
        return rc;
    }
    *out = &m->base;
    return HISS_OK;
}
