/* curvature.h - the directions in which U bends upwards most, W = B B^T.
 *
 * Rows are those of a gradient (domain.h): a number, or the labels of a
 * coordinate one by one.  With H the mean over random states of what a change
 * of one row does to the gradient at another, the columns of B are the leading
 * eigenvectors of H with eigenvalues that are positive, times the root of
 * these, in units in which each coordinate has a range of 1.
 *
 * H is never formed.  For a vector e, two random states x and x' with
 * E[x - x'] in proportion to e have E[grad U(x) - grad U(x')] in proportion to
 * H e, exactly so if U is quadratic: a power iteration with sixteen pairs at
 * a time, from random numbers of its own.  What it finds is a function of the
 * model alone; errors cost acceptance and nothing else. */
#ifndef HS_KERNEL_LANGEVIN_CURVATURE_H
#define HS_KERNEL_LANGEVIN_CURVATURE_H

#include <stdint.h>

#include <hiss/status.h>

#include "model/model.h"

typedef struct hs_curvature {
    int rows, rank;             /* columns that were found, perhaps 0 */
    float *b;                   /* owned, [rows][most] */
    int most;                   /* columns that were asked for */
    double energies, gradients; /* that were evaluated for it */
} hs_curvature;

/* On failure clear is still due. */
hiss_status hs_curvature_init(hs_curvature *c, const hs_model *m, int rank,
                              hiss_error *err);
void hs_curvature_clear(hs_curvature *c);

#endif
