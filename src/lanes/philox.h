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
typedef struct philox_half {
    vq c[4];
} philox_half;

HS_INLINE philox_half philox_start(const philox_at *at, uint32_t block, int odd)
{
    int shift = odd ? 32 : 0;

    return (philox_half){{(vq)(block - (vu){0}) >> shift,
                          (vq)at->clock >> shift, (vq)at->chain >> shift,
                          (vq)at->tag >> shift}};
}

/* Ten rounds.  A round waits for the one before, so several halves take their
 * rounds side by side. */
HS_INLINE void philox_rounds(const philox_at *at, philox_half *half, int halves)
{
    uint32_t k0 = at->key[0], k1 = at->key[1];

    for (int round = 0; round < 10; round++) {
        for (int h = 0; h < halves; h++) {
            vq *c = half[h].c;
            vq p0 = vq_multiply_low(c[0], 0xD2511F53u);
            vq p1 = vq_multiply_low(c[2], 0xCD9E8D57u);

            c[0] = (p1 >> 32) ^ c[1] ^ (uint64_t)k0;
            c[1] = p1;
            c[2] = (p0 >> 32) ^ c[3] ^ (uint64_t)k1;
            c[3] = p0;
        }
        k0 += 0x9E3779B9u;
        k1 += 0xBB67AE85u;
    }
}

/* half[0], half[1]: even and odd lanes. */
HS_INLINE void philox_join(const philox_half *half, vu out[4])
{
    for (int w = 0; w < 4; w++)
        out[w] = (vu)((half[0].c[w] & 0xffffffffu) | (half[1].c[w] << 32));
}

HS_INLINE void philox_four(const philox_at *at, uint32_t block, vu out[4])
{
    philox_half half[2] = {philox_start(at, block, 0),
                           philox_start(at, block, 1)};

    philox_rounds(at, half, 2);
    philox_join(half, out);
}

/* Blocks a and b, whose counters may differ in all but the key. */
HS_INLINE void philox_twice(const philox_at *at_a, uint32_t a, vu out_a[4],
                            const philox_at *at_b, uint32_t b, vu out_b[4])
{
    philox_half half[4] = {philox_start(at_a, a, 0), philox_start(at_a, a, 1),
                           philox_start(at_b, b, 0), philox_start(at_b, b, 1)};

    philox_rounds(at_a, half, 4);
    philox_join(half, out_a);
    philox_join(half + 2, out_b);
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
