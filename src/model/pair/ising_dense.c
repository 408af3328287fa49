/* ising_dense.c - dense pair models.
 *
 * The gradient g = Jx + h is stored with the point; U = x'(g + h) / 2 follows
 * from it in O(d), and a move of x_i changes g by a row of J. */
#include "model/pair/ising_dense.h"

#include <math.h>

#include "base/alloc.h"
#include "base/error.h"
#include "lanes/lanes.h"
#include "model/factors.h"
#include "model/gemm.h"

struct dense {
    hs_model base;
    float *j;     /* owned, [dim * dim] */
    float *h;     /* owned, [dim] */
    hs_dense all; /* borrows from both */
    hs_dense_whole whole;
};

static hiss_status dense_evaluate(const hs_model *base, hs_point *p,
                                  unsigned want)
{
    const struct dense *m = (const struct dense *)base;
    hs_float_row *x = p->scratch;
    const hs_domain *d = &base->domain;

    (void)want; /* U needs the gradient anyway */
    for (int i = 0; i < d->dim; i++)
        for (int l = 0; l < HS_LANES; l++)
            x[i][l] = d->low + d->gap * (float)p->x[i][l];
    hs_gemm(d->dim, d->dim, m->j, (const hs_float_row *)x, p->grad);
    for (int l = 0; l < HS_LANES; l++)
        p->u[l] = base->offset;
    for (int i = 0; i < d->dim; i++)
        for (int l = 0; l < HS_LANES; l++) {
            float pull = p->grad[i][l];

            p->grad[i][l] = pull + m->h[i];
            p->u[l] += (double)(x[i][l] * (0.5f * pull + m->h[i]));
        }
    p->have = HS_U | HS_GRAD;
    return HISS_OK;
}

static void dense_move(const hs_model *base, hs_point *p, int i,
                       const int16_t *to, const float *change)
{
    const struct dense *m = (const struct dense *)base;
    const float *row = m->j + (size_t)i * (size_t)base->domain.dim;
    float step[HS_LANES];

    for (int l = 0; l < HS_LANES; l++) {
        step[l] = base->domain.gap * (float)(to[l] - p->x[i][l]);
        p->x[i][l] = to[l];
        p->u[l] += (double)change[l];
    }
    if (!(p->have & HS_GRAD))
        return;
    for (int k = 0; k < base->domain.dim; k++)
        for (int l = 0; l < HS_LANES; l++)
            p->grad[k][l] += row[k] * step[l];
}

static hiss_status add_tables(const struct dense *m, hs_factors *out,
                              hiss_error *err)
{
    const hs_domain *d = &m->base.domain;
    double s[2] = {(double)d->low, (double)d->low + (double)d->gap};

    for (int i = 0; i < d->dim; i++) {
        const float *row = m->j + (size_t)i * (size_t)d->dim;
        double h = (double)m->h[i], field[2] = {h * s[0], h * s[1]};

        if (h != 0.0)
            HS_TRY(hs_factors_add(out, 1, &i, field, NULL, err));
        for (int k = i + 1; k < d->dim; k++) {
            int scope[2] = {i, k};
            double v = (double)row[k];
            double table[4] = {v * s[0] * s[0], v * s[0] * s[1],
                               v * s[1] * s[0], v * s[1] * s[1]};

            if (v != 0.0)
                HS_TRY(hs_factors_add(out, 2, scope, table, NULL, err));
        }
    }
    return HISS_OK;
}

static hiss_status dense_factors(const hs_model *base, hs_factors *out,
                                 hiss_error *err)
{
    const struct dense *m = (const struct dense *)base;
    hiss_status rc;

    HS_TRY(hs_factors_init(out, base->domain.dim, base->domain.states, err));
    out->constant = base->offset;
    rc = add_tables(m, out, err);
    if (rc != HISS_OK)
        hs_factors_clear(out);
    return rc;
}

static const void *dense_structure(const hs_model *base, hs_structure kind)
{
    const struct dense *m = (const struct dense *)base;

    if (kind == HS_STRUCTURE_DENSE_WHOLE)
        return &m->whole;
    return kind == HS_STRUCTURE_DENSE ? &m->all : NULL;
}

static void dense_destroy(hs_model *base)
{
    struct dense *m = (struct dense *)base;

    hs_free(m->j);
    hs_free(m->h);
    hs_free(m->whole.j);
    hs_free(m->whole.total);
    hs_free(m->whole.base);
}

