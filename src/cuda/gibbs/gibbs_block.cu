/* gibbs_block.cu - Gibbs sweeps with a bit per chain in shared memory.
 *
 * A block has the chains of a few words with all their sites, as words or as
 * bytes (byte_visits.h).  Its warps share
 * out the visits of a stage (bits.h), eight at a time, and wait for each other
 * at its end; many sweeps are made before the states go back.  Couplings do not
 * fit there; a warp copies those of its next eight while it works on one.
 * Blocks may share out the visits of the same chains (a team, card.h): then
 * each has the states of all sites, and what is visited is written to all. */
#include "cuda/gibbs/byte_visits.h"

/* The eights of a warp, one after the other, stage by stage and sweep by
 * sweep. */
typedef struct cursor {
    int stage, eight;
} cursor;

HS_ON_CARD int warp_of_block(void)
{
    return (int)(threadIdx.x / HS_WARP);
}

HS_ON_CARD int warps_of_block(void)
{
    return (int)(blockDim.x / HS_WARP);
}

/* The first eight of a stage that a warp of a block has. */
HS_ON_CARD int first_eight(const hs_card_bits *b, int stage, int rank)
{
    return b->stage[stage] / 8 + rank * warps_of_block() + warp_of_block();
}

/* A warp that has none at all stays where it is. */
HS_ON_CARD void move_on(const hs_card_bits *b, cursor *c, int rank)
{
    c->eight += b->ranks * warps_of_block();
    for (int k = 0; k < b->stages && 8 * c->eight >= b->stage[c->stage + 1];
         k++) {
        c->stage = c->stage + 1 < b->stages ? c->stage + 1 : 0;
        c->eight = first_eight(b, c->stage, rank);
    }
    if (c->eight >= b->eights)
        c->eight = 0;
}

/* To the warp's room number `which`, of two. */
HS_ON_CARD uint32_t *room(const hs_card_bits *b, uint32_t *ahead, int which)
{
    return ahead + hs_card_ahead_bytes(b) / sizeof *ahead *
                       (size_t)(2 * warp_of_block() + which);
}

HS_ON_CARD void copy_ahead(const hs_card_bits *b, uint32_t *to, int eight)
{
    const hs_card_visit *visit = b->visit + 8 * (int64_t)eight;
    const hs_card_pair *pair = b->pair + 8 * (int64_t)eight * b->row;

    HS_EACH_LANE(l)
    {
        if (hs_warp_lane(l) < 8)
            hs_copy_ahead(to + 4 * hs_warp_lane(l), visit + hs_warp_lane(l));
        for (int p = hs_warp_lane(l); p < 8 * b->row; p += HS_WARP)
            hs_copy_ahead(to + 4 * (8 + p), pair + p);
    }
    hs_copy_commit();
}

/* What a block keeps from stage to stage. */
typedef struct member {
    hs_bit_view view;
    uint32_t *ahead;
    cursor next;
    int which, rank;
    hs_bit_counts changed;
} member;

HS_ON_CARD void look_ahead(member *a)
{
    const hs_card_bits *b = a->view.b;
    uint32_t *here = room(b, a->ahead, a->which);

    move_on(b, &a->next, a->rank);
    HS_SYNC_WARP(); /* all have read what is overwritten */
    copy_ahead(b, room(b, a->ahead, 1 - a->which), a->next.eight);
    hs_copy_wait();
    HS_SYNC_WARP();
    a->view.visit = (const hs_card_visit *)here;
    a->view.pair = (const hs_card_pair *)here + 8;
    a->which = 1 - a->which;
}

HS_ON_CARD void copy(const hs_bit_view *v, int words, int is_bytes, int is_back)
{
    if (is_bytes)
        hs_byte_copy(v, words, is_back);
    else
        hs_bit_copy(v, words, is_back);
}

HS_ON_CARD void begin(member *a, const hs_card_group *g, const hs_card_bits *b,
                      const hs_card_steps *s, uint32_t *shared, int words,
                      int is_bytes, size_t bytes, int rank)
{
    hs_bit_view *v = &a->view;

    v->g = g;
    v->b = b;
    v->word = hs_team_own(shared, bytes, rank);
    v->stride = words;
    v->unit = 1;
    v->first = hs_team_number(b->ranks) * words;
    v->is_summed = s->is_summed;
    v->ranks = b->ranks;
    v->shared = shared;
    v->bytes = bytes;
    a->ahead = v->word + (g->model.dim * hs_card_site_bytes(b) + 15) / 16 * 4;
    a->which = 0;
    a->rank = rank;
    a->next.stage = 0;
    a->next.eight = first_eight(b, 0, rank) - b->ranks * warps_of_block();
    hs_bit_begin(words, a->changed);
    copy(v, words, is_bytes, 0);
    if (is_bytes || b->is_ahead) {
        move_on(b, &a->next, rank);
        copy_ahead(b, room(b, a->ahead, 0), a->next.eight);
    }
}

HS_ON_CARD void stage(member *a, int k, int words, int is_bytes, int kind)
{
    const hs_card_bits *b = a->view.b;
    int last = b->stage[k + 1];

    for (int eight = first_eight(b, k, a->rank); 8 * eight < last;
         eight += b->ranks * warps_of_block()) {
        if (is_bytes || b->is_ahead) /* so that it is known of bytes */
            look_ahead(a);
        else
            hs_bit_look(&a->view, eight);
        if (is_bytes)
            hs_byte_eight(&a->view, words, kind, eight, b->stage[k], last,
                          a->changed);
        else
            hs_bit_eight(&a->view, words, kind, eight, b->stage[k], last,
                         a->changed);
    }
}

HS_ON_CARD void end(member *a, int words, int is_bytes)
{
    if (a->rank == 0)
        copy(&a->view, words, is_bytes, 1);
    hs_bit_end(&a->view, words, a->changed);
}

HS_ON_CARD void meet(const hs_card_bits *b)
{
    if (b->ranks == 1)
        HS_SYNC();
    else
        hs_team_meet();
}

HS_ON_CARD void sweeps(const hs_card_group *g, const hs_card_bits *b,
                       const hs_card_steps *s, size_t bytes, uint32_t *shared,
                       int words, int is_bytes, int kind)
{
    member all[HS_TEAM_PART];

    HS_EACH_RANK(rank, b->ranks)
    {
        begin(&all[HS_TEAM_INDEX(rank)], g, b, s, shared, words, is_bytes,
              bytes, rank);
    }
    meet(b);
    for (int64_t n = 1; n <= s->count; n++)
        for (int k = 0; k < b->stages; k++) {
            HS_EACH_RANK(rank, b->ranks)
            {
                all[HS_TEAM_INDEX(rank)].view.clock = s->clock + (uint64_t)n;
                stage(&all[HS_TEAM_INDEX(rank)], k, words, is_bytes, kind);
            }
            meet(b);
        }
    HS_EACH_RANK(rank, b->ranks)
    {
        end(&all[HS_TEAM_INDEX(rank)], words, is_bytes);
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
