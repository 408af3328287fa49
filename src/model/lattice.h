/* lattice.h - the bonds of a periodic square or cubic lattice. */
#ifndef HS_MODEL_LATTICE_H
#define HS_MODEL_LATTICE_H

#include <hiss/status.h>

#include "lanes/shapes.h"

#define HS_LATTICE_SITES_MAX (1 << 28)

/* side^dims sites; site r_1 side^(dims-1) + ... + r_dims.  Each site is bound
 * to the next one in every direction, periodically, by `value`; with side 2
 * the two bonds between neighbours add up. */
hiss_status hs_lattice_init(hs_sparse *j, int side, int dims, double value,
                            hiss_error *err);

#endif
