/* ising_sparse.h - pair models over two-valued coordinates, sparse and local.
 *
 *     U(x) = 1/2 sum_ij J_ij s_i s_j + sum_i h_i s_i + offset
 * with s = x (Ising over spins, QUBO over 0/1), or s = 2x - 1 over 0/1
 * coordinates, so that step sizes are those of 0/1.  U is linear in each
 * coordinate and the rows are exact. */
#ifndef HS_MODEL_PAIR_ISING_SPARSE_H
#define HS_MODEL_PAIR_ISING_SPARSE_H

#include <stdbool.h>

#include <hiss/kind.h>
#include <hiss/status.h>

#include "lanes/shapes.h"
#include "model/model.h"

typedef struct hs_ising {
    hiss_kind kind; /* HISS_SPIN or HISS_BINARY */
    bool has_spins; /* s = +-1 for any coordinates */
    double offset;
    /* NULL, or borrowed, [dim], for spins only.  Adds J_ii s_i^2 / 2 to U,
     * which is a constant, and J_ii s_i to its gradient, which is then not
     * exact. */
    const float *diagonal;
} hs_ising;

/* Takes ownership of the couplings (j is empty afterwards, also on failure). */
hiss_status hs_ising_create(hs_model **out, const hs_ising *options,
                            hs_sparse *j, hiss_error *err);

#endif
