/* noise_block.h - which coordinates a sweep of hiss noises, one choice for all
 * chains. */
#ifndef HS_KERNEL_COMPOSE_NOISE_BLOCK_H
#define HS_KERNEL_COMPOSE_NOISE_BLOCK_H

#include <stdint.h>

#include <hiss/status.h>

#include "base/random/rng.h"

#define HS_BLOCKS_RANKED 16 /* coordinates of an order that are distinguished */

typedef struct hs_blocks {
    int dim;
    uint8_t *chosen; /* owned, [dim] */
    int *deck;       /* owned, [dim]: 0, 1, ... between calls */
    int *rank;       /* owned, [dim] */
} hs_blocks;

/* On failure clear is still due. */
hiss_status hs_blocks_init(hs_blocks *b, int dim, hiss_error *err);
void hs_blocks_clear(hs_blocks *b);

/* A uniformly random set B of `block` coordinates (Floyd) to b->chosen.  The
 * law is kept for every B: noise and denoise of the coordinates in B alone
 * cancel in the ratio as they do for all, and what is refined is p(x | a_B),
 * flat in a outside B.  On tours B is a set of cities (keys.h). */
void hs_blocks_choose(hs_blocks *b, const hs_rng *rng, int block);

/* A uniformly random order of the coordinates to b->rank, as far as the blocks
 * that are tried need it: the others share the rank that follows.  A lane's
 * block is the first so many of the order: a set as above, and its number is
 * the lane's own, frozen, so the law is kept for every order. */
void hs_blocks_rank(hs_blocks *b, const hs_rng *rng);

/* Coordinates in which two states of every lane differ. */
void hs_blocks_differ(int dim, const int16_t (*x)[HS_LANES],
                      const int16_t (*y)[HS_LANES], float *out);

#endif
