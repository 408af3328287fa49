/* components.h - the directions in which draws vary most.
 *
 * If modes differ a little in many coordinates, a weighted sum shows it long
 * before any single coordinate does.  The first principal components of the
 * standardized draws are such sums. */
#ifndef HS_DIAG_OBSERVE_COMPONENTS_H
#define HS_DIAG_OBSERVE_COMPONENTS_H

#include <stdint.h>

#include <hiss/status.h>

/* Rows x [rows][dim] are standardized in place (a constant column becomes 0);
 * out [count][dim] gets the first components, unit vectors in the original
 * units of the rows: score = sum_i out_i x_i. It makes ROUNDS of orthogonal
 * iteration from a fixed start; the result is approximate, which suffices. */
hiss_status hs_components(double *x, int64_t rows, int dim, int count,
                          double *out, hiss_error *err);

#endif
