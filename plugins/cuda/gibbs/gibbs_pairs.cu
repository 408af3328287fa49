/* gibbs_pairs.cu - Gibbs sweeps over a pair model, a chain per thread: what
 * lanes/gibbs/heat_bath.c does for one lane. */
#include "cuda/model.h"

/* beta (U(high) - U(low)) of site i. */
HS_ON_CARD float logit(const hs_device_model *m, const int16_t *x, float scale,
                       int i)
{
    float field = m->j.field ? m->j.field[i] : 0.0f;

    if (m->j.uniform != 0.0f || !m->j.is_wide)
        return scale * (hs_card_pull(m, x, i) + field);
    return scale * hs_card_pair_row(m, x, i);
}

/* 1 if the value changes. */
HS_ON_CARD int visit(const hs_device_model *m, const hs_card_lane *at,
                     const coin *coins, const uint32_t *words, float scale,
                     int n, int i, int is_summed)
{
    float d = at->phi ? logit(m, at->x, scale, i) + at->phi[i * HS_LANES]
                      : logit(m, at->x, scale, i);
    float e = vf_exp_negative(-vf_abs(d));
    float part = d < 0.0f ? e : 1.0f, whole = 1.0f + e;
    int high = coin_toss(coins, words, n, part, whole);
    int was = at->x[i * HS_LANES];

    if (is_summed)
        at->sum[(int64_t)i * HS_LANES] += at->weight * part / whole;
    at->x[i * HS_LANES] = (int16_t)high;
    return was ^ high;
}

/* Eight visits use one block of random words. */
HS_ON_CARD int sweep(const hs_card_group *g, const hs_card_lane *at,
                     uint64_t clock, int is_summed)
{
    const hs_device_model *m = &g->model;
    hs_card_sites sites = hs_card_sites_begin(g, clock);
    float scale = at->beta * m->step;
    int changed = 0;
    coin coins;

    coins.at =
        philox_begin(g->seed, clock, at->chain, at->replica, HS_DRAW_PROPOSE);
    coins.more =
        philox_begin(g->seed, clock, at->chain, at->replica, HS_DRAW_TIE);
    for (int n = 0; n < g->sampler.visits; n += 8) {
        uint32_t words[4];

        philox_four(&coins.at, (uint32_t)n / 8, words);
        HS_UNROLL
        for (int k = 0; k < 8; k++) /* the index of a word is then known */
            if (n + k < g->sampler.visits)
                changed += visit(m, at, &coins, words, scale, n + k,
                                 hs_card_site(g, &sites, n + k), is_summed);
    }
    return changed;
}

HS_KERNEL void gibbs_pairs(hs_card_group g, hs_card_steps s)
{
    int sums = s.is_summed && !g.sampler.is_random;
    hs_card_lane at;
    int64_t changed = 0;

    if (hs_card_thread() >= hs_card_lanes(&g))
        return;
    at = hs_card_lane_at(&g, hs_card_thread());
    for (int64_t n = 1; n <= s.count; n++) {
        changed += sweep(&g, &at, s.clock + (uint64_t)n, sums);
        if (s.is_summed && !sums)
            hs_card_count(&g, &at);
    }
    g.lanes.changed[0][at.number] += (double)changed;
}

void hs_card_gibbs_pairs(const hs_card_group *g, const hs_card_steps *s)
{
    HS_LAUNCH(gibbs_pairs, hs_card_lanes(g), *g, *s);
}
