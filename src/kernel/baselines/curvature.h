/* curvature.h - the directions in which U bends upwards most, W = B B^T.
 *
 * Rows are those of a gradient (domain.h): a number, or the labels of a
 * coordinate one by one.  Let H be the mean over random states of the effect of
 * a change of one row on the gradient at another. The columns of B are the
 * leading eigenvectors of H with eigenvalues that are positive, times the root
 * of these, in units in which each coordinate has a range of 1.
 *
 * H is never formed.  For a vector e, two random states x and x' with E[x - x']
 * in proportion to e have E[grad U(x) - grad U(x')] in proportion to H e,
 * exactly so if U is quadratic: so a power iteration uses sixteen pairs at a
 * time, with its own random numbers. The result depends on the model alone.
 * Errors cost acceptance and nothing else. */
#ifndef HS_KERNEL_LANGEVIN_CURVATURE_H
#define HS_KERNEL_LANGEVIN_CURVATURE_H

#include <stdint.h>

#include <hiss/status.h>

#include "model/model.h"

typedef struct hs_curvature {
    int rows, rank;             /* number of columns found, perhaps 0 */
    float *b;                   /* owned, [rows][most] */
    int most;                   /* number of columns requested */
    double energies, gradients; /* evaluations spent */
} hs_curvature;

/* Clear it also on failure. */
hiss_status hs_curvature_init(hs_curvature *c, const hs_model *m, int rank,
                              hiss_error *err);
void hs_curvature_clear(hs_curvature *c);

#endif
