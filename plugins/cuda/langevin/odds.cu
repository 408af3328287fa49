/* odds.cu - Langevin steps where U is quadratic on pairs, balance 1/2: what
 * lanes/langevin/odds.c and kernel/langevin/paths/odds.c do for one lane.
 *
 * All but the normalizers cancels from the acceptance, so a point needs
 * sum_i ln(1 + e^z_i) alone, a term for every GROUP sites. */
#include "cuda/langevin/flip.h"

#define GROUP 32

typedef struct constants {
    float balance, pull, still;
} constants;

HS_ON_CARD constants constants_of(const hs_card_group *g,
                                  const hs_card_law *law)
{
    float gap = g->model.domain.gap;
    constants c;

    c.balance = law->balance;
    c.pull = law->balance * law->beta * gap;
    c.still = law->stiffness * (gap * gap);
    return c;
}

/* The logit of a flip of site i. */
HS_ON_CARD float logit(const hs_card_group *g, const hs_card_point *p,
                       const constants *c, const hs_card_place *at, int i)
{
    const hs_device_model *m = &g->model;
    float up = c->pull * hs_card_row_of_pair(m, p, at->tile, at->lane, i);

    if (g->tilt.phi)
        up =
            vf_fma(c->balance,
                   HS_CARD_ROW(g->tilt.phi, at->tile, m->dim, i, at->lane), up);
    return vf_negate_if(HS_CARD_ROW(p->x, at->tile, m->dim, i, at->lane), up) -
           c->still;
}

/* e^-|z| */
HS_ON_CARD float odds_of(float z)
{
    return vf_exp_negative(vf_bits(vi_bits(z) | (int32_t)0x80000000));
}

typedef struct sums {
    float sum, product;
} sums;

HS_ON_CARD void add(sums *s, float z, float e)
{
    s->sum = s->sum + vf_max(z, 0.0f);
    s->product = vf_fma(s->product, e, s->product);
}

/* The term of the group that ends with site i. */
HS_ON_CARD void end_group(float (*term)[HS_LANES], const hs_card_work *w,
                          const hs_card_place *at, int i, sums *s)
{
    HS_CARD_ROW(term, at->tile, w->terms, i / GROUP, at->lane) =
        s->sum + vf_log_normal(s->product);
    s->sum = 0.0f;
    s->product = 1.0f;
}

/* y, and the terms of x. */
HS_KERNEL void propose(hs_card_group g, hs_card_work w, uint64_t clock,
                       int position)
{
    const hs_device_model *m = &g.model;
    sums s = {0.0f, 1.0f};
    hs_card_place at;
    hs_card_law law;
    constants c;
    coin coins;
    int moved = 0;

    if (hs_card_thread() >= hs_card_places(&g, &w))
        return;
    at = hs_card_place_at(&g, hs_card_thread());
    law = hs_card_law_at(&g, at.number, clock, position);
    c = constants_of(&g, &law);
    coins = hs_card_coins(&g, at.number, clock, HS_DRAW_PROPOSE);
    for (int i = at.first; i < at.last; i += 8) {
        uint32_t words[4];

        philox_four(&coins.at, (uint32_t)i / 8, words);
        HS_UNROLL
        for (int k = 0; k < 8; k++) {
            int n = i + k, x, flip;
            float z, e;

            if (n >= at.last)
                break;
            z = logit(&g, &w.at, &c, &at, n);
            e = odds_of(z);
            add(&s, z, e);
            x = HS_CARD_ROW(w.at.x, at.tile, m->dim, n, at.lane);
            flip = coin_decide(&coins, coin_half(words[k / 2], k), n,
                               vi_bits(z) < 0 ? e : 1.0f, 1.0f + e);
            HS_CARD_ROW(w.y.x, at.tile, m->dim, n, at.lane) =
                (int16_t)(x ^ flip);
            moved |= flip;
            if (n % GROUP == GROUP - 1 || n + 1 == at.last)
                end_group(w.forward, &w, &at, n, &s);
        }
    }
    HS_CARD_ROW(w.moved, at.tile, w.blocks, at.block, at.lane) = (uint8_t)moved;
}

/* The terms of y. */
HS_KERNEL void arrive(hs_card_group g, hs_card_work w, uint64_t clock,
                      int position)
{
    sums s = {0.0f, 1.0f};
    hs_card_place at;
    hs_card_law law;
    constants c;

    if (hs_card_thread() >= hs_card_places(&g, &w))
        return;
    at = hs_card_place_at(&g, hs_card_thread());
    law = hs_card_law_at(&g, at.number, clock, position);
    c = constants_of(&g, &law);
    for (int i = at.first; i < at.last; i++) {
        float z = logit(&g, &w.y, &c, &at, i);

        add(&s, z, odds_of(z));
        if (i % GROUP == GROUP - 1 || i + 1 == at.last)
            end_group(w.reverse, &w, &at, i, &s);
    }
}

/* A lane whose y is x keeps its U as well. */
HS_KERNEL void decide(hs_card_group g, hs_card_work w, uint64_t clock)
{
    int64_t number = hs_card_thread(), tile = number / HS_LANES;
    int lane = (int)(number % HS_LANES), moved = 0, accept;
    int groups = (g.model.dim + GROUP - 1) / GROUP;
    double ratio;

    if (number >= hs_card_lanes(&g))
        return;
    for (int b = 0; b < w.blocks; b++)
        moved |= HS_CARD_ROW(w.moved, tile, w.blocks, b, lane);
    ratio = hs_card_sum(w.forward, tile, w.terms, groups, lane) -
            hs_card_sum(w.reverse, tile, w.terms, groups, lane);
    accept = hs_card_decide(&g, number, clock, ratio);
    g.lanes.changed[tile][lane] += (double)accept;
    w.accept[tile][lane] = (uint8_t)(accept && moved);
    if (accept && moved)
        w.at.u[tile][lane] = w.y.u[tile][lane];
}

void hs_card_langevin_odds(const hs_card_group *g, const hs_card_work *w,
                           uint64_t clock, int position)
{
    HS_LAUNCH(propose, hs_card_places(g, w), *g, *w, clock, position);
    hs_card_evaluate(g, w, &w->y, HS_CARD_U | HS_CARD_GRAD | HS_CARD_IN_BLOCKS);
    HS_LAUNCH(arrive, hs_card_places(g, w), *g, *w, clock, position);
    HS_LAUNCH(decide, hs_card_lanes(g), *g, *w, clock);
    hs_card_move(g, w);
}