static hs_model_work dense_work(const hs_model *base)
{
    double dim = base->domain.dim;

    return (hs_model_work){.family = "dense", .terms = dim * dim};
}

static hiss_status dense_scaled(hs_model **out, const hs_model *base,
                                double factor, hiss_error *err)
{
    const struct dense *m = (const struct dense *)base;
    size_t dim = (size_t)base->domain.dim;
    float *j = hs_alloc_array(dim, dim * sizeof *j);
    float *h = hs_alloc_array(dim, sizeof *h);

    *out = NULL;
    if (!j || !h) {
        hs_free(j);
        hs_free(h);
        return hs_fail_memory(err);
    }
    for (size_t at = 0; at < dim * dim; at++)
        j[at] = (float)(factor * (double)m->j[at]);
    for (size_t i = 0; i < dim; i++)
        h[i] = (float)(factor * (double)m->h[i]);
    return hs_ising_dense_create(out, base->domain.kind[0], (int)dim, j, h,
                                 factor * base->offset, err);
}

static const hs_model_ops dense_ops = {
    .evaluate = dense_evaluate,
    .destroy = dense_destroy,
    .move = dense_move,
    .factors = dense_factors,
    .structure = dense_structure,
    .work = dense_work,
    .scaled = dense_scaled,
};

/* The unit, a power of two: sums of a row are below 2^30 units. */
static double unit_of(const hs_dense *all)
{
    size_t dim = (size_t)all->dim;
    double most = 0.0;
    int exponent;

    for (size_t i = 0; i < dim; i++) {
        double sum = 0.0;

        for (size_t k = 0; k < dim; k++)
            sum += fabs((double)all->j[i * dim + k]);
        most = sum > most ? sum : most;
    }
    frexp(most, &exponent);
    /* half a unit for each coupling may be added by rounding */
    return most > 0.0 ? ldexp(1.0, exponent - 29) : 1.0;
}

static hiss_status fill_whole(hs_dense_whole *w, const hs_dense *all,
                              hiss_error *err)
{
    size_t dim = (size_t)all->dim;
    double unit = unit_of(all), inverse = 1.0 / unit, gap = (double)all->gap;
    double middle = (double)all->low + gap / 2.0;

    *w = (hs_dense_whole){
        .dim = all->dim,
        .j = hs_alloc_array(dim, dim * sizeof *w->j),
        .total = hs_alloc_array(dim + HS_LANES, sizeof *w->total),
        .base = hs_alloc_array(dim + HS_LANES, sizeof *w->base),
        .half = (float)(unit * gap / 2.0),
        .gap = all->gap};
    if (!w->j || !w->total || !w->base)
        return hs_fail_memory(err);
    for (size_t i = 0; i < dim; i++) {
        for (size_t k = 0; k < dim; k++) {
            double v = (double)all->j[i * dim + k] * inverse;

            w->j[i * dim + k] = (int32_t)(v + (v < 0.0 ? -0.5 : 0.5));
            w->total[i] += w->j[i * dim + k];
        }
        w->base[i] =
            (float)((double)all->h[i] + middle * unit * (double)w->total[i]);
    }
    return HISS_OK;
}

hiss_status hs_ising_dense_create(hs_model **out, hiss_kind kind, int dim,
                                  float *j, float *h, double offset,
                                  hiss_error *err)
{
    struct dense *m = hs_alloc_array(1, sizeof *m);
    hiss_status rc;

    *out = NULL;
    if (!m) {
        hs_free(j);
        hs_free(h);
        return hs_fail_memory(err);
    }
    m->base.ops = &dense_ops;
    m->base.offset = offset;
    m->base.exact_rows = true;
    m->base.is_dense = true;
    m->base.uses_blas = hs_gemm_is_blas();
    m->base.scratch_bytes = (size_t)dim * sizeof(hs_float_row);
    m->j = j;
    m->h = h;
    rc = hs_domain_init(&m->base.domain, kind, dim, 2, err);
    if (rc != HISS_OK) {
        hs_model_destroy(&m->base);
        return rc;
    }
    m->all = (hs_dense){.dim = dim,
                        .j = j,
                        .h = h,
                        .low = m->base.domain.low,
                        .gap = m->base.domain.gap};
    rc = fill_whole(&m->whole, &m->all, err);
    if (rc != HISS_OK) {
        hs_model_destroy(&m->base);
        return rc;
    }
    *out = &m->base;
    return HISS_OK;
}
