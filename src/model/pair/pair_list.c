/* pair_list.c - makes a pair model, dense or sparse, from sorted pairs
 * (builders.h).
 *
 * Rows come out ascending without a sort: every pair is first added to its
 * column, whose row then lists the smaller neighbors in order, and then to its
 * row. */
#include <stdbool.h>
#include <string.h>

#include "base/alloc.h"
#include "base/error.h"
#include "model/builders.h"
#include "model/pair/ising_dense.h"
#include "model/pair/ising_sparse.h"
#include "model/sparse.h"

#define UNIFORM_DEGREE_MAX 32767 /* neighbors are counted in an int16_t */
#define BLOCK              64    /* rows and columns of a block */

static double term(const hs_pair_list *list, int64_t e)
{
    return list->sign * list->value[e];
}

/* Whether a pair is nonzero as a float. */
static bool is_there(const hs_pair_list *list, int64_t e)
{
    return (float)list->value[e] != 0.0f;
}

/* start[i] becomes the start of row i; returns the entries of all rows. */
static int64_t count_rows(const hs_pair_list *list, int64_t *start)
{
    for (int64_t e = 0; e < list->pairs; e++)
        if (is_there(list, e)) {
            start[list->row[e] + 1]++;
            start[list->column[e] + 1]++;
        }
    for (int i = 0; i < list->dim; i++)
        start[i + 1] += start[i];
    return start[list->dim];
}

static hiss_status set_fields(const hs_pair_list *list, hs_sparse *j,
                              hiss_error *err)
{
    double *field = hs_alloc_array((size_t)list->dim, sizeof *field);
    hiss_status rc;

    for (int i = 0; field && i < list->dim; i++)
        field[i] = list->sign * list->field[i];
    rc = field ? hs_sparse_set_field(j, field, list->dim, err)
               : hs_fail_memory(err);
    hs_free(field);
    return rc;
}

static void put(hs_sparse *j, int row, int column, double value)
{
    int64_t at = j->start[row]++;

    j->column[at] = column;
    if (j->exact)
        j->exact[at] = value;
    else
        j->value[at] = (float)value;
}

static void release(const hs_pair_list *list)
{
    if (list->release)
        list->release(list->owner);
}

/* Moves the starts and restores them afterwards. */
static void fill_rows(const hs_pair_list *list, hs_sparse *j)
{
    int64_t begin = 0;

    for (int64_t e = 0; e < list->pairs; e++)
        if (is_there(list, e))
            put(j, list->column[e], list->row[e], term(list, e));
    for (int64_t e = 0; e < list->pairs; e++)
        if (is_there(list, e))
            put(j, list->row[e], list->column[e], term(list, e));
    for (int i = 0; i < j->dim; i++) {
        int64_t end = j->start[i];

        j->start[i] = begin;
        begin = end;
    }
}

/* Converts exact values to floats, and checks whether all are equal. */
static hiss_status find_values(hs_sparse *j, hiss_error *err)
{
    int64_t entries = j->start[j->dim], most = 0;

    if (j->exact)
        j->value = hs_alloc_array((size_t)entries, sizeof *j->value);
    if (!j->value)
        return hs_fail_memory(err);
    for (int64_t at = 0; j->exact && at < entries; at++)
        j->value[at] = (float)j->exact[at];
    for (int i = 0; i < j->dim; i++)
        most = j->start[i + 1] - j->start[i] > most
                   ? j->start[i + 1] - j->start[i]
                   : most;
    j->uniform = entries > 0 ? j->value[0] : 0.0f;
    for (int64_t at = 0; at < entries && j->uniform != 0.0f; at++)
        if (j->value[at] != j->uniform)
            j->uniform = 0.0f;
    if (most > UNIFORM_DEGREE_MAX)
        j->uniform = 0.0f;
    return HISS_OK;
}

