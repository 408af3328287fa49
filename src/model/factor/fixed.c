/* fixed.c - conditioning: any model with some coordinates fixed.
 *
 * A model that is a sum of tables (ops->factors) becomes a factor graph of the
 * remaining tables: couplings to fixed coordinates turn into fields, and local
 * models stay local.  Any other model is wrapped.  The wrapper's point has
 * index 0 for a fixed coordinate.  The inner point, in the scratch of the
 * wrapper's, has the true index; both share the cache.  A wrapped model copies
 * its state with every call, O(dim). */
#include "model/factor/fixed.h"

#include <math.h>
#include <string.h>

#include "base/alloc.h"
#include "base/error.h"
#include "model/factor/factor_graph.h"
#include "model/factor/feasible.h"
#include "model/hidden.h"

struct fixed {
    hs_model base;
    hs_model *inner; /* owned when the wrapper is complete */
    int *at;         /* owned, [dim]: index in the inner model, -1 if free */
    size_t grad_at, scratch_at; /* their offsets in the scratch */
};

/* Returns the inner point: states are set, nothing is valid. */
static hs_point inner_point(const struct fixed *m, const hs_point *p)
{
    char *block = p->scratch;
    hs_point q = {.x = (hs_index_row *)block,
                  .grad = (hs_float_row *)(block + m->grad_at),
                  .cache = p->cache,
                  .scratch = block + m->scratch_at,
                  .lanes = p->lanes};
    int dim = m->base.domain.dim;

    memcpy(q.x, p->x, (size_t)dim * sizeof *q.x);
    for (int i = 0; i < dim; i++)
        for (int l = 0; m->at[i] > 0 && l < HS_LANES; l++)
            q.x[i][l] = (int16_t)m->at[i];
    memcpy(q.u, p->u, sizeof q.u);
    return q;
}

/* Copies the rows of free coordinates between the two points. */
static void copy_rows(const struct fixed *m, hs_float_row *inner,
                      hs_float_row *outer, bool is_out)
{
    const hs_domain *from = &m->inner->domain, *to = &m->base.domain;

    for (int i = 0; i < to->dim; i++) {
        hs_float_row *a = inner + from->row[i], *b = outer + to->row[i];
        size_t bytes = (size_t)(to->row[i + 1] - to->row[i]) * sizeof *b;

        if (m->at[i] >= 0)
            memset(b, 0, bytes); /* a fixed coordinate has slope 0 */
        else
            memcpy(is_out ? b : a, is_out ? a : b, bytes);
    }
}

static hiss_status fixed_evaluate(const hs_model *base, hs_point *p,
                                  unsigned want)
{
    const struct fixed *m = (const struct fixed *)base;
    hs_point q = inner_point(m, p);
    hs_float_row *rows = q.grad;
    hiss_status rc;

    if (m->inner->ops->rows)
        q.grad = NULL;
    rc = hs_model_evaluate(m->inner, &q, want);
    p->fault = q.fault;
    HS_TRY(rc);
    memcpy(p->u, q.u, sizeof q.u);
    if (!(want & HS_GRAD))
        return HISS_OK;
    if (m->inner->ops->rows)
        m->inner->ops->rows(m->inner, &q, 0, base->domain.dim, rows, NULL);
    copy_rows(m, rows, p->grad, true);
    return HISS_OK;
}

static void fixed_differences(const hs_model *base, const hs_point *p, int i,
                              hs_float_row *out)
{
    const struct fixed *m = (const struct fixed *)base;
    hs_point q = inner_point(m, p);

    if (m->at[i] < 0) {
        q.have = p->have & HS_U;
        m->inner->ops->differences(m->inner, &q, i, out);
        return;
    }
    for (int l = 0; l < HS_LANES; l++)
        out[0][l] = 0.0f;
}

static hiss_status fixed_change(const hs_model *base, hs_point *p, int i,
                                hs_float_row *out)
{
    const struct fixed *m = (const struct fixed *)base;
    hs_point q;
    hiss_status rc;

    HS_TRY(hs_model_evaluate(base, p, HS_U));
    for (int l = 0; l < HS_LANES; l++)
        out[0][l] = 0.0f;
    if (m->at[i] >= 0)
        return HISS_OK;
    q = inner_point(m, p);
    q.have = HS_U;
    rc = m->inner->ops->change(m->inner, &q, i, out);
    p->fault = q.fault;
    return rc;
}

