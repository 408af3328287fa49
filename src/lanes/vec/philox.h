/* philox.h - Philox4x32-10 for the counters of several lanes at once.
 *
 * It is the generator of Random123.  base/random/rng.c is the scalar reference;
 * this is the same arithmetic on lanes. */
#ifndef HS_LANES_VEC_PHILOX_H
#define HS_LANES_VEC_PHILOX_H

#include "base/random/rng.h"
#include "lanes/vec/multiply.h"
#include "lanes/vec/vec.h"

/* If one lane is in use, its next HS_WIDTH blocks are made at once, and the
 * others get its words too. */
typedef struct philox_ahead {
    uint32_t first; /* block */
    int filled;
    uint32_t word[4][HS_WIDTH];
} philox_ahead;

/* Constants of all coordinates of one purpose at one clock, for the lanes from
 * l on. */
typedef struct philox_at {
    uint32_t key[2];
    vu clock, chain, tag;
    philox_ahead *ahead; /* borrowed, or NULL */
} philox_at;

/* ahead: room for blocks made ahead, used as long as the result is; NULL if few
 * blocks are needed. */
HS_INLINE philox_at philox_begin(const hs_rng *rng, hs_purpose purpose, int l,
                                 philox_ahead *ahead)
{
    philox_at at = {.key = {(uint32_t)rng->seed, (uint32_t)(rng->seed >> 32)}};

    memcpy(&at.chain, rng->chain + l, sizeof at.chain);
    memcpy(&at.tag, rng->replica + l, sizeof at.tag);
    at.tag =
        at.tag << 16 | ((uint32_t)purpose << 26 | (uint32_t)(rng->clock >> 32));
    at.clock = (uint32_t)rng->clock - (vu){0};
    if (ahead && rng->lanes == 1) {
        at.ahead = ahead;
        ahead->filled = 0;
    }
    return at;
}

/* Even and odd lanes apart, each in the low half of a 64-bit lane.  A 32 x 32
 * -> 64 bit multiply reads them there, and the high word of the product is one
 * shift away.  The high halves are never read. */
typedef struct philox_half {
    vq c[4];
} philox_half;

HS_INLINE philox_half philox_start(const philox_at *at, vu block, int odd)
{
    int shift = odd ? 32 : 0;

    return (philox_half){{(vq)block >> shift, (vq)at->clock >> shift,
                          (vq)at->chain >> shift, (vq)at->tag >> shift}};
}

/* Makes ten rounds.  A round waits for the one before, so several halves take
 * their rounds side by side. */
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

/* half[0] has the even and half[1] the odd lanes. */
HS_INLINE void philox_join(const philox_half *half, vu out[4])
{
    for (int w = 0; w < 4; w++)
        out[w] = (vu)((half[0].c[w] & 0xffffffffu) | (half[1].c[w] << 32));
}

/* Computes the block of each lane. */
HS_INLINE void philox_blocks(const philox_at *at, vu block, vu out[4])
{
    philox_half half[2] = {philox_start(at, block, 0),
                           philox_start(at, block, 1)};

    philox_rounds(at, half, 2);
    philox_join(half, out);
}

static __attribute__((noinline, unused)) void philox_fill(const philox_at *at,
                                                          uint32_t first)
{
    philox_at lane = *at;
    vu block, out[4];

    lane.chain = at->chain[0] - (vu){0};
    lane.tag = at->tag[0] - (vu){0};
    for (int k = 0; k < HS_WIDTH; k++)
        block[k] = first + (uint32_t)k;
    philox_blocks(&lane, block, out);
    memcpy(at->ahead->word, out, sizeof at->ahead->word);
    at->ahead->first = first;
    at->ahead->filled = 1;
}

/* Computes a block of the one lane in use. */
HS_INLINE void philox_one(const philox_at *at, uint32_t block, vu out[4])
{
    const philox_ahead *a = at->ahead;

    if (!a->filled || block - a->first >= HS_WIDTH)
        philox_fill(at, block);
    for (int w = 0; w < 4; w++)
        out[w] = a->word[w][block - a->first] - (vu){0};
}

HS_INLINE void philox_four(const philox_at *at, uint32_t block, vu out[4])
{
    if (__builtin_expect(at->ahead != NULL, 0))
        philox_one(at, block, out);
    else
        philox_blocks(at, block - (vu){0}, out);
}

/* Computes blocks a and b, whose counters may differ; the key is the same. */
HS_INLINE void philox_twice(const philox_at *at_a, uint32_t a, vu out_a[4],
                            const philox_at *at_b, uint32_t b, vu out_b[4])
{
    if (__builtin_expect(at_a->ahead != NULL, 0)) {
        philox_one(at_a, a, out_a);
        philox_one(at_b, b, out_b);
    } else {
        vu block_a = a - (vu){0}, block_b = b - (vu){0};
        philox_half half[4] = {
            philox_start(at_a, block_a, 0), philox_start(at_a, block_a, 1),
            philox_start(at_b, block_b, 0), philox_start(at_b, block_b, 1)};

        philox_rounds(at_a, half, 4);
        philox_join(half, out_a);
        philox_join(half + 2, out_b);
    }
}

/* Computes blocks a and a + 1 at one place and b at another. */
HS_INLINE void philox_thrice(const philox_at *at_a, uint32_t a, vu out_a[8],
                             const philox_at *at_b, uint32_t b, vu out_b[4])
{
    if (__builtin_expect(at_a->ahead != NULL, 0)) {
        philox_one(at_a, a, out_a);
        philox_one(at_a, a + 1, out_a + 4);
        philox_one(at_b, b, out_b);
    } else {
        vu first = a - (vu){0}, second = first + 1, other = b - (vu){0};
        philox_half half[6] = {
            philox_start(at_a, first, 0),  philox_start(at_a, first, 1),
            philox_start(at_a, second, 0), philox_start(at_a, second, 1),
            philox_start(at_b, other, 0),  philox_start(at_b, other, 1)};

        philox_rounds(at_a, half, 6);
        philox_join(half, out_a);
        philox_join(half + 2, out_a + 4);
        philox_join(half + 4, out_b);
    }
}

/* Rows of words in any order that is mostly ascending; one block is cached. */
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
