/* sparse.c - builds compressed rows from bonds. */
#include "model/sparse.h"

#include <math.h>
#include <string.h>

#include "base/alloc.h"
#include "base/error.h"
#include "model/entries.h"

#define UNIFORM_DEGREE_MAX 32767 /* neighbors are counted in an int16_t */
#define APART              8     /* visits that can be made together */

/* Collects both directions of every bond, by row and column; those of a site
 * with itself go to self. */
static hiss_status collect(hs_entries *e, int dim, const hs_bond *bond,
                           int64_t count, double *self, hiss_error *err)
{
    int64_t first, kept = 0;

    HS_TRY(hs_entries_reserve(e, 2 * count, err));
    for (int64_t b = 0; b < count; b++) {
        if (bond[b].i == bond[b].j) {
            if (self)
                self[bond[b].i] += bond[b].value;
            continue;
        }
        HS_TRY(hs_entries_add(e, bond[b].i, bond[b].j, bond[b].value, err));
        HS_TRY(hs_entries_add(e, bond[b].j, bond[b].i, bond[b].value, err));
    }
    HS_TRY(hs_entries_sort(e, dim, err));
    hs_entries_merge(e, &first);
    for (int64_t at = 0; at < e->count; at++)
        if ((float)e->value[at] != 0.0f) { /* drop sums of 0 */
            e->row[kept] = e->row[at];
            e->column[kept] = e->column[at];
            e->value[kept++] = e->value[at];
        }
    e->count = kept;
    return HISS_OK;
}

/* Allocates the couplings and their values before rounding. */
static hiss_status reserve(hs_sparse *j, const hs_entries *e, hiss_error *err)
{
    size_t count = (size_t)e->count;
    bool is_single = true;

    for (int64_t at = 0; at < e->count && is_single; at++)
        is_single = hs_is_single(e->value[at]);
    j->start = hs_alloc_array((size_t)j->dim + 1, sizeof *j->start);
    j->column = hs_alloc_array(count, sizeof *j->column);
    j->value = hs_alloc_array(count, sizeof *j->value);
    if (!is_single)
        j->exact = hs_alloc_array(count, sizeof *j->exact);
    return j->start && j->column && j->value && (is_single || j->exact)
               ? HISS_OK
               : hs_fail_memory(err);
}

static void fill(hs_sparse *j, const hs_entries *e)
{
    int64_t most = 0;

    j->uniform = e->count > 0 ? (float)e->value[0] : 0.0f;
    for (int64_t at = 0; at < e->count; at++) {
        j->column[at] = e->column[at];
        j->value[at] = (float)e->value[at];
        if (j->exact)
            j->exact[at] = e->value[at];
        j->start[e->row[at] + 1]++;
        if (j->value[at] != j->uniform)
            j->uniform = 0.0f;
    }
    for (int i = 0; i < j->dim; i++) {
        if (j->start[i + 1] > most)
            most = j->start[i + 1];
        j->start[i + 1] += j->start[i];
    }
    if (most > UNIFORM_DEGREE_MAX)
        j->uniform = 0.0f;
}

hiss_status hs_sparse_init(hs_sparse *j, int dim, const hs_bond *bond,
                           int64_t count, double *self, hiss_error *err)
{
    hs_entries entries = {0};
    hiss_status rc;

    memset(j, 0, sizeof *j);
    j->dim = dim;
    rc = collect(&entries, dim, bond, count, self, err);
    if (rc == HISS_OK)
        rc = reserve(j, &entries, err);
    if (rc == HISS_OK)
        fill(j, &entries);
    hs_entries_clear(&entries);
    if (rc != HISS_OK)
        hs_sparse_clear(j);
    return rc;
}

void hs_sparse_clear(hs_sparse *j)
{
    hs_free(j->start);
    hs_free(j->column);
    hs_free(j->value);
    hs_free(j->field);
    hs_free(j->exact);
    hs_free(j->exact_field);
    memset(j, 0, sizeof *j);
}

double hs_sparse_value(const hs_sparse *j, int64_t at)
{
    if (j->exact)
        return j->exact[at];
    return j->given != 0.0 ? j->given : (double)hs_sparse_coupling(j, at);
}

double hs_sparse_field(const hs_sparse *j, int64_t row)
{
    if (j->exact_field)
        return j->exact_field[row];
    return j->field ? (double)j->field[row] : 0.0;
}

