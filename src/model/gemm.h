/* gemm.h - a matrix times a tile: the only use of BLAS.
 *
 * Always as many chains in one call per product, sixteen or four, so that a
 * chain's numbers do not depend on how many chains there are.  They do depend
 * on the BLAS build and the core; without BLAS plain loops are used.  BLAS is
 * set to one thread for the whole process at the first product. */
#ifndef HS_MODEL_GEMM_H
#define HS_MODEL_GEMM_H

#include <stdbool.h>

#include "base/lane.h"

/* out[rows][lane] = a x, with a row-major [rows][inner]. */
void hs_gemm(int rows, int inner, const float *a, const float (*x)[HS_LANES],
             float (*out)[HS_LANES]);

/* A tile whose rows have several entries of every chain, [inner][columns] with
 * columns a multiple of 16: out[rows][columns] = a x, and out += a' x. */
void hs_gemm_wide(int rows, int columns, int inner, const float *a,
                  const float *x, float *out);
void hs_gemm_wide_transposed_add(int rows, int columns, int inner,
                                 const float *a, const float *x, float *out);

/* Whether the bits of a product are those of a BLAS build. */
bool hs_gemm_is_blas(void);

/* Name of the implementation: the BLAS build and the core it was made for; NULL
 * for plain loops. */
const char *hs_gemm_name(void);

#endif
