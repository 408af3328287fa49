/* point.c - states of sixteen chains and the values of a model there.
 *
 * Functions that a model lacks are replaced here: U of a local model by its
 * rows, single-site differences by exact rows or, with states[i] - 1
 * evaluations, by U alone. */
#include <float.h>
#include <math.h>
#include <string.h>

#include "base/alloc.h"
#include "base/assert.h"
#include "base/error.h"
#include "lanes/lanes.h"
#include "model/model.h"

#define CHANGE_MAX 32.0f /* U of this size is known to 1e-6 as a float */

static size_t padded(size_t bytes)
{
    return (bytes + HS_ALIGN - 1) / HS_ALIGN * HS_ALIGN;
}

static size_t state_bytes(const hs_model *m)
{
    return padded((size_t)m->domain.dim * sizeof(hs_index_row));
}

static size_t gradient_bytes(const hs_model *m)
{
    return m->ops->rows ? 0 : (size_t)m->domain.rows * sizeof(hs_float_row);
}

size_t hs_point_bytes(const hs_model *m)
{
    return state_bytes(m) + gradient_bytes(m) + padded(m->cache_bytes) +
           padded(m->scratch_bytes);
}

hiss_status hs_point_init(hs_point *p, const hs_model *m, hiss_error *err)
{
    char *block = hs_alloc_array(hs_point_bytes(m), 1);

    memset(p, 0, sizeof *p);
    if (!block)
        return hs_fail_memory(err);
    p->x = (hs_index_row *)block;
    block += state_bytes(m);
    if (!m->ops->rows)
        p->grad = (hs_float_row *)block;
    block += gradient_bytes(m);
    if (m->cache_bytes > 0)
        p->cache = block;
    block += padded(m->cache_bytes);
    if (m->scratch_bytes > 0)
        p->scratch = block;
    return HISS_OK;
}

void hs_point_clear(hs_point *p)
{
    hs_free(p->x);
    memset(p, 0, sizeof *p);
}

/* Names of models may contain whole lists; a message shows their beginning. */
hiss_status hs_fail_model(hiss_error *err, hiss_status rc, const hs_model *m,
                          const hs_fault *fault, const char *where)
{
    const char *name = m->name ? m->name : "", *gap = *where ? " " : "";

    if (rc == HISS_ENUMERIC && fault->is_gradient)
        return hs_fail(
            err, rc,
            "model %.80s: the gradient is NaN or infinite%s%s; where U "
            "is finite, so must it be",
            name, gap, where);
    if (rc == HISS_ENUMERIC)
        return hs_fail(
            err, rc,
            "model %.80s: U is NaN or +infinity%s%s; it must be finite "
            "or -infinity",
            name, gap, where);
    if (fault->code)
        return hs_fail(err, rc,
                       "model %.80s: its function failed with code %d%s%s",
                       name, fault->code, gap, where);
    return hs_fail(err, rc, "model %.80s: %s%s%s", name, hiss_status_text(rc),
                   gap, where);
}

void hs_point_uniform(hs_point *p, const hs_model *m, const hs_rng *rng,
                      hs_purpose purpose)
{
    const hs_domain *d = &m->domain;
    uint32_t words[4][HS_LANES];

    for (int i = 0; i < d->dim; i++) {
        if (i % 4 == 0)
            hs_lanes()->philox(rng, purpose, (uint32_t)i / 4, 1, words);
        for (int l = 0; l < HS_LANES; l++)
            p->x[i][l] = (int16_t)hs_below(words[i % 4][l], d->states[i]);
    }
    p->have = 0;
}

hiss_status hs_model_evaluate(const hs_model *m, hs_point *p, unsigned want)
{
    unsigned missing = want & ~p->have;

    HS_ASSERT((want & ~(unsigned)(HS_U | HS_GRAD)) == 0);
    HS_ASSERT(p->x && p->lanes >= 0 && p->lanes <= HS_LANES);
    if (!missing)
        return HISS_OK;
    if (!m->ops->rows) {
        HS_TRY(m->ops->evaluate(m, p, missing));
    } else if (missing & HS_U) {
        for (int l = 0; l < HS_LANES; l++)
            p->u[l] = m->offset;
        m->ops->rows(m, p, 0, m->domain.dim, NULL, p->u);
    }
    p->have |= missing;
    return HISS_OK;
}

const hs_float_row *hs_model_rows(const hs_model *m, const hs_point *p,
                                  int first, int last, hs_float_row *buffer,
                                  double *u)
{
    HS_ASSERT(0 <= first && first <= last && last <= m->domain.dim);
    HS_ASSERT(m->ops->rows ? buffer != NULL : (p->have & HS_GRAD) != 0);
    if (!m->ops->rows)
        return (const hs_float_row *)p->grad + m->domain.row[first];
    m->ops->rows(m, p, first, last, buffer, u);
    return buffer;
}

/* 0 if the value does not change, even if the row is infinite. */
void hs_model_linear(const hs_model *m, const hs_point *p, int i,
                     hs_float_row *out)
{
    const hs_domain *d = &m->domain;
    const float *value = d->values + d->value[i];
    const int16_t *x = p->x[i];
    bool labels = d->kind[i] == HISS_CATEGORICAL;
    hs_float_row slope, here;
    const hs_float_row *row =
        hs_model_rows(m, p, i, i + 1, labels ? out : &slope, NULL);

    for (int l = 0; l < HS_LANES; l++)
        here[l] = labels ? row[x[l]][l] : value[x[l]];
    for (int v = 0; v < d->states[i]; v++)
        for (int l = 0; l < HS_LANES; l++) {
            float change =
                labels ? row[v][l] - here[l] : row[0][l] * (value[v] - here[l]);

            out[v][l] = v == x[l] ? 0.0f : change;
        }
}

