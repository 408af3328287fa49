/* pair_sums.c - which coordinates go together inside modes. */
#include "run/trees/pair_sums.h"

#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"
#include "base/error.h"
#include "model/factors.h"
#include "run/policy/policy.h"

#define ROOM   (1 << 24) /* capacity: sums of all modes, 64 MiB */
#define PAIRS  (1 << 22) /* capacity: both ways */
#define SCOPE  8         /* capacity: coordinates of a table */
#define STATES 1024      /* capacity: joint states of a pair */

void hs_pair_sums_clear(hs_pair_sums *p)
{
    hs_free(p->at);
    hs_free(p->other);
    hs_free(p->column);
    hs_free(p->row);
    hs_free(p->width);
    hs_free(p->sum);
    hs_free(p->conditional);
    *p = (hs_pair_sums){0};
}

static int states_of(const hs_pair_sums *p, int i)
{
    return p->value[i + 1] - p->value[i];
}

/* --- pairs ---------------------------------------------------------------- */

static int by_number(const void *a, const void *b)
{
    const int32_t *x = a, *y = b;

    return (*x > *y) - (*x < *y);
}

/* Counts pairs of tables into at[j + 1], or writes them from at[j] on. */
static void scan(hs_pair_sums *p, const hs_factors *f, bool is_written)
{
    for (int64_t n = 0; n < f->count; n++) {
        const int *scope = f->scope + f->scope_at[n];
        int64_t size = f->scope_at[n + 1] - f->scope_at[n];

        for (int64_t a = 0; size <= SCOPE && a < size; a++)
            for (int64_t b = 0; b < size; b++) {
                int j = scope[a], i = scope[b];

                if (a == b || states_of(p, i) * states_of(p, j) > STATES)
                    continue;
                if (is_written)
                    p->other[p->at[j]] = i;
                p->at[is_written ? j : j + 1]++;
            }
    }
}

/* Ascending, each once. */
static void tidy(hs_pair_sums *p)
{
    int64_t kept = 0, first = 0;

    for (int j = 0; j < p->dim; j++) {
        int64_t end = p->at[j + 1], from = kept;

        qsort(p->other + first, (size_t)(end - first), sizeof *p->other,
              by_number);
        for (int64_t n = first; n < end; n++)
            if (kept == from || p->other[n] != p->other[kept - 1])
                p->other[kept++] = p->other[n];
        p->at[j] = from;
        first = end;
    }
    p->at[p->dim] = kept;
}

/* Pairs of tables from at[j] on, at[] being where lists begin. */
static hiss_status write_lists(hs_pair_sums *p, const hs_factors *f,
                               hiss_error *err)
{
    size_t pairs = (size_t)p->at[p->dim];

    p->other = hs_alloc_array(pairs, sizeof *p->other);
    p->column = hs_alloc_array(pairs, sizeof *p->column);
    if (!p->other || !p->column)
        return hs_fail_memory(err);
    scan(p, f, true); /* at[j] is where the list of j ends now */
    for (int j = p->dim; j > 0; j--)
        p->at[j] = p->at[j - 1];
    p->at[0] = 0;
    tidy(p);
    return HISS_OK;
}

/* Makes lists of pairs that share a table; none if there are too many. */
static hiss_status list(hs_pair_sums *p, const hs_model *m, hiss_error *err)
{
    hs_factors f;
    hiss_status rc = HISS_OK;

    HS_TRY(m->ops->factors(m, &f, err));
    scan(p, &f, false);
    for (int j = 0; j < p->dim; j++)
        p->at[j + 1] += p->at[j];
    if (p->at[p->dim] <= PAIRS)
        rc = write_lists(p, &f, err);
    else
        memset(p->at, 0, ((size_t)p->dim + 1) * sizeof *p->at);
    hs_factors_clear(&f);
    return rc;
}

/* Rows of every coordinate. */
static void lay_out(hs_pair_sums *p)
{
    int64_t next = 0;

    for (int j = 0; j < p->dim; j++) {
        p->row[j] = next;
        p->width[j] = p->is_complete ? p->value[p->dim] : 0;
        for (int64_t n = p->at[j]; !p->is_complete && n < p->at[j + 1]; n++) {
            p->column[n] = p->width[j];
            p->width[j] += states_of(p, p->other[n]);
        }
        next += (int64_t)states_of(p, j) * p->width[j];
    }
    p->row[p->dim] = next;
}

hiss_status hs_pair_sums_init(hs_pair_sums *p, const hs_model *m, int modes,
                              hiss_error *err)
{
    const hs_domain *d = &m->domain;
    size_t dim = (size_t)d->dim, values = (size_t)d->value_count;
    hiss_status rc = HISS_OK;

    *p = (hs_pair_sums){.dim = d->dim, .value = d->value};
    p->is_complete = !m->ops->factors || m->is_dense;
    if (p->is_complete &&
        d->value_count - d->dim > hs_policy_count(HS_PAIRS_MAX_VALUES))
        return HISS_OK;
    if (d->value_count > ROOM / modes)
        return HISS_OK;
    p->at = hs_alloc_array(dim + 1, sizeof *p->at);
    p->row = hs_alloc_array(dim + 1, sizeof *p->row);
    p->width = hs_alloc_array(dim, sizeof *p->width);
    p->conditional = hs_alloc_array(HS_LANES * values, sizeof *p->conditional);
    if (!p->at || !p->row || !p->width || !p->conditional)
        rc = hs_fail_memory(err);
    if (rc == HISS_OK && !p->is_complete)
        rc = list(p, m, err);
    if (rc == HISS_OK)
        lay_out(p);
    if (rc == HISS_OK && p->row[dim] > 0 && p->row[dim] <= ROOM / modes) {
        p->sum =
            hs_alloc_array((size_t)p->row[dim] * (size_t)modes, sizeof *p->sum);
        p->modes = modes;
        rc = p->sum ? HISS_OK : hs_fail_memory(err);
    }
    if (rc != HISS_OK || p->modes == 0)
        hs_pair_sums_clear(p);
    return rc;
}

/* --- sums ----------------------------------------------------------------- */

void hs_pair_sums_add(hs_pair_sums *p, int mode, const hs_index_row *x,
                      int lane)
{
    const float *own = p->conditional + (size_t)lane * (size_t)p->value[p->dim];
    float *sum = p->sum + (int64_t)mode * p->row[p->dim];

    for (int j = 0; j < p->dim; j++) {
        float *row = sum + p->row[j] + (int64_t)x[j][lane] * p->width[j];

        if (p->is_complete) {
            for (int v = 0; v < p->width[j]; v++)
                row[v] += own[v];
            continue;
        }
        for (int64_t n = p->at[j]; n < p->at[j + 1]; n++) {
            const float *from = own + p->value[p->other[n]];
            float *to = row + p->column[n];

            for (int v = 0; v < states_of(p, p->other[n]); v++)
                to[v] += from[v];
        }
    }
}

const float *hs_pair_sums_row(const hs_pair_sums *p, int mode, int j, int w,
                              int i)
{
    const float *row = p->sum + (int64_t)mode * p->row[p->dim] + p->row[j] +
                       (int64_t)w * p->width[j];
    int64_t low, high;

    if (p->is_complete)
        return row + p->value[i];
    low = p->at[j];
    high = p->at[j + 1];
    while (low < high) {
        int64_t middle = low + (high - low) / 2;

        if (p->other[middle] < i)
            low = middle + 1;
        else
            high = middle;
    }
    return low < p->at[j + 1] && p->other[low] == i ? row + p->column[low]
                                                    : NULL;
}