static hiss_status build_sparse(hs_model **out, const hs_pair_list *list,
                                hs_sparse *j, hiss_error *err)
{
    hs_ising options = {.kind = list->kind,
                        .offset = list->sign * list->offset};
    size_t entries = (size_t)j->start[list->dim];
    bool has_field = false, is_single = true;

    for (int i = 0; list->field && i < list->dim; i++)
        has_field |= (float)list->field[i] != 0.0f;
    for (int64_t e = 0; e < list->pairs && is_single; e++)
        is_single = hs_is_single(list->value[e]);
    j->column = hs_alloc_array(entries, sizeof *j->column);
    if (is_single)
        j->value = hs_alloc_array(entries, sizeof *j->value);
    else
        j->exact = hs_alloc_array(entries, sizeof *j->exact);
    if (!j->column || (!j->value && !j->exact))
        return hs_fail_memory(err);
    if (has_field)
        HS_TRY(set_fields(list, j, err));
    fill_rows(list, j);
    release(list);
    HS_TRY(find_values(j, err));
    return hs_ising_create(out, &options, j, err);
}

/* Copies the upper triangle to the lower one in blocks that fit into a cache;
 * single pairs would miss it with every second number. */
static void mirror(float *j, size_t dim)
{
    for (size_t r = 0; r < dim; r += BLOCK)
        for (size_t c = r; c < dim; c += BLOCK)
            for (size_t i = r; i < r + BLOCK && i < dim; i++)
                for (size_t k = c > i ? c : i + 1; k < c + BLOCK && k < dim;
                     k++)
                    j[k * dim + i] = j[i * dim + k];
}

static hiss_status build_dense(hs_model **out, const hs_pair_list *list,
                               hiss_error *err)
{
    size_t dim = (size_t)list->dim;
    float *j = hs_alloc_array(dim, dim * sizeof *j);
    float *h = hs_alloc_array(dim, sizeof *h);

    if (!j || !h) {
        hs_free(j);
        hs_free(h);
        return hs_fail_memory(err);
    }
    for (int i = 0; list->field && i < list->dim; i++)
        h[i] = (float)(list->sign * list->field[i]);
    for (int64_t e = 0; e < list->pairs; e++) {
        size_t r = (size_t)list->row[e], c = (size_t)list->column[e];

        j[r * dim + c] = (float)term(list, e);
    }
    release(list);
    mirror(j, dim);
    return hs_ising_dense_create(out, list->kind, list->dim, j, h,
                                 list->sign * list->offset, err);
}

static hiss_status gauge(const hs_pair_list *list, hs_precision *out,
                         hiss_error *err)
{
    hs_gauge g;

    HS_TRY(hs_gauge_init(&g, list->dim, err));
    for (int i = 0; list->field && i < list->dim; i++)
        hs_gauge_add(&g, i, list->field[i]);
    for (int64_t e = 0; e < list->pairs; e++) {
        hs_gauge_add(&g, list->row[e], list->value[e]);
        hs_gauge_add(&g, list->column[e], list->value[e]);
    }
    *out = hs_gauge_read(&g, list->kind == HISS_SPIN ? 2.0 : 1.0);
    hs_gauge_clear(&g);
    return HISS_OK;
}

/* Makes a dense model if there are enough pairs and floats suffice. */
static hiss_status build(hs_model **out, const hs_pair_list *list, hs_sparse *j,
                         hiss_error *err)
{
    int64_t square = (int64_t)list->dim * list->dim;
    int64_t entries = count_rows(list, j->start);
    hs_precision precision;

    if (list->dim < HS_DENSE_DIM || entries < square / 4)
        return build_sparse(out, list, j, err);
    HS_TRY(gauge(list, &precision, err));
    if (precision.kind == HS_PRECISION_DOUBLE)
        return build_sparse(out, list, j, err);
    HS_TRY(build_dense(out, list, err));
    (*out)->precision = precision;
    return HISS_OK;
}

hiss_status hs_build_pairs(hs_model **out, const char *name,
                           const hs_pair_list *list, hiss_error *err)
{
    hs_sparse j = {.dim = list->dim};
    hiss_status rc;

    *out = NULL;
    j.start = hs_alloc_array((size_t)list->dim + 1, sizeof *j.start);
    if (!j.start)
        return hs_fail_memory(err);
    rc = build(out, list, &j, err);
    hs_sparse_clear(&j);
    if (rc == HISS_OK && name) {
        (*out)->name = hs_strdup(name);
        if (!(*out)->name) {
            hs_model_destroy(*out);
            *out = NULL;
            rc = hs_fail_memory(err);
        }
    }
    return rc;
}
