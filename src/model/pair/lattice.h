/* lattice.h - the bonds of a periodic square or cubic lattice. */
#ifndef HS_MODEL_PAIR_LATTICE_H
#define HS_MODEL_PAIR_LATTICE_H

#include <stdbool.h>

#include <hiss/status.h>

#include "lanes/shapes.h"

#define HS_LATTICE_SITES_MAX (1 << 28)

/* Computes side^dims, if that is at most HS_LATTICE_SITES_MAX. */
hiss_status hs_lattice_sites(int *sites, int side, int dims, hiss_error *err);

/* Site r_1 side^(dims-1) + ... + r_dims for side >= 2, dims <= 3.  Each site is
 * coupled by `value` to the next one in every direction, periodically; with
 * side 2 the two bonds between neighbors are one of twice the value.
 * has_values: each bond has its own value in j, which takes 4 bytes. */
hiss_status hs_lattice_init(hs_sparse *j, int side, int dims, double value,
                            bool has_values, hiss_error *err);

#endif
