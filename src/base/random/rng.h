/* rng.h - every random number has an address; nothing is ever "next".
 *
 * Philox4x32-10 (Random123).  Key: the 64-bit seed.  Counter:
 *     word 0   block: coordinate / 4 (four 32-bit numbers per counter)
 *     word 1   clock, low 32 bits
 *     word 2   chain
 *     word 3   purpose (6 bits) | replica (10 bits) | clock, bits 32..47
 * The clock counts elementary transitions of a chain and is the same for all
 * chains in step.  So a draw depends on (seed, chain, replica, clock, purpose,
 * coordinate) and on nothing else: not on threads, tiles or other chains.
 *
 * Choices that all chains of a step share (a site, a block, a component) have
 * the reserved chain HS_SHARED_CHAIN and replica 0.  A shared choice must keep
 * the law for each of its values, not on average over them, or chains would
 * depend on each other; where one is made, a comment says why it does.
 *
 * This layout is part of the golden draws: changing it changes every result. */
#ifndef HS_BASE_RANDOM_RNG_H
#define HS_BASE_RANDOM_RNG_H

#include <stdint.h>

#include "base/lane.h"

#define HS_SHARED_CHAIN 0xffffffffu
#define HS_PILOT_CHAIN  0x80000000u /* first of the reserved pilot chains */
#define HS_REPLICAS_MAX 1024
#define HS_CLOCK_MAX    (UINT64_C(1) << 48)

typedef enum hs_purpose {
    HS_DRAW_INIT = 0,
    HS_DRAW_NOISE = 1,
    HS_DRAW_DENOISE = 2,
    HS_DRAW_PROPOSE = 3,
    HS_DRAW_ACCEPT = 4,
    HS_DRAW_SITE = 5,
    HS_DRAW_BLOCK = 6,
    HS_DRAW_COMPONENT = 7,
    HS_DRAW_SWAP = 8,
    HS_DRAW_EXACT = 9,    /* exact draws of the ground truth */
    HS_DRAW_PROBE = 10,   /* tuning */
    HS_DRAW_BOND = 11,    /* of clusters */
    HS_DRAW_TIE = 12,     /* more bits if too few cannot decide: a coin of
                             sixteen bits, or a choice of many values (block:
                             the coordinate, or the position in the step) */
    HS_DRAW_SCALE = 13,   /* for steps to distant values */
    HS_DRAW_SCATTER = 14, /* starting states of a search for modes */
    HS_DRAW_STRAND = 15,  /* chooses the replica that is drawn from */
    HS_DRAW_PACKED = 16,  /* bits of sixteen chains (lanes/gibbs/packed.c); the
                             address names the first, and replica says which
                             four bits */
} hs_purpose;

/* The address of a draw: chain and replica of each lane, and the time. */
typedef struct hs_rng {
    uint64_t seed;
    uint64_t clock;
    uint32_t chain[HS_LANES];
    uint32_t replica[HS_LANES];
    int lanes; /* lanes in use, 0 if unknown; if 1, the other lanes may get any
                  numbers */
} hs_rng;

/* Returns the four 32-bit numbers of one address. */
void hs_rng_block(uint64_t seed, uint32_t chain, uint32_t replica,
                  uint64_t clock, hs_purpose purpose, uint32_t block,
                  uint32_t out[4]);

/* Returns the number of coordinate i: word i % 4 of block i / 4. */
uint32_t hs_rng_word(uint64_t seed, uint32_t chain, uint32_t replica,
                     uint64_t clock, hs_purpose purpose, uint32_t i);

/* Returns a number that all chains of this step share. */
uint32_t hs_rng_shared(const hs_rng *rng, hs_purpose purpose, uint32_t i);

/* (k + 1/2) / 2^32, inside (0, 1). */
static inline double hs_uniform(uint32_t k)
{
    return ((double)k + 0.5) * 0x1p-32;
}

/* The same from two words: (k + 1/2) / 2^52, at most 1 - 2^-53. */
static inline double hs_uniform_long(uint32_t high, uint32_t low)
{
    return ((double)((uint64_t)high << 20 | low >> 12) + 0.5) * 0x1p-52;
}

/* Uses all 64 bits, with the relative precision of a double down to 2^-65. */
static inline double hs_uniform_tiny(uint32_t high, uint32_t low)
{
    return ((double)high + ((double)low + 0.5) * 0x1p-32) * 0x1p-32;
}

/* 0 .. n-1; the bias of the multiplication is below n / 2^32. */
static inline int hs_below(uint32_t k, int n)
{
    return (int)(((uint64_t)k * (uint32_t)n) >> 32);
}

#endif
