/* factor_tables.c - lists factors by coordinate, by counting sort. */
#include "model/factor/factor_tables.h"

#include <math.h>

#include "base/alloc.h"
#include "base/error.h"
#include "model/sparse.h"

/* Scope of factor n. */
static int scope_of(const hs_factors *f, int64_t n, const int **scope)
{
    *scope = f->scope + f->scope_at[n];
    return (int)(f->scope_at[n + 1] - f->scope_at[n]);
}

static int greatest(int size, const int *scope)
{
    int most = scope[0];

    for (int k = 1; k < size; k++)
        most = scope[k] > most ? scope[k] : most;
    return most;
}

/* Appends the coordinates of a factor except `own` (-1 excludes none), whose
 * stride is returned. */
static int add_others(hs_tables *t, const hs_factors *f, int64_t n, int own,
                      int64_t *used)
{
    const int *scope;
    int size = scope_of(f, n, &scope), stride = 1, found = 0;

    for (int k = size - 1; k >= 0; k--) {
        if (scope[k] == own) {
            found = stride;
        } else {
            t->column[*used] = scope[k];
            t->stride[(*used)++] = stride;
        }
        stride *= f->states[scope[k]];
    }
    return found;
}

/* Whether table n has exactly one nonzero entry and exact sums. */
static bool is_clause(const hs_factors *f, int64_t n, int64_t *at)
{
    int found = 0, exponent;
    double entry;

    for (int64_t e = f->table_at[n]; e < f->table_at[n + 1]; e++)
        if (f->table[e] != 0.0) {
            found++;
            *at = e - f->table_at[n];
        }
    if (found != 1)
        return false;
    entry = f->table[f->table_at[n] + *at];
    return entry == -HUGE_VAL || fabs(frexp(entry, &exponent)) == 0.5;
}

/* Stores a clause with the values that violate it; NaN in t->clause[i] marks
 * tables of several kinds. */
static void note_clause(hs_tables *t, const hs_factors *f, int64_t n, int i,
                        int64_t listed)
{
    const hs_incidence *to = &t->incidence[listed];
    int64_t at = 0;
    double entry;

    if (f->states[i] != 2 || !is_clause(f, n, &at)) {
        t->clause[i] = (double)NAN;
        return;
    }
    entry = f->table[f->table_at[n] + at];
    if (t->clause[i] == 0.0)
        t->clause[i] = entry;
    else if (t->clause[i] != entry)
        t->clause[i] = (double)NAN;
    t->own[listed] = to->own > 0 ? (int16_t)(at / to->own % 2) : 0;
    for (int64_t o = to->other; o < to->other + to->others; o++)
        t->violated[o] = (int16_t)(at / t->stride[o] % f->states[t->column[o]]);
}

static void add_incidence(hs_tables *t, const hs_factors *f, int64_t n, int i,
                          bool is_other, int64_t *used)
{
    hs_incidence *to = &t->incidence[t->start[i + 1]++];

    to->table = f->table_at[n];
    to->other = *used;
    to->own = add_others(t, f, n, is_other ? -1 : i, used);
    to->others = (int)(*used - to->other);
    note_clause(t, f, n, i, to - t->incidence);
}

/* start[i + 1] counts the entries of i.  Afterwards start[i] is the beginning
 * of i's list, and filling the list moves it to the end. */
static void begin(int64_t *start, int dim)
{
    int64_t sum = 0;

    for (int i = 1; i <= dim; i++) {
        int64_t count = start[i];

        start[i] = sum;
        sum += count;
    }
}

static hiss_status allocate(hs_tables *t, int dim, int64_t incidences,
                            int64_t others, hiss_error *err)
{
    t->clause = hs_alloc_array((size_t)dim, sizeof *t->clause);
    t->violated = hs_alloc_array((size_t)others, sizeof *t->violated);
    t->own = hs_alloc_array((size_t)incidences, sizeof *t->own);
    t->incidence = hs_alloc_array((size_t)incidences, sizeof *t->incidence);
    t->column = hs_alloc_array((size_t)others, sizeof *t->column);
    t->stride = hs_alloc_array((size_t)others, sizeof *t->stride);
    if (t->incidence && t->column && t->stride && t->clause && t->violated &&
        t->own)
        return HISS_OK;
    hs_tables_clear(t);
    return hs_fail_memory(err);
}

