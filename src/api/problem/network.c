/* network.c - implements network.h: sixteen networks at a time. */
#include <stdbool.h>

#include "api/object/objects.h"
#include "api/object/sized.h"
#include "base/alloc.h"
#include "base/error.h"
#include "device/open.h"
#include "model/network/network.h"

int hiss_model_network(const hiss_model *model, hiss_network *out)
{
    const hs_dataset *data = model ? hs_network_data(model->model) : NULL;
    hiss_network shape = {0};

    if (!data)
        return 0;
    shape.inputs = data->inputs;
    shape.hidden = hs_network_hidden(model->model);
    for (int p = 0; p < HISS_PARTS; p++)
        shape.cases[p] = data->part[p].count;
    return hs_sized_fill(out, &shape, sizeof shape);
}

static const hs_cases *cases_of(const hiss_model *model, hiss_part part)
{
    const hs_dataset *data = model ? hs_network_data(model->model) : NULL;

    return data && (int)part >= 0 && part < HISS_PARTS ? &data->part[part]
                                                       : NULL;
}

const float *hiss_network_inputs(const hiss_model *model, hiss_part part)
{
    const hs_cases *cases = cases_of(model, part);

    return cases ? cases->input : NULL;
}

const float *hiss_network_targets(const hiss_model *model, hiss_part part)
{
    const hs_cases *cases = cases_of(model, part);

    return cases ? cases->target : NULL;
}

static bool are_bits(const int8_t *states, int64_t count)
{
    bool so = true;

    for (int64_t i = 0; i < count; i++)
        so &= states[i] == 0 || states[i] == 1;
    return so;
}

/* Lanes beyond the last state repeat it. */
static void take_states(hs_point *p, int dim, const int8_t *states,
                        int64_t count)
{
    for (int l = 0; l < HS_LANES; l++) {
        const int8_t *x = states + (l < count ? l : count - 1) * dim;

        for (int i = 0; i < dim; i++)
            p->x[i][l] = x[i];
    }
}

static void predict(const hs_model *m, hs_point *p, hs_dataset_part part,
                    hs_float_row *rows, const int8_t *states, int64_t count,
                    float *out)
{
    int64_t cases = hs_network_data(m)->part[part].count;

    for (int64_t first = 0; first < count; first += HS_LANES) {
        int64_t left = count - first;

        take_states(p, m->domain.dim, states + first * m->domain.dim, left);
        hs_network_predict(m, p, part, rows);
        for (int l = 0; l < HS_LANES && l < left; l++)
            for (int64_t n = 0; n < cases; n++)
                out[(first + l) * cases + n] = rows[n][l];
    }
}

static hiss_status predict_here(const hs_model *m, hs_dataset_part part,
                                const int8_t *states, int64_t count, float *out,
                                hiss_error *err)
{
    hs_float_row *rows;
    hs_point p;

    HS_TRY(hs_point_init(&p, m, err));
    rows = hs_alloc_array((size_t)hs_network_data(m)->part[part].count,
                          sizeof *rows);
    if (rows)
        predict(m, &p, part, rows, states, count, out);
    hs_point_clear(&p);
    if (!rows)
        return hs_fail_memory(err);
    hs_free(rows);
    return HISS_OK;
}

/* The same network with the cases of another part. */
static hs_network_form form_of(const hs_model *m, const hs_cases *cases)
{
    hs_network_form f =
        *(const hs_network_form *)hs_model_structure(m, HS_STRUCTURE_NETWORK);

    f.cases = cases->count;
    f.input = cases->input;
    f.target = cases->target;
    return f;
}

static hiss_status predict_there(const hs_model *m, const hs_device_choice *on,
                                 const hs_cases *cases, const int8_t *states,
                                 int64_t count, float *out, hiss_error *err)
{
    hs_network_form f = form_of(m, cases);
    const hs_device_table *device;
    int number = on->number < 0 ? 0 : on->number; /* no GPU was named */

    HS_TRY(hs_device_open_card(&device, number, err));
    return device->predict(number, &f, states, count, out, err);
}

hiss_status hiss_network_predict_on(const hiss_model *model, const char *device,
                                    hiss_part part, const int8_t *states,
                                    int64_t count, float *out, hiss_error *err)
{
    const hs_cases *cases = cases_of(model, part);
    hs_device_choice on;

    if (!cases || !states || !out || count < 0)
        return hs_fail(err, HISS_EARG,
                       "hiss_network_predict: the model is not a network, or "
                       "an argument is missing");
    if (!are_bits(states, count * model->model->domain.dim))
        return hs_fail(err, HISS_EARG,
                       "hiss_network_predict: a state has a value other than "
                       "0 and 1");
    HS_TRY(hs_device_parse(device, &on, err));
    if (on.is_card) {
        hiss_status rc =
            predict_there(model->model, &on, cases, states, count, out, err);

        if (rc == HISS_OK || !on.may_not)
            return rc;
    }
    return predict_here(model->model, (hs_dataset_part)part, states, count, out,
                        err);
}

hiss_status hiss_network_predict(const hiss_model *model, hiss_part part,
                                 const int8_t *states, int64_t count,
                                 float *out, hiss_error *err)
{
    return hiss_network_predict_on(model, NULL, part, states, count, out, err);
}
