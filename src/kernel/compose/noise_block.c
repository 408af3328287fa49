/* noise_block.c - which coordinates a sweep of hiss noises. */
#include "kernel/compose/noise_block.h"

#include <string.h>

#include "base/alloc.h"
#include "base/error.h"

hiss_status hs_blocks_init(hs_blocks *b, int dim, hiss_error *err)
{
    *b = (hs_blocks){.dim = dim};
    b->chosen = hs_alloc_array((size_t)dim, 1);
    b->deck = hs_alloc_array((size_t)dim, sizeof *b->deck);
    b->rank = hs_alloc_array((size_t)dim, sizeof *b->rank);
    for (int i = 0; b->deck && i < dim; i++)
        b->deck[i] = i;
    return b->chosen && b->deck && b->rank ? HISS_OK : hs_fail_memory(err);
}

void hs_blocks_clear(hs_blocks *b)
{
    hs_free(b->chosen);
    hs_free(b->deck);
    hs_free(b->rank);
    *b = (hs_blocks){0};
}

void hs_blocks_choose(hs_blocks *b, const hs_rng *rng, int block)
{
    memset(b->chosen, 0, (size_t)b->dim);
    for (int j = b->dim - block; j < b->dim; j++) {
        uint32_t word = hs_rng_shared(rng, HS_DRAW_BLOCK, (uint32_t)j);
        int pick = hs_below(word, j + 1);

        b->chosen[b->chosen[pick] ? j : pick] = 1;
    }
}

void hs_blocks_rank(hs_blocks *b, const hs_rng *rng)
{
    int known = b->dim < HS_BLOCKS_RANKED ? b->dim : HS_BLOCKS_RANKED;
    int pick[HS_BLOCKS_RANKED];

    for (int i = 0; i < b->dim; i++)
        b->rank[i] = known;
    for (int j = 0; j < known; j++) {
        uint32_t word = hs_rng_shared(rng, HS_DRAW_BLOCK, (uint32_t)j);
        int taken;

        pick[j] = j + hs_below(word, b->dim - j);
        taken = b->deck[pick[j]];
        b->deck[pick[j]] = b->deck[j];
        b->deck[j] = taken;
        b->rank[taken] = j;
    }
    for (int j = known - 1; j >= 0; j--) { /* undo the shuffle */
        int taken = b->deck[j];

        b->deck[j] = b->deck[pick[j]];
        b->deck[pick[j]] = taken;
    }
}

void hs_blocks_differ(int dim, const int16_t (*x)[HS_LANES],
                      const int16_t (*y)[HS_LANES], float *out)
{
    for (int l = 0; l < HS_LANES; l++)
        out[l] = 0.0f;
    for (int i = 0; i < dim; i++)
        for (int l = 0; l < HS_LANES; l++)
            out[l] += x[i][l] != y[i][l];
}
