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

/* Even and odd lanes apart, each in the low half of a 64-bit lane: that is
 * where a 32 x 32 -> 64 bit multiply looks, and it leaves the high word of the
 * product one shift away.  What gathers in the high halves is never read. */
HS_INLINE void philox_half(const philox_at *at, uint32_t block, int odd,
                           vq out[4])
{
    uint32_t k0 = at->key[0], k1 = at->key[1];
    int shift = odd ? 32 : 0;
    vq c0 = (vq)(block - (vu){0}) >> shift, c1 = (vq)at->clock >> shift;
    vq c2 = (vq)at->chain >> shift, c3 = (vq)at->tag >> shift;

    for (int round = 0; round < 10; round++) {
        vq p0 = vq_multiply_low(c0, 0xD2511F53u);
        vq p1 = vq_multiply_low(c2, 0xCD9E8D57u);

        c0 = (p1 >> 32) ^ c1 ^ (uint64_t)k0;
        c1 = p1;
        c2 = (p0 >> 32) ^ c3 ^ (uint64_t)k1;
        c3 = p0;
        k0 += 0x9E3779B9u;
        k1 += 0xBB67AE85u;
    }
    out[0] = c0;
    out[1] = c1;
    out[2] = c2;
    out[3] = c3;
}

HS_INLINE void philox_four(const philox_at *at, uint32_t block, vu out[4])
{
    vq even[4], odd[4];

    philox_half(at, block, 0, even);
    philox_half(at, block, 1, odd);
    for (int w = 0; w < 4; w++)
        out[w] = (vu)((even[w] & 0xffffffffu) | (odd[w] << 32));
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
