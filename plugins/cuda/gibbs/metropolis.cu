/* metropolis.cu - random sites, another value, Metropolis, a chain per thread:
 * what kernel/gibbs/metropolis.c does for one lane. */
#include "cuda/gibbs/logits.h"

/* One of the other values, kept with probability min(1, e^(logit(to) -
 * logit(x))) (lanes/gibbs/site.c). */
HS_ON_CARD int decide(const float *logits, int states, int from, uint32_t k,
                      uint32_t a)
{
    float log_u = vf_log(vf_uniform(a));
    int there;

    if (states == 1)
        return from;
    there = (int)(vf_uniform(k) * (float)(states - 1));
    there = there < states - 1 ? there : states - 2;
    there += there >= from;
    return log_u < logits[there] - logits[from] ? there : from;
}

HS_ON_CARD int step(const hs_card_group *g, const hs_card_lane *at,
                    uint64_t clock)
{
    const hs_device_model *m = &g->model;
    hs_card_sites sites = hs_card_sites_begin(g, clock);
    philox_at propose =
        philox_begin(g->seed, clock, at->chain, at->replica, HS_DRAW_PROPOSE);
    philox_at accept =
        philox_begin(g->seed, clock, at->chain, at->replica, HS_DRAW_ACCEPT);
    uint32_t word[4], more[4];
    int changed = 0;

    for (int n = 0; n < g->sampler.visits; n++) {
        int i = hs_card_site(g, &sites, n), from = at->x[i * HS_LANES], to;
        float logits[HS_FEW];

        if (n % 4 == 0) {
            philox_four(&propose, (uint32_t)n / 4, word);
            philox_four(&accept, (uint32_t)n / 4, more);
        }
        hs_card_logits(m, at, i, logits);
        to = decide(logits, m->states[i], from, word[n % 4], more[n % 4]);
        changed += to != from;
        at->x[i * HS_LANES] = (int16_t)to;
    }
    return changed;
}

HS_KERNEL void metropolis(hs_card_group g, hs_card_steps s)
{
    hs_card_lane at;
    int64_t changed = 0;

    if (hs_card_thread() >= hs_card_lanes(&g))
        return;
    at = hs_card_lane_at(&g, hs_card_thread());
    for (int64_t n = 1; n <= s.count; n++) {
        changed += step(&g, &at, s.clock + (uint64_t)n);
        if (s.is_summed)
            hs_card_count(&g, &at);
    }
    g.lanes.changed[0][at.number] += (double)changed;
}

void hs_card_metropolis(const hs_card_group *g, const hs_card_steps *s)
{
    HS_LAUNCH(metropolis, hs_card_lanes(g), *g, *s);
}
