/* weights.c - weights of literals, and soft tables. */
#include "exact/count/weights.h"

#include <string.h>

#include "base/alloc.h"
#include "base/error.h"

#define VALUES_MAX (INT64_C(1) << 27) /* a GiB of decided and open entries */

void hs_weights_clear(hs_weights *w)
{
    hs_free(w->literal);
    hs_free(w->soft);
    hs_free(w->scope);
    hs_free(w->radix);
    hs_free(w->value);
    hs_free(w->user_at);
    hs_free(w->user);
    *w = (hs_weights){0};
}

/* Finds the largest entry, and whether another possible one is smaller. */
static bool is_soft(const hs_factors *f, int64_t n, double *most)
{
    double least = HUGE_VAL;

    *most = -HUGE_VAL;
    for (int64_t e = f->table_at[n]; e < f->table_at[n + 1]; e++) {
        if (f->table[e] == -HUGE_VAL)
            continue;
        *most = f->table[e] > *most ? f->table[e] : *most;
        least = f->table[e] < least ? f->table[e] : least;
    }
    return least < *most;
}

static void weigh_literals(hs_weights *w, const hs_factors *f,
                           const hs_code *code, int64_t n, double most)
{
    int i = f->scope[f->scope_at[n]], states = f->states[i];

    for (int v = 0; v < states; v++) {
        double u = f->table[f->table_at[n] + v];

        if (u > -HUGE_VAL)
            w->literal[hs_code_literal(code, i, states, v)] += u - most;
    }
}

/* Number of entries with one more digit per coordinate. */
static double widened(const hs_factors *f, int64_t n)
{
    double entries = 1.0;

    for (int64_t k = f->scope_at[n]; k < f->scope_at[n + 1]; k++)
        entries *= f->states[f->scope[k]] + 1;
    return entries;
}

static bool is_listed(const hs_factors *f, int64_t n)
{
    double most;

    return f->scope_at[n + 1] - f->scope_at[n] > 1 && is_soft(f, n, &most);
}

static hiss_status make_room(hs_weights *w, const hs_factors *f,
                             const hs_code *code, hiss_error *err)
{
    double values = 0.0;
    int64_t scopes = 0, count = 0;

    for (int64_t n = 0; n < f->count; n++)
        if (is_listed(f, n)) {
            count++;
            scopes += f->scope_at[n + 1] - f->scope_at[n];
            values += widened(f, n);
        }
    if (values > (double)VALUES_MAX || count > INT32_MAX)
        return hs_fail(err, HISS_ELIMIT,
                       "the weighted tables are too large to count with");
    w->literal =
        hs_alloc_array(2 * (size_t)code->variables, sizeof *w->literal);
    w->soft = hs_alloc_array((size_t)count, sizeof *w->soft);
    w->scope = hs_alloc_array((size_t)scopes, sizeof *w->scope);
    w->radix = hs_alloc_array((size_t)scopes, sizeof *w->radix);
    w->value = hs_alloc_array((size_t)values, sizeof *w->value);
    w->user_at = hs_alloc_array((size_t)f->dim + 1, sizeof *w->user_at);
    w->user = hs_alloc_array((size_t)scopes, sizeof *w->user);
    return w->literal && w->soft && w->scope && w->radix && w->value &&
                   w->user_at && w->user
               ? HISS_OK
               : hs_fail_memory(err);
}

/* Returns the entry if no digit is open.  Otherwise returns the common value of
 * the entries that the first open digit leads to, NaN if they differ. */
static double common_entry(const hs_soft *s, const int *radix, const int *digit,
                           const double *value, int64_t at, const double *table)
{
    int64_t stride = 1, entry = 0;
    double common = -HUGE_VAL;
    int open = s->size - 1;

    for (; open >= 0 && digit[open] < radix[open] - 1; open--)
        stride *= radix[open];
    if (open < 0) {
        for (int k = 0; k < s->size; k++)
            entry = entry * (radix[k] - 1) + digit[k];
        return table[entry];
    }
    for (int v = 1; v < radix[open]; v++) {
        double u = value[at - v * stride];

        if (u == -HUGE_VAL || u == common)
            continue;
        if (common > -HUGE_VAL || isnan(u))
            return NAN;
        common = u;
    }
    return common;
}

/* Ascending: an assigned coordinate has a smaller digit than an unassigned
 * one. */
static void fill(hs_weights *w, const hs_soft *s, const double *table,
                 double most, int *digit)
{
    const int *radix = w->radix + s->scope;
    double *value = w->value + s->value;
    int64_t entries = 1;

    for (int k = 0; k < s->size; k++) {
        entries *= radix[k];
        digit[k] = 0;
    }
    for (int64_t at = 0; at < entries; at++) {
        value[at] = common_entry(s, radix, digit, value, at, table);
        for (int k = s->size - 1; k >= 0 && ++digit[k] == radix[k]; k--)
            digit[k] = 0;
    }
    for (int64_t at = 0; at < entries; at++)
        value[at] -= most;
}

static void add_soft(hs_weights *w, const hs_factors *f, int64_t n, double most,
                     hs_soft *next, int *digit)
{
    hs_soft *s = &w->soft[w->count++];

    *s = *next;
    s->size = (int)(f->scope_at[n + 1] - f->scope_at[n]);
    for (int k = 0; k < s->size; k++) {
        int i = f->scope[f->scope_at[n] + k];

        w->scope[s->scope + k] = i;
        w->radix[s->scope + k] = f->states[i] + 1;
        w->user_at[i + 1]++;
    }
    fill(w, s, f->table + f->table_at[n], most, digit);
    next->scope += s->size;
    next->value += (int64_t)widened(f, n);
}

static void list_users(hs_weights *w, int dim)
{
    for (int i = 0; i < dim; i++)
        w->user_at[i + 1] += w->user_at[i];
    for (int j = w->count - 1; j >= 0; j--)
        for (int k = 0; k < w->soft[j].size; k++)
            w->user[--w->user_at[w->scope[w->soft[j].scope + k] + 1]] = j;
    /* move every start back to that of its own coordinate */
    for (int i = 0; i < dim; i++)
        w->user_at[i] = w->user_at[i + 1];
    for (int j = 0, all = 0; j < w->count; j++) {
        all += w->soft[j].size;
        w->user_at[dim] = all;
    }
}

hiss_status hs_weights_init(hs_weights *w, const hs_factors *f,
                            const hs_code *code, hiss_error *err)
{
    hs_soft next = {0};
    int *digit = hs_alloc_array((size_t)f->dim, sizeof *digit);
    hiss_status rc;

    *w = (hs_weights){.constant = f->constant};
    rc = digit ? make_room(w, f, code, err) : hs_fail_memory(err);
    for (int64_t n = 0; rc == HISS_OK && n < f->count; n++) {
        int64_t size = f->scope_at[n + 1] - f->scope_at[n];
        double most;
        bool differs = is_soft(f, n, &most);

        w->has_weights = w->has_weights || differs;
        if (most > -HUGE_VAL)
            w->constant += most;
        if (differs && size == 1)
            weigh_literals(w, f, code, n, most);
        else if (differs)
            add_soft(w, f, n, most, &next, digit);
    }
    if (rc == HISS_OK)
        list_users(w, f->dim);
    else
        hs_weights_clear(w);
    hs_free(digit);
    return rc;
}
