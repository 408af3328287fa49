/* quadratic.c - makes a pair model, dense or sparse, from a matrix
 * (builders.h).
 *
 * Both forms become U = 1/2 x'Jx + h'x + offset with J symmetric and without
 * diagonal.  With M the matrix:
 *     Ising   J = (M + M')/2,   h as given,         offset = tr M / 2
 *     QUBO    J = M + M',       h_i = M_ii + given, offset = 0 */
#include <stdbool.h>
#include <string.h>

#include "base/alloc.h"
#include "base/error.h"
#include "model/builders.h"
#include "model/pair/ising_dense.h"
#include "model/pair/ising_sparse.h"
#include "model/sparse.h"

/* The entries as bonds, and the diagonal. */
struct parts {
    hs_quadratic form;
    int dim;
    hs_bond *bond; /* owned */
    int64_t count;
    double *field; /* owned, [dim] */
    double offset;
};

static hiss_status parts_init(struct parts *p, hs_quadratic form, int dim,
                              int64_t room, const double *field,
                              hiss_error *err)
{
    *p = (struct parts){.form = form, .dim = dim};
    p->bond = hs_alloc_array((size_t)room, sizeof *p->bond);
    p->field = hs_alloc_array((size_t)dim, sizeof *p->field);
    if (!p->bond || !p->field)
        return hs_fail_memory(err);
    if (field)
        memcpy(p->field, field, (size_t)dim * sizeof *field);
    return HISS_OK;
}

static void parts_clear(struct parts *p)
{
    hs_free(p->bond);
    hs_free(p->field);
}

/* A bond is the whole term of U, M_ij x_i x_j, halved in the Ising form. */
static void parts_add(struct parts *p, int i, int j, double value)
{
    double term = p->form == HS_ISING ? 0.5 * value : value;

    if (i != j)
        p->bond[p->count++] = (hs_bond){i, j, term};
    else if (p->form == HS_ISING)
        p->offset += term;
    else
        p->field[i] += term;
}

static hiss_kind kind_of(hs_quadratic form)
{
    return form == HS_ISING ? HISS_SPIN : HISS_BINARY;
}

/* Distance between the two values. */
static double step_of(hs_quadratic form)
{
    return form == HS_ISING ? 2.0 : 1.0;
}

static float *float_copy(const double *from, int count)
{
    float *to = hs_alloc_array((size_t)count, sizeof *to);

    for (int i = 0; to && i < count; i++)
        to[i] = (float)from[i];
    return to;
}

static hiss_status create_dense(hs_model **out, const struct parts *p, float *j,
                                const hs_precision *precision, hiss_error *err)
{
    float *h = float_copy(p->field, p->dim);

    if (!h) {
        hs_free(j);
        return hs_fail_memory(err);
    }
    HS_TRY(hs_ising_dense_create(out, kind_of(p->form), p->dim, j, h, p->offset,
                                 err));
    (*out)->precision = *precision;
    return HISS_OK;
}

static hiss_status build_dense(hs_model **out, const struct parts *p,
                               const hs_sparse *sparse,
                               const hs_precision *precision, hiss_error *err)
{
    size_t dim = (size_t)p->dim;
    float *j = hs_alloc_array(dim, dim * sizeof *j);

    if (!j)
        return hs_fail_memory(err);
    for (int i = 0; i < p->dim; i++)
        for (int64_t e = sparse->start[i]; e < sparse->start[i + 1]; e++)
            j[(size_t)i * dim + (size_t)sparse->column[e]] = sparse->value[e];
    return create_dense(out, p, j, precision, err);
}

static hiss_status build_sparse(hs_model **out, const struct parts *p,
                                hs_sparse *sparse, hiss_error *err)
{
    hs_ising options = {.kind = kind_of(p->form), .offset = p->offset};
    bool has_field = false;

    for (int i = 0; i < p->dim; i++)
        has_field |= (float)p->field[i] != 0.0f;
    if (has_field && !sparse->field)
        HS_TRY(hs_sparse_set_field(sparse, p->field, p->dim, err));
    return hs_ising_create(out, &options, sparse, err);
}

static hiss_status set_name(hs_model **out, const char *name, hiss_error *err)
{
    (*out)->name = name ? hs_strdup(name) : NULL;
    if ((*out)->name || !name)
        return HISS_OK;
    hs_model_destroy(*out);
    *out = NULL;
    return hs_fail_memory(err);
}

static bool is_dense(int dim, int64_t entries)
{
    return dim >= HS_DENSE_DIM && entries >= (int64_t)dim * dim / 4;
}

