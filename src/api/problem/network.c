/* network.c - bodies of network.h: sixteen networks at a time. */
#include <stdbool.h>

#include "api/object/objects.h"
#include "api/object/sized.h"
#include "base/alloc.h"
#include "base/error.h"
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

/* Lanes beyond the last state repeat it. */
static bool take_states(hs_point *p, int dim, const int8_t *states,
                        int64_t count)
{
    bool are_bits = true;

    for (int l = 0; l < HS_LANES; l++) {
        const int8_t *x = states + (l < count ? l : count - 1) * dim;

        for (int i = 0; i < dim; i++) {
            are_bits &= x[i] == 0 || x[i] == 1;
            p->x[i][l] = x[i];
        }
    }
    return are_bits;
}

static hiss_status predict(const hs_model *m, hs_point *p, hs_dataset_part part,
                           hs_float_row *rows, const int8_t *states,
                           int64_t count, float *out, hiss_error *err)
{
    int64_t cases = hs_network_data(m)->part[part].count;

    for (int64_t first = 0; first < count; first += HS_LANES) {
        int64_t left = count - first;

        if (!take_states(p, m->domain.dim, states + first * m->domain.dim,
                         left))
            return hs_fail(err, HISS_EARG,
                           "hiss_network_predict: a state has a value other "
                           "than 0 and 1");
        hs_network_predict(m, p, part, rows);
        for (int l = 0; l < HS_LANES && l < left; l++)
            for (int64_t n = 0; n < cases; n++)
                out[(first + l) * cases + n] = rows[n][l];
    }
    return HISS_OK;
}

hiss_status hiss_network_predict(const hiss_model *model, hiss_part part,
                                 const int8_t *states, int64_t count,
                                 float *out, hiss_error *err)
{
    const hs_dataset *data = model ? hs_network_data(model->model) : NULL;
    hs_float_row *rows;
    hiss_status rc;
    hs_point p;

    if (!data || !states || !out || count < 0 || (int)part < 0 ||
        part >= HISS_PARTS)
        return hs_fail(err, HISS_EARG,
                       "hiss_network_predict: the model is not a network, or "
                       "an argument is missing");
    HS_TRY(hs_point_init(&p, model->model, err));
    rows = hs_alloc_array((size_t)data->part[part].count, sizeof *rows);
    rc = rows ? predict(model->model, &p, (hs_dataset_part)part, rows, states,
                        count, out, err)
              : hs_fail_memory(err);
    hs_free(rows);
    hs_point_clear(&p);
    return rc;
}
