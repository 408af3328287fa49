/* sparse.h - builds the couplings for lanes/rows/ising.c and
 * lanes/rows/potts.c.
 *
 * A model is given as bonds: a bond (i, j, v) is the term v f(x_i, x_j) of U,
 * with f symmetric (s_i s_j, or [x_i = x_j]).  Both directions are stored, so U
 * = 1/2 sum_ij J_ij f(x_i, x_j) + fields. */
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

/* Adds repeated bonds, in either direction, and drops those that sum to 0.  A
 * bond of a site with itself is not stored: its value is added to self[i], or
 * dropped if self is NULL.  No fields.  O(dim + count). */
hiss_status hs_sparse_init(hs_sparse *j, int dim, const hs_bond *bond,
                           int64_t count, double *self, hiss_error *err);
void hs_sparse_clear(hs_sparse *j);

/* Couplings and fields before rounding; a missing field is 0. */
double hs_sparse_value(const hs_sparse *j, int64_t at);
double hs_sparse_field(const hs_sparse *j, int64_t row);

/* Copies fields, [count]; also stores them in double if they are not floats. */
hiss_status hs_sparse_set_field(hs_sparse *j, const double *field,
                                int64_t count, hiss_error *err);

/* Sets the same field on every site; clears j on failure. */
hiss_status hs_sparse_fill_field(hs_sparse *j, double field, hiss_error *err);

/* Makes a copy with factor times the unrounded couplings and fields of j;
 * fields: their number, a multiple of dim. */
hiss_status hs_sparse_scale(hs_sparse *out, const hs_sparse *j, double factor,
                            int64_t fields, hiss_error *err);

/* Finds the precision that these couplings and fields need (one field per site;
 * step as in precision.h). */
hiss_status hs_sparse_gauge(const hs_sparse *j, double step, hs_precision *out,
                            hiss_error *err);

/* Switches to double for everything. */
hiss_status hs_sparse_widen(hs_sparse *j, hiss_error *err);

/* Makes a scan order, color by color (greedy: at most degree + 1 colors); sites
 * of a color are uncoupled.  Within a color sites ascend; by_degree sorts by
 * number of neighbors first, because loops of equal length are predicted.
 * Owned by the caller. */
hiss_status hs_sparse_order(int **order, const hs_sparse *j, bool by_degree,
                            hiss_error *err);

/* Finds which eight consecutive visits are uncoupled, as in hs_visits; owned by
 * the caller. */
hiss_status hs_sparse_apart(uint8_t **apart, const hs_sparse *j,
                            const int *order, hiss_error *err);

#endif
