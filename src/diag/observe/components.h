/* components.h - the directions in which draws vary most.
 *
 * Modes that differ in many coordinates by a little each show in their sum
 * long before they show in any one of them.  The first principal components
 * of the standardised draws are such sums. */
#ifndef HS_DIAG_OBSERVE_COMPONENTS_H
#define HS_DIAG_OBSERVE_COMPONENTS_H

#include <stdint.h>

#include <hiss/status.h>

/* Rows x [rows][dim] are standardised in place (a constant column becomes 0);
 * out [count][dim] gets the first components, unit vectors in the units of the
 * rows as they were given: score = sum_i out_i x_i.  ROUNDS of orthogonal
 * iteration from a fixed start; not exact and need not be. */
hiss_status hs_components(double *x, int64_t rows, int dim, int count,
                          double *out, hiss_error *err);

#endif
