/* terms.c - terms in any order to sorted pairs, by two counting sorts.
 *
 * O(terms + dim) time and twice the memory of the terms; none of it when they
 * are in order already, as the files of large instances are. */
#include "format/problem/terms.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "base/alloc.h"

enum {
    FIRST_ROOM = 1024
};

#define FIELD_ROUNDING 1e-13 /* of the sum of what cancels */

void hs_terms_clear(hs_terms *t)
{
    hs_free(t->row);
    hs_free(t->column);
    hs_free(t->value);
    *t = (hs_terms){0};
}

static hiss_status grow(void *array, int64_t old, int64_t count, size_t size,
                        hiss_error *err)
{
    void **at = array;
    void *more = hs_realloc_array(*at, (size_t)old, (size_t)count, size);

    if (!more)
        return hs_fail_memory(err);
    *at = more;
    return HISS_OK;
}

hiss_status hs_terms_reserve(hs_terms *t, int64_t count, hiss_error *err)
{
    if (count <= t->room)
        return HISS_OK;
    HS_TRY(grow(&t->row, t->count, count, sizeof *t->row, err));
    HS_TRY(grow(&t->column, t->count, count, sizeof *t->column, err));
    HS_TRY(grow(&t->value, t->count, count, sizeof *t->value, err));
    t->room = count;
    return HISS_OK;
}

hiss_status hs_terms_add(hs_terms *t, int i, int j, double value,
                         hiss_error *err)
{
    int64_t at = t->count;

    if (at == t->room)
        HS_TRY(hs_terms_reserve(t, at < FIRST_ROOM ? FIRST_ROOM : 2 * at, err));
    t->row[at] = i < j ? i : j;
    t->column[at] = i < j ? j : i;
    t->value[at] = value;
    t->count++;
    return HISS_OK;
}

static bool is_sorted(const hs_terms *t)
{
    for (int64_t e = 1; e < t->count; e++)
        if (t->row[e] < t->row[e - 1] ||
            (t->row[e] == t->row[e - 1] && t->column[e] <= t->column[e - 1]))
            return false;
    return true;
}

/* Stable, by key[0..count), whose values are below dim. */
static void sort_by(const hs_terms *from, const int *key, int64_t *start,
                    int dim, hs_terms *to)
{
    int64_t sum = 0;

    memset(start, 0, (size_t)dim * sizeof *start);
    for (int64_t e = 0; e < from->count; e++)
        start[key[e]]++;
    for (int i = 0; i < dim; i++) {
        int64_t count = start[i];

        start[i] = sum;
        sum += count;
    }
    for (int64_t e = 0; e < from->count; e++) {
        int64_t at = start[key[e]]++;

        to->row[at] = from->row[e];
        to->column[at] = from->column[e];
        to->value[at] = from->value[e];
    }
    to->count = from->count;
}

static hiss_status sort(hs_terms *t, int dim, hiss_error *err)
{
    hs_terms other = {0};
    int64_t *start;
    hiss_status rc = HISS_OK;

    if (is_sorted(t))
        return HISS_OK;
    start = hs_alloc_array((size_t)dim, sizeof *start);
    if (!start)
        rc = hs_fail_memory(err);
    if (rc == HISS_OK)
        rc = hs_terms_reserve(&other, t->count, err);
    if (rc == HISS_OK) {
        sort_by(t, t->column, start, dim, &other);
        sort_by(&other, other.row, start, dim, t);
    }
    hs_terms_clear(&other);
    hs_free(start);
    return rc;
}

struct repeated {
    int64_t pairs;
    int row, column; /* of the first */
};

/* Equal neighbours become one, and those with themselves linear terms. */
static struct repeated merge(hs_terms *t, double *linear)
{
    struct repeated r = {0};
    int64_t kept = 0;

    for (int64_t e = 0; e < t->count;) {
        int row = t->row[e], column = t->column[e];
        double sum = t->value[e++];
        int64_t first = e;

        while (e < t->count && t->row[e] == row && t->column[e] == column)
            sum += t->value[e++];
        if (e > first && r.pairs++ == 0) {
            r.row = row;
            r.column = column;
        }
        if (row == column) {
            linear[row] += sum;
            continue;
        }
        t->row[kept] = row;
        t->column[kept] = column;
        t->value[kept++] = sum;
    }
    t->count = kept;
    return r;
}

static hiss_status note_repeated(hs_problem *p, const struct repeated *r,
                                 int base, hiss_error *err)
{
    char first[32], second[32];

    if (r->pairs == 0)
        return HISS_OK;
    snprintf(first, sizeof first, "%d", r->row + base);
    snprintf(second, sizeof second, "%d", r->column + base);
    return hs_problem_remark(
        p, err,
        "%lld term%s given more than once and summed, the first (%s,%s)",
        (long long)r->pairs, r->pairs == 1 ? " was" : "s were",
        p->names ? p->names[r->row] : first,
        p->names ? p->names[r->column] : second);
}

hiss_status hs_terms_finish(hs_terms *t, hs_problem *p, int dim, int base,
                            hiss_error *err)
{
    hs_quadratic_problem *q = &p->quadratic;
    struct repeated repeated;
    hiss_status rc = HISS_OK;

    p->shape = HS_QUADRATIC;
    p->dim = dim;
    q->linear = hs_alloc_array((size_t)dim, sizeof *q->linear);
    if (!q->linear)
        rc = hs_fail_memory(err);
    if (rc == HISS_OK)
        rc = hs_terms_reserve(t, 1, err); /* no NULL arrays */
    if (rc == HISS_OK)
        rc = sort(t, dim, err);
    if (rc == HISS_OK) {
        repeated = merge(t, q->linear);
        q->pairs = t->count;
        q->row = t->row;
        q->column = t->column;
        q->value = t->value;
        *t = (hs_terms){0};
        rc = note_repeated(p, &repeated, base, err);
    }
    hs_terms_clear(t);
    return rc;
}

hiss_status hs_terms_refuse_field(const hs_problem *p, hiss_error *err)
{
    const hs_quadratic_problem *q = &p->quadratic;
    double *bound = hs_alloc_array((size_t)p->dim, sizeof *bound);
    hiss_status rc = HISS_OK;

    if (!bound)
        return hs_fail_memory(err);
    for (int64_t e = 0; e < q->pairs; e++) {
        bound[q->row[e]] += fabs(q->value[e]);
        bound[q->column[e]] += fabs(q->value[e]);
    }
    for (int i = 0; i < p->dim && rc == HISS_OK; i++)
        if (fabs(q->linear[i]) > FIELD_ROUNDING * bound[i])
            rc = hs_fail(err, HISS_EUNSUP,
                         "variable %d, counted from 0, has a linear term, %g, "
                         "and there is no place for one",
                         i, q->linear[i]);
    hs_free(bound);
    return rc;
}

hiss_status hs_terms_read_dim(hs_reader *in, int *dim, hiss_error *err)
{
    int64_t size = hs_reader_size(in), most = HS_FREE_VARIABLES;

    HS_TRY(hs_reader_int(in, 1, INT32_MAX, dim, err));
    if (size == INT64_MAX)
        most = 1 << 26; /* a pipe */
    else if (size > most)
        most = size;
    if (*dim <= most)
        return HISS_OK;
    return hs_reader_fail(in, NULL, err,
                          "%d variables are announced, but a file of this "
                          "size can mean %lld at most",
                          *dim, (long long)most);
}

hiss_status hs_terms_read_value(hs_reader *in, double *value, hiss_error *err)
{
    return hs_reader_real(in, -HS_WEIGHT_MAX, HS_WEIGHT_MAX, value, err);
}