static void fixed_move(const hs_model *base, hs_point *p, int i,
                       const int16_t *to, const float *change)
{
    const struct fixed *m = (const struct fixed *)base;
    hs_point q;

    if (m->at[i] >= 0)
        return;
    q = inner_point(m, p);
    q.have = p->have;
    if (q.have & HS_GRAD)
        copy_rows(m, q.grad, p->grad, false);
    m->inner->ops->move(m->inner, &q, i, to, change);
    memcpy(p->x[i], q.x[i], sizeof q.x[i]);
    memcpy(p->u, q.u, sizeof q.u);
    p->have = q.have;
    if (q.have & HS_GRAD)
        copy_rows(m, q.grad, p->grad, true);
}

static hiss_status fixed_scatter(const hs_model *base, hs_point *p,
                                 const hs_rng *rng, int lanes)
{
    const struct fixed *m = (const struct fixed *)base;
    hs_point q = inner_point(m, p);

    HS_TRY(hs_model_scatter(m->inner, &q, rng, lanes));
    p->have = 0;
    for (int i = 0; i < base->domain.dim; i++)
        for (int l = 0; l < HS_LANES; l++)
            p->x[i][l] = m->at[i] < 0 ? q.x[i][l] : 0;
    return HISS_OK;
}

static const hs_hidden *inner_hidden(const struct fixed *m)
{
    return hs_model_structure(m->inner, HS_STRUCTURE_HIDDEN);
}

static void fixed_draw(const hs_model *base, hs_point *p, const float *beta,
                       const hs_rng *rng, hs_float_row *odds)
{
    const struct fixed *m = (const struct fixed *)base;
    hs_point q = inner_point(m, p);

    inner_hidden(m)->draw(m->inner, &q, beta, rng, odds);
}

static void fixed_excess(const hs_model *base, const hs_point *p,
                         const float *beta, double *out)
{
    const struct fixed *m = (const struct fixed *)base;
    hs_point q = inner_point(m, p);

    inner_hidden(m)->excess(m->inner, &q, beta, out);
}

/* Hidden units remain: their distribution given the coordinates does not
 * change. */
static const void *fixed_structure(const hs_model *base, hs_structure kind)
{
    static const hs_hidden hidden = {.draw = fixed_draw,
                                     .excess = fixed_excess};

    if (kind != HS_STRUCTURE_HIDDEN ||
        !inner_hidden((const struct fixed *)base))
        return NULL;
    return &hidden;
}

static void fixed_destroy(hs_model *base)
{
    struct fixed *m = (struct fixed *)base;

    hs_model_destroy(m->inner);
    hs_free(m->at);
}

/* The inner model is evaluated as a whole. */
static hs_model_work fixed_work(const hs_model *base)
{
    const struct fixed *m = (const struct fixed *)base;

    return hs_model_work_of(m->inner);
}

/* Indexed by the functions of the inner model: differences, then move. */
static const hs_model_ops fixed_ops[2][2] = {
    {{.evaluate = fixed_evaluate,
      .destroy = fixed_destroy,
      .scatter = fixed_scatter,
      .structure = fixed_structure,
      .work = fixed_work},
     {.evaluate = fixed_evaluate,
      .destroy = fixed_destroy,
      .move = fixed_move,
      .scatter = fixed_scatter,
      .structure = fixed_structure,
      .work = fixed_work}},
    {{.evaluate = fixed_evaluate,
      .destroy = fixed_destroy,
      .differences = fixed_differences,
      .scatter = fixed_scatter,
      .structure = fixed_structure,
      .work = fixed_work},
     {.evaluate = fixed_evaluate,
      .destroy = fixed_destroy,
      .differences = fixed_differences,
      .move = fixed_move,
      .scatter = fixed_scatter,
      .structure = fixed_structure,
      .work = fixed_work}},
};

