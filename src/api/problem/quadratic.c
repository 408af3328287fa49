/* quadratic.c - Ising models and QUBOs from arrays, dense and sparse. */
#include <stdint.h>
#include <string.h>

#include "api/object/objects.h"
#include "api/problem/checks.h"
#include "base/alloc.h"
#include "base/error.h"
#include "model/builders.h"

static hiss_status dense(hiss_model **out, const char *name, hs_quadratic form,
                         int dim, const double *matrix, const double *field,
                         hiss_error *err)
{
    hs_model *m;

    if (out)
        *out = NULL;
    if (!out || !matrix)
        return hs_fail(err, HISS_EARG, "%s: an argument is NULL", name);
    HS_TRY(hs_check_dim(dim, err));
    if ((size_t)dim > PTRDIFF_MAX / sizeof *matrix / (size_t)dim)
        return hs_fail(err, HISS_ELIMIT, "%s: no memory holds %d x %d numbers",
                       name, dim, dim);
    HS_TRY(hs_check_numbers("the matrix", matrix, (int64_t)dim * dim,
                            HS_ENTRY_MAX, err));
    HS_TRY(hs_check_numbers("the field", field, dim, HS_ENTRY_MAX, err));
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

/* --- sparse -------------------------------------------------------------- */

/* Entries (row, column, value) of a form, and the same by rows. */
struct triplets {
    hs_quadratic form;
    int dim;
    int64_t entries;
    const int *row, *column; /* borrowed, like the values */
    const double *value;
    double scale;   /* scale of the values */
    int64_t *start; /* owned, [dim + 1] */
    int *columns;   /* owned, [entries] */
    double *values; /* owned, [entries] */
};

static hiss_status check_places(const struct triplets *t, hiss_error *err)
{
    for (int64_t e = 0; e < t->entries; e++)
        if (t->row[e] < 0 || t->row[e] >= t->dim || t->column[e] < 0 ||
            t->column[e] >= t->dim)
            return hs_fail(err, HISS_EARG,
                           "entry %lld couples (%d,%d), indices go from 0 to "
                           "%d",
                           (long long)e, t->row[e], t->column[e], t->dim - 1);
    return HISS_OK;
}

/* Keeps the given order within a row. */
static void compress(struct triplets *t)
{
    for (int64_t e = 0; e < t->entries; e++)
        t->start[t->row[e] + 1]++;
    for (int i = 0; i < t->dim; i++)
        t->start[i + 1] += t->start[i];
    for (int64_t e = t->entries - 1; e >= 0; e--) {
        int64_t at = --t->start[t->row[e] + 1];

        t->columns[at] = t->column[e];
        t->values[at] = t->scale * t->value[e];
    }
    /* move every start back to that of its own row */
    memmove(t->start, t->start + 1, (size_t)t->dim * sizeof *t->start);
    t->start[t->dim] = t->entries;
}

static hiss_status build(hiss_model **out, const char *name, struct triplets *t,
                         const double *field, hiss_error *err)
{
    hs_model *m = NULL;
    hiss_status rc;

    t->start = hs_alloc_array((size_t)t->dim + 1, sizeof *t->start);
    t->columns = hs_alloc_array((size_t)t->entries, sizeof *t->columns);
    t->values = hs_alloc_array((size_t)t->entries, sizeof *t->values);
    if (t->start && t->columns && t->values) {
        compress(t);
        rc = hs_build_csr(&m, name, t->form, t->dim, t->start, t->columns,
                          t->values, field, err);
    } else {
        rc = hs_fail_memory(err);
    }
    hs_free(t->start);
    hs_free(t->columns);
    hs_free(t->values);
    return rc == HISS_OK ? hs_model_wrap(out, m, err) : rc;
}

static hiss_status check_arrays(hiss_model **out, const char *function,
                                const struct triplets *t, hiss_error *err)
{
    if (out)
        *out = NULL;
    if (!out || t->entries < 0 ||
        (t->entries > 0 && (!t->row || !t->column || !t->value)))
        return hs_fail(err, HISS_EARG,
                       "%s: an argument is NULL, or there are fewer than 0 "
                       "entries",
                       function);
    return hs_check_dim(t->dim, err);
}

/* Doubles the values: each bond is listed once, and only the symmetric part
 * counts. */
hiss_status hiss_model_ising_sparse(hiss_model **out, int dim, int64_t entries,
                                    const int *row, const int *column,
                                    const double *value, const double *h,
                                    hiss_error *err)
{
    struct triplets t = {.form = HS_ISING,
                         .dim = dim,
                         .entries = entries,
                         .row = row,
                         .column = column,
                         .value = value,
                         .scale = 2.0};

    HS_TRY(check_arrays(out, "hiss_model_ising_sparse", &t, err));
    HS_TRY(
        hs_check_numbers("the couplings", value, entries, HS_ENTRY_MAX, err));
    HS_TRY(hs_check_numbers("the field", h, dim, HS_ENTRY_MAX, err));
    HS_TRY(check_places(&t, err));
    return build(out, "ising couplings", &t, h, err);
}

hiss_status hiss_model_qubo_sparse(hiss_model **out, int dim, int64_t entries,
                                   const int *row, const int *column,
                                   const double *value, const double *linear,
                                   hiss_error *err)
{
    struct triplets t = {.form = HS_QUBO,
                         .dim = dim,
                         .entries = entries,
                         .row = row,
                         .column = column,
                         .value = value,
                         .scale = 1.0};

    HS_TRY(check_arrays(out, "hiss_model_qubo_sparse", &t, err));
    HS_TRY(hs_check_numbers("the matrix", value, entries, HS_ENTRY_MAX, err));
    HS_TRY(hs_check_numbers("the linear part", linear, dim, HS_ENTRY_MAX, err));
    HS_TRY(check_places(&t, err));
    return build(out, "qubo entries", &t, linear, err);
}
