/* gibbs_tempered.cu - parallel tempering over Gibbs sweeps, a block having all
 * levels of its chains: sweeps (block_sweeps.h), U (byte_terms.h) and exchanges
 * (exchange.h) of many steps, while the states stay in shared memory. */
#include "cuda/exchange.h"
#include "cuda/gibbs/block_sweeps.h"
#include "cuda/gibbs/byte_terms.h"

static size_t all_bytes(const hs_card_bits *b, const hs_device_model *m)
{
    return hs_card_bits_bytes(b, m->dim) + hs_terms_bytes(b, b->words);
}

/* Levels of all chains of the block, by the lanes of the coldest but one and
 * every second one, as parity says. */
HS_ON_CARD void exchange(const hs_block_member *a, const hs_card_exchange *e,
                         int words)
{
    const hs_device_ladder *l = &a->view.g->ladder;
    int64_t each = (int64_t)l->group_tiles * HS_LANES;

    for (int n = hs_block_warp() * HS_WARP; n < words * HS_WARP;
         n += hs_block_warps() * HS_WARP)
        HS_EACH_LANE(lane)
        {
            int64_t at = a->view.first * HS_WARP + n + hs_warp_lane(lane);
            int64_t in = at % each, chain = in / l->levels;
            int level = (int)(in % l->levels);

            if (chain >= l->group_chains)
                continue;
            chain += at / each * l->group_chains;
            if (chain >= l->chains)
                continue;
            if (level == 0 && e->parity)
                hs_card_exchange_pair(a->view.g, e, chain, -1);
            if ((level + e->parity) % 2 == 0)
                hs_card_exchange_pair(a->view.g, e, chain, level);
        }
}

HS_ON_CARD void sweep(hs_block_member *a, int words, int kind)
{
    for (int k = 0; k < a->view.b->stages; k++) {
        hs_block_stage(a, k, words, 1, kind);
        HS_SYNC();
    }
}

/* What follows step number `made` of all; its clock was the last. */
HS_ON_CARD void follow(hs_block_member *a, const hs_card_ladder_steps *t,
                       uint64_t made, uint32_t *room, int words, int kind)
{
    uint64_t every = (uint64_t)a->view.g->ladder.every;
    hs_card_exchange e = t->exchange;

    e.is_exchanged = made % every == 0;
    e.parity = (int)(made / every % 2);
    a->view.clock += (uint64_t)e.is_exchanged;
    e.clock = a->view.clock;
    if (!e.is_noted && !e.is_exchanged)
        return;
    /* counts go with their levels */
    hs_bit_end(&a->view, words, a->changed);
    hs_bit_begin(words, a->changed);
    hs_terms_energies(&a->view, room, words, kind);
    HS_SYNC();
    exchange(a, &e, words);
    HS_SYNC();
}

HS_ON_CARD void steps(const hs_card_group *g, const hs_card_bits *b,
                      const hs_card_ladder_steps *t, uint32_t *shared,
                      int words, int kind)
{
    uint32_t *room = shared + t->bytes / sizeof *shared;
    hs_block_member a;

    hs_block_begin(&a, g, b, &t->steps, shared, words, 1, t->bytes, 0);
    HS_SYNC();
    a.view.clock = t->steps.clock;
    for (int64_t n = 1; n <= t->steps.count; n++) {
        a.view.clock++;
        sweep(&a, words, kind);
        follow(&a, t, t->made + (uint64_t)n, room, words, kind);
    }
    hs_block_end(&a, words, 1);
}

#define KERNEL(words, kind)                                                    \
  HS_KERNEL HS_BOUNDS(HS_BLOCK_THREADS(words)) void steps_##words##_##kind(    \
      hs_card_group g, hs_card_bits b, hs_card_ladder_steps t)                 \
  {                                                                            \
    HS_SHARED(shared);                                                         \
    steps(&g, &b, &t, shared, words, kind);                                    \
  }
#define TRY(number, kind)                                                      \
  if (b->words == (number) && hs_bit_kind(m) == (kind))                        \
    HS_LAUNCH_BLOCKS(steps_##number##_##kind, blocks, b->threads,              \
                     all_bytes(b, m), *g, *b, all);
#define EACH_KIND(MAKE, words)                                                 \
  MAKE(words, HS_BIT_PLAIN)                                                    \
  MAKE(words, HS_BIT_SPIN)                                                     \
  MAKE(words, HS_BIT_UNIFORM)
#define EACH(MAKE)                                                             \
  EACH_KIND(MAKE, 4)                                                           \
  EACH_KIND(MAKE, 8)

EACH(KERNEL)

/* Whether no chain has levels in two blocks. */
static int are_apart(const hs_device_ladder *l, int64_t lanes)
{
    int64_t each = (int64_t)l->group_tiles * HS_LANES;

    for (int64_t n = 0; n < l->group_chains; n++)
        for (int64_t g = 0; g * l->group_chains < l->chains; g++) {
            int64_t first = g * each + n * l->levels;

            if (first / lanes != (first + l->levels - 1) / lanes)
                return 0;
        }
    return 1;
}

int hs_card_tempered_fits(const hs_card_bits *b, const hs_device_model *m,
                          const hs_device_ladder *l, size_t shared)
{
    return l->every > 0 && b->is_bytes && b->ranks == 1 && b->term_words &&
           b->threads / HS_WARP >= b->words && all_bytes(b, m) <= shared &&
           are_apart(l, (int64_t)b->words * HS_WARP);
}

void hs_card_gibbs_tempered(const hs_card_group *g, const hs_card_bits *b,
                            const hs_card_ladder_steps *t)
{
    const hs_device_model *m = &g->model;
    int64_t each = (int64_t)HS_WARP * b->words;
    int64_t blocks = (hs_card_lanes(g) + each - 1) / each;
    hs_card_ladder_steps all = *t;

    all.bytes = hs_card_bits_bytes(b, m->dim);
    EACH(TRY)
}