static hiss_status build(hs_model **out, const char *name,
                         const struct parts *p, hiss_error *err)
{
    hs_precision precision = {.kind = HS_PRECISION_DOUBLE};
    hs_sparse sparse;
    hiss_status rc;

    HS_TRY(hs_sparse_init(&sparse, p->dim, p->bond, p->count, NULL, err));
    rc = HISS_OK;
    if (is_dense(p->dim, sparse.start[p->dim])) {
        rc = hs_sparse_set_field(&sparse, p->field, p->dim, err);
        if (rc == HISS_OK)
            rc = hs_sparse_gauge(&sparse, step_of(p->form), &precision, err);
    }
    if (rc == HISS_OK)
        rc = precision.kind == HS_PRECISION_DOUBLE
                 ? build_sparse(out, p, &sparse, err)
                 : build_dense(out, p, &sparse, &precision, err);
    hs_sparse_clear(&sparse);
    return rc == HISS_OK ? set_name(out, name, err) : rc;
}

static hiss_status gauge_whole(hs_quadratic form, int dim, const double *matrix,
                               const double *field, hs_precision *out,
                               hiss_error *err)
{
    double scale = form == HS_ISING ? 0.5 : 1.0;
    size_t size = (size_t)dim;
    hs_gauge g;

    HS_TRY(hs_gauge_init(&g, dim, err));
    for (size_t r = 0; r < size; r++) {
        double h = field ? field[r] : 0.0;

        if (form == HS_QUBO)
            h += matrix[r * size + r];
        hs_gauge_add(&g, (int)r, h);
        for (size_t c = 0; c < size; c++)
            if (c != r)
                hs_gauge_add(&g, (int)r,
                             scale *
                                 (matrix[r * size + c] + matrix[c * size + r]));
    }
    *out = hs_gauge_read(&g, step_of(form));
    hs_gauge_clear(&g);
    return HISS_OK;
}

/* Builds a dense model without bonds. */
static hiss_status build_whole(hs_model **out, const char *name,
                               struct parts *p, const double *matrix,
                               const hs_precision *precision, hiss_error *err)
{
    size_t dim = (size_t)p->dim;
    double scale = p->form == HS_ISING ? 0.5 : 1.0;
    float *j = hs_alloc_array(dim, dim * sizeof *j);

    if (!j)
        return hs_fail_memory(err);
    for (size_t r = 0; r < dim; r++) {
        parts_add(p, (int)r, (int)r, matrix[r * dim + r]);
        for (size_t c = 0; c < r; c++) {
            double sum = matrix[r * dim + c] + matrix[c * dim + r];

            j[r * dim + c] = (float)(scale * sum);
            j[c * dim + r] = j[r * dim + c];
        }
    }
    HS_TRY(create_dense(out, p, j, precision, err));
    return set_name(out, name, err);
}

hiss_status hs_build_dense(hs_model **out, const char *name, hs_quadratic form,
                           int dim, const double *matrix, const double *field,
                           hiss_error *err)
{
    hs_precision precision = {.kind = HS_PRECISION_DOUBLE};
    size_t size = (size_t)dim;
    struct parts p;
    int64_t entries = 0;
    hiss_status rc;

    *out = NULL;
    for (size_t r = 0; r < size; r++)
        for (size_t c = 0; c < r; c++)
            if (matrix[r * size + c] + matrix[c * size + r] != 0.0)
                entries += 2;
    if (is_dense(dim, entries))
        HS_TRY(gauge_whole(form, dim, matrix, field, &precision, err));
    if (precision.kind != HS_PRECISION_DOUBLE) {
        rc = parts_init(&p, form, dim, 0, field, err);
        if (rc == HISS_OK)
            rc = build_whole(out, name, &p, matrix, &precision, err);
        parts_clear(&p);
        return rc;
    }
    rc = parts_init(&p, form, dim, entries / 2 + dim, field, err);
    for (size_t r = 0; rc == HISS_OK && r < size; r++) {
        parts_add(&p, (int)r, (int)r, matrix[r * size + r]);
        for (size_t c = 0; c < r; c++) {
            double sum = matrix[r * size + c] + matrix[c * size + r];

            if (sum != 0.0)
                parts_add(&p, (int)r, (int)c, sum);
        }
    }
    if (rc == HISS_OK)
        rc = build(out, name, &p, err);
    parts_clear(&p);
    return rc;
}

hiss_status hs_build_csr(hs_model **out, const char *name, hs_quadratic form,
                         int dim, const int64_t *start, const int *column,
                         const double *value, const double *field,
                         hiss_error *err)
{
    struct parts p;
    hiss_status rc;

    *out = NULL;
    rc = parts_init(&p, form, dim, start[dim], field, err);
    for (int i = 0; rc == HISS_OK && i < dim; i++)
        for (int64_t e = start[i]; e < start[i + 1]; e++)
            parts_add(&p, i, column[e], value[e]);
    if (rc == HISS_OK)
        rc = build(out, name, &p, err);
    parts_clear(&p);
    return rc;
}
