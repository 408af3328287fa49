/* gibbs_block.cu - Gibbs sweeps with a bit per chain in shared memory.
 *
 * A block has the chains of a few words with all their sites.  Its warps share
 * out the visits of a stage (bits.h), eight at a time, and wait for each other
 * at its end; many sweeps are made before the states go back. */
#include "cuda/gibbs/bit_visits.h"

HS_ON_CARD void sweeps(const hs_card_group *g, const hs_card_bits *b,
                       const hs_card_steps *s, uint32_t *word, int words,
                       int kind)
{
    int warp = (int)(threadIdx.x / HS_WARP);
    int warps = (int)(blockDim.x / HS_WARP);
    hs_bit_counts changed;
    hs_bit_view a;

    a.g = g;
    a.b = b;
    a.word = word;
    a.stride = words;
    a.first = (int64_t)blockIdx.x * words;
    a.is_summed = s->is_summed;
    hs_bit_begin(words, changed);
    hs_bit_copy(&a, words, 0);
    HS_SYNC();
    for (int64_t n = 1; n <= s->count; n++) {
        a.clock = s->clock + (uint64_t)n;
        for (int k = 0; k < b->stages; k++) {
            int first = b->stage[k], last = b->stage[k + 1];

            for (int eight = first / 8 + warp; 8 * eight < last; eight += warps)
                hs_bit_eight(&a, words, kind, eight, first, last, changed);
            HS_SYNC();
        }
    }
    hs_bit_copy(&a, words, 1);
    hs_bit_end(&a, words, changed);
}

#define KERNEL(words, kind, threads)                                           \
  HS_KERNEL HS_BOUNDS(threads) void block_##words##_##kind(                    \
      hs_card_group g, hs_card_bits b, hs_card_steps s)                        \
  {                                                                            \
    HS_SHARED(word);                                                           \
    sweeps(&g, &b, &s, word, words, kind);                                     \
  }
#define TRY(number, kind, threads)                                             \
  if (b->words == (number) && hs_bit_kind(&g->model) == (kind))                \
    HS_LAUNCH_BLOCKS(block_##number##_##kind, blocks, threads, bytes, *g, *b,  \
                     *s);
#define EACH(MAKE)                                                             \
  MAKE(1, HS_BIT_PLAIN, 1024)                                                  \
  MAKE(1, HS_BIT_SPIN, 1024)                                                   \
  MAKE(1, HS_BIT_UNIFORM, 1024)                                                \
  MAKE(2, HS_BIT_PLAIN, 1024)                                                  \
  MAKE(2, HS_BIT_SPIN, 1024)                                                   \
  MAKE(2, HS_BIT_UNIFORM, 1024)                                                \
  MAKE(4, HS_BIT_PLAIN, 768)                                                   \
  MAKE(4, HS_BIT_SPIN, 768)                                                    \
  MAKE(4, HS_BIT_UNIFORM, 768)                                                 \
  MAKE(8, HS_BIT_PLAIN, 512)                                                   \
  MAKE(8, HS_BIT_SPIN, 512)                                                    \
  MAKE(8, HS_BIT_UNIFORM, 512)

EACH(KERNEL)

void hs_card_gibbs_block(const hs_card_group *g, const hs_card_bits *b,
                         const hs_card_steps *s)
{
    int64_t each = (int64_t)HS_WARP * b->words;
    int64_t blocks = (hs_card_lanes(g) + each - 1) / each;
    size_t bytes = (size_t)g->model.dim * (size_t)b->words * sizeof(uint32_t);

    EACH(TRY)
}
