/* gibbs_values.cu - Gibbs sweeps site by site, of any number of values up to
 * HS_FEW: what kernel/gibbs/sweeps/site_by_site.c does for one lane. */
#include "cuda/gibbs/logits.h"

/* The conditional of a site, from the partial sums of its terms. */
HS_ON_CARD void add_conditional(const hs_card_group *g, const hs_card_lane *at,
                                int i, const float *upto)
{
    int states = g->model.states[i];
    int64_t row = g->counted ? i : g->model.value[i];

    for (int v = g->counted ? 1 : 0; v < states; v++)
        at->sum[(row + (g->counted ? 0 : v)) * HS_LANES] +=
            at->weight * (upto[v] - (v > 0 ? upto[v - 1] : 0.0f)) /
            upto[states - 1];
}

/* The first value whose partial sum exceeds u times the total, of terms
 * e^(logit - max); the sums stay in upto (lanes/vec/softmax.h). */
HS_ON_CARD int draw(const float *logits, int states, uint32_t word, float *upto)
{
    float max = logits[0], sum = 0.0f, target;
    int index = 0;

    for (int v = 1; v < states; v++)
        max = vf_max(max, logits[v]);
    for (int v = 0; v < states; v++) {
        sum = sum + vf_exp(logits[v] - max);
        upto[v] = sum;
    }
    target = vf_min(vf_uniform(word), 0x1.fffffep-1f) * sum;
    for (int v = 0; v < states - 1; v++)
        index += upto[v] <= target;
    return index;
}

HS_ON_CARD int sweep(const hs_card_group *g, const hs_card_lane *at,
                     uint64_t clock, int is_summed)
{
    const hs_device_model *m = &g->model;
    hs_card_sites sites = hs_card_sites_begin(g, clock);
    philox_at words =
        philox_begin(g->seed, clock, at->chain, at->replica, HS_DRAW_PROPOSE);
    uint32_t word[4];
    int changed = 0;

    for (int n = 0; n < g->sampler.visits; n++) {
        int i = hs_card_site(g, &sites, n), to;
        float logits[HS_FEW], upto[HS_FEW];

        if (n % 4 == 0)
            philox_four(&words, (uint32_t)n / 4, word);
        hs_card_logits(m, at, i, logits);
        to = draw(logits, m->states[i], word[n % 4], upto);
        if (is_summed)
            add_conditional(g, at, i, upto);
        changed += to != at->x[i * HS_LANES];
        at->x[i * HS_LANES] = (int16_t)to;
    }
    return changed;
}

HS_KERNEL void gibbs_values(hs_card_group g, hs_card_steps s)
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

void hs_card_gibbs_values(const hs_card_group *g, const hs_card_steps *s)
{
    HS_LAUNCH(gibbs_values, hs_card_lanes(g), *g, *s);
}
