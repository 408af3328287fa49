/* arrays.c - models from arrays and functions: <hiss/arrays.h>. */
#include <hiss/arrays.h>

#include <float.h>
#include <limits.h>
#include <math.h>
#include <string.h>

#include "api/object/objects.h"
#include "api/object/sized.h"
#include "api/problem/checks.h"
#include "base/alloc.h"
#include "base/error.h"
#include "model/builders.h"
#include "model/factor/factor_graph.h"
#include "model/law/lookup.h"
#include "model/user/callback.h"

/* -infinity is a valid U. */
static hiss_status check_u(const char *what, const double *at, int64_t count,
                           hiss_error *err)
{
    for (int64_t e = 0; e < count; e++)
        if (!(at[e] == -HUGE_VAL || fabs(at[e]) <= HS_ENTRY_MAX))
            return hs_fail(err, HISS_EARG,
                           "entry %lld of %s is %g, expected a finite number "
                           "of at most %g, or -infinity",
                           (long long)e, what, at[e], HS_ENTRY_MAX);
    return HISS_OK;
}

/* --- restricted Boltzmann machines -------------------------------------- */

static hiss_status check_layers(int visible, int hidden, hiss_error *err)
{
    HS_TRY(hs_check_dim(visible, err));
    if (hidden < 1)
        return hs_fail(err, HISS_EARG,
                       "expected at least 1 hidden unit, not "
                       "%d",
                       hidden);
    return HISS_OK;
}

hiss_status hiss_model_rbm(hiss_model **out, int visible, int hidden,
                           const double *weight, const double *b,
                           const double *c, hiss_error *err)
{
    hs_machine from = {visible, hidden, weight, b, c};
    hs_model *m = NULL;

    if (out)
        *out = NULL;
    if (!out || !weight)
        return hs_fail(err, HISS_EARG, "hiss_model_rbm: an argument is NULL");
    HS_TRY(check_layers(visible, hidden, err));
    HS_TRY(hs_check_numbers("the weights", weight, (int64_t)visible * hidden,
                            FLT_MAX, err));
    HS_TRY(hs_check_numbers("b", b, visible, FLT_MAX, err));
    HS_TRY(hs_check_numbers("c", c, hidden, FLT_MAX, err));
    HS_TRY(hs_build_machine(&m, "rbm weights", &from, err));
    return hs_model_wrap(out, m, err);
}

hiss_status hiss_model_rbm_floats(hiss_model **out, int visible, int hidden,
                                  const float *weight, const float *b,
                                  const float *c, hiss_error *err)
{
    hs_machine_floats from = {visible, hidden, weight, b, c};
    hs_model *m = NULL;

    if (out)
        *out = NULL;
    if (!out || !weight)
        return hs_fail(err, HISS_EARG,
                       "hiss_model_rbm_floats: an argument is NULL");
    HS_TRY(check_layers(visible, hidden, err));
    HS_TRY(
        hs_check_floats("the weights", weight, (int64_t)visible * hidden, err));
    HS_TRY(hs_check_floats("b", b, visible, err));
    HS_TRY(hs_check_floats("c", c, hidden, err));
    HS_TRY(hs_build_machine_floats(&m, "rbm weights", &from, err));
    return hs_model_wrap(out, m, err);
}

/* --- over any domain ---------------------------------------------------- */

/* The number of values is an int; refuse more before anything is allocated. */
static hiss_status check_values(const hiss_domain *d, hiss_error *err)
{
    int64_t values = 2 * (int64_t)d->dim;

    if (d->states)
        values = 0;
    for (int i = 0; d->states && i < d->dim; i++)
        values += d->states[i];
    if (values > INT_MAX)
        return hs_fail(err, HISS_ELIMIT,
                       "%d coordinates have %lld values in all, expected at "
                       "most %d",
                       d->dim, (long long)values, INT_MAX);
    return HISS_OK;
}

/* The caller may omit kind and states, hs_domain may not. */
static hiss_status make_domain(hs_domain *out, const hiss_domain *given,
                               hiss_error *err)
{
    hiss_domain whole = HISS_INIT(hiss_domain), *d = &whole;
    hiss_kind *kind;
    int *states;
    hiss_status rc;

    *out = (hs_domain){0};
    HS_TRY(hs_sized_read(d, sizeof *d, given, "hiss_domain", err));
    HS_TRY(hs_check_dim(d->dim, err));
    HS_TRY(check_values(d, err));
    kind = hs_alloc_array((size_t)d->dim, sizeof *kind);
    states = hs_alloc_array((size_t)d->dim, sizeof *states);
    for (int i = 0; kind && states && i < d->dim; i++) {
        kind[i] = d->kind ? d->kind[i] : HISS_BINARY;
        states[i] = d->states ? d->states[i] : 2;
    }
    if (kind && states)
        rc = hs_domain_init_mixed(out, d->dim, kind, states, d->levels, err);
    else
        rc = hs_fail_memory(err);
    hs_free(kind);
    hs_free(states);
    return rc;
}

