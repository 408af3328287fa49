/* langevin.cu - Langevin steps of a pair domain whose gradient is stored: a
 * thread has a few coordinates of a lane. */
#include "cuda/next.h"
#include "cuda/whole/steps.h"

typedef struct reach {
    hs_card_place at;
    hs_card_law law;
} reach;

HS_ON_CARD int64_t threads_of(const hs_card_group *g)
{
    return hs_card_lanes(g) * hs_whole_terms(g);
}

/* Lanes are neighbours, and terms of a tile follow each other: what a warp
 * reads lies together. */
HS_ON_CARD reach reach_of(const hs_card_group *g, uint64_t clock, int position)
{
    int64_t n = hs_card_thread(), terms = hs_whole_terms(g);
    reach r;

    r.at.lane = (int)(n % HS_LANES);
    r.at.tile = n / HS_LANES / terms;
    r.at.number = r.at.tile * HS_LANES + r.at.lane;
    r.at.block = (int)(n / HS_LANES % terms);
    r.at.first = r.at.block * HS_WHOLE_GROUP;
    r.at.last = r.at.first + HS_WHOLE_GROUP < g->model.dim
                    ? r.at.first + HS_WHOLE_GROUP
                    : g->model.dim;
    r.law = hs_card_law_at(g, r.at.number, clock, position);
    return r;
}

/* Logit of a flip of coordinate i. */
HS_ON_CARD float logit_of(const hs_card_group *g, const reach *r, int i, int x,
                          float row)
{
    float gap = g->model.domain.gap;

    return r->law.balance *
               hs_card_gain_flip(g, r->law.beta, &r->at, i, x, row) -
           r->law.stiffness * (gap * gap);
}

HS_KERNEL void propose(hs_card_group g, hs_card_work w, hs_clock of,
                       int position)
{
    uint64_t clock;
    int dim = g.model.dim;
    float sum = 0.0f, product = 1.0f;
    philox_at words;
    uint32_t word[4] = {0, 0, 0, 0};
    int state[HS_WHOLE_GROUP];
    float row[HS_WHOLE_GROUP];
    reach r;

    HS_WAIT();
    clock = hs_clock_now(&of);
    if (hs_card_thread() >= threads_of(&g))
        return;
    r = reach_of(&g, clock, position);
    words = philox_begin(g.seed, clock, g.lanes.chain[0][r.at.number],
                         g.lanes.replica[0][r.at.number], HS_DRAW_PROPOSE);
    HS_UNROLL
    for (int k = 0; k < HS_WHOLE_GROUP; k++) { /* all before the first store */
        int i = r.at.first + k < dim ? r.at.first + k : dim - 1;

        state[k] = HS_CARD_ROW(w.at.x, r.at.tile, dim, i, r.at.lane);
        row[k] = HS_CARD_ROW(w.at.grad, r.at.tile, dim, i, r.at.lane);
    }
    HS_UNROLL
    for (int k = 0; k < HS_WHOLE_GROUP; k++) {
        int i = r.at.first + k, x, flip;
        float z, e;

        if (i >= dim)
            break;
        x = state[k];
        z = logit_of(&g, &r, i, x, row[k]);
        e = vf_exp_negative(-vf_abs(z));
        if (k % 4 == 0)
            philox_four(&words, (uint32_t)i / 4, word);
        flip = vf_uniform(word[k % 4]) * (1.0f + e) < (z < 0.0f ? e : 1.0f);
        HS_CARD_ROW(w.y.x, r.at.tile, dim, i, r.at.lane) = (int16_t)(x ^ flip);
        sum = sum + vf_min(vf_negate_if(1 - flip, z), 0.0f);
        product = product * (1.0f + e);
    }
    HS_CARD_ROW(w.forward, r.at.tile, w.terms, r.at.block, r.at.lane) =
        sum - vf_log_normal(product);
}

HS_KERNEL void go_back(hs_card_group g, hs_card_work w, uint64_t clock,
                       int position)
{
    int dim = g.model.dim;
    float sum = 0.0f, product = 1.0f, bend = 0.0f;
    reach r;

    if (hs_card_thread() >= threads_of(&g))
        return;
    r = reach_of(&g, clock, position);
    HS_UNROLL
    for (int k = 0; k < HS_WHOLE_GROUP; k++) {
        int i = r.at.first + k, x, y;
        float z;

        if (i >= dim)
            break;
        x = HS_CARD_ROW(w.at.x, r.at.tile, dim, i, r.at.lane);
        y = HS_CARD_ROW(w.y.x, r.at.tile, dim, i, r.at.lane);
        z = logit_of(&g, &r, i, y,
                     HS_CARD_ROW(w.y.grad, r.at.tile, dim, i, r.at.lane));
        sum = sum + vf_min(vf_negate_if(1 - (x ^ y), z), 0.0f);
        product = product * (1.0f + vf_exp_negative(-vf_abs(z)));
        if (g.tilt.phi)
            bend = bend + hs_card_bend(&g, &r.at, i, x, y);
    }
    HS_CARD_ROW(w.reverse, r.at.tile, w.terms, r.at.block, r.at.lane) =
        sum - vf_log_normal(product) + bend;
}

void hs_whole_langevin(const hs_card_group *g, const hs_card_work *w,
                       uint64_t clock, int position)
{
    int64_t threads = hs_card_lanes(g) * hs_whole_terms(g);

    HS_NEXT(propose, threads, *g, *w, hs_clock_of(clock), position);
    if (!hs_whole_finish(g, w, clock, position)) {
        hs_card_evaluate(g, w, &w->y, HS_CARD_U | HS_CARD_GRAD);
        HS_LAUNCH(go_back, threads, *g, *w, clock, position);
        hs_whole_decide(g, w, clock, NULL);
    }
    hs_whole_move(g, w);
}