/* spare takes the other values of coordinate i in turn. */
static hiss_status differences_from_energy(const hs_model *m, hs_point *p,
                                           int i, hs_float_row *out,
                                           hs_point *spare)
{
    int states = m->domain.states[i];
    size_t bytes = (size_t)m->domain.dim * sizeof(hs_index_row);
    hiss_status rc;

    HS_TRY(hs_model_evaluate(m, p, HS_U));
    spare->lanes = p->lanes; /* a function evaluates only lanes in use */
    memcpy(spare->x, p->x, bytes);
    for (int l = 0; l < HS_LANES; l++)
        out[p->x[i][l]][l] = 0.0f;
    for (int step = 1; step < states; step++) {
        for (int l = 0; l < HS_LANES; l++)
            spare->x[i][l] = (int16_t)((p->x[i][l] + step) % states);
        spare->have = 0;
        rc = hs_model_evaluate(m, spare, HS_U);
        if (rc != HISS_OK) {
            p->fault = spare->fault;
            return rc;
        }
        for (int l = 0; l < HS_LANES; l++) {
            bool is_impossible = isinf(p->u[l]) && isinf(spare->u[l]);

            out[spare->x[i][l]][l] =
                is_impossible ? 0.0f : (float)(spare->u[l] - p->u[l]);
        }
    }
    return HISS_OK;
}

int64_t hs_model_difference_evals(const hs_model *m, const hs_point *p, int i)
{
    bool has_slopes = m->ops->rows || (p->have & HS_GRAD);

    if (m->ops->differences || m->ops->change)
        return 0;
    if (m->exact_rows)
        return has_slopes ? 0 : 1;
    return m->domain.states[i] - 1 + !(p->have & HS_U);
}

hiss_status hs_model_differences(const hs_model *m, hs_point *p, int i,
                                 hs_float_row *out, hs_point *spare)
{
    HS_ASSERT(i >= 0 && i < m->domain.dim);
    if (m->ops->change)
        return m->ops->change(m, p, i, out);
    if (m->ops->differences) {
        if (m->cache_bytes > 0)
            HS_TRY(hs_model_evaluate(m, p, HS_U));
        m->ops->differences(m, p, i, out);
        return HISS_OK;
    }
    if (!m->exact_rows)
        return differences_from_energy(m, p, i, out, spare);
    HS_TRY(hs_model_evaluate(m, p, HS_GRAD));
    hs_model_linear(m, p, i, out);
    return HISS_OK;
}

void hs_model_move(const hs_model *m, hs_point *p, int i, const int16_t *to,
                   const float *change)
{
    /* removing a violation is a large but exact change */
    bool is_exact = m->hard && m->precision.kind == HS_PRECISION_EXACT;
    float limit = m->ops->move || is_exact ? FLT_MAX : CHANGE_MAX;
    bool is_known = true;

    HS_ASSERT(i >= 0 && i < m->domain.dim);
    for (int l = 0; l < HS_LANES; l++)
        HS_ASSERT(to[l] >= 0 && to[l] < m->domain.states[i]);
    for (int l = 0; l < HS_LANES; l++)
        is_known &= fabsf(change[l]) <= limit;
    /* from an impossible state, -infinity + infinity is not U; and a large
     * change is rounded too much, unless U maintains a cache */
    if (!is_known)
        p->have &= ~(unsigned)HS_U;
    if (m->ops->move && (p->have & HS_U)) {
        m->ops->move(m, p, i, to, change);
        return;
    }
    for (int l = 0; l < HS_LANES; l++) {
        p->x[i][l] = to[l];
        p->u[l] += (double)change[l];
    }
    if (!m->ops->rows)
        p->have &= ~(unsigned)HS_GRAD;
}

hiss_status hs_model_energy(const hs_model *m, const int16_t *state, double *u,
                            hiss_error *err)
{
    hs_point p;
    hiss_status rc;

    *u = 0.0;
    for (int i = 0; i < m->domain.dim; i++)
        if (state[i] < 0 || state[i] >= m->domain.states[i])
            return hs_fail(err, HISS_EARG,
                           "coordinate %d has index %d, expected 0 to %d", i,
                           state[i], m->domain.states[i] - 1);
    HS_TRY(hs_point_init(&p, m, err));
    for (int i = 0; i < m->domain.dim; i++)
        for (int l = 0; l < HS_LANES; l++)
            p.x[i][l] = state[i];
    rc = hs_model_evaluate(m, &p, HS_U);
    *u = p.u[0];
    if (rc != HISS_OK)
        hs_fail_model(err, rc, m, &p.fault, "");
    hs_point_clear(&p);
    HS_TRY(rc);
    if (isnan(*u) || (isinf(*u) && *u > 0.0))
        return hs_fail(err, HISS_ENUMERIC, "model %s: U is %g",
                       m->name ? m->name : "", *u);
    return HISS_OK;
}
