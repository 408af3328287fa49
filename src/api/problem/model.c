/* model.c - models of the public interface. */
#include <math.h>
#include <stdint.h>

#include "api/object/objects.h"
#include "base/alloc.h"
#include "base/error.h"
#include "model/builders.h"

hiss_status hs_model_wrap(hiss_model **out, hs_model *m, hiss_error *err)
{
    *out = hs_alloc_array(1, sizeof **out);
    if (!*out) {
        hs_model_destroy(m);
        return hs_fail_memory(err);
    }
    (*out)->model = m;
    return HISS_OK;
}

hiss_status hiss_model_create(hiss_model **out, const char *spec,
                              hiss_error *err)
{
    hs_model *m;

    if (!out)
        return hs_fail(err, HISS_EARG, "hiss_model_create: out is NULL");
    *out = NULL;
    if (!spec || !*spec)
        return hs_fail(err, HISS_EARG,
                       "no model given; `hiss list models` shows all");
    HS_TRY(hs_model_create(&m, spec, err));
    return hs_model_wrap(out, m, err);
}

void hiss_model_destroy(hiss_model *model)
{
    if (!model)
        return;
    hs_model_destroy(model->model);
    hs_free(model);
}

const char *hiss_model_name(const hiss_model *model)
{
    return model ? model->model->name : NULL;
}

const char *hiss_model_note(const hiss_model *model)
{
    return model ? model->model->note : NULL;
}

const char *hiss_model_reads_as(const hiss_model *model)
{
    return model ? model->model->reads_as : NULL;
}

hiss_status hiss_model_describe(hiss_model *model, const char *text,
                                hiss_error *err)
{
    char *copy;

    if (!model || !text)
        return hs_fail(err, HISS_EARG,
                       "hiss_model_describe: an argument is NULL");
    copy = hs_strdup(text);
    if (!copy)
        return hs_fail_memory(err);
    hs_free(model->model->reads_as);
    model->model->reads_as = copy;
    return HISS_OK;
}

const char *hiss_model_coordinate_name(const hiss_model *model, int coordinate)
{
    const hs_domain *d = model ? &model->model->domain : NULL;

    return d && d->names && hs_has_coordinate(d, coordinate)
               ? d->names[coordinate]
               : NULL;
}

const char *hiss_model_state_name(const hiss_model *model, int coordinate,
                                  int index)
{
    return model
               ? hs_domain_state_name(&model->model->domain, coordinate, index)
               : NULL;
}

hiss_status hiss_model_set_names(hiss_model *model, const char *const *names,
                                 const char *const *states, hiss_error *err)
{
    if (!model)
        return hs_fail(err, HISS_EARG, "hiss_model_set_names: model is NULL");
    /* C does not convert char ** to const char *const * implicitly */
    return hs_domain_name(&model->model->domain,
                          (char *const *)(uintptr_t)names,
                          (char *const *)(uintptr_t)states, err);
}

const char *hs_domain_state_name(const hs_domain *d, int coordinate, int index)
{
    if (!d->state_names || !hs_has_coordinate(d, coordinate) || index < 0 ||
        index >= d->states[coordinate])
        return NULL;
    return d->state_names[d->value[coordinate] + index];
}

char *hiss_model_precision(const hiss_model *model)
{
    char text[HS_PRECISION_TEXT];

    if (!model)
        return NULL;
    hs_precision_print(&model->model->precision, text);
    return hs_strdup(text);
}

int hiss_model_dim(const hiss_model *model)
{
    return model ? model->model->domain.dim : 0;
}

hiss_kind hiss_model_kind(const hiss_model *model, int coordinate)
{
    if (!model || !hs_has_coordinate(&model->model->domain, coordinate))
        return HISS_BINARY;
    return model->model->domain.kind[coordinate];
}

int hiss_model_states(const hiss_model *model, int coordinate)
{
    if (!model || !hs_has_coordinate(&model->model->domain, coordinate))
        return 0;
    return model->model->domain.states[coordinate];
}

double hs_domain_value(const hs_domain *d, int coordinate, int index)
{
    if (!hs_has_coordinate(d, coordinate) || index < 0 ||
        index >= d->states[coordinate])
        return (double)NAN;
    return (double)d->values[d->value[coordinate] + index];
}

double hiss_model_value(const hiss_model *model, int coordinate, int index)
{
    return model ? hs_domain_value(&model->model->domain, coordinate, index)
                 : (double)NAN;
}

/* Returns the index of a value, or -1. */
static int find_value(const hs_domain *d, int i, double value)
{
    for (int v = 0; v < d->states[i]; v++)
        if ((double)d->values[d->value[i] + v] == (double)(float)value)
            return v;
    return -1;
}

hiss_status hiss_model_energy(const hiss_model *model, const double *state,
                              double *u, hiss_error *err)
{
    const hs_domain *d;
    int16_t *index;
    hiss_status rc = HISS_OK;

    if (u)
        *u = NAN;
    if (!model || !state || !u)
        return hs_fail(err, HISS_EARG,
                       "hiss_model_energy: an argument is NULL");
    d = &model->model->domain;
    index = hs_alloc_array((size_t)d->dim, sizeof *index);
    if (!index)
        return hs_fail_memory(err);
    for (int i = 0; i < d->dim && rc == HISS_OK; i++) {
        int v = find_value(d, i, state[i]);

        index[i] = (int16_t)v;
        if (v < 0)
            rc = hs_fail(err, HISS_EARG, "coordinate %d (%s) has no value %g",
                         i + 1, hs_kind_name(d->kind[i]), state[i]);
    }
    if (rc == HISS_OK)
        rc = hs_model_energy(model->model, index, u, err);
    hs_free(index);
    return rc;
}

const char *hiss_kind_name(hiss_kind kind)
{
    return hs_kind_name(kind);
}
