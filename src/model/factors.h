/* factors.h - U written as a sum of tables:
 *
 *     U(x) = constant + sum_f table_f(x_scope(f)),
 *
 * entries are logarithms, -infinity is an impossible combination, and the last
 * coordinate of a scope is the fastest.  What a file of factors becomes, what
 * exact methods work on, and how a model is conditioned. */
#ifndef HS_MODEL_FACTORS_H
#define HS_MODEL_FACTORS_H

#include <stdbool.h>
#include <stdint.h>

#include <hiss/status.h>

/* Entries of one table: positions in it are an int32_t. */
#define HS_FACTOR_MAX (INT64_C(1) << 30)

typedef struct hs_factors {
    int dim;
    int *states;     /* owned, [dim] */
    double constant; /* -infinity: nothing is possible */
    int64_t count;
    int64_t *scope_at; /* owned, [count + 1]: where scopes start */
    int *scope;        /* owned: coordinates, each once in a scope */
    int64_t *table_at; /* owned, [count + 1]: where tables start */
    double *table;     /* owned */
    int64_t room, scope_room, table_room;
} hs_factors;

/* No factors yet; states is copied. */
hiss_status hs_factors_init(hs_factors *f, int dim, const int *states,
                            hiss_error *err);
void hs_factors_clear(hs_factors *f);

/* Makes room in one go for so many factors with so many coordinates and
 * entries in all; not needed. */
hiss_status hs_factors_reserve(hs_factors *f, int64_t count, int64_t scopes,
                               int64_t entries, hiss_error *err);

/* Adds a factor of `size` coordinates, each once; size 0 adds to the constant.
 * table has as many entries as the scope has states, copied; NULL leaves them
 * 0 to be filled in.  *entries (may be NULL) are the new ones, borrowed until
 * the next call. */
hiss_status hs_factors_add(hs_factors *f, int size, const int *scope,
                           const double *table, double **entries,
                           hiss_error *err);

/* Product of the states of a scope; past HS_FACTOR_MAX: HS_FACTOR_MAX + 1. */
int64_t hs_factors_entries(const hs_factors *f, int size, const int *scope);

/* The same with coordinate i fixed at index at[i] where that is not negative:
 * fixed coordinates have 1 state and are in no scope, nor are others with 1
 * state.  at NULL fixes nothing. */
hiss_status hs_factors_slice(hs_factors *out, const hs_factors *f,
                             const int *at, hiss_error *err);

/* The factors that each coordinate is in: factor[start[i] .. start[i + 1] - 1],
 * both owned by the caller. */
hiss_status hs_factors_index(const hs_factors *f, int64_t **start,
                             int64_t **factor, hiss_error *err);

/* U of one state. */
double hs_factors_energy(const hs_factors *f, const int16_t *state);

/* Entries that a sweep of single-site updates reads, and its sites. */
double hs_factors_sweep(const hs_factors *f);

/* Whether some entry is -infinity. */
bool hs_factors_have_zeros(const hs_factors *f);

#endif
