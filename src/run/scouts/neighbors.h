/* neighbors.h - U of the states that differ from a state in one coordinate.
 *
 * For models whose single-site differences cost an evaluation each: sixteen
 * changes of one state are evaluated at a time. */
#ifndef HS_RUN_SCOUTS_NEIGHBORS_H
#define HS_RUN_SCOUTS_NEIGHBORS_H

#include <hiss/status.h>

#include "kernel/tile.h"

/* U(state) to *u, and U(state with x_i = v) - U(state) of all i and v to
 * gain[value].  Numbers that are not next to x_i are left out, with gains of
 * -infinity, unless is_wide.  The tile's lanes are used for it. */
hiss_status hs_neighbours(const hs_model *m, hs_tile *t, const int16_t *state,
                          bool is_wide, double *u, double *gain);

/* u + sum_i ln sum_v e^(gain of i, v): ln of the mass of a product
 * distribution. */
double hs_neighbours_mass(const hs_domain *d, const double *gain, double u);

/* Returns true if a coordinate has numbers that are not neighbors. */
bool hs_neighbours_is_long(const hs_domain *d, int i);

#endif
