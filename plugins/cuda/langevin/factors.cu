/* factors.cu - Langevin steps on graphs of one degree that are even in the
 * spins, under HiSS's noise as factors: a thread per lane. */
#include "cuda/langevin/tilted.h"

typedef struct law {
    hs_card_regular r;
    float t[HS_DEGREE_MAX + 1], rise[HS_DEGREE_MAX + 1];
    float root;
} law;

HS_ON_CARD law law_of(const hs_card_group *g, int64_t number, uint64_t clock,
                      int position)
{
    hs_card_law of = hs_card_law_at(g, number, clock, position);
    law a;

    a.r = hs_card_regular_of(&g->model);
    a.root = g->tilt.root[0][number];
    for (int k = 0; k <= HS_DEGREE_MAX; k++) {
        float z = hs_card_entry_logit(g, &a.r, &of, k);

        a.t[k] = vf_exp_negative(-vf_abs(z));
        a.rise[k] = vf_max(z, 0.0f);
    }
    return a;
}

/* Of site i of a point. */
HS_ON_CARD hs_card_odds odds_of(const hs_card_group *g, const law *a,
                                const int16_t *x, int64_t tile, int lane, int i,
                                int *alike)
{
    const hs_device_model *m = &g->model;
    int own = HS_AT(x, i), k = hs_card_entry(m, &a->r, x, i, own);

    *alike += k;
    return hs_card_tilted_odds(
        a->t[k], a->rise[k], a->root,
        HS_CARD_ROW(g->tilt.factor, tile, m->dim, i, lane),
        own != HS_CARD_ROW(g->tilt.was, tile, m->dim, i, lane));
}

HS_KERNEL void propose(hs_card_group g, hs_card_work w, uint64_t clock,
                       int position)
{
    const hs_device_model *m = &g.model;
    hs_card_place at;
    law a;
    coin coins;
    const int16_t *x;
    uint32_t words[4] = {0, 0, 0, 0};
    int unused = 0;

    if (hs_card_thread() >= hs_card_places(&g, &w))
        return;
    at = hs_card_place_at(&g, hs_card_thread());
    a = law_of(&g, at.number, clock, position);
    coins = hs_card_coins(&g, at.number, clock, HS_DRAW_PROPOSE);
    x = &w.at.x[at.tile * m->dim][at.lane];
    for (int i = at.first; i < at.last; i++) {
        hs_card_odds o = odds_of(&g, &a, x, at.tile, at.lane, i, &unused);

        if (i % 8 == 0)
            philox_four(&coins.at, (uint32_t)i / 8, words);
        HS_CARD_ROW(w.y.x, at.tile, m->dim, i, at.lane) =
            (int16_t)(HS_AT(x, i) ^
                      coin_toss(&coins, words, i, o.part, o.whole));
    }
}

/* The spread of a point, and how many neighbors are alike. */
HS_ON_CARD double spread_of(const hs_card_group *g, const law *a,
                            const int16_t *x, int64_t tile, int lane,
                            double *alike)
{
    int dim = g->model.dim, found = 0;
    hs_card_products s;
    double sum = 0.0;

    *alike = 0.0;
    hs_card_products_begin(&s);
    for (int i = 0; i < dim; i++) {
        hs_card_odds o = odds_of(g, a, x, tile, lane, i, &found);

        hs_card_products_add(&s, &o);
        if ((i + 1) % HS_CARD_TILT_GROUP != 0 && i + 1 < dim)
            continue;
        hs_card_products_tidy(&s);
        *alike += (double)found;
        found = 0;
        if ((i + 1) % HS_CARD_TILT_CHUNK == 0 || i + 1 == dim) {
            sum = hs_card_products_end(&s, sum);
            hs_card_products_begin(&s);
        }
    }
    return sum;
}

HS_KERNEL void decide(hs_card_group g, hs_card_work w, uint64_t clock,
                      int position)
{
    const hs_device_model *m = &g.model;
    int64_t number = hs_card_thread(), tile = number / HS_LANES;
    int lane = (int)(number % HS_LANES), accept;
    double here, there, alike, unused;
    law a;

    if (number >= hs_card_lanes(&g))
        return;
    a = law_of(&g, number, clock, position);
    here = spread_of(&g, &a, &w.at.x[tile * m->dim][lane], tile, lane, &unused);
    there = spread_of(&g, &a, &w.y.x[tile * m->dim][lane], tile, lane, &alike);
    accept = hs_card_decide(&g, number, clock, here - there);
    g.lanes.changed[tile][lane] += (double)accept;
    w.accept[tile][lane] = (uint8_t)accept;
    if (accept)
        w.at.u[tile][lane] = hs_card_alike_energy(m, a.r.degree, alike);
}

void hs_card_langevin_factors(const hs_card_group *g, const hs_card_work *w,
                              uint64_t clock, int position)
{
    HS_LAUNCH(propose, hs_card_places(g, w), *g, *w, clock, position);
    HS_LAUNCH(decide, hs_card_lanes(g), *g, *w, clock, position);
    hs_card_move(g, w);
}
