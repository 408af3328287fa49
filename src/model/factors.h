/* factors.h - U written as a sum of tables:
 *
 *     U(x) = constant + sum_f table_f(x_scope(f)),
 *
 * entries are logarithms, -infinity is an impossible combination, and the last
 * coordinate of a scope varies fastest. Files of factors, exact methods and
 * conditioning use this form. */
#ifndef HS_MODEL_FACTORS_H
#define HS_MODEL_FACTORS_H

#include <stdbool.h>
#include <stdint.h>

#include <hiss/status.h>

/* Most entries of a table: positions in it are an int32_t. */
#define HS_FACTOR_MAX (INT64_C(1) << 30)

typedef struct hs_factors {
    int dim;
    int *states;     /* owned, [dim] */
    double constant; /* -infinity if no state is possible */
    int64_t count;
    int64_t *scope_at; /* owned, [count + 1]: starts of the scopes */
    int *scope;        /* owned: coordinates, distinct within a scope */
    int64_t *table_at; /* owned, [count + 1]: starts of the tables */
    double *table;     /* owned */
    int64_t room, scope_room, table_room;
} hs_factors;

/* Makes an empty list; copies states. */
hiss_status hs_factors_init(hs_factors *f, int dim, const int *states,
                            hiss_error *err);
void hs_factors_clear(hs_factors *f);

/* Optional: reserves memory for this many factors, coordinates and entries. */
hiss_status hs_factors_reserve(hs_factors *f, int64_t count, int64_t scopes,
                               int64_t entries, hiss_error *err);

/* Adds a factor of `size` distinct coordinates; size 0 adds to the constant.
 * table has one entry per state of the scope and is copied; NULL leaves them 0.
 * *entries (may be NULL) are the new ones, borrowed until the next call. */
hiss_status hs_factors_add(hs_factors *f, int size, const int *scope,
                           const double *table, double **entries,
                           hiss_error *err);

/* Product of the states of a scope, or HS_FACTOR_MAX + 1 if it is larger. */
int64_t hs_factors_entries(const hs_factors *f, int size, const int *scope);

/* Makes the list with coordinate i fixed at index at[i] if that is not
 * negative.  Fixed coordinates have 1 state; coordinates with 1 state are in no
 * scope.  at NULL fixes nothing. */
hiss_status hs_factors_slice(hs_factors *out, const hs_factors *f,
                             const int *at, hiss_error *err);

/* Lists the factors of each coordinate: factor[start[i] ..  start[i + 1] - 1],
 * both owned by the caller. */
hiss_status hs_factors_index(const hs_factors *f, int64_t **start,
                             int64_t **factor, hiss_error *err);

/* U of one state. */
double hs_factors_energy(const hs_factors *f, const int16_t *state);

/* Number of entries, and of sites, that a sweep of single-site updates
 * reads. */
double hs_factors_sweep(const hs_factors *f);

/* Whether some entry is -infinity. */
bool hs_factors_have_zeros(const hs_factors *f);

/* Whether all possible states are equally probable: in every table the possible
 * entries are equal. */
bool hs_factors_are_uniform(const hs_factors *f);

#endif