/* For models with `change`. */
static const hs_model_ops changed_ops = {
    .evaluate = fixed_evaluate,
    .destroy = fixed_destroy,
    .change = fixed_change,
    .scatter = fixed_scatter,
    .structure = fixed_structure,
    .work = fixed_work,
};

static size_t padded(size_t bytes)
{
    return (bytes + HS_ALIGN - 1) / HS_ALIGN * HS_ALIGN;
}

/* Takes ownership of at and domain, and on success of the model. */
static hiss_status wrap(hs_model **out, hs_model *inner, int *at,
                        hs_domain *domain, hiss_error *err)
{
    struct fixed *m = hs_alloc_array(1, sizeof *m);
    size_t dim = (size_t)inner->domain.dim;
    bool is_local = inner->ops->rows != NULL;

    if (!m) {
        hs_free(at);
        hs_domain_clear(domain);
        return hs_fail_memory(err);
    }
    m->base.ops = &fixed_ops[inner->ops->differences != NULL]
                            [inner->ops->move != NULL && !is_local];
    if (inner->ops->change)
        m->base.ops = &changed_ops;
    m->base.domain = *domain;
    m->inner = inner;
    m->at = at;
    m->grad_at = padded(dim * sizeof(hs_index_row));
    m->scratch_at =
        m->grad_at + (size_t)inner->domain.rows * sizeof(hs_float_row);
    m->base.scratch_bytes = m->scratch_at + inner->scratch_bytes;
    m->base.cache_bytes = inner->cache_bytes;
    m->base.exact_rows = inner->exact_rows;
    m->base.uses_blas = inner->uses_blas;
    m->base.is_user = inner->is_user;
    m->base.precision = inner->precision;
    m->base.gradient_states = inner->gradient_states;
    m->base.width = inner->width;
    *out = &m->base;
    return HISS_OK;
}

/* Makes the domain, with a single level for fixed coordinates. */
static hiss_status fixed_domain(hs_domain *out, const hs_domain *d,
                                const int *at, hiss_error *err)
{
    hiss_kind *kind = hs_alloc_array((size_t)d->dim, sizeof *kind);
    int *states = hs_alloc_array((size_t)d->dim, sizeof *states);
    double *level = hs_alloc_array((size_t)d->value_count, sizeof *level);
    int levels = 0;
    hiss_status rc;

    if (d->is_tour)
        rc = hs_fail(err, HISS_EUNSUP,
                     "the positions of a tour cannot be fixed");
    else if (kind && states && level) {
        for (int i = 0; i < d->dim; i++) {
            const float *value = d->values + d->value[i];

            kind[i] = at[i] >= 0 ? HISS_ORDINAL : d->kind[i];
            states[i] = at[i] >= 0 ? 1 : d->states[i];
            if (at[i] >= 0)
                level[levels++] = (double)value[at[i]];
            for (int v = 0;
                 at[i] < 0 && kind[i] == HISS_ORDINAL && v < states[i]; v++)
                level[levels++] = (double)value[v];
        }
        rc = hs_domain_init_mixed(out, d->dim, kind, states, level, err);
        if (rc == HISS_OK)
            rc = hs_domain_inherit(out, d, at, err);
    } else {
        rc = hs_fail_memory(err);
    }
    hs_free(kind);
    hs_free(states);
    hs_free(level);
    return rc;
}

/* Restricts the tables to the free coordinates; *out stays NULL if none are
 * left. */
static hiss_status cut(hs_model **out, const hs_model *m, const int *at,
                       hs_domain *domain, hiss_error *err)
{
    hs_factors all, rest;
    int *forced;
    hiss_status rc;

    if (!m->ops->factors || m->is_dense)
        return HISS_OK;
    rc = m->ops->factors(m, &all, err);
    if (rc == HISS_ELIMIT)
        return HISS_OK; /* the tables are too large, so wrap the model */
    HS_TRY(rc);
    rc = hs_factors_slice(&rest, &all, at, err);
    hs_factors_clear(&all);
    HS_TRY(rc);
    forced = hs_alloc_array((size_t)rest.dim, sizeof *forced);
    rc = forced ? hs_feasible_forced(&rest, forced, err) : hs_fail_memory(err);
    hs_free(forced);
    if (rc == HISS_EINFEASIBLE)
        rc = hs_fail(err, rc, "the fixed values have probability 0 together");
    if (rc == HISS_OK)
        return hs_factor_graph_create_over(out, m->name, domain, &rest, err);
    hs_factors_clear(&rest);
    return rc;
}

