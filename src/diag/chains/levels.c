/* levels.c - the distinct values of a column, sorted and counted.
 *
 * A table of at most TABLE_MAX values is tried first: one pass, and a draw that
 * equals its predecessor needs no search. If more values appear, keys of the
 * draws are sorted instead, byte by byte, O(n). */
#include "diag/chains/levels.h"

#include "base/alloc.h"
#include "base/error.h"
#include "diag/maths/normal.h"

#include <math.h>
#include <stdbool.h>
#include <string.h>

#define TABLE_MAX 64

struct table {
    double value[TABLE_MAX];
    int64_t times[TABLE_MAX];
    int64_t count;
};

/* The first index whose value is not below v; count if there is none. */
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

/* Returns false if x has more than TABLE_MAX distinct values. */
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

/* A number as a key of the same order, and its original index. */
struct keyed {
    uint64_t key;
    int64_t at;
};

static uint64_t key_of(double x)
{
    double plus = x + 0.0; /* -0 is 0 */
    uint64_t bits;

    memcpy(&bits, &plus, sizeof bits);
    return bits >> 63 ? ~bits : bits | (uint64_t)1 << 63;
}

static double number_of(uint64_t key)
{
    uint64_t bits = key >> 63 ? key & ~((uint64_t)1 << 63) : ~key;
    double x;

    memcpy(&x, &bits, sizeof x);
    return x;
}

/* Sorts by bytes from the lowest on, skipping bytes that are all equal; returns
 * the array with the result. */
static struct keyed *sort(struct keyed *a, struct keyed *spare, int64_t n)
{
    for (int byte = 0; byte < 8; byte++) {
        int64_t start[257] = {0};
        struct keyed *to = spare;

        for (int64_t i = 0; i < n; i++)
            start[(a[i].key >> 8 * byte & 255) + 1]++;
        if (start[(a[0].key >> 8 * byte & 255) + 1] == n)
            continue;
        for (int k = 0; k < 256; k++)
            start[k + 1] += start[k];
        for (int64_t i = 0; i < n; i++)
            to[start[a[i].key >> 8 * byte & 255]++] = a[i];
        spare = a;
        a = to;
    }
    return a;
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

/* Sorts keys of the numbers, then removes repetitions. */
static hiss_status from_sort(hs_levels *l, const double *x, int64_t n,
                             int64_t *at, hiss_error *err)
{
    struct keyed *room = hs_alloc_array(2 * (size_t)n, sizeof *room), *k;

    if (!room)
        return hs_fail_memory(err);
    if (reserve(l, n, err) != HISS_OK) {
        hs_free(room);
        return HISS_ENOMEM;
    }
    for (int64_t i = 0; i < n; i++)
        room[i] = (struct keyed){key_of(x[i]), i};
    k = sort(room, room + n, n);
    for (int64_t i = 0; i < n; i++) {
        if (i == 0 || k[i].key != k[i - 1].key) {
            l->below[l->count] = i;
            l->value[l->count++] = number_of(k[i].key);
        }
        if (at)
            at[k[i].at] = l->count - 1;
    }
    l->below[l->count] = n;
    hs_free(room);
    return HISS_OK;
}

hiss_status hs_levels_init_ranked(hs_levels *l, const double *x, int64_t n,
                                  int64_t *at, hiss_error *err)
{
    struct table t;

    *l = (hs_levels){0};
    if (!table_fill(&t, x, n))
        return from_sort(l, x, n, at, err);
    HS_TRY(from_table(l, &t, err));
    for (int64_t i = 0; at && i < n; i++)
        at[i] = i > 0 && x[i] == x[i - 1] ? at[i - 1] : hs_levels_find(l, x[i]);
    return HISS_OK;
}

hiss_status hs_levels_init(hs_levels *l, const double *x, int64_t n,
                           hiss_error *err)
{
    return hs_levels_init_ranked(l, x, n, NULL, err);
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

/* Uses the operations of scipy's mquantiles in their order: the tail ESS
 * compares draws with the quantile, so its last bit matters. */
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

double hs_levels_score_of(int64_t below, int64_t at_most, int64_t n)
{
    double rank = 0.5 * (double)(below + at_most + 1);

    return hs_normal_quantile((rank - 0.375) / ((double)n + 0.25));
}

double hs_levels_score(const hs_levels *l, int64_t i)
{
    return hs_levels_score_of(l->below[i], l->below[i + 1], l->below[l->count]);
}

hiss_status hs_normal_scores(double *x, int64_t n, hiss_error *err)
{
    int64_t *at = hs_alloc_array((size_t)n, sizeof *at);
    double *score = NULL;
    hs_levels l = {0};
    hiss_status rc =
        at ? hs_levels_init_ranked(&l, x, n, at, err) : hs_fail_memory(err);

    if (rc == HISS_OK) {
        score = hs_alloc_array((size_t)l.count, sizeof *score);
        rc = score ? HISS_OK : hs_fail_memory(err);
    }
    for (int64_t i = 0; rc == HISS_OK && i < l.count; i++)
        score[i] = hs_levels_score(&l, i);
    for (int64_t i = 0; rc == HISS_OK && i < n; i++)
        x[i] = score[at[i]];
    hs_free(score);
    hs_free(at);
    hs_levels_clear(&l);
    return rc;
}
