/* philox.h - Philox4x32-10 for the counters of several lanes at once.
 *
 * Random123 has the scalar generator (base/rng.c, the reference); this is the
 * same arithmetic on lanes. */
#ifndef HS_LANES_PHILOX_H
#define HS_LANES_PHILOX_H

#include "base/rng.h"
#include "lanes/multiply.h"
#include "lanes/vec.h"

/* What stays the same for all coordinates of one purpose at one clock, for
 * the lanes from l on. */
typedef struct philox_at {
    uint32_t key[2];
    vu clock, chain, tag;
} philox_at;

HS_INLINE philox_at philox_begin(const hs_rng *rng, hs_purpose purpose, int l)
{
    philox_at at = {.key = {(uint32_t)rng->seed, (uint32_t)(rng->seed >> 32)}};

    memcpy(&at.chain, rng->chain + l, sizeof at.chain);
    memcpy(&at.tag, rng->replica + l, sizeof at.tag);
    at.tag =
        at.tag << 16 | ((uint32_t)purpose << 26 | (uint32_t)(rng->clock >> 32));
    at.clock = (uint32_t)rng->clock - (vu){0};
    return at;
}

HS_INLINE void philox_four(const philox_at *at, uint32_t block, vu out[4])
{
    uint32_t k0 = at->key[0], k1 = at->key[1];
    vu c0 = block - (vu){0}, c1 = at->clock, c2 = at->chain, c3 = at->tag;

    for (int round = 0; round < 10; round++) {
        vu high0, low0, high1, low1;

        vu_multiply(0xD2511F53u, c0, &high0, &low0);
        vu_multiply(0xCD9E8D57u, c2, &high1, &low1);
        c0 = high1 ^ c1 ^ k0;
        c1 = low1;
        c2 = high0 ^ c3 ^ k1;
        c3 = low0;
        k0 += 0x9E3779B9u;
        k1 += 0xBB67AE85u;
    }
    out[0] = c0;
    out[1] = c1;
    out[2] = c2;
    out[3] = c3;
}

/* Rows of words in any order that is mostly ascending: one block is kept. */
typedef struct philox_rows {
    philox_at at;
    uint32_t block;
    int filled;
    vu four[4];
} philox_rows;

HS_INLINE vu philox_row(philox_rows *r, uint32_t i)
{
    if (!r->filled || r->block != i / 4) {
        r->block = i / 4;
        r->filled = 1;
        philox_four(&r->at, r->block, r->four);
    }
    return r->four[i % 4];
}

#endif
