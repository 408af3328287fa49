/* levels.c - the distinct values of a column, sorted and counted.
 *
 * A table of at most TABLE_MAX values is tried first: one pass, and a draw
 * that equals its predecessor needs no search.  When a further value appears
 * the draws are copied and sorted instead, O(n log n). */
#include "diag/chains/levels.h"

#include "base/alloc.h"
#include "base/error.h"
#include "diag/maths/normal.h"

#include <math.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#define TABLE_MAX 64

struct table {
    double value[TABLE_MAX];
    int64_t times[TABLE_MAX];
    int64_t count;
};

/* The first index whose value is not below v; count when there is none. */
static int64_t lower_bound(const double *value, int64_t count, double v)
{
    int64_t low = 0;
    int64_t high = count;

    while (low < high) {
        int64_t middle = low + (high - low) / 2;

        if (value[middle] < v)
            low = middle + 1;
        else
            high = middle;
    }
    return low;
}

/* False when x has more than TABLE_MAX distinct values. */
static bool table_fill(struct table *t, const double *x, int64_t n)
{
    int64_t at = 0;

    t->count = 0;
    for (int64_t i = 0; i < n; i++) {
        if (i == 0 || x[i] != x[i - 1])
            at = lower_bound(t->value, t->count, x[i]);
        if (at == t->count || t->value[at] != x[i]) {
            size_t tail = (size_t)(t->count - at);

            if (t->count == TABLE_MAX)
                return false;
            memmove(t->value + at + 1, t->value + at, tail * sizeof(double));
            memmove(t->times + at + 1, t->times + at, tail * sizeof(int64_t));
            t->value[at] = x[i];
            t->times[at] = 0;
            t->count++;
        }
        t->times[at]++;
    }
    return true;
}

static int compare(const void *a, const void *b)
{
    double x = *(const double *)a;
    double y = *(const double *)b;

    return (x > y) - (x < y);
}

static hiss_status reserve(hs_levels *l, int64_t count, hiss_error *err)
{
    l->value = hs_alloc_array((size_t)count, sizeof *l->value);
    l->below = hs_alloc_array((size_t)count + 1, sizeof *l->below);
    if (l->value && l->below)
        return HISS_OK;
    hs_levels_clear(l);
    hs_fail_memory(err);
    return HISS_ENOMEM;
}

static hiss_status from_table(hs_levels *l, const struct table *t,
                              hiss_error *err)
{
    HS_TRY(reserve(l, t->count, err));
    l->count = t->count;
    for (int64_t i = 0; i < t->count; i++) {
        l->value[i] = t->value[i];
        l->below[i + 1] = l->below[i] + t->times[i];
    }
    return HISS_OK;
}

/* Sorts a copy in place of the values, then squeezes out repetitions. */
static hiss_status from_sort(hs_levels *l, const double *x, int64_t n,
                             hiss_error *err)
{
    HS_TRY(reserve(l, n, err));
    memcpy(l->value, x, (size_t)n * sizeof *x);
    qsort(l->value, (size_t)n, sizeof *l->value, compare);
    for (int64_t i = 0; i < n; i++) {
        if (i == 0 || l->value[i] != l->value[l->count - 1]) {
            l->below[l->count] = i;
            l->value[l->count++] = l->value[i];
        }
    }
    l->below[l->count] = n;
    return HISS_OK;
}

hiss_status hs_levels_init(hs_levels *l, const double *x, int64_t n,
                           hiss_error *err)
{
    struct table t;

    *l = (hs_levels){0};
    return table_fill(&t, x, n) ? from_table(l, &t, err)
                                : from_sort(l, x, n, err);
}

void hs_levels_clear(hs_levels *l)
{
    hs_free(l->value);
    hs_free(l->below);
    *l = (hs_levels){0};
}

int64_t hs_levels_find(const hs_levels *l, double v)
{
    return lower_bound(l->value, l->count, v);
}

double hs_levels_order(const hs_levels *l, int64_t k)
{
    int64_t low = 0; /* invariant: below[low] <= k < below[high] */
    int64_t high = l->count;

    while (high - low > 1) {
        int64_t middle = low + (high - low) / 2;

        if (l->below[middle] <= k)
            low = middle;
        else
            high = middle;
    }
    return l->value[low];
}

/* Written with the operations of scipy's mquantiles in their order: the tail
 * ESS compares draws with the quantile, so its last bit counts. */
double hs_levels_quantile(const hs_levels *l, double p)
{
    int64_t n = l->below[l->count];

    if (n == 1)
        return l->value[0];

    double at = (double)n * p + (1.0 - p);
    int64_t k = (int64_t)floor(fmin(fmax(at, 1.0), (double)(n - 1)));
    double weight = fmin(fmax(at - (double)k, 0.0), 1.0);

    return (1.0 - weight) * hs_levels_order(l, k - 1) +
           weight * hs_levels_order(l, k);
}

double hs_levels_median(const hs_levels *l)
{
    int64_t n = l->below[l->count];

    if (n % 2)
        return hs_levels_order(l, n / 2);
    return (hs_levels_order(l, n / 2 - 1) + hs_levels_order(l, n / 2)) / 2.0;
}

double hs_levels_score(const hs_levels *l, int64_t i)
{
    double n = (double)l->below[l->count];
    double rank = 0.5 * (double)(l->below[i] + l->below[i + 1] + 1);

    return hs_normal_quantile((rank - 0.375) / (n + 0.25));
}

hiss_status hs_normal_scores(double *x, int64_t n, hiss_error *err)
{
    hs_levels l;
    double *score = NULL;
    hiss_status rc = HISS_OK;

    HS_TRY(hs_levels_init(&l, x, n, err));
    score = hs_alloc_array((size_t)l.count, sizeof *score);
    if (!score) {
        rc = hs_fail_memory(err);
        goto out;
    }
    for (int64_t i = 0; i < l.count; i++)
        score[i] = hs_levels_score(&l, i);
    for (int64_t i = 0; i < n; i++)
        x[i] = score[hs_levels_find(&l, x[i])];
out:
    hs_free(score);
    hs_levels_clear(&l);
    return rc;
}
