/* problem_model.c - makes models of problems, through the builders. */
#include <float.h>
#include <math.h>
#include <string.h>

#include "base/alloc.h"
#include "base/number.h"
#include "format/problem/problem.h"
#include "model/builders.h"
#include "model/factor/factor_graph.h"

/* Rows are single precision.  Readers refuse too large numbers; this refuses
 * too large sums. */
static hiss_status check_size(const double *value, int64_t count,
                              hiss_error *err)
{
    for (int64_t e = 0; e < count; e++)
        if (!(fabs(value[e]) <= (double)FLT_MAX))
            return hs_fail(err, HISS_EUNSUP,
                           "a coefficient is %.3g; a model holds numbers up to "
                           "%.3g",
                           value[e], (double)FLT_MAX);
    return HISS_OK;
}

/* The pairs are now in the model. */
static void release_pairs(void *owner)
{
    hs_quadratic_problem *q = owner;

    hs_free(q->row);
    hs_free(q->column);
    hs_free(q->value);
    q->row = q->column = NULL;
    q->value = NULL;
    q->pairs = 0;
}

static hiss_status quadratic_model(hs_model **out, hs_problem *p,
                                   const char *name, hiss_error *err)
{
    hs_quadratic_problem *q = &p->quadratic;
    hs_pair_list list = {.kind = q->kind,
                         .sign = q->maximize ? 1.0 : -1.0,
                         .offset = q->offset,
                         .dim = p->dim,
                         .pairs = q->pairs,
                         .row = q->row,
                         .column = q->column,
                         .value = q->value,
                         .field = q->linear,
                         .release = release_pairs,
                         .owner = q};

    HS_TRY(check_size(q->linear, p->dim, err));
    HS_TRY(check_size(q->value, q->pairs, err));
    return hs_build_pairs(out, name, &list, err);
}

static hiss_status machine_model(hs_model **out, const hs_problem *p,
                                 const char *name, hiss_error *err)
{
    hs_machine from = {.visible = p->dim,
                       .hidden = p->machine.hidden,
                       .weight = p->machine.weight,
                       .b = p->machine.b,
                       .c = p->machine.c};

    return hs_build_machine(out, name, &from, err);
}

static hiss_status build(hs_model **out, hs_problem *p, const char *name,
                         hiss_error *err)
{
    switch (p->shape) {
    case HS_QUADRATIC:
        return quadratic_model(out, p, name, err);
    case HS_FACTORS:
        return hs_factor_graph_create(out, name, &p->factors, err);
    case HS_MACHINE:
        return machine_model(out, p, name, err);
    case HS_TOURS:
        return hs_build_tours(out, name, &p->cities, &p->law, err);
    }
    return hs_fail(err, HISS_EINTERNAL, "a problem without a shape");
}

static hiss_status set_note(hs_model *m, const hs_problem *p, hiss_error *err)
{
    if (!p->note)
        return HISS_OK;
    m->note = hs_strdup(p->note);
    return m->note ? HISS_OK : hs_fail_memory(err);
}

/* Numbers are not names: "7" would be taken for x.7. */
static bool has_names(const hs_problem *p)
{
    int64_t number;

    for (int i = 0; p->names && i < p->dim; i++) {
        const char *name = p->names[i];

        if (!hs_number_whole(name, name + strlen(name), &number))
            return true;
    }
    return false;
}

static hiss_status set_names(hs_model *m, const hs_problem *p, hiss_error *err)
{
    bool has_states =
        p->state_names && p->state_name_count == m->domain.value_count;

    if (p->dim != m->domain.dim || !has_names(p))
        return HISS_OK;
    return hs_domain_name(&m->domain, p->names,
                          has_states ? p->state_names : NULL, err);
}

static hiss_status set_reading(hs_model *m, const hs_problem *p,
                               hiss_error *err)
{
    if (!p->reads_as)
        return HISS_OK;
    m->reads_as = hs_strdup(p->reads_as);
    return m->reads_as ? HISS_OK : hs_fail_memory(err);
}

static hiss_status set_objective(hs_model *m, const hs_problem *p,
                                 hiss_error *err)
{
    if (!p->objective)
        return HISS_OK;
    m->objective = hs_strdup(p->objective);
    m->objective_scale = p->scale;
    m->objective_shift = p->shift;
    return m->objective ? HISS_OK : hs_fail_memory(err);
}

hiss_status hs_problem_model(hs_model **out, hs_problem *p, const char *name,
                             hiss_error *err)
{
    hiss_status rc;

    *out = NULL;
    rc = build(out, p, name, err);
    if (rc == HISS_OK)
        rc = set_note(*out, p, err);
    if (rc == HISS_OK)
        rc = set_names(*out, p, err);
    if (rc == HISS_OK)
        rc = set_reading(*out, p, err);
    if (rc == HISS_OK)
        rc = set_objective(*out, p, err);
    if (rc != HISS_OK) {
        hs_model_destroy(*out);
        *out = NULL;
    }
    return rc;
}
