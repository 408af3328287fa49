/* gwg.cu - one coordinate, chosen by what its change would gain, of a pair
 * domain whose gradient is stored. */
#include "cuda/whole/steps.h"

/* ln of the weight of changing coordinate i, at p. */
HS_ON_CARD double logit_of(const hs_card_group *g, const hs_card_point *p,
                           const hs_adder *s, int i)
{
    hs_card_place at;
    int x = HS_CARD_ROW(p->x, s->tile, g->model.dim, i, s->lane);
    float row = HS_CARD_ROW(p->grad, s->tile, g->model.dim, i, s->lane);

    at.tile = s->tile;
    at.lane = s->lane;
    return (double)(0.5f * hs_card_gain_flip(g, g->lanes.beta[0][s->number],
                                             &at, i, x, row));
}

/* The sum of all weights over e^max: its logarithm is ln sum, plus max. */
typedef struct total {
    double max, own, sum; /* own: of this adder */
} total;

HS_ON_CARD total total_of(const hs_card_group *g, const hs_card_point *p,
                          const hs_adder *s, hs_adder_parts part)
{
    int dim = g->model.dim;
    total t;

    t.max = -3.0e38;
    t.own = 0.0;
    HS_UNROLL_SOME
    for (int i = s->adder; i < dim; i += s->adders) {
        double z = logit_of(g, p, s, i);

        t.max = z > t.max ? z : t.max;
    }
    t.max = hs_adder_meet(s, t.max, 1, part);
    HS_UNROLL_SOME
    for (int i = s->adder; i < dim; i += s->adders)
        t.own = t.own + (double)vf_exp((float)(logit_of(g, p, s, i) - t.max));
    t.sum = hs_adder_meet(s, t.own, 0, part);
    return t;
}

HS_ON_CARD double uniform_of(const hs_card_group *g, int64_t number,
                             uint64_t clock)
{
    philox_at at = philox_begin(g->seed, clock, g->lanes.chain[0][number],
                                g->lanes.replica[0][number], HS_DRAW_PROPOSE);
    uint32_t word[4];

    philox_four(&at, 0, word);
    return ((double)((uint64_t)word[0] << 20 | word[1] >> 12) + 0.5) * 0x1p-52;
}

#define TEAM 16 /* adders that one thread adds up for */

/* What all adders before this one have, added in their order, so that where
 * one ends the next begins, to the last bit. */
HS_ON_CARD double sum_before(const hs_adder *s, double own, hs_adder_parts part)
{
    HS_OF_BLOCK double team[HS_ADDERS / TEAM + 1];
    double before;

    HS_SYNC();
    HS_ADDER_PART(part, s, s->adder) = own;
    HS_SYNC();
    if (s->adder % TEAM == 0) {
        double sum = 0.0;

        for (int k = 0; k < s->adder; k++)
            sum = sum + HS_ADDER_PART(part, s, k);
        HS_ADDER_PART(team, s, s->adder / TEAM) = sum;
    }
    HS_SYNC();
    before = HS_ADDER_PART(team, s, s->adder / TEAM);
    for (int k = s->adder / TEAM * TEAM; k < s->adder; k++)
        before = before + HS_ADDER_PART(part, s, k);
    return before;
}

/* The coordinate that the uniform falls upon, adder by adder: an adder before
 * it has its sum, the adder itself walks. */
HS_ON_CARD void pick(const hs_card_group *g, const hs_card_work *w,
                     const hs_adder *s, const total *t, double goal,
                     hs_adder_parts part)
{
    int dim = g->model.dim, i = s->adder, last = i;
    double before = sum_before(s, t->own, part), z;

    /* rounding leaves the last adder with whatever is beyond it */
    if (i >= dim || goal < before ||
        (s->adder < s->adders - 1 && s->adder + 1 < dim &&
         !(goal < before + t->own)))
        return;
    for (; i < dim; i += s->adders) {
        last = i;
        before = before +
                 (double)vf_exp((float)(logit_of(g, &w->at, s, i) - t->max));
        if (goal < before)
            break;
    }
    z = logit_of(g, &w->at, s, last) - t->max;
    HS_CARD_ROW(w->y.x, s->tile, dim, last, s->lane) =
        (int16_t)(1 - HS_CARD_ROW(w->at.x, s->tile, dim, last, s->lane));
    w->row[s->tile][s->lane] = last;
    w->log_q[s->tile][s->lane] = z - (double)vf_log((float)t->sum);
}

/* y has x already. */
HS_KERNEL void HS_BOUNDS(HS_ADDERS)
    choose(hs_card_group g, hs_card_work w, uint64_t clock)
{
    HS_OF_BLOCK hs_adder_parts part;
    hs_adder s = hs_adder_at(g.model.dim);
    total t = total_of(&g, &w.at, &s, part);

    pick(&g, &w, &s, &t, uniform_of(&g, s.number, clock) * t.sum, part);
}

/* ln q back less ln q there, with the change of the tilt, decides. */
HS_KERNEL void HS_BOUNDS(HS_ADDERS)
    weigh(hs_card_group g, hs_card_work w, uint64_t clock)
{
    HS_OF_BLOCK hs_adder_parts part;
    hs_adder s = hs_adder_at(g.model.dim);
    total t = total_of(&g, &w.y, &s, part);
    int i = w.row[s.tile][s.lane], dim = g.model.dim;
    hs_card_place at;
    double sum;

    if (s.adder != 0)
        return;
    at.tile = s.tile;
    at.lane = s.lane;
    sum = logit_of(&g, &w.y, &s, i) - t.max - (double)vf_log((float)t.sum) -
          w.log_q[s.tile][s.lane];
    if (g.tilt.phi)
        sum = sum + (double)hs_card_bend(
                        &g, &at, i, HS_CARD_ROW(w.at.x, s.tile, dim, i, s.lane),
                        HS_CARD_ROW(w.y.x, s.tile, dim, i, s.lane));
    hs_whole_decide_lane(&g, &w, s.number, clock, sum);
}

void hs_whole_gwg(const hs_card_group *g, const hs_card_work *w, uint64_t clock)
{
    size_t bytes = (size_t)g->tiles * (size_t)g->model.dim * sizeof *w->at.x;

    cudaMemcpyAsync(w->y.x, w->at.x, bytes, cudaMemcpyDeviceToDevice, 0);
    HS_LAUNCH_ADDERS(choose, hs_card_lanes(g), g->model.dim, *g, *w, clock);
    hs_card_evaluate(g, w, &w->y, HS_CARD_U | HS_CARD_GRAD);
    HS_LAUNCH_ADDERS(weigh, hs_card_lanes(g), g->model.dim, *g, *w, clock);
    hs_whole_move(g, w);
}