hiss_status hs_sparse_set_field(hs_sparse *j, const double *field,
                                int64_t count, hiss_error *err)
{
    bool is_single = true;

    for (int64_t r = 0; r < count && is_single; r++)
        is_single = hs_is_single(field[r]);
    j->field = hs_alloc_array((size_t)count, sizeof *j->field);
    if (!is_single)
        j->exact_field = hs_alloc_array((size_t)count, sizeof *j->exact_field);
    if (!j->field || (!is_single && !j->exact_field))
        return hs_fail_memory(err);
    for (int64_t r = 0; r < count; r++)
        j->field[r] = (float)field[r];
    if (j->exact_field)
        memcpy(j->exact_field, field, (size_t)count * sizeof *field);
    return HISS_OK;
}

hiss_status hs_sparse_fill_field(hs_sparse *j, double field, hiss_error *err)
{
    double *all = hs_alloc_array((size_t)j->dim, sizeof *all);
    hiss_status rc;

    for (int i = 0; all && i < j->dim; i++)
        all[i] = field;
    rc = all ? hs_sparse_set_field(j, all, j->dim, err) : hs_fail_memory(err);
    hs_free(all);
    if (rc != HISS_OK)
        hs_sparse_clear(j);
    return rc;
}

static hiss_status scale_fields(hs_sparse *out, const hs_sparse *j,
                                double factor, int64_t count, hiss_error *err)
{
    double *field;
    hiss_status rc;

    if (!j->field && !j->exact_field)
        return HISS_OK;
    field = hs_alloc_array((size_t)count, sizeof *field);
    for (int64_t r = 0; field && r < count; r++)
        field[r] = factor * hs_sparse_field(j, r);
    rc = field ? hs_sparse_set_field(out, field, count, err)
               : hs_fail_memory(err);
    hs_free(field);
    return rc;
}

hiss_status hs_sparse_scale(hs_sparse *out, const hs_sparse *j, double factor,
                            int64_t fields, hiss_error *err)
{
    hs_bond *bond = hs_alloc_array((size_t)j->start[j->dim], sizeof *bond);
    int64_t count = 0;
    hiss_status rc;

    if (!bond)
        return hs_fail_memory(err);
    for (int i = 0; i < j->dim; i++)
        for (int64_t e = j->start[i]; e < j->start[i + 1]; e++)
            if (j->column[e] > i)
                bond[count++] =
                    (hs_bond){i, j->column[e], factor * hs_sparse_value(j, e)};
    rc = hs_sparse_init(out, j->dim, bond, count, NULL, err);
    hs_free(bond);
    if (rc == HISS_OK)
        rc = scale_fields(out, j, factor, fields, err);
    if (rc != HISS_OK)
        hs_sparse_clear(out);
    return rc;
}

/* Whether row i has the coefficients of the previous row. */
static bool is_like_last(const hs_sparse *j, int i)
{
    return i > 0 && j->given != 0.0 && !j->exact && !j->field &&
           j->start[i + 1] - j->start[i] == j->start[i] - j->start[i - 1];
}

/* Rows come one after the other, so one sum suffices.  Equal couplings without
 * a field are never too large: a change of U is a whole multiple of one number,
 * so its rounding is relative, and a change beyond 32 is always or never
 * taken. */
hiss_status hs_sparse_gauge(const hs_sparse *j, double step, hs_precision *out,
                            hiss_error *err)
{
    hs_gauge g;
    double most = 0.0;

    HS_TRY(hs_gauge_init(&g, 1, err));
    for (int i = 0; i < j->dim; i++) {
        if (is_like_last(j, i))
            continue;
        g.sum[0] = 0.0;
        hs_gauge_add(&g, 0, hs_sparse_field(j, i));
        for (int64_t e = j->start[i]; e < j->start[i + 1]; e++)
            hs_gauge_add(&g, 0, hs_sparse_value(j, e));
        most = fmax(most, g.sum[0]);
    }
    g.sum[0] = most;
    *out = hs_gauge_read(&g, step);
    if (out->kind == HS_PRECISION_DOUBLE && j->uniform != 0.0f && !j->field)
        out->kind = HS_PRECISION_UNIFORM;
    hs_gauge_clear(&g);
    return HISS_OK;
}