/* Converts to indices in the present domain (-1: not fixed now), and records
 * all fixed coordinates. */
static hiss_status read_wishes(const hs_model *m, const int *at, int *now,
                               int *fixed_at, int *full, hiss_error *err)
{
    char name[HS_NAME_MAX + 1], value[HS_NAME_MAX + 1];

    for (int i = 0; i < m->domain.dim; i++) {
        const hs_domain *d = &m->domain;
        int before = m->fixed_at ? m->fixed_at[i] : -1;

        full[i] = m->full_states ? m->full_states[i] : d->states[i];
        if (at[i] >= full[i])
            return hs_fail(err, HISS_EARG,
                           "%s cannot have index %d, it has %d states",
                           hs_domain_coordinate(d, i, name), at[i], full[i]);
        if (before >= 0 && at[i] >= 0 && at[i] != before)
            return hs_fail(err, HISS_EARG,
                           "%s is fixed at %s already, it cannot have "
                           "another value",
                           hs_domain_coordinate(d, i, name),
                           hs_domain_state(d, i, 0, value));
        fixed_at[i] = at[i] >= 0 ? at[i] : before;
        now[i] = at[i] >= 0 && before >= 0 ? 0 : at[i];
    }
    return HISS_OK;
}

/* Moves name, notes and objective. */
static void inherit(hs_model *to, hs_model *from)
{
    hs_free(to->name);
    to->name = from->name;
    to->note = from->note;
    to->reads_as = from->reads_as;
    to->objective = from->objective;
    to->objective_scale = from->objective_scale;
    to->objective_shift = from->objective_shift;
    to->beta = from->beta;
    from->name = from->note = from->reads_as = from->objective = NULL;
    if (!to->order) {
        to->order = from->order;
        from->order = NULL;
    }
}

static hiss_status fix(hs_model **model, const int *at, hiss_error *err)
{
    hs_model *m = *model, *fixed = NULL;
    size_t dim = (size_t)m->domain.dim;
    int *now = hs_alloc_array(dim, sizeof *now);
    int *fixed_at = hs_alloc_array(dim, sizeof *fixed_at);
    int *full = hs_alloc_array(dim, sizeof *full);
    hs_domain domain = {0};
    bool is_wrapped = false;
    hiss_status rc;

    if (now && fixed_at && full)
        rc = read_wishes(m, at, now, fixed_at, full, err);
    else
        rc = hs_fail_memory(err);
    if (rc == HISS_OK)
        rc = fixed_domain(&domain, &m->domain, now, err);
    if (rc == HISS_OK)
        rc = cut(&fixed, m, now, &domain, err);
    if (rc == HISS_OK && !fixed) {
        is_wrapped = true;
        rc = wrap(&fixed, m, now, &domain, err);
        now = NULL;
    }
    if (rc != HISS_OK) {
        hs_domain_clear(&domain);
        hs_free(now);
        hs_free(fixed_at);
        hs_free(full);
        return rc;
    }
    inherit(fixed, m);
    fixed->fixed_at = fixed_at;
    fixed->full_states = full;
    hs_free(now);
    if (!is_wrapped)
        hs_model_destroy(m);
    *model = fixed;
    return HISS_OK;
}

/* Whether everything in the request is fixed already. */
static bool is_content(const hs_model *m, const int *at)
{
    for (int i = 0; i < m->domain.dim; i++)
        if (at[i] >= 0 && !(m->fixed_at && m->fixed_at[i] == at[i]))
            return false;
    return true;
}

hiss_status hs_model_fix(hs_model **model, const int *at, hiss_error *err)
{
    return is_content(*model, at) ? HISS_OK : fix(model, at, err);
}