hiss_status hiss_model_table(hiss_model **out, const hiss_domain *domain,
                             const double *u, hiss_error *err)
{
    hs_domain d;
    hs_model *m = NULL;
    double *copy, states;
    hiss_status rc;

    if (out)
        *out = NULL;
    if (!out || !domain || !u)
        return hs_fail(err, HISS_EARG, "hiss_model_table: an argument is NULL");
    HS_TRY(make_domain(&d, domain, err));
    states = hs_domain_size(&d);
    rc = d.dim > HS_LOOKUP_DIM_MAX || states > HS_LOOKUP_STATES_MAX
             ? hs_fail(err, HISS_ELIMIT,
                       "a table has at most %d coordinates and %d states, not "
                       "%d and %g",
                       HS_LOOKUP_DIM_MAX, HS_LOOKUP_STATES_MAX, d.dim, states)
             : check_u("the table", u, (int64_t)states, err);
    copy = rc == HISS_OK ? hs_alloc_array((size_t)states, sizeof *copy) : NULL;
    if (rc == HISS_OK && !copy)
        rc = hs_fail_memory(err);
    if (rc != HISS_OK) {
        hs_domain_clear(&d);
        return rc;
    }
    memcpy(copy, u, (size_t)states * sizeof *copy);
    HS_TRY(hs_lookup_create(&m, &d, copy, err));
    m->name = hs_strdup("table");
    if (!m->name) {
        hs_model_destroy(m);
        return hs_fail_memory(err);
    }
    return hs_model_wrap(out, m, err);
}

static hiss_status check_scope(const hs_domain *d, int64_t f, int size,
                               const int *scope, hiss_error *err)
{
    if (size < 0 || size > d->dim)
        return hs_fail(err, HISS_EARG,
                       "factor %lld, counted from 0, has %d coordinates, "
                       "expected 0 to %d",
                       (long long)f, size, d->dim);
    for (int k = 0; k < size; k++) {
        if (scope[k] < 0 || scope[k] >= d->dim)
            return hs_fail(err, HISS_EARG,
                           "factor %lld, counted from 0, has coordinate %d, "
                           "expected 0 to %d",
                           (long long)f, scope[k], d->dim - 1);
        for (int j = 0; j < k; j++)
            if (scope[j] == scope[k])
                return hs_fail(err, HISS_EARG,
                               "factor %lld, counted from 0, has coordinate "
                               "%d twice",
                               (long long)f, scope[k]);
    }
    return HISS_OK;
}

static hiss_status add_factors(hs_factors *to, const hs_domain *d,
                               int64_t count, const int *size, const int *scope,
                               const double *table, hiss_error *err)
{
    for (int64_t f = 0; f < count; f++) {
        int64_t entries;

        HS_TRY(check_scope(d, f, size[f], scope, err));
        entries = hs_factors_entries(to, size[f], scope);
        if (entries > HS_FACTOR_MAX)
            return hs_fail(err, HISS_ELIMIT,
                           "factor %lld, counted from 0, has more than %lld "
                           "entries",
                           (long long)f, (long long)HS_FACTOR_MAX);
        HS_TRY(check_u("a factor", table, entries, err));
        HS_TRY(hs_factors_add(to, size[f], scope, table, NULL, err));
        scope += size[f];
        table += entries;
    }
    return HISS_OK;
}

hiss_status hiss_model_factors(hiss_model **out, const hiss_domain *domain,
                               int64_t count, const int *size, const int *scope,
                               const double *table, hiss_error *err)
{
    hs_domain d;
    hs_factors factors = {0};
    hs_model *m = NULL;
    hiss_status rc;

    if (out)
        *out = NULL;
    if (!out || !domain || count < 0 ||
        (count > 0 && (!size || !scope || !table)))
        return hs_fail(err, HISS_EARG,
                       "hiss_model_factors: an argument is NULL, or there are "
                       "fewer than 0 factors");
    HS_TRY(make_domain(&d, domain, err));
    rc = hs_factors_init(&factors, d.dim, d.states, err);
    if (rc == HISS_OK)
        rc = add_factors(&factors, &d, count, size, scope, table, err);
    if (rc == HISS_OK)
        rc = hs_factor_graph_create_over(&m, "factors", &d, &factors, err);
    hs_factors_clear(&factors);
    hs_domain_clear(&d);
    return rc == HISS_OK ? hs_model_wrap(out, m, err) : rc;
}

hiss_status hiss_model_callback(hiss_model **out, const hiss_callback *callback,
                                hiss_error *err)
{
    hiss_callback c = HISS_INIT(hiss_callback);
    hs_callback from;
    hs_domain d;
    hs_model *m = NULL;

    if (out)
        *out = NULL;
    if (!out || !callback)
        return hs_fail(err, HISS_EARG,
                       "hiss_model_callback: an argument is NULL");
    HS_TRY(hs_sized_read(&c, sizeof c, callback, "hiss_callback", err));
    if (!c.domain || !c.evaluate)
        return hs_fail(err, HISS_EARG,
                       "hiss_model_callback: domain or evaluate is NULL");
    if (c.width < 0 || c.width > HS_WIDTH_MAX)
        return hs_fail(err, HISS_EARG,
                       "hiss_model_callback: width is %d, expected 0 to %d",
                       c.width, HS_WIDTH_MAX);
    HS_TRY(make_domain(&d, c.domain, err));
    from = (hs_callback){.base.width = c.width,
                         .by_state = c.by_state,
                         .evaluate = c.evaluate,
                         .change = c.change,
                         .instance = c.context,
                         .has_gradient = c.has_gradient != 0,
                         .card.evaluate = c.on_card,
                         .card.context = c.context};
    HS_TRY(
        hs_callback_create(&m, c.name ? c.name : "callback", &d, &from, err));
    return hs_model_wrap(out, m, err);
}
