/* block_sweeps.h - Gibbs sweeps with a bit per chain in shared memory.
 *
 * A block has the chains of a few words with all their sites, as words or as
 * bytes (byte_visits.h).  Its warps share
 * out the visits of a stage (bits.h), eight at a time, and wait for each other
 * at its end; many sweeps are made before the states go back.  Couplings do not
 * fit there; a warp copies those of its next eight while it works on one.
 * Blocks may share out the visits of the same chains (a team, card.h): then
 * each has the states of all sites, and what is visited is written to all. */
#ifndef HS_CUDA_BLOCK_SWEEPS_H
#define HS_CUDA_BLOCK_SWEEPS_H

#include "cuda/gibbs/byte_visits.h"

/* The eights of a warp, one after the other, stage by stage and sweep by
 * sweep. */
typedef struct hs_block_cursor {
    int stage, eight;
} hs_block_cursor;

HS_ON_CARD int hs_block_warp(void)
{
    return (int)(threadIdx.x / HS_WARP);
}

HS_ON_CARD int hs_block_warps(void)
{
    return (int)(blockDim.x / HS_WARP);
}

/* The first eight of a stage that a warp of a block has. */
HS_ON_CARD int hs_block_first(const hs_card_bits *b, int stage, int rank)
{
    return b->stage[stage] / 8 + rank * hs_block_warps() + hs_block_warp();
}

/* A warp that has none at all stays where it is. */
HS_ON_CARD void hs_block_move_on(const hs_card_bits *b, hs_block_cursor *c,
                                 int rank)
{
    c->eight += b->ranks * hs_block_warps();
    for (int k = 0; k < b->stages && 8 * c->eight >= b->stage[c->stage + 1];
         k++) {
        c->stage = c->stage + 1 < b->stages ? c->stage + 1 : 0;
        c->eight = hs_block_first(b, c->stage, rank);
    }
    if (c->eight >= b->eights)
        c->eight = 0;
}

/* To the warp's room number `which`, of two. */
HS_ON_CARD uint32_t *hs_block_room(const hs_card_bits *b, uint32_t *ahead,
                                   int which)
{
    return ahead + hs_card_ahead_bytes(b) / sizeof *ahead *
                       (size_t)(2 * hs_block_warp() + which);
}

HS_ON_CARD void hs_block_copy_ahead(const hs_card_bits *b, uint32_t *to,
                                    int eight)
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
typedef struct hs_block_member {
    hs_bit_view view;
    uint32_t *ahead;
    hs_block_cursor next;
    int which, rank;
    hs_bit_counts changed;
} hs_block_member;

HS_ON_CARD void hs_block_look_ahead(hs_block_member *a)
{
    const hs_card_bits *b = a->view.b;
    uint32_t *here = hs_block_room(b, a->ahead, a->which);

    hs_block_move_on(b, &a->next, a->rank);
    HS_SYNC_WARP(); /* all have read what is overwritten */
    hs_block_copy_ahead(b, hs_block_room(b, a->ahead, 1 - a->which),
                        a->next.eight);
    hs_copy_wait();
    HS_SYNC_WARP();
    a->view.visit = (const hs_card_visit *)here;
    a->view.pair = (const hs_card_pair *)here + 8;
    a->which = 1 - a->which;
}

HS_ON_CARD void hs_block_copy(const hs_bit_view *v, int words, int is_bytes,
                              int is_back)
{
    if (is_bytes)
        hs_byte_copy(v, words, is_back);
    else
        hs_bit_copy(v, words, is_back);
}

HS_ON_CARD void hs_block_begin(hs_block_member *a, const hs_card_group *g,
                               const hs_card_bits *b, const hs_card_steps *s,
                               uint32_t *shared, int words, int is_bytes,
                               size_t bytes, int rank)
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
    v->rank = rank;
    v->is_early = 0;
    v->shared = shared;
    v->bytes = bytes;
    a->ahead = v->word + (g->model.dim * hs_card_site_bytes(b) + 15) / 16 * 4;
    a->which = 0;
    a->rank = rank;
    a->next.stage = 0;
    a->next.eight = hs_block_first(b, 0, rank) - b->ranks * hs_block_warps();
    hs_bit_begin(words, a->changed);
    hs_block_copy(v, words, is_bytes, 0);
    if (is_bytes || b->is_ahead) {
        hs_block_move_on(b, &a->next, rank);
        hs_block_copy_ahead(b, hs_block_room(b, a->ahead, 0), a->next.eight);
    }
}

HS_ON_CARD void hs_block_stage(hs_block_member *a, int k, int words,
                               int is_bytes, int kind)
{
    const hs_card_bits *b = a->view.b;
    int last = b->stage[k + 1];

    for (int eight = hs_block_first(b, k, a->rank); 8 * eight < last;
         eight += b->ranks * hs_block_warps()) {
        if (is_bytes || b->is_ahead) /* so that it is known of bytes */
            hs_block_look_ahead(a);
        else
            hs_bit_look(&a->view, eight);
        if (is_bytes)
            hs_byte_eight(&a->view, words, kind, eight, b->stage[k], last,
                          a->changed);
        else
            hs_bit_eight(&a->view, words, kind, eight, b->stage[k], last,
                         a->changed);
    }
    hs_bit_await(&a->view); /* where there was none */
}

HS_ON_CARD void hs_block_end(hs_block_member *a, int words, int is_bytes)
{
    hs_bit_await(&a->view);
    if (a->rank == 0)
        hs_block_copy(&a->view, words, is_bytes, 1);
    hs_bit_end(&a->view, words, a->changed);
}

/* Behind a stage.  The blocks of a team go on with what needs no states: they
 * wait before the first visit (hs_bit_await). */
HS_ON_CARD void hs_block_part(hs_block_member *a)
{
    if (a->view.b->ranks == 1) {
        HS_SYNC();
        return;
    }
    HS_SYNC_WARP();
    hs_team_arrive();
    a->view.is_early = 1;
}

#endif
