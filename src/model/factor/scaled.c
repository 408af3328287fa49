/* scaled.c - a model at another temperature: beta times its log p.
 *
 * Couplings and tables are multiplied if the model has them.  Any other model
 * is wrapped: the wrapper lends its point to the inner model and multiplies U
 * and the gradient afterwards.  A wrapper drops the gradient when a coordinate
 * moves, because dividing and multiplying it repeatedly would let it drift. */
#include "model/factor/scaled.h"

#include <math.h>
#include <stdint.h>
#include <string.h>

#include "base/alloc.h"
#include "base/error.h"
#include "model/factor/factor_graph.h"
#include "model/hidden.h"

struct scaled {
    hs_model base;
    hs_model_ops ops;
    hs_model *inner; /* borrowed, or owned when the wrapper is complete */
    bool is_borrowed;
    double factor;
    double *edge; /* owned, [dim * dim], for tours; or NULL */
};

static const struct scaled *of(const hs_model *base)
{
    return (const struct scaled *)base;
}

/* Returns the point as the inner model sees it, without a gradient. */
static hs_point inner_point(const struct scaled *m, const hs_point *p)
{
    hs_point q = *p;

    q.have = p->have & HS_U;
    for (int l = 0; l < HS_LANES; l++)
        q.u[l] = p->u[l] / m->factor;
    return q;
}

static void multiply(hs_float_row *rows, int count, double factor)
{
    for (int r = 0; r < count; r++)
        for (int l = 0; l < HS_LANES; l++)
            rows[r][l] = (float)(factor * (double)rows[r][l]);
}

static void take_u(const struct scaled *m, hs_point *p, const hs_point *q)
{
    for (int l = 0; l < HS_LANES; l++)
        p->u[l] = m->factor * q->u[l];
}

static hiss_status scaled_evaluate(const hs_model *base, hs_point *p,
                                   unsigned want)
{
    const struct scaled *m = of(base);
    hs_point q = inner_point(m, p);
    hiss_status rc = hs_model_evaluate(m->inner, &q, want | HS_U);

    p->fault = q.fault;
    HS_TRY(rc);
    take_u(m, p, &q);
    p->have |= q.have & (HS_U | HS_GRAD);
    if (p->grad && q.have & HS_GRAD)
        multiply(p->grad, base->domain.rows, m->factor);
    return HISS_OK;
}

static void scaled_rows(const hs_model *base, const hs_point *p, int first,
                        int last, hs_float_row *out, double *u)
{
    const struct scaled *m = of(base);
    const int *row = base->domain.row;
    double sum[HS_LANES] = {0};

    m->inner->ops->rows(m->inner, p, first, last, out, u ? sum : NULL);
    if (out)
        multiply(out, row[last] - row[first], m->factor);
    for (int l = 0; u && l < HS_LANES; l++)
        u[l] += m->factor * sum[l];
}

static void scaled_differences(const hs_model *base, const hs_point *p, int i,
                               hs_float_row *out)
{
    const struct scaled *m = of(base);
    hs_point q = inner_point(m, p);

    m->inner->ops->differences(m->inner, &q, i, out);
    multiply(out, base->domain.states[i], m->factor);
}

static hiss_status scaled_change(const hs_model *base, hs_point *p, int i,
                                 hs_float_row *out)
{
    const struct scaled *m = of(base);
    hs_point q = inner_point(m, p);
    hiss_status rc = m->inner->ops->change(m->inner, &q, i, out);

    p->fault = q.fault;
    HS_TRY(rc);
    if (q.have & HS_U) {
        take_u(m, p, &q);
        p->have |= HS_U;
    }
    multiply(out, base->domain.states[i], m->factor);
    return HISS_OK;
}

static void scaled_move(const hs_model *base, hs_point *p, int i,
                        const int16_t *to, const float *change)
{
    const struct scaled *m = of(base);
    hs_point q = inner_point(m, p);
    float own[HS_LANES];

    for (int l = 0; l < HS_LANES; l++)
        own[l] = (float)((double)change[l] / m->factor);
    m->inner->ops->move(m->inner, &q, i, to, own);
    for (int l = 0; l < HS_LANES; l++)
        p->u[l] += (double)change[l];
    p->have &= q.have;
}

static hiss_status scaled_start(const hs_model *base, hs_point *p,
                                const hs_rng *rng, int lanes, hiss_error *err)
{
    hs_point q = inner_point(of(base), p);

    p->have = 0;
    return of(base)->inner->ops->start(of(base)->inner, &q, rng, lanes, err);
}

static hiss_status scaled_scatter(const hs_model *base, hs_point *p,
                                  const hs_rng *rng, int lanes)
{
    hs_point q = inner_point(of(base), p);

    p->have = 0;
    return hs_model_scatter(of(base)->inner, &q, rng, lanes);
}

static hiss_status scaled_factors(const hs_model *base, hs_factors *out,
                                  hiss_error *err)
{
    const struct scaled *m = of(base);

    HS_TRY(m->inner->ops->factors(m->inner, out, err));
    out->constant *= m->factor;
    for (int64_t e = 0; e < out->table_at[out->count]; e++)
        out->table[e] *= m->factor;
    return HISS_OK;
}

