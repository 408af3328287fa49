/* gibbs_block.cu - Gibbs sweeps of one sampler alone (block_sweeps.h). */
#include "cuda/gibbs/block_sweeps.h"

HS_ON_CARD void sweeps(const hs_card_group *g, const hs_card_bits *b,
                       const hs_card_steps *s, size_t bytes, uint32_t *shared,
                       int words, int is_bytes, int kind)
{
    hs_block_member all[HS_TEAM_PART];

    HS_EACH_RANK(rank, b->ranks)
    {
        hs_block_begin(&all[HS_TEAM_INDEX(rank)], g, b, s, shared, words,
                       is_bytes, bytes, rank);
        hs_block_part(&all[HS_TEAM_INDEX(rank)]);
    }
    for (int64_t n = 1; n <= s->count; n++)
        for (int k = 0; k < b->stages; k++) {
            HS_EACH_RANK(rank, b->ranks)
            {
                all[HS_TEAM_INDEX(rank)].view.clock = s->clock + (uint64_t)n;
                hs_block_stage(&all[HS_TEAM_INDEX(rank)], k, words, is_bytes,
                               kind);
                hs_block_part(&all[HS_TEAM_INDEX(rank)]);
            }
        }
    HS_EACH_RANK(rank, b->ranks)
    {
        hs_block_end(&all[HS_TEAM_INDEX(rank)], words, is_bytes);
    }
}

/* form: 0 words, 1 bytes */
#define NAME(words, form, kind) block_##words##_##form##_##kind
#define KERNEL(words, form, kind)                                              \
  HS_KERNEL HS_BOUNDS(HS_BLOCK_THREADS(words)) void NAME(words, form, kind)(   \
      hs_card_group g, hs_card_bits b, hs_card_steps s, size_t bytes)          \
  {                                                                            \
    HS_SHARED(word);                                                           \
    sweeps(&g, &b, &s, bytes, word, words, form, kind);                        \
  }
#define IS(number, form, kind)                                                 \
  (b->words == (number) && b->is_bytes == (form) && hs_bit_kind(m) == (kind))
#define TRY(number, form, kind)                                                \
  if (IS(number, form, kind) && b->ranks == 1)                                 \
    HS_LAUNCH_BLOCKS(NAME(number, form, kind), teams, b->threads, bytes, *g,   \
                     *b, *s, bytes);                                           \
  else if (IS(number, form, kind))                                             \
    HS_LAUNCH_TEAMS(NAME(number, form, kind), teams, b->ranks, b->threads,     \
                    bytes, *g, *b, *s, bytes);
#define ASK(number, form, kind)                                                \
  if (IS(number, form, kind))                                                  \
    return hs_teams_at_once((const void *)NAME(number, form, kind), b->ranks,  \
                            b->threads, hs_card_bits_bytes(b, m->dim));
#define EACH_KIND(MAKE, words, form)                                           \
  MAKE(words, form, HS_BIT_PLAIN)                                              \
  MAKE(words, form, HS_BIT_SPIN)                                               \
  MAKE(words, form, HS_BIT_UNIFORM)
#define EACH(MAKE)                                                             \
  EACH_KIND(MAKE, 1, 0)                                                        \
  EACH_KIND(MAKE, 2, 0)                                                        \
  EACH_KIND(MAKE, 4, 0)                                                        \
  EACH_KIND(MAKE, 4, 1)                                                        \
  EACH_KIND(MAKE, 8, 1)

EACH(KERNEL)

int hs_card_block_at_once(const hs_card_bits *b, const hs_device_model *m)
{
    EACH(ASK)
    return 0;
}

void hs_card_gibbs_block(const hs_card_group *g, const hs_card_bits *b,
                         const hs_card_steps *s)
{
    const hs_device_model *m = &g->model;
    int64_t each = (int64_t)HS_WARP * b->words;
    int64_t teams = (hs_card_lanes(g) + each - 1) / each;
    size_t bytes = hs_card_bits_bytes(b, m->dim);

    EACH(TRY)
}
