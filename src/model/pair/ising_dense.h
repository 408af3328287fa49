/* ising_dense.h - pair models with most couplings present: one matrix product
 * per evaluation for sixteen chains.
 *
 *     U(x) = 1/2 x'Jx + h'x + offset,   J symmetric without diagonal,
 * over spins or 0/1 (a QUBO has J = Q + Q' off the diagonal, h = diag Q). */
#ifndef HS_MODEL_PAIR_ISING_DENSE_H
#define HS_MODEL_PAIR_ISING_DENSE_H

#include <hiss/kind.h>
#include <hiss/status.h>

#include "model/model.h"

/* Takes ownership of j [dim * dim] and h [dim], from hs_alloc_array, also on
 * failure. */
hiss_status hs_ising_dense_create(hs_model **out, hiss_kind kind, int dim,
                                  float *j, float *h, double offset,
                                  hiss_error *err);

#endif