/* --- hidden units: those of the inner model at beta times the factor ------ */

static const hs_hidden *inner_hidden(const struct scaled *m)
{
    return hs_model_structure(m->inner, HS_STRUCTURE_HIDDEN);
}

static void inner_beta(const struct scaled *m, const float *beta,
                       float out[HS_LANES])
{
    for (int l = 0; l < HS_LANES; l++)
        out[l] = (float)(m->factor * (double)beta[l]);
}

static void scaled_draw(const hs_model *base, hs_point *p, const float *beta,
                        const hs_rng *rng, hs_float_row *odds)
{
    const struct scaled *m = of(base);
    hs_point q = inner_point(m, p);
    float own[HS_LANES];

    inner_beta(m, beta, own);
    inner_hidden(m)->draw(m->inner, &q, own, rng, odds);
}

/* ln g(x) - own beta U(x) is the same product with the own beta and the inner
 * U. */
static void scaled_excess(const hs_model *base, const hs_point *p,
                          const float *beta, double *out)
{
    const struct scaled *m = of(base);
    hs_point q = inner_point(m, p);
    float own[HS_LANES];

    inner_beta(m, beta, own);
    inner_hidden(m)->excess(m->inner, &q, own, out);
    for (int l = 0; l < HS_LANES; l++)
        out[l] += ((double)own[l] - m->factor * (double)beta[l]) * q.u[l];
}

static const void *scaled_structure(const hs_model *base, hs_structure kind)
{
    static const hs_hidden hidden = {.draw = scaled_draw,
                                     .excess = scaled_excess};

    return kind == HS_STRUCTURE_HIDDEN && inner_hidden(of(base)) ? &hidden
                                                                 : NULL;
}

static hs_model_work scaled_work(const hs_model *base)
{
    return hs_model_work_of(of(base)->inner);
}

static void scaled_destroy(hs_model *base)
{
    struct scaled *m = (struct scaled *)base;

    if (!m->is_borrowed)
        hs_model_destroy(m->inner);
    hs_free(m->edge);
}

/* Chooses by the functions of the inner model. */
static hs_model_ops choose_ops(const hs_model_ops *inner)
{
    return (hs_model_ops){
        .evaluate = inner->evaluate ? scaled_evaluate : NULL,
        .rows = inner->rows ? scaled_rows : NULL,
        .destroy = scaled_destroy,
        .differences = inner->differences ? scaled_differences : NULL,
        .change = inner->change ? scaled_change : NULL,
        .move = inner->move ? scaled_move : NULL,
        .start = inner->start ? scaled_start : NULL,
        .scatter = inner->scatter ? scaled_scatter : NULL,
        .factors = inner->factors ? scaled_factors : NULL,
        .structure = scaled_structure,
        .work = scaled_work,
    };
}

/* Sets the description of the wrapper. */
static void describe(struct scaled *m, const hs_model *inner)
{
    hs_model *base = &m->base;

    base->offset = m->factor * inner->offset;
    base->cache_bytes = inner->cache_bytes;
    base->scratch_bytes = inner->scratch_bytes;
    base->exact_rows = inner->exact_rows;
    base->is_quadratic = inner->is_quadratic;
    base->is_dense = inner->is_dense;
    base->has_free_labels = inner->has_free_labels;
    base->uses_blas = inner->uses_blas;
    base->is_user = inner->is_user;
    base->width = inner->width;
    base->gradient_states = inner->gradient_states;
    base->precision = inner->precision;
    base->near = inner->near;
}

static hiss_status wrap(hs_model **out, hs_model *inner, double factor,
                        hiss_error *err)
{
    struct scaled *m = hs_alloc_array(1, sizeof *m);
    size_t entries = (size_t)inner->domain.dim * (size_t)inner->domain.dim;
    hiss_status rc;

    if (!m)
        return hs_fail_memory(err);
    m->ops = choose_ops(inner->ops);
    m->base.ops = &m->ops;
    m->factor = factor;
    describe(m, inner);
    rc = hs_domain_clone(&m->base.domain, &inner->domain, err);
    if (rc == HISS_OK && inner->edge) {
        m->edge = hs_alloc_array(entries, sizeof *m->edge);
        m->base.edge = m->edge;
        if (!m->edge)
            rc = hs_fail_memory(err);
        for (size_t e = 0; m->edge && e < entries; e++)
            m->edge[e] = factor * inner->edge[e];
    }
    if (rc != HISS_OK) {
        hs_model_destroy(&m->base);
        return rc;
    }
    m->inner = inner;
    *out = &m->base;
    return HISS_OK;
}

