/* words.h - the random words of one chain in the order of positions, for sweeps
 * in which the lanes of a vector are visits of that chain. */
#ifndef HS_LANES_GIBBS_WORDS_H
#define HS_LANES_GIBBS_WORDS_H

#include "lanes/vec/philox.h"

#define BLOCKS 256 /* blocks made at once */

typedef struct word_store {
    hs_rng rng; /* the chain in every lane */
    philox_at at;
    uint32_t end;   /* blocks of a step, or more */
    uint32_t block; /* the first that is made */
    uint32_t word[BLOCKS + HS_WIDTH][4];
} word_store;

/* Of a lane of rng, for steps of so many blocks; words_begin says at which
 * clock, and for what. */
HS_INLINE void words_of_lane(word_store *s, const hs_rng *rng, int lane,
                             int blocks)
{
    s->rng = *rng;
    s->end = (uint32_t)blocks;
    for (int l = 0; l < HS_LANES; l++) {
        s->rng.chain[l] = rng->chain[lane];
        s->rng.replica[l] = rng->replica[lane];
    }
}

HS_INLINE void words_begin(word_store *s, hs_purpose purpose, uint64_t clock)
{
    s->rng.clock = clock;
    s->at = philox_begin(&s->rng, purpose, 0, NULL);
    s->block = UINT32_MAX;
}

/* Makes HS_WIDTH blocks. */
HS_INLINE void words_make(const philox_at *at, uint32_t first,
                          uint32_t (*to)[4])
{
    uint32_t made[4][HS_WIDTH];
    vu block, out[4];

    for (int k = 0; k < HS_WIDTH; k++)
        block[k] = first + (uint32_t)k;
    philox_blocks(at, block, out);
    memcpy(made, out, sizeof made);
#if defined(__SSE2__)
    for (int k = 0; k < HS_WIDTH; k += 4) {
        __m128i a = _mm_loadu_si128((const __m128i *)(const void *)&made[0][k]);
        __m128i b = _mm_loadu_si128((const __m128i *)(const void *)&made[1][k]);
        __m128i c = _mm_loadu_si128((const __m128i *)(const void *)&made[2][k]);
        __m128i d = _mm_loadu_si128((const __m128i *)(const void *)&made[3][k]);
        __m128i ab = _mm_unpacklo_epi32(a, b), cd = _mm_unpacklo_epi32(c, d);
        __m128i *row = (__m128i *)(void *)to[k];

        _mm_storeu_si128(row, _mm_unpacklo_epi64(ab, cd));
        _mm_storeu_si128(row + 1, _mm_unpackhi_epi64(ab, cd));
        ab = _mm_unpackhi_epi32(a, b);
        cd = _mm_unpackhi_epi32(c, d);
        _mm_storeu_si128(row + 2, _mm_unpacklo_epi64(ab, cd));
        _mm_storeu_si128(row + 3, _mm_unpackhi_epi64(ab, cd));
    }
#else
    for (int k = 0; k < HS_WIDTH; k++)
        for (int w = 0; w < 4; w++)
            to[k][w] = made[w][k];
#endif
}

/* Blocks `block` to block + count - 1, one after the other; count is at most
 * BLOCKS.  Those past the end of a step are any. */
static inline const uint32_t *words_at_block(word_store *s, uint32_t block,
                                             uint32_t count)
{
    if (block < s->block || block + count > s->block + BLOCKS) {
        for (uint32_t k = 0; k < BLOCKS && block + k < s->end; k += HS_WIDTH)
            words_make(&s->at, block + k, s->word + k);
        s->block = block;
    }
    return s->word[block - s->block];
}

#endif
