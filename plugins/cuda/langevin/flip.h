/* flip.h - what Langevin steps share: step sizes, logits, decisions. */
#ifndef HS_CUDA_LANGEVIN_FLIP_H
#define HS_CUDA_LANGEVIN_FLIP_H

#include "cuda/rows.h"

#define HS_FAR (UINT32_C(1) << 30) /* kernel/adapt.c */

/* The law of a proposal, of one lane. */
typedef struct hs_card_law {
    float beta, balance, stiffness; /* stiffness: 1 / (2 alpha) */
} hs_card_law;

HS_ON_CARD double hs_card_column(const hs_card_group *g, int64_t number,
                                 int column)
{
    return HS_CARD_ROW(g->lanes.column, number / HS_LANES, g->columns,
                       g->sampler.column + column, number % HS_LANES);
}

/* A value, now and then replaced by one that reaches far (kernel/adapt.c);
 * clock: that before the step. */
HS_ON_CARD float hs_card_reach(const hs_card_group *g, int64_t number,
                               uint64_t clock, float value)
{
    const hs_device_sampler *s = &g->sampler;
    philox_at at;
    double log_value;
    uint32_t word[4];

    if (s->log_far == HS_MINUS_INFINITY)
        return value;
    log_value = hs_card_column(g, number, 0);
    at = philox_begin(g->seed, clock, g->lanes.chain[0][number],
                      g->lanes.replica[0][number], HS_DRAW_SCALE);
    philox_four(&at, 0, word);
    if (word[0] >= HS_FAR || !(s->log_far > log_value))
        return value;
    return vf_exp((float)(log_value + ((double)word[1] + 0.5) * 0x1p-32 *
                                          (s->log_far - log_value)));
}

/* What is tried in this step of a pilot. */
HS_ON_CARD float hs_card_tried(const hs_card_group *g, int64_t number)
{
    return vf_exp((float)hs_card_column(g, number, g->lesson.column));
}

/* A step size, or the scale of noise. */
HS_ON_CARD float hs_card_scale(const hs_card_group *g, int64_t number,
                               uint64_t clock)
{
    if (g->lesson.until)
        return hs_card_tried(g, number);
    if (g->sampler.given != 0.0f)
        return g->sampler.given;
    return hs_card_reach(g, number, clock,
                         vf_exp((float)hs_card_column(g, number, 0)));
}

/* clock: of the step; position: of the cycle. */
HS_ON_CARD hs_card_law hs_card_law_at(const hs_card_group *g, int64_t number,
                                      uint64_t clock, int position)
{
    const hs_device_sampler *s = &g->sampler;
    hs_card_law law;
    float alpha;

    law.beta = g->lanes.beta[0][number];
    law.balance = 0.5f;
    if (g->lesson.until && g->lesson.balances)
        law.balance = (float)(0.5 + (g->lesson.balance_most - 0.5) * g->tried /
                                        (g->lesson.balances - 1));
    if (g->lesson.until) {
        alpha = hs_card_tried(g, number);
    } else if (s->cycle > 0) {
        alpha = (float)hs_card_column(g, number, s->schedule + position);
        law.balance =
            (float)hs_card_column(g, number, s->schedule + s->cycle + position);
        alpha = hs_card_reach(g, number, clock - 1, alpha);
    } else {
        alpha = hs_card_scale(g, number, clock - 1);
    }
    law.stiffness = 0.5f / alpha;
    return law;
}

HS_ON_CARD coin hs_card_coins(const hs_card_group *g, int64_t number,
                              uint64_t clock, hs_purpose purpose)
{
    uint32_t chain = g->lanes.chain[0][number];
    uint32_t replica = g->lanes.replica[0][number];
    coin c;

    c.at = philox_begin(g->seed, clock, chain, replica, purpose);
    c.more = philox_begin(g->seed, clock, chain, replica, HS_DRAW_TIE);
    return c;
}

/* ln of the uniform that decides. */
HS_ON_CARD double hs_card_log_uniform(const hs_card_group *g, int64_t number,
                                      uint64_t clock)
{
    philox_at at = philox_begin(g->seed, clock, g->lanes.chain[0][number],
                                g->lanes.replica[0][number], HS_DRAW_ACCEPT);
    uint32_t word[4];

    philox_four(&at, 0, word);
    return (double)vf_log(vf_uniform(word[0]));
}

/* Whether y is taken; not adjusted: unless it is impossible. */
HS_ON_CARD int hs_card_decide(const hs_card_group *g, int64_t number,
                              uint64_t clock, double log_ratio)
{
    if (!g->sampler.is_adjusted)
        return log_ratio != HS_MINUS_INFINITY;
    return log_ratio >= 0.0 ||
           hs_card_log_uniform(g, number, clock) < log_ratio;
}

/* beta u, and 0 times -infinity is 0. */
HS_ON_CARD double hs_card_tempered(float beta, double u)
{
    return beta == 0.0f ? 0.0 : (double)beta * u;
}

/* Terms first to last - 1 of a tile's, added in order. */
HS_ON_CARD double hs_card_sum(const float (*term)[HS_LANES], int64_t tile,
                              int rows, int count, int lane)
{
    double sum = 0.0;

    for (int n = 0; n < count; n++)
        sum = sum + (double)HS_CARD_ROW(term, tile, rows, n, lane);
    return sum;
}

#ifdef __cplusplus
extern "C" {
#endif
/* One file each, by the path. */
void hs_card_langevin_odds(const hs_card_group *g, const hs_card_work *w,
                           uint64_t clock, int position);
void hs_card_langevin_rows(const hs_card_group *g, const hs_card_work *w,
                           uint64_t clock, int position);
void hs_card_langevin_regular(const hs_card_group *g, const hs_card_work *w,
                              uint64_t clock, int position);
void hs_card_langevin_factors(const hs_card_group *g, const hs_card_work *w,
                              uint64_t clock, int position);
#ifdef __cplusplus
}
#endif

#endif