static hiss_status init_starts(hs_tables *t, const hs_factors *f,
                               hiss_error *err)
{
    *t = (hs_tables){.entry = f->table};
    t->start = hs_alloc_array((size_t)f->dim + 1, sizeof *t->start);
    return t->start ? HISS_OK : hs_fail_memory(err);
}

static void end_clauses(hs_tables *t, int dim)
{
    for (int i = 0; i < dim; i++)
        if (isnan(t->clause[i]))
            t->clause[i] = 0.0;
}

hiss_status hs_tables_init_all(hs_tables *t, const hs_factors *f,
                               const bool *skip, hiss_error *err)
{
    int64_t incidences = 0, others = 0, used = 0;
    const int *scope;

    HS_TRY(init_starts(t, f, err));
    for (int64_t n = 0; n < f->count; n++) {
        int size = scope_of(f, n, &scope);

        if (skip && skip[n])
            continue;
        incidences += size;
        others += (int64_t)size * (size - 1);
        for (int k = 0; k < size; k++)
            t->start[scope[k] + 1]++;
    }
    begin(t->start, f->dim);
    HS_TRY(allocate(t, f->dim, incidences, others, err));
    for (int64_t n = 0; n < f->count; n++) {
        int size = scope_of(f, n, &scope);

        for (int k = 0; k < size && !(skip && skip[n]); k++)
            add_incidence(t, f, n, scope[k], false, &used);
    }
    end_clauses(t, f->dim);
    return HISS_OK;
}

hiss_status hs_tables_init_once(hs_tables *t, const hs_factors *f,
                                hiss_error *err)
{
    int64_t used = 0;
    const int *scope;

    HS_TRY(init_starts(t, f, err));
    for (int64_t n = 0; n < f->count; n++) {
        int size = scope_of(f, n, &scope);

        t->start[greatest(size, scope) + 1]++;
    }
    begin(t->start, f->dim);
    HS_TRY(allocate(t, f->dim, f->count, f->scope_at[f->count], err));
    for (int64_t n = 0; n < f->count; n++) {
        int size = scope_of(f, n, &scope);

        add_incidence(t, f, n, greatest(size, scope), true, &used);
    }
    end_clauses(t, f->dim);
    return HISS_OK;
}

void hs_tables_clear(hs_tables *t)
{
    hs_free(t->start);
    hs_free(t->incidence);
    hs_free(t->column);
    hs_free(t->stride);
    hs_free(t->clause);
    hs_free(t->violated);
    hs_free(t->own);
    *t = (hs_tables){0};
}

hiss_status hs_factors_order(int **order, const hs_factors *f, hiss_error *err)
{
    int64_t pairs = 0, used = 0;
    hs_sparse j = {0};
    hs_bond *bond;
    const int *scope;
    hiss_status rc;

    *order = NULL;
    for (int64_t n = 0; n < f->count; n++) {
        int64_t size = scope_of(f, n, &scope);

        pairs += size * (size - 1) / 2;
    }
    bond = hs_alloc_array((size_t)pairs, sizeof *bond);
    if (!bond)
        return hs_fail_memory(err);
    for (int64_t n = 0; n < f->count; n++) {
        int size = scope_of(f, n, &scope);

        for (int a = 0; a < size; a++)
            for (int b = 0; b < a; b++)
                bond[used++] = (hs_bond){scope[a], scope[b], 1.0};
    }
    rc = hs_sparse_init(&j, f->dim, bond, pairs, NULL, err);
    hs_free(bond);
    if (rc == HISS_OK)
        rc = hs_sparse_order(order, &j, false, err);
    hs_sparse_clear(&j);
    return rc;
}
