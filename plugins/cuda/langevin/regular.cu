/* regular.cu - Langevin steps on graphs of one degree with equal couplings,
 * under a flat tilt: what lanes/regular/regular_dlp.c does for one lane.
 *
 * The law of a flip depends on what a site sees, and normalizer and U on how
 * many sites see what: whole numbers, added up in any order. */
#include "cuda/langevin/entry.h"

HS_KERNEL void propose(hs_card_group g, hs_card_work w, uint64_t clock,
                       int position)
{
    const hs_device_model *m = &g.model;
    hs_card_regular r = hs_card_regular_of(m);
    hs_card_place at;
    hs_card_law law;
    coin coins;
    const int16_t *x;
    uint32_t words[4] = {0, 0, 0, 0};

    if (hs_card_thread() >= hs_card_places(&g, &w))
        return;
    at = hs_card_place_at(&g, hs_card_thread());
    law = hs_card_law_at(&g, at.number, clock, position);
    coins = hs_card_coins(&g, at.number, clock, HS_DRAW_PROPOSE);
    x = &w.at.x[at.tile * m->dim][at.lane];
    for (int i = at.first; i < at.last; i++) {
        int own = HS_AT(x, i);
        float z =
            hs_card_entry_logit(&g, &r, &law, hs_card_entry(m, &r, x, i, own));
        float e = vf_exp_negative(-vf_abs(z));

        if (i % 8 == 0)
            philox_four(&coins.at, (uint32_t)i / 8, words);
        HS_CARD_ROW(w.y.x, at.tile, m->dim, i, at.lane) =
            (int16_t)(own ^ coin_toss(&coins, words, i, z < 0.0f ? e : 1.0f,
                                      1.0f + e));
    }
}

/* Of x and of y. */
HS_KERNEL void count(hs_card_group g, hs_card_work w)
{
    const hs_device_model *m = &g.model;
    hs_card_regular r = hs_card_regular_of(m);
    hs_card_place at;

    if (hs_card_thread() >= hs_card_places(&g, &w))
        return;
    at = hs_card_place_at(&g, hs_card_thread());
    for (int n = 0; n < 2; n++) {
        const hs_card_point *p = n ? &w.y : &w.at;
        const int16_t *x = &p->x[at.tile * m->dim][at.lane];
        int sites[HS_CARD_ENTRIES] = {0};

        for (int i = at.first; i < at.last; i++)
            sites[hs_card_entry(m, &r, x, i, HS_AT(x, i))]++;
        for (int k = 0; k < r.entries; k++)
            HS_ADD(&HS_CARD_ROW(w.site_counts, at.tile, 2 * HS_CARD_ENTRIES,
                                n * HS_CARD_ENTRIES + k, at.lane),
                   sites[k]);
    }
}

HS_KERNEL void decide(hs_card_group g, hs_card_work w, uint64_t clock,
                      int position)
{
    int64_t number = hs_card_thread(), tile = number / HS_LANES;
    int lane = (int)(number % HS_LANES), accept;
    hs_card_regular r = hs_card_regular_of(&g.model);
    hs_card_law law;
    double spread[2] = {0.0, 0.0}, energy = 0.0;

    if (number >= hs_card_lanes(&g))
        return;
    law = hs_card_law_at(&g, number, clock, position);
    for (int k = 0; k < r.entries; k++) {
        double each = (double)hs_card_entry_spread(&g, &r, &law, k);

        for (int n = 0; n < 2; n++) {
            int32_t *sites =
                &HS_CARD_ROW(w.site_counts, tile, 2 * HS_CARD_ENTRIES,
                             n * HS_CARD_ENTRIES + k, lane);

            spread[n] += (double)*sites * each;
            if (n)
                energy += (double)*sites * hs_card_entry_energy(&r, k);
            *sites = 0;
        }
    }
    accept = hs_card_decide(&g, number, clock, spread[0] - spread[1]);
    g.lanes.changed[tile][lane] += (double)accept;
    w.accept[tile][lane] = (uint8_t)accept;
    if (accept)
        w.at.u[tile][lane] = g.model.offset + energy / (double)g.model.scale;
}

void hs_card_langevin_regular(const hs_card_group *g, const hs_card_work *w,
                              uint64_t clock, int position)
{
    HS_LAUNCH(propose, hs_card_places(g, w), *g, *w, clock, position);
    HS_LAUNCH(count, hs_card_places(g, w), *g, *w);
    HS_LAUNCH(decide, hs_card_lanes(g), *g, *w, clock, position);
    hs_card_move(g, w);
}
