/* sparse.c - bonds to compressed rows by two passes of counting sort. */
#include "model/sparse.h"

#include <string.h>

#include "base/alloc.h"
#include "base/error.h"

#define UNIFORM_DEGREE_MAX 32767 /* neighbours are counted in an int16_t */

typedef struct entry {
    int row, column;
    double value;
} entry;

/* Turns counts into starts: start[k + 1] holds the count of k before and where
 * k begins after; start[0] is 0. */
static void begin_rows(int64_t *start, int dim)
{
    int64_t sum = 0;

    for (int k = 1; k <= dim; k++) {
        int64_t count = start[k];

        start[k] = sum;
        sum += count;
    }
}

/* Both directions of every bond, ordered by column. */
static int64_t sort_by_column(const hs_bond *bond, int64_t count, double *self,
                              int64_t *start, int dim, entry *out)
{
    memset(start, 0, ((size_t)dim + 1) * sizeof *start);
    for (int64_t b = 0; b < count; b++) {
        if (bond[b].i != bond[b].j) {
            start[bond[b].i + 1]++;
            start[bond[b].j + 1]++;
        } else if (self) {
            self[bond[b].i] += bond[b].value;
        }
    }
    begin_rows(start, dim);
    for (int64_t b = 0; b < count; b++) {
        const hs_bond *t = &bond[b];

        if (t->i == t->j)
            continue;
        out[start[t->j + 1]++] = (entry){t->i, t->j, t->value};
        out[start[t->i + 1]++] = (entry){t->j, t->i, t->value};
    }
    return start[dim];
}

/* Stable, so that columns ascend in a row; start ends as that of the rows. */
static void sort_by_row(const entry *in, int64_t count, int64_t *start, int dim,
                        entry *out)
{
    memset(start, 0, ((size_t)dim + 1) * sizeof *start);
    for (int64_t e = 0; e < count; e++)
        start[in[e].row + 1]++;
    begin_rows(start, dim);
    for (int64_t e = 0; e < count; e++)
        out[start[in[e].row + 1]++] = in[e];
}

/* Equal neighbours in the order become one; sums of 0 none. */
static int64_t merge(entry *e, int64_t count)
{
    int64_t kept = 0;

    for (int64_t at = 0; at < count;) {
        entry sum = e[at++];

        while (at < count && e[at].row == sum.row && e[at].column == sum.column)
            sum.value += e[at++].value;
        if ((float)sum.value != 0.0f)
            e[kept++] = sum;
    }
    return kept;
}

/* Room for `count` couplings, and for what they are rounded from. */
static hiss_status reserve(hs_sparse *j, const entry *e, int64_t count,
                           hiss_error *err)
{
    bool is_single = true;

    for (int64_t at = 0; at < count && is_single; at++)
        is_single = hs_is_single(e[at].value);
    j->column = hs_alloc_array((size_t)count, sizeof *j->column);
    j->value = hs_alloc_array((size_t)count, sizeof *j->value);
    if (!is_single)
        j->exact = hs_alloc_array((size_t)count, sizeof *j->exact);
    return j->column && j->value && (is_single || j->exact)
               ? HISS_OK
               : hs_fail_memory(err);
}

