/* sparse.h - building the couplings that lanes/rows/ising.c and
 * lanes/rows/potts.c read.
 *
 * A model is given as bonds: a bond (i, j, v) is the term v f(x_i, x_j) of U,
 * with f symmetric (s_i s_j, or [x_i = x_j]).  Both directions are stored, so
 * that U = 1/2 sum_ij J_ij f(x_i, x_j) + fields. */
#ifndef HS_MODEL_SPARSE_H
#define HS_MODEL_SPARSE_H

#include <stdbool.h>
#include <stdint.h>

#include <hiss/status.h>

#include "lanes/shapes.h"
#include "model/precision.h"

typedef struct hs_bond {
    int i, j;
    double value;
} hs_bond;

/* Bonds given twice are summed, in either direction; those that sum to 0 are
 * left out.  A bond of a site with itself is not stored: its value is added
 * to self[i], or dropped if self is NULL.  No fields.  O(dim + count). */
hiss_status hs_sparse_init(hs_sparse *j, int dim, const hs_bond *bond,
                           int64_t count, double *self, hiss_error *err);
void hs_sparse_clear(hs_sparse *j);

/* Couplings and fields as they were given; a field of 0 where there is none. */
double hs_sparse_value(const hs_sparse *j, int64_t at);
double hs_sparse_field(const hs_sparse *j, int64_t row);

/* Fields, [count], copied; kept in double, too, where they are not floats. */
hiss_status hs_sparse_set_field(hs_sparse *j, const double *field,
                                int64_t count, hiss_error *err);

/* The same field on every site; j is cleared on failure. */
hiss_status hs_sparse_fill_field(hs_sparse *j, double field, hiss_error *err);

/* A new one with factor times the couplings and fields of j, as they were
 * given; fields: how many there are, a whole multiple of dim. */
hiss_status hs_sparse_scale(hs_sparse *out, const hs_sparse *j, double factor,
                            int64_t fields, hiss_error *err);

/* What precision these couplings and fields need (one field per site; step as
 * in precision.h). */
hiss_status hs_sparse_gauge(const hs_sparse *j, double step, hs_precision *out,
                            hiss_error *err);

/* Everything in double from now on. */
hiss_status hs_sparse_widen(hs_sparse *j, hiss_error *err);

/* A scan order, color by color (greedy: at most degree + 1 colors); sites of
 * a color are not bound.  In a color they ascend; by_degree: those with fewer
 * neighbors come first (a loop as long as the one before is predicted).  Owned
 * by the caller. */
hiss_status hs_sparse_order(int **order, const hs_sparse *j, bool by_degree,
                            hiss_error *err);

/* Which eight visits in a row do not wait for each other, as hs_visits has it;
 * owned by the caller. */
hiss_status hs_sparse_apart(uint8_t **apart, const hs_sparse *j,
                            const int *order, hiss_error *err);

#endif
