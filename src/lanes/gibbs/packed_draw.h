/* packed_draw.h - the random words of gibbs(packed=yes).
 *
 * This is Philox4x32-10 as in philox.h.  In the first rounds all lanes, or all
 * blocks of a pair, share much of the work.  With the chain c, the clock t and
 * the keys k of a round:
 *   1: pair M0; c M1
 *   2: x M0 with x = high(c M1) ^ t ^ k; y M1
 *   3: z M0; (low(pair M0) ^ high(x M0) ^ k) M1
 * The last round also merges even and odd lanes. */
#ifndef HS_LANES_GIBBS_PACKED_DRAW_H
#define HS_LANES_GIBBS_PACKED_DRAW_H

#include "lanes/gibbs/packed_bits.h"
#include "lanes/vec/philox.h"

#define DRAWN  3 /* most blocks at once */
#define ROUNDS 10

#define M0 0xD2511F53u
#define M1 0xCD9E8D57u
#define W0 0x9E3779B9u
#define W1 0xBB67AE85u

typedef struct source {
    uint32_t tag, first, mix[3];
    uint32_t key[ROUNDS][2];
} source;

static source source_of(const hs_rng *rng, uint64_t clock)
{
    uint32_t k0 = (uint32_t)rng->seed, k1 = (uint32_t)(rng->seed >> 32);
    uint64_t p1 = (uint64_t)rng->chain[0] * M1;
    uint64_t p0 = (uint64_t)((uint32_t)(p1 >> 32) ^ (uint32_t)clock ^ k0) * M0;
    source s = {.tag = (uint32_t)HS_DRAW_PACKED << 26 | (uint32_t)(clock >> 32),
                .first = k1};

    s.mix[0] = (uint32_t)p1 ^ (k0 + W0);
    s.mix[1] = (uint32_t)(p0 >> 32) ^ (k1 + W1);
    s.mix[2] = (uint32_t)p0 ^ (k1 + 2 * W1);
    for (uint32_t r = 0; r < ROUNDS; r++) {
        s.key[r][0] = k0 + r * W0;
        s.key[r][1] = k1 + r * W1;
    }
    return s;
}

/* Interleaves the low halves of 64-bit lanes, or the high ones. */
#if defined(__AVX512F__)
#  define JOIN(into, lanes, from, halves)                                      \
    (vu) _mm512_mask_shuffle_epi32((__m512i)(into), lanes, (__m512i)(from),    \
                                   (_MM_PERM_ENUM)(halves))
#  define JOIN_LOW(even, odd)  JOIN(even, 0xaaaa, odd, 0xa0)
#  define JOIN_HIGH(even, odd) JOIN(odd, 0x5555, even, 0xf5)
#else
#  define JOIN_LOW(even, odd) (vu)(((even)&0xffffffffu) | ((odd) << 32))
#  define JOIN_HIGH(even, odd)                                                 \
    (vu)(((even) >> 32) | ((odd)&0xffffffff00000000u))
#endif

/* Sets both halves of every 64-bit lane; high ones are never read. */
HS_INLINE vq in_all(uint32_t a)
{
    return (vq)(a - (vu){0});
}

HS_INLINE void one_round(const uint32_t *key, philox_half *half)
{
    vq *c = half->c;
    vq p0 = vq_multiply_low(c[0], M0), p1 = vq_multiply_low(c[2], M1);

    c[0] = (vq)PARITY((vu)(p1 >> 32), (vu)c[1], (vu)in_all(key[0]));
    c[1] = p1;
    c[2] = (vq)PARITY((vu)(p0 >> 32), (vu)c[3], (vu)in_all(key[1]));
    c[3] = p0;
}

/* half[0] has the even and half[1] the odd lanes. */
HS_INLINE void last_round(const uint32_t *key, const philox_half *half, vu *out)
{
    const vq *c = half[0].c, *d = half[1].c;
    vq p0 = vq_multiply_low(c[0], M0), q0 = vq_multiply_low(d[0], M0);
    vq p1 = vq_multiply_low(c[2], M1), q1 = vq_multiply_low(d[2], M1);

    out[0] = PARITY(JOIN_HIGH(p1, q1), JOIN_LOW(c[1], d[1]), key[0] - (vu){0});
    out[1] = JOIN_LOW(p1, q1);
    out[2] = PARITY(JOIN_HIGH(p0, q0), JOIN_LOW(c[3], d[3]), key[1] - (vu){0});
    out[3] = JOIN_LOW(p0, q0);
}

/* Draws blocks `first` to first + count - 1 of every pair of visits.  A round
 * waits for the one before, so all blocks take their rounds side by side. */
HS_INLINE void draw(const source *s, vu pair, int first, int count, vu *out)
{
    philox_half half[2 * DRAWN];

    for (int odd = 0; odd < 2; odd++) {
        vq p0 = vq_multiply_low((vq)pair >> (odd ? 32 : 0), M0);
        vq p1 = vq_multiply_low(p0 ^ in_all(s->mix[1]), M1);

        for (int r = 0; r < count; r++) {
            uint32_t tag = s->tag + ((uint32_t)(first + r) << 16);
            vq x = vq_multiply_low((p0 >> 32) ^ in_all(tag ^ s->first), M1);
            vq y = vq_multiply_low((x >> 32) ^ in_all(s->mix[0]), M0);

            half[2 * r + odd] = (philox_half){
                {(vq)PARITY((vu)(p1 >> 32), (vu)x, (vu)in_all(s->key[2][0])),
                 p1, (y >> 32) ^ in_all(s->mix[2]), y}};
        }
    }
    for (int round = 3; round < ROUNDS - 1; round++)
        for (int h = 0; h < 2 * count; h++)
            one_round(s->key[round], &half[h]);
    for (int r = 0; r < count; r++)
        last_round(s->key[ROUNDS - 1], half + 2 * r, out + 4 * r);
}

#endif
