/* gemm.h - multiplies a matrix by a tile: the only use of BLAS.
 *
 * Every call has sixteen or four chains, so the numbers of a chain do not
 * depend on how many chains there are.  They do depend on the BLAS build and
 * the processor.  Without BLAS plain loops are used.  The first product sets
 * BLAS to one thread for the whole process. */
#ifndef HS_MODEL_GEMM_H
#define HS_MODEL_GEMM_H

#include <stdbool.h>

#include "base/lane.h"

/* out[rows][lane] = a x, with a row-major [rows][inner]. */
void hs_gemm(int rows, int inner, const float *a, const float (*x)[HS_LANES],
             float (*out)[HS_LANES]);

/* A tile whose rows have several entries of every chain, [inner][columns],
 * columns a multiple of 16: out[rows][columns] = a x, and out += a' x. */
void hs_gemm_wide(int rows, int columns, int inner, const float *a,
                  const float *x, float *out);
void hs_gemm_wide_transposed_add(int rows, int columns, int inner,
                                 const float *a, const float *x, float *out);

/* Whether the bits of a product are those of a BLAS build. */
bool hs_gemm_is_blas(void);

/* Name of the implementation: the BLAS build and its processor type; NULL for
 * plain loops. */
const char *hs_gemm_name(void);

#endif
