/* gibbs_grid.cu - Gibbs sweeps with a bit per chain in the card's memory.
 *
 * For models that do not fit into shared memory, and for few chains: the visits
 * of a stage (bits.h) are shared out over all warps of the card, and a stage is
 * a launch, so that the next one sees what it wrote. */
#include "cuda/gibbs/bit_visits.h"

#define THREADS 256

/* The warp of the whole card, and how many there are. */
HS_ON_CARD int64_t warp_number(void)
{
    return (int64_t)blockIdx.x * (blockDim.x / HS_WARP) + threadIdx.x / HS_WARP;
}

HS_ON_CARD hs_bit_view view_of(const hs_card_group *g, const hs_card_bits *b,
                               int64_t chunk, int words)
{
    hs_bit_view a;

    a.g = g;
    a.b = b;
    a.first = chunk * words;
    a.word = b->all + a.first;
    a.stride = b->stride;
    a.unit = b->stride * (int)sizeof *b->all;
    a.visit = NULL;
    a.pair = NULL;
    a.is_summed = 0;
    a.clock = 0;
    a.ranks = 1;
    a.shared = NULL;
    a.bytes = 0;
    a.is_early = 0;
    return a;
}

/* Warp n has the words of chunk n % chunks, and every so manieth eight. */
HS_ON_CARD void stage_of(const hs_card_group *g, const hs_card_bits *b,
                         const hs_card_steps *s, int first, int last,
                         int64_t warps, int words, int kind)
{
    int64_t chunks = b->stride / words;
    hs_bit_view a = view_of(g, b, warp_number() % chunks, words);
    int64_t apart = warps / chunks;
    hs_bit_counts changed;

    if (warp_number() >= apart * chunks)
        return;
    a.is_summed = s->is_summed;
    a.clock = s->clock;
    hs_bit_begin(words, changed);
    for (int64_t eight = first / 8 + warp_number() / chunks; 8 * eight < last;
         eight += apart) {
        hs_bit_look(&a, (int)eight);
        hs_bit_eight(&a, words, kind, (int)eight, first, last, changed);
    }
    hs_bit_end(&a, words, changed);
}

#define KERNEL(words, kind)                                                    \
  HS_KERNEL void grid_##words##_##kind(hs_card_group g, hs_card_bits b,        \
                                       hs_card_steps s, int first, int last,   \
                                       int64_t warps)                          \
  {                                                                            \
    stage_of(&g, &b, &s, first, last, warps, words, kind);                     \
  }
#define TRY(number, kind)                                                      \
  if (b->words == (number) && hs_bit_kind(&g->model) == (kind))                \
    HS_LAUNCH_WARPS(grid_##number##_##kind, warps, THREADS, *g, *b, *s, first, \
                    last, warps);
#define EACH(MAKE)                                                             \
  MAKE(1, HS_BIT_PLAIN)                                                        \
  MAKE(1, HS_BIT_SPIN)                                                         \
  MAKE(1, HS_BIT_UNIFORM)                                                      \
  MAKE(2, HS_BIT_PLAIN)                                                        \
  MAKE(2, HS_BIT_SPIN)                                                         \
  MAKE(2, HS_BIT_UNIFORM)                                                      \
  MAKE(4, HS_BIT_PLAIN)                                                        \
  MAKE(4, HS_BIT_SPIN)                                                         \
  MAKE(4, HS_BIT_UNIFORM)

EACH(KERNEL)

static void launch_stage(const hs_card_group *g, const hs_card_bits *b,
                         const hs_card_steps *s, int first, int last)
{
    int64_t chunks = b->stride / b->words;
    int64_t eights = (last + 7) / 8 - first / 8;
    int64_t warps = eights * chunks;

    if (warps > b->warps_most)
        warps = b->warps_most / chunks * chunks;
    if (warps < chunks)
        warps = chunks;
    EACH(TRY)
}

void hs_card_gibbs_grid(const hs_card_group *g, const hs_card_bits *b,
                        const hs_card_steps *s, const int *stage)
{
    hs_card_steps one = *s;

    for (int64_t n = 1; n <= s->count; n++) {
        one.clock = s->clock + (uint64_t)n;
        for (int k = 0; k < b->stages; k++)
            launch_stage(g, b, &one, stage[k], stage[k + 1]);
    }
}
