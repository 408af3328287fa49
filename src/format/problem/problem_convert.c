/* problem_convert.c - converts a distribution to another shape (problem.h).
 *
 * With x = (1 + s) / 2:
 *     x_i      = 1/2 + s_i / 2
 *     x_i x_j  = 1/4 + s_i / 4 + s_j / 4 + s_i s_j / 4
 * and with s = 2x - 1:
 *     s_i      = 2 x_i - 1
 *     s_i s_j  = 4 x_i x_j - 2 x_i - 2 x_j + 1.
 * All factors are powers of 2: only the sums round.
 *
 * A factor over two variables of two states is
 *     t00 + (t10 - t00) x_i + (t01 - t00) x_j
 *         + (t11 - t10 - t01 + t00) x_i x_j. */
#include <math.h>
#include <string.h>

#include "base/alloc.h"
#include "format/problem/problem.h"
#include "format/problem/terms.h"

/* Refuses tours: visiting every city once is not a sum of small tables. */
static hiss_status refuse_tours(const hs_problem *p, hiss_error *err)
{
    if (p->shape != HS_TOURS)
        return HISS_OK;
    return hs_fail(err, HISS_EUNSUP, "its states are tours");
}

/* Copies the fields that do not depend on the shape. */
static hiss_status copy_frame(hs_problem *out, const hs_problem *p,
                              hiss_error *err)
{
    out->objective = p->objective;
    out->scale = p->scale;
    out->shift = p->shift;
    if (!p->names)
        return HISS_OK;
    out->names = hs_alloc_array((size_t)p->dim, sizeof *out->names);
    if (!out->names)
        return hs_fail_memory(err);
    out->dim = p->dim;
    for (int i = 0; i < p->dim; i++) {
        out->names[i] = hs_strdup(p->names[i]);
        if (!out->names[i])
            return hs_fail_memory(err);
    }
    return HISS_OK;
}

static void spins_to_bits(hs_quadratic_problem *q, int dim)
{
    for (int i = 0; i < dim; i++) {
        q->offset -= q->linear[i];
        q->linear[i] *= 2.0;
    }
    for (int64_t e = 0; e < q->pairs; e++) {
        double v = q->value[e];

        q->offset += v;
        q->linear[q->row[e]] -= 2.0 * v;
        q->linear[q->column[e]] -= 2.0 * v;
        q->value[e] = 4.0 * v;
    }
    q->kind = HISS_BINARY;
}

static void bits_to_spins(hs_quadratic_problem *q, int dim)
{
    for (int i = 0; i < dim; i++) {
        q->offset += 0.5 * q->linear[i];
        q->linear[i] *= 0.5;
    }
    for (int64_t e = 0; e < q->pairs; e++) {
        double v = 0.25 * q->value[e];

        q->offset += v;
        q->linear[q->row[e]] += v;
        q->linear[q->column[e]] += v;
        q->value[e] = v;
    }
    q->kind = HISS_SPIN;
}

static void flip_sense(hs_quadratic_problem *q, int dim)
{
    q->offset = -q->offset;
    for (int i = 0; i < dim; i++)
        q->linear[i] = -q->linear[i];
    for (int64_t e = 0; e < q->pairs; e++)
        q->value[e] = -q->value[e];
    q->maximize = !q->maximize;
}

static hiss_status copy_quadratic(hs_problem *out, const hs_problem *p,
                                  hiss_error *err)
{
    const hs_quadratic_problem *from = &p->quadratic;
    hs_quadratic_problem *to = &out->quadratic;
    size_t pairs = (size_t)from->pairs;

    HS_TRY(hs_problem_init_quadratic(out, from->kind, from->maximize, p->dim,
                                     from->pairs, err));
    to->offset = from->offset;
    memcpy(to->linear, from->linear, (size_t)p->dim * sizeof *to->linear);
    memcpy(to->row, from->row, pairs * sizeof *to->row);
    memcpy(to->column, from->column, pairs * sizeof *to->column);
    memcpy(to->value, from->value, pairs * sizeof *to->value);
    return HISS_OK;
}

/* Adds the terms of one factor over bits; adds its constant to *offset. */
static hiss_status add_factor(hs_terms *t, const hs_factors *f, int64_t n,
                              double *offset, hiss_error *err)
{
    int64_t size = f->scope_at[n + 1] - f->scope_at[n];
    const int *scope = f->scope + f->scope_at[n];
    const double *v = f->table + f->table_at[n];

    *offset += v[0];
    if (size == 1)
        return hs_terms_add(t, scope[0], scope[0], v[1] - v[0], err);
    HS_TRY(hs_terms_add(t, scope[0], scope[0], v[2] - v[0], err));
    HS_TRY(hs_terms_add(t, scope[1], scope[1], v[1] - v[0], err));
    return hs_terms_add(t, scope[0], scope[1], v[3] - v[2] - v[1] + v[0], err);
}

static hiss_status check_factors(const hs_problem *p, hiss_error *err)
{
    for (int i = 0; i < p->dim; i++)
        if (p->factors.states[i] != 2)
            return hs_fail(err, HISS_EUNSUP,
                           "variable %d, counted from 0, has %d states, a "
                           "quadratic form has 2",
                           i, p->factors.states[i]);
    for (int64_t n = 0; n < p->factors.count; n++) {
        int64_t size = p->factors.scope_at[n + 1] - p->factors.scope_at[n];

        if (size > 2)
            return hs_fail(err, HISS_EUNSUP,
                           "factor %lld, counted from 0, has %lld variables, "
                           "a quadratic form has terms of 2 at most",
                           (long long)n, (long long)size);
    }
    if (hs_factors_have_zeros(&p->factors))
        return hs_fail(err, HISS_EUNSUP,
                       "a factor has a zero: a quadratic form has no hard "
                       "constraints");
    return HISS_OK;
}

