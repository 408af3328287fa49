/* terms.c - makes a quadratic problem of the terms of a file. */
#include "format/problem/terms.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "base/alloc.h"

#define FIELD_ROUNDING 1e-13 /* relative to the sum of the cancelling terms */

hiss_status hs_terms_add(hs_terms *t, int i, int j, double value,
                         hiss_error *err)
{
    return hs_entries_add(t, i < j ? i : j, i < j ? j : i, value, err);
}

struct repeated {
    int64_t pairs;
    int row, column; /* of the first */
};

/* Merges equal neighbors; terms i = j become linear. */
static struct repeated merge(hs_terms *t, double *linear)
{
    struct repeated r = {0};
    int64_t first = 0, kept = 0;

    r.pairs = hs_entries_merge(t, &first);
    if (r.pairs > 0) {
        r.row = t->row[first];
        r.column = t->column[first];
    }
    for (int64_t e = 0; e < t->count; e++) {
        if (t->row[e] == t->column[e]) {
            linear[t->row[e]] += t->value[e];
            continue;
        }
        t->row[kept] = t->row[e];
        t->column[kept] = t->column[e];
        t->value[kept++] = t->value[e];
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
        rc = hs_entries_reserve(t, 1, err); /* no NULL arrays */
    if (rc == HISS_OK)
        rc = hs_entries_sort(t, dim, err);
    if (rc == HISS_OK) {
        repeated = merge(t, q->linear);
        q->pairs = t->count;
        q->row = t->row;
        q->column = t->column;
        q->value = t->value;
        *t = (hs_terms){0};
        rc = note_repeated(p, &repeated, base, err);
    }
    hs_entries_clear(t);
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