hiss_status hs_sparse_widen(hs_sparse *j, hiss_error *err)
{
    int64_t entries = j->start[j->dim];
    bool has_exact = j->exact != NULL; /* a dense one is large, so it keeps its
                                          present form */
    double *exact =
        has_exact ? j->exact : hs_alloc_array((size_t)entries, sizeof *exact);
    double *field = hs_alloc_array((size_t)j->dim, sizeof *field);

    if (!exact || !field) {
        if (!has_exact)
            hs_free(exact);
        hs_free(field);
        return hs_fail_memory(err);
    }
    for (int64_t e = 0; !has_exact && e < entries; e++)
        exact[e] = hs_sparse_value(j, e);
    for (int i = 0; i < j->dim; i++)
        field[i] = hs_sparse_field(j, i);
    hs_free(j->exact_field);
    j->exact = exact;
    j->exact_field = field;
    j->uniform = 0.0f;
    j->is_wide = true;
    return HISS_OK;
}

/* The smallest color that no smaller neighbor of i has.  used[c] = i + 1 marks
 * a color as taken, so it needs no clearing. */
static int least_color(const hs_sparse *j, int i, const int *color, int *used)
{
    int c = 0;

    for (int64_t e = j->start[i]; e < j->start[i + 1]; e++)
        if (j->column[e] < i)
            used[color[j->column[e]]] = i + 1;
    while (used[c] == i + 1)
        c++;
    return c;
}

/* order: the sites by key[i] < keys; equal keys keep the order of `from` (NULL:
 * 0, 1, ...).  next is [keys + 1]. */
static void sort_sites(const int *from, const int *key, int dim, int *next,
                       int keys, int *order)
{
    memset(next, 0, ((size_t)keys + 1) * sizeof *next);
    for (int i = 0; i < dim; i++)
        next[key[i] + 1]++;
    for (int k = 0; k < keys; k++)
        next[k + 1] += next[k];
    for (int n = 0; n < dim; n++) {
        int i = from ? from[n] : n;

        order[next[key[i]]++] = i;
    }
}

static int largest_degree(const hs_sparse *j)
{
    int64_t most = 0;

    for (int i = 0; i < j->dim; i++) {
        int64_t degree = j->start[i + 1] - j->start[i];

        most = degree > most ? degree : most;
    }
    return (int)most;
}

hiss_status hs_sparse_order(int **order, const hs_sparse *j, bool by_degree,
                            hiss_error *err)
{
    int keys = largest_degree(j) + 1; /* number of values of a degree or
                                         color */
    int *key = hs_alloc_array((size_t)j->dim, sizeof *key);
    int *used = hs_alloc_array((size_t)keys, sizeof *used);
    int *next = hs_alloc_array((size_t)keys + 1, sizeof *next);
    int *sites = hs_alloc_array(by_degree ? (size_t)j->dim : 0, sizeof *sites);
    hiss_status rc = HISS_OK;

    *order = hs_alloc_array((size_t)j->dim, sizeof **order);
    if (!*order || !key || !used || !sites || !next) {
        hs_free(*order);
        *order = NULL;
        rc = hs_fail_memory(err);
        goto out;
    }
    for (int i = 0; by_degree && i < j->dim; i++)
        key[i] = (int)(j->start[i + 1] - j->start[i]);
    if (by_degree)
        sort_sites(NULL, key, j->dim, next, keys, sites);
    for (int i = 0; i < j->dim; i++)
        key[i] = least_color(j, i, key, used);
    sort_sites(by_degree ? sites : NULL, key, j->dim, next, keys, *order);
out:
    hs_free(key);
    hs_free(used);
    hs_free(sites);
    hs_free(next);
    return rc;
}

static bool are_coupled(const hs_sparse *j, int a, int b)
{
    for (int64_t e = j->start[a]; e < j->start[a + 1]; e++)
        if (j->column[e] == b)
            return true;
    return false;
}

static bool are_apart(const hs_sparse *j, const int *site)
{
    for (int a = 0; a < APART; a++)
        for (int b = 0; b < a; b++)
            if (are_coupled(j, site[a], site[b]))
                return false;
    return true;
}

hiss_status hs_sparse_apart(uint8_t **apart, const hs_sparse *j,
                            const int *order, hiss_error *err)
{
    *apart = hs_alloc_array((size_t)j->dim / APART + 1, 1);
    if (!*apart)
        return hs_fail_memory(err);
    for (int n = 0; n + APART <= j->dim; n += APART)
        (*apart)[n / APART] = are_apart(j, order + n);
    return HISS_OK;
}