static hiss_status from_factors(hs_problem *out, const hs_problem *p,
                                hiss_error *err)
{
    hs_terms t = {0};
    double offset = p->factors.constant;
    hiss_status rc = check_factors(p, err);

    for (int64_t n = 0; rc == HISS_OK && n < p->factors.count; n++)
        rc = add_factor(&t, &p->factors, n, &offset, err);
    if (rc == HISS_OK) {
        rc = hs_terms_finish(&t, out, p->dim, 0, err);
        hs_free(out->note); /* summed terms are expected here */
        out->note = NULL;
    }
    hs_entries_clear(&t);
    out->quadratic.kind = HISS_BINARY;
    out->quadratic.maximize = true;
    out->quadratic.offset = offset;
    return rc;
}

/* Checks sums of allowed numbers, which a reader would refuse; writers double
 * some. */
static hiss_status check_sizes(const hs_problem *p, hiss_error *err)
{
    const hs_quadratic_problem *q = &p->quadratic;
    double most = fabs(q->offset);

    for (int i = 0; i < p->dim; i++)
        most = fmax(most, fabs(q->linear[i]));
    for (int64_t e = 0; e < q->pairs; e++)
        most = fmax(most, fabs(q->value[e]));
    if (most <= HS_WEIGHT_MAX / 4.0)
        return HISS_OK;
    return hs_fail(err, HISS_EUNSUP, "a coefficient is %.3g, at most %.3g",
                   most, HS_WEIGHT_MAX / 4.0);
}

hiss_status hs_problem_to_quadratic(hs_problem *out, const hs_problem *p,
                                    hiss_kind kind, bool maximize,
                                    hiss_error *err)
{
    hs_quadratic_problem *q = &out->quadratic;
    hiss_status rc;

    *out = (hs_problem){0};
    HS_TRY(refuse_tours(p, err));
    if (p->shape == HS_MACHINE)
        return hs_fail(err, HISS_EUNSUP,
                       "a Boltzmann machine with its hidden units summed out "
                       "is no quadratic form");
    if (p->shape == HS_QUADRATIC)
        rc = copy_quadratic(out, p, err);
    else
        rc = from_factors(out, p, err);
    if (rc == HISS_OK)
        rc = copy_frame(out, p, err);
    if (rc != HISS_OK) {
        hs_problem_clear(out);
        return rc;
    }
    if (q->kind == HISS_SPIN && kind == HISS_BINARY)
        spins_to_bits(q, out->dim);
    if (q->kind == HISS_BINARY && kind == HISS_SPIN)
        bits_to_spins(q, out->dim);
    if (q->maximize != maximize)
        flip_sense(q, out->dim);
    rc = check_sizes(out, err);
    if (rc != HISS_OK)
        hs_problem_clear(out);
    return rc;
}

/* Makes one factor for each nonzero term; entries in the order 00 01 10 11. */
static hiss_status fill_factors(hs_factors *f, const hs_quadratic_problem *q,
                                int dim, hiss_error *err)
{
    double sign = q->maximize ? 1.0 : -1.0;
    double low = q->kind == HISS_SPIN ? -1.0 : 0.0;

    f->constant = sign * q->offset;
    for (int i = 0; i < dim; i++) {
        double h = sign * q->linear[i], table[2] = {h * low, h};

        if (h != 0.0)
            HS_TRY(hs_factors_add(f, 1, &i, table, NULL, err));
    }
    for (int64_t e = 0; e < q->pairs; e++) {
        double v = sign * q->value[e];
        double table[4] = {v * low * low, v * low, v * low, v};
        int scope[2] = {q->row[e], q->column[e]};

        HS_TRY(hs_factors_add(f, 2, scope, table, NULL, err));
    }
    return HISS_OK;
}

static hiss_status copy_factors(hs_factors *to, const hs_factors *from,
                                hiss_error *err)
{
    to->constant = from->constant;
    for (int64_t n = 0; n < from->count; n++) {
        int64_t size = from->scope_at[n + 1] - from->scope_at[n];

        HS_TRY(hs_factors_add(to, (int)size, from->scope + from->scope_at[n],
                              from->table + from->table_at[n], NULL, err));
    }
    return HISS_OK;
}

hiss_status hs_problem_to_factors(hs_problem *out, const hs_problem *p,
                                  hiss_error *err)
{
    hs_factors *f = &out->factors;
    int *states;
    hiss_status rc;

    *out = (hs_problem){.shape = HS_FACTORS, .dim = p->dim};
    HS_TRY(refuse_tours(p, err));
    if (p->shape == HS_MACHINE)
        return hs_fail(err, HISS_EUNSUP,
                       "a Boltzmann machine with its hidden units summed out "
                       "has factors over all of its variables");
    states = hs_alloc_array((size_t)p->dim, sizeof *states);
    if (!states)
        return hs_fail_memory(err);
    for (int i = 0; i < p->dim; i++)
        states[i] = hs_problem_states(p, i);
    rc = hs_factors_init(f, p->dim, states, err);
    hs_free(states);
    if (rc == HISS_OK && p->shape == HS_FACTORS)
        rc = copy_factors(f, &p->factors, err);
    else if (rc == HISS_OK)
        rc = fill_factors(f, &p->quadratic, p->dim, err);
    if (rc == HISS_OK)
        rc = copy_frame(out, p, err);
    if (rc != HISS_OK)
        hs_problem_clear(out);
    return rc;
}
