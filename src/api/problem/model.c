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

static hiss_status check_numbers(const char *what, const double *at,
                                 int64_t count, hiss_error *err)
{
    for (int64_t e = 0; at && e < count; e++)
        if (!isfinite(at[e]))
            return hs_fail(err, HISS_EARG, "entry %lld of %s is %g, not finite",
                           (long long)e, what, at[e]);
    return HISS_OK;
}

static hiss_status check_dim(int dim, hiss_error *err)
{
    if (dim < 1)
        return hs_fail(err, HISS_EARG,
                       "a model needs at least 1 coordinate, "
                       "not %d",
                       dim);
    return HISS_OK;
}

static hiss_status dense(hiss_model **out, const char *name, hs_quadratic form,
                         int dim, const double *matrix, const double *field,
                         hiss_error *err)
{
    hs_model *m;

    if (out)
        *out = NULL;
    if (!out || !matrix)
        return hs_fail(err, HISS_EARG, "%s: an argument is NULL", name);
    HS_TRY(check_dim(dim, err));
    if ((size_t)dim > PTRDIFF_MAX / sizeof *matrix / (size_t)dim)
        return hs_fail(err, HISS_ELIMIT, "%s: no memory holds %d x %d numbers",
                       name, dim, dim);
    HS_TRY(check_numbers("the matrix", matrix, (int64_t)dim * dim, err));
    HS_TRY(check_numbers("the field", field, dim, err));
    HS_TRY(hs_build_dense(&m, name, form, dim, matrix, field, err));
    return hs_model_wrap(out, m, err);
}

hiss_status hiss_model_ising(hiss_model **out, int dim, const double *j,
                             const double *h, hiss_error *err)
{
    return dense(out, "ising matrix", HS_ISING, dim, j, h, err);
}

hiss_status hiss_model_qubo(hiss_model **out, int dim, const double *q,
                            hiss_error *err)
{
    return dense(out, "qubo matrix", HS_QUBO, dim, q, NULL, err);
}

/* Rows of the triplets, in given order within a row; value is doubled, since
 * each bond stands once and only the symmetric part counts. */
static void compress(int dim, int64_t entries, const int *row,
                     const int *column, const double *value, int64_t *start,
                     int *to_column, double *to_value)
{
    for (int64_t e = 0; e < entries; e++)
        start[row[e] + 1]++;
    for (int i = 0; i < dim; i++)
        start[i + 1] += start[i];
    for (int64_t e = entries - 1; e >= 0; e--) {
        int64_t at = --start[row[e] + 1];

        to_column[at] = column[e];
        to_value[at] = 2.0 * value[e];
    }
    /* every start moved back to that of its own row */
    for (int i = 0; i < dim; i++)
        start[i] = start[i + 1];
    start[dim] = entries;
}

static hiss_status check_entries(int dim, int64_t entries, const int *row,
                                 const int *column, hiss_error *err)
{
    for (int64_t e = 0; e < entries; e++)
        if (row[e] < 0 || row[e] >= dim || column[e] < 0 || column[e] >= dim)
            return hs_fail(err, HISS_EARG,
                           "entry %lld couples (%d,%d), indices go from 0 to "
                           "%d",
                           (long long)e, row[e], column[e], dim - 1);
    return HISS_OK;
}

hiss_status hiss_model_ising_sparse(hiss_model **out, int dim, int64_t entries,
                                    const int *row, const int *column,
                                    const double *value, const double *h,
                                    hiss_error *err)
{
    int64_t *start;
    int *columns;
    double *values;
    hs_model *m = NULL;
    hiss_status rc;

    if (out)
        *out = NULL;
    if (!out || entries < 0 || (entries > 0 && (!row || !column || !value)))
        return hs_fail(err, HISS_EARG,
                       "hiss_model_ising_sparse: an argument is NULL, or there "
                       "are fewer than 0 entries");
    HS_TRY(check_dim(dim, err));
    HS_TRY(check_numbers("the couplings", value, entries, err));
    HS_TRY(check_numbers("the field", h, dim, err));
    HS_TRY(check_entries(dim, entries, row, column, err));
    start = hs_alloc_array((size_t)dim + 1, sizeof *start);
    columns = hs_alloc_array((size_t)entries, sizeof *columns);
    values = hs_alloc_array((size_t)entries, sizeof *values);
    if (start && columns && values) {
        compress(dim, entries, row, column, value, start, columns, values);
        rc = hs_build_csr(&m, "ising couplings", HS_ISING, dim, start, columns,
                          values, h, err);
    } else {
        rc = hs_fail_memory(err);
    }
    hs_free(start);
    hs_free(columns);
    hs_free(values);
    return rc == HISS_OK ? hs_model_wrap(out, m, err) : rc;
}

const char *hiss_model_name(const hiss_model *model)
{
    return model ? model->model->name : NULL;
}

const char *hiss_model_note(const hiss_model *model)
{
    return model ? model->model->note : NULL;
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

/* The index of a value, or -1. */
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
