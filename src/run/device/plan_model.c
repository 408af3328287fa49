/* plan_model.c - describes a model by numbers, for a GPU. */
#include "run/device/plan_model.h"

#include "base/error.h"

/* Number of coordinates in the incidences of tables. */
static int64_t columns_of(const hs_tables *t, int dim)
{
    int64_t most = 0;

    for (int64_t n = 0; n < t->start[dim]; n++) {
        int64_t end = t->incidence[n].other + t->incidence[n].others;

        most = end > most ? end : most;
    }
    return most;
}

static void take_tables(hs_device_model *out, const hs_table_form *t)
{
    out->gain = out->energy = HS_DEVICE_TABLES;
    out->once = *t->once;
    out->all = *t->all;
    out->once_columns = columns_of(t->once, out->dim);
    out->all_columns = columns_of(t->all, out->dim);
    out->entries = t->entries;
    out->all.entry = out->once.entry;
    out->has_pairs = t->pairs != NULL;
    if (t->pairs) { /* over the indices themselves */
        out->j = *t->pairs;
        out->low = 0.0f;
        out->gap = 1.0f;
        out->step = t->gap;
    }
}

static void take_pairs(hs_device_model *out, const hs_model *m,
                       const hs_pair_form *g)
{
    const hs_regular *regular = hs_model_structure(m, HS_STRUCTURE_REGULAR);

    out->gain = HS_DEVICE_PAIRS;
    out->j = *g->j;
    out->low = g->low;
    out->gap = g->gap;
    out->step = g->step;
    out->scale = g->scale;
    out->diagonal = g->diagonal;
    if (regular) {
        out->degree = regular->degree;
        out->regular_field = regular->field;
    }
    out->is_whole = g->is_whole;
}

static void take_labels(hs_device_model *out, const hs_label_form *g)
{
    out->gain = out->energy = HS_DEVICE_LABELS;
    out->j = *g->j;
}

/* Plans a model computed by matrix products or a function; false for others. */
static bool take_whole(hs_device_model *out, const hs_model *m)
{
    const hs_network_form *network =
        hs_model_structure(m, HS_STRUCTURE_NETWORK);
    const hs_dense *dense = hs_model_structure(m, HS_STRUCTURE_DENSE);
    const hs_units_form *units = hs_model_structure(m, HS_STRUCTURE_UNITS);
    const hs_function_form *function =
        hs_model_structure(m, HS_STRUCTURE_FUNCTION);

    if (network) {
        out->gain = out->energy = HS_DEVICE_NETWORK;
        out->network = *network;
    } else if (dense) {
        out->gain = out->energy = HS_DEVICE_DENSE;
        out->dense = *dense;
    } else if (units) {
        out->gain = out->energy = HS_DEVICE_UNITS;
        out->units = *units;
    } else if (function) {
        out->gain = out->energy = HS_DEVICE_FUNCTION;
        out->function = *function;
    }
    return network || dense || units || function;
}

hiss_status hs_plan_model(hs_device_model *out, const hs_model *m,
                          hiss_error *err)
{
    const hs_domain *d = &m->domain;
    const hs_pair_form *pairs = hs_model_structure(m, HS_STRUCTURE_PAIRS);
    const hs_table_form *tables = hs_model_structure(m, HS_STRUCTURE_TABLES);
    const hs_label_form *labels = hs_model_structure(m, HS_STRUCTURE_LABELS);

    *out = (hs_device_model){.energy = HS_DEVICE_PAIRS,
                             .dim = d->dim,
                             .states_max = d->states_max,
                             .states = d->states,
                             .value = d->value,
                             .domain = *d,
                             .is_wide = hs_model_is_wide(m),
                             .offset = m->offset,
                             .order = m->order};
    if (!take_whole(out, m) &&
        (hs_model_structure(m, HS_STRUCTURE_DENSE_WIDE) ||
         (!pairs && !tables && !labels)))
        return hs_fail(err, HISS_EUNSUP,
                       "device cuda: model %s cannot be run there, only "
                       "lattices, Ising models, QUBO, tables, networks, "
                       "Boltzmann machines, and Potts lattices, without "
                       "large coefficients where all are coupled, and "
                       "functions of torch and JAX that compute there; use "
                       "--device cpu",
                       m->name ? m->name : "");
    if (d->states_max > HS_FEW)
        return hs_fail(err, HISS_EUNSUP,
                       "device cuda: model %s has %d values at a site, at "
                       "most %d can be run there; use --device cpu",
                       m->name ? m->name : "", d->states_max, HS_FEW);
    if (hs_device_is_whole(out->energy))
        return HISS_OK;
    if (tables)
        take_tables(out, tables);
    if (pairs)
        take_pairs(out, m, pairs);
    if (labels)
        take_labels(out, labels);
    return HISS_OK;
}