static void fill(hs_sparse *j, const entry *e, int64_t count)
{
    int64_t most = 0;

    memset(j->start, 0, ((size_t)j->dim + 1) * sizeof *j->start);
    j->uniform = count > 0 ? (float)e[0].value : 0.0f;
    for (int64_t at = 0; at < count; at++) {
        j->column[at] = e[at].column;
        j->value[at] = (float)e[at].value;
        if (j->exact)
            j->exact[at] = e[at].value;
        j->start[e[at].row + 1]++;
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
    entry *by_column = hs_alloc_array((size_t)count, 2 * sizeof *by_column);
    entry *by_row = hs_alloc_array((size_t)count, 2 * sizeof *by_row);
    hiss_status rc = HISS_OK;

    memset(j, 0, sizeof *j);
    j->dim = dim;
    j->start = hs_alloc_array((size_t)dim + 1, sizeof *j->start);
    if (!by_column || !by_row || !j->start) {
        rc = hs_fail_memory(err);
        goto out;
    }
    count = sort_by_column(bond, count, self, j->start, dim, by_column);
    sort_by_row(by_column, count, j->start, dim, by_row);
    count = merge(by_row, count);
    rc = reserve(j, by_row, count, err);
    if (rc == HISS_OK)
        fill(j, by_row, count);
out:
    hs_free(by_column);
    hs_free(by_row);
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
    return j->exact ? j->exact[at] : (double)j->value[at];
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

/* Equal couplings without a field are never too large: a change of U is a
 * whole multiple of one number, so that its rounding is relative, and a change
 * beyond 32 is never or always taken. */
hiss_status hs_sparse_gauge(const hs_sparse *j, double step, hs_precision *out,
                            hiss_error *err)
{
    hs_gauge g;

    HS_TRY(hs_gauge_init(&g, j->dim, err));
    for (int i = 0; i < j->dim; i++) {
        hs_gauge_add(&g, i, hs_sparse_field(j, i));
        for (int64_t e = j->start[i]; e < j->start[i + 1]; e++)
            hs_gauge_add(&g, i, hs_sparse_value(j, e));
    }
    *out = hs_gauge_read(&g, step);
    if (out->kind == HS_PRECISION_DOUBLE && j->uniform != 0.0f && !j->field)
        out->kind = HS_PRECISION_UNIFORM;
    hs_gauge_clear(&g);
    return HISS_OK;
}

hiss_status hs_sparse_widen(hs_sparse *j, hiss_error *err)
{
    int64_t entries = j->start[j->dim];
    double *exact = hs_alloc_array((size_t)entries, sizeof *exact);
    double *field = hs_alloc_array((size_t)j->dim, sizeof *field);

    if (!exact || !field) {
        hs_free(exact);
        hs_free(field);
        return hs_fail_memory(err);
    }
    for (int64_t e = 0; e < entries; e++)
        exact[e] = hs_sparse_value(j, e);
    for (int i = 0; i < j->dim; i++)
        field[i] = hs_sparse_field(j, i);
    hs_free(j->exact);
    hs_free(j->exact_field);
    j->exact = exact;
    j->exact_field = field;
    j->uniform = 0.0f;
    j->is_wide = true;
    return HISS_OK;
}

/* The least colour that no smaller neighbour of i has. used[c] = i + 1 marks
 * a colour as taken, so that it needs no clearing. */
static int least_colour(const hs_sparse *j, int i, const int *colour, int *used)
{
    int c = 0;

    for (int64_t e = j->start[i]; e < j->start[i + 1]; e++)
        if (j->column[e] < i)
            used[colour[j->column[e]]] = i + 1;
    while (used[c] == i + 1)
        c++;
    return c;
}

/* order: the sites by key[i] < dim, as they come in `from` where it is equal.
 * count is [dim + 1]. */
static void sort_sites(const int *from, const int *key, int dim, int64_t *count,
                       int *order)
{
    memset(count, 0, ((size_t)dim + 1) * sizeof *count);
    for (int i = 0; i < dim; i++)
        count[key[i] + 1]++;
    begin_rows(count, dim);
    for (int n = 0; n < dim; n++)
        order[count[key[from[n]] + 1]++] = from[n];
}

hiss_status hs_sparse_order(int **order, const hs_sparse *j, bool by_degree,
                            hiss_error *err)
{
    int *key = hs_alloc_array((size_t)j->dim, sizeof *key);
    int *used = hs_alloc_array((size_t)j->dim + 1, sizeof *used);
    int *sites = hs_alloc_array((size_t)j->dim, sizeof *sites);
    int64_t *count = hs_alloc_array((size_t)j->dim + 1, sizeof *count);
    hiss_status rc = HISS_OK;

    *order = hs_alloc_array((size_t)j->dim, sizeof **order);
    if (!*order || !key || !used || !sites || !count) {
        hs_free(*order);
        *order = NULL;
        rc = hs_fail_memory(err);
        goto out;
    }
    for (int i = 0; i < j->dim; i++) {
        (*order)[i] = i;
        key[i] = by_degree ? (int)(j->start[i + 1] - j->start[i]) : 0;
    }
    sort_sites(*order, key, j->dim, count, sites);
    for (int i = 0; i < j->dim; i++)
        key[i] = least_colour(j, i, key, used);
    sort_sites(sites, key, j->dim, count, *order);
out:
    hs_free(key);
    hs_free(used);
    hs_free(sites);
    hs_free(count);
    return rc;
}