/* Multiplies the tables; *out stays NULL if there are none. */
static hiss_status scale_tables(hs_model **out, const hs_model *m,
                                double factor, hiss_error *err)
{
    hs_domain domain;
    hs_factors f;
    hiss_status rc;

    if (!m->ops->factors || m->is_dense)
        return HISS_OK;
    rc = m->ops->factors(m, &f, err);
    if (rc == HISS_ELIMIT)
        return HISS_OK; /* the tables are too large */
    HS_TRY(rc);
    f.constant *= factor;
    for (int64_t e = 0; e < f.table_at[f.count]; e++)
        f.table[e] *= factor;
    rc = hs_domain_clone(&domain, &m->domain, err);
    if (rc == HISS_OK)
        return hs_factor_graph_create_over(out, m->name, &domain, &f, err);
    hs_factors_clear(&f);
    return rc;
}

/* A model of the same structure, with the names of the coordinates. */
static hiss_status scale_own(hs_model **out, const hs_model *m, double factor,
                             hiss_error *err)
{
    hs_domain domain;
    hiss_status rc;

    HS_TRY(m->ops->scaled(out, m, factor, err));
    rc = hs_domain_clone(&domain, &m->domain, err);
    if (rc == HISS_OK) {
        hs_domain_clear(&(*out)->domain);
        (*out)->domain = domain;
        return HISS_OK;
    }
    hs_model_destroy(*out);
    *out = NULL;
    return rc;
}

/* Moves name, notes, fixed coordinates and objective. */
static void inherit(hs_model *to, hs_model *from, double factor)
{
    hs_free(to->name);
    to->name = from->name;
    to->note = from->note;
    to->reads_as = from->reads_as;
    to->objective = from->objective;
    to->objective_scale = from->objective_scale / factor;
    to->objective_shift = from->objective_shift;
    to->beta = factor * hs_model_beta(from);
    to->fixed_at = from->fixed_at;
    to->full_states = from->full_states;
    from->name = from->note = from->reads_as = from->objective = NULL;
    from->fixed_at = from->full_states = NULL;
    if (!to->order) {
        to->order = from->order;
        from->order = NULL;
    }
}

static hiss_status copy_text(char **to, const char *from, hiss_error *err)
{
    char *copy = from ? hs_strdup(from) : NULL;

    if (from && !copy)
        return hs_fail_memory(err);
    hs_free(*to);
    *to = copy;
    return HISS_OK;
}

static hiss_status copy_ints(int **to, const int *from, int count,
                             hiss_error *err)
{
    if (!from)
        return HISS_OK;
    *to = hs_alloc_array((size_t)count, sizeof **to);
    if (!*to)
        return hs_fail_memory(err);
    memcpy(*to, from, (size_t)count * sizeof **to);
    return HISS_OK;
}

/* Like inherit, but copies, so that the model keeps its own. */
static hiss_status share(hs_model *to, const hs_model *from, double factor,
                         hiss_error *err)
{
    int dim = from->domain.dim;

    HS_TRY(copy_text(&to->name, from->name, err));
    HS_TRY(copy_text(&to->note, from->note, err));
    HS_TRY(copy_text(&to->reads_as, from->reads_as, err));
    HS_TRY(copy_text(&to->objective, from->objective, err));
    HS_TRY(copy_ints(&to->fixed_at, from->fixed_at, dim, err));
    HS_TRY(copy_ints(&to->full_states, from->full_states, dim, err));
    to->objective_scale = from->objective_scale / factor;
    to->objective_shift = from->objective_shift;
    to->beta = factor * hs_model_beta(from);
    return HISS_OK;
}

/* *out is NULL if the model must be wrapped. */
static hiss_status scale_whole(hs_model **out, const hs_model *m, double beta,
                               hiss_error *err)
{
    *out = NULL;
    if (!(beta > 0.0 && isfinite(beta)))
        return hs_fail(err, HISS_EARG,
                       "beta is %g, expected a finite number above 0", beta);
    return m->ops->scaled ? scale_own(out, m, beta, err)
                          : scale_tables(out, m, beta, err);
}

hiss_status hs_model_scaled_copy(hs_model **out, const hs_model *m, double beta,
                                 hiss_error *err)
{
    hs_model *scaled;
    hiss_status rc;

    *out = NULL;
    HS_TRY(scale_whole(&scaled, m, beta, err));
    if (!scaled) {
        HS_TRY(wrap(&scaled, (hs_model *)(uintptr_t)m, beta, err));
        ((struct scaled *)scaled)->is_borrowed = true;
    }
    rc = share(scaled, m, beta, err);
    if (rc != HISS_OK) {
        hs_model_destroy(scaled);
        return rc;
    }
    *out = scaled;
    return HISS_OK;
}

hiss_status hs_model_scale(hs_model **model, double beta, hiss_error *err)
{
    hs_model *m = *model, *scaled;
    bool is_wrapped = false;

    HS_TRY(scale_whole(&scaled, m, beta, err));
    if (!scaled) {
        is_wrapped = true;
        HS_TRY(wrap(&scaled, m, beta, err));
    }
    inherit(scaled, m, beta);
    if (!is_wrapped)
        hs_model_destroy(m);
    *model = scaled;
    return HISS_OK;
}
