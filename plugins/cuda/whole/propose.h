/* propose.h - what a thread proposes: a few coordinates of a lane, of a pair
 * domain whose gradient is stored. */
#ifndef HS_CUDA_WHOLE_PROPOSE_H
#define HS_CUDA_WHOLE_PROPOSE_H

#include "cuda/whole/steps.h"

typedef struct hs_reach {
    hs_card_place at;
    hs_card_law law;
} hs_reach;

HS_EITHER int64_t hs_whole_threads(const hs_card_group *g)
{
    return hs_card_lanes(g) * hs_whole_terms(g);
}

/* To the coordinates of term `block`. */
HS_ON_CARD void hs_reach_to(const hs_card_group *g, hs_reach *r, int block)
{
    r->at.block = block;
    r->at.first = block * HS_WHOLE_GROUP;
    r->at.last = r->at.first + HS_WHOLE_GROUP < g->model.dim
                     ? r->at.first + HS_WHOLE_GROUP
                     : g->model.dim;
}

/* Of a lane of a tile, at no coordinates yet. */
HS_ON_CARD hs_reach hs_reach_at(const hs_card_group *g, int64_t tile, int lane,
                                uint64_t clock, int position)
{
    hs_reach r;

    r.at.lane = lane;
    r.at.tile = tile;
    r.at.number = tile * HS_LANES + lane;
    r.law = hs_card_law_at(g, r.at.number, clock, position);
    return r;
}

/* Of thread n.  Lanes are neighbors, and terms of a tile follow each other:
 * what a warp reads lies together.  Numbers of terms have 32 bits, since their
 * gradients are in the memory of a card; a division of 64 takes as long as what
 * a thread does. */
HS_ON_CARD hs_reach hs_reach_of(const hs_card_group *g, int64_t n,
                                uint64_t clock, int position)
{
    uint32_t terms = (uint32_t)hs_whole_terms(g);
    uint32_t term = (uint32_t)(n / HS_LANES);
    hs_reach r =
        hs_reach_at(g, term / terms, (int)(n % HS_LANES), clock, position);

    hs_reach_to(g, &r, (int)(term % terms));
    return r;
}

/* Logit of a flip of coordinate i. */
HS_ON_CARD float hs_whole_logit(const hs_card_group *g, const hs_reach *r,
                                int i, int x, float row)
{
    float gap = g->model.domain.gap;

    return r->law.balance *
               hs_card_gain_flip(g, r->law.beta, &r->at, i, x, row) -
           r->law.stiffness * (gap * gap);
}

/* y of these coordinates, to w->y.x, too, and their term of ln q. */
HS_ON_CARD void hs_whole_propose(const hs_card_group *g, const hs_card_work *w,
                                 const hs_reach *r, uint64_t clock,
                                 int y[HS_WHOLE_GROUP])
{
    int dim = g->model.dim;
    float sum = 0.0f, product = 1.0f;
    philox_at words =
        philox_begin(g->seed, clock, g->lanes.chain[0][r->at.number],
                     g->lanes.replica[0][r->at.number], HS_DRAW_PROPOSE);
    uint32_t word[HS_WHOLE_GROUP]; /* one call of Philox */
    float row[HS_WHOLE_GROUP];

    HS_UNROLL
    for (int k = 0; k < HS_WHOLE_GROUP; k++) { /* all before the first store */
        int i = r->at.first + k < dim ? r->at.first + k : dim - 1;

        y[k] = HS_CARD_ROW(w->at.x, r->at.tile, dim, i, r->at.lane);
        row[k] = HS_CARD_ROW(w->at.grad, r->at.tile, dim, i, r->at.lane);
    }
    philox_four(&words, (uint32_t)r->at.first / 4, word);
    HS_UNROLL
    for (int k = 0; k < HS_WHOLE_GROUP; k++) {
        int i = r->at.first + k, is_there = i < dim, flip;
        float z, e;

        z = hs_whole_logit(g, r, is_there ? i : dim - 1, y[k], row[k]);
        e = vf_exp_negative(-vf_abs(z));
        flip = vf_uniform(word[k]) * (1.0f + e) < (z < 0.0f ? e : 1.0f);
        y[k] ^= flip;
        if (is_there)
            HS_CARD_ROW(w->y.x, r->at.tile, dim, i, r->at.lane) = (int16_t)y[k];
        sum = sum + (is_there ? vf_min(vf_negate_if(1 - flip, z), 0.0f) : 0.0f);
        product = product * (is_there ? 1.0f + e : 1.0f);
    }
    HS_CARD_ROW(w->forward, r->at.tile, w->terms, r->at.block, r->at.lane) =
        sum - vf_log_normal(product);
}

#endif
