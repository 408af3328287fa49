/* rows.cu - Langevin steps from rows of the gradient, of any model and
 * balance: what lanes/langevin/dlp.c and kernel/langevin/paths/rows.c do for
 * one lane. */
#include "cuda/langevin/gain.h"
#include "cuda/langevin/learn.h"

#define GROUP 8 /* coordinates of a pair domain in one term of ln q */

/* Logit of a flip of coordinate i of a pair domain. */
HS_ON_CARD float flip_logit(const hs_card_group *g, const hs_card_point *p,
                            const hs_card_law *law, const hs_card_place *at,
                            int i, int x)
{
    float gap = g->model.domain.gap;
    float row = hs_card_row_of_pair(&g->model, p, at->tile, at->lane, i);

    return law->balance * hs_card_gain_flip(g, law->beta, at, i, x, row) -
           law->stiffness * (gap * gap);
}

/* ln q of a group of flips, a term of `to`. */
typedef struct sums {
    float sum, product;
} sums;

HS_ON_CARD void add(sums *s, float z, int flip, float whole)
{
    s->sum = s->sum + vf_min(vf_negate_if(1 - flip, z), 0.0f);
    s->product = s->product * whole;
}

HS_ON_CARD void end_group(float (*term)[HS_LANES], const hs_card_work *w,
                          const hs_card_place *at, int i, sums *s)
{
    HS_CARD_ROW(term, at->tile, w->terms, i / GROUP, at->lane) =
        s->sum - vf_log_normal(s->product);
    s->sum = 0.0f;
    s->product = 1.0f;
}

HS_ON_CARD void propose_pair(const hs_card_group *g, const hs_card_work *w,
                             const hs_card_law *law, const philox_at *words,
                             const hs_card_place *at)
{
    int dim = g->model.dim;
    uint32_t word[4] = {0, 0, 0, 0};
    sums s = {0.0f, 1.0f};

    for (int i = at->first; i < at->last; i++) {
        int x = HS_CARD_ROW(w->at.x, at->tile, dim, i, at->lane), flip;
        float z = flip_logit(g, &w->at, law, at, i, x);
        float e = vf_exp_negative(-vf_abs(z)), whole = 1.0f + e;

        if (i % 4 == 0)
            philox_four(words, (uint32_t)i / 4, word);
        flip = vf_uniform(word[i % 4]) * whole < (z < 0.0f ? e : 1.0f);
        HS_CARD_ROW(w->y.x, at->tile, dim, i, at->lane) = (int16_t)(x ^ flip);
        add(&s, z, flip, whole);
        if (i % GROUP == GROUP - 1 || i + 1 == at->last)
            end_group(w->forward, w, at, i, &s);
    }
}

HS_ON_CARD void go_back_pair(const hs_card_group *g, const hs_card_work *w,
                             const hs_card_law *law, const hs_card_place *at)
{
    int dim = g->model.dim;
    sums s = {0.0f, 1.0f};

    for (int i = at->first; i < at->last; i++) {
        int y = HS_CARD_ROW(w->y.x, at->tile, dim, i, at->lane);
        int flip = y ^ HS_CARD_ROW(w->at.x, at->tile, dim, i, at->lane);
        float z = flip_logit(g, &w->y, law, at, i, y);

        add(&s, z, flip, 1.0f + vf_exp_negative(-vf_abs(z)));
        if (i % GROUP == GROUP - 1 || i + 1 == at->last)
            end_group(w->reverse, w, at, i, &s);
    }
}

/* Partial sums of e^(logit - max) over the values of coordinate i, which is at
 * x; returns the logit of each to logits. */
HS_ON_CARD void value_logits(const hs_card_group *g, const hs_card_point *p,
                             const hs_card_law *law, const hs_card_place *at,
                             int i, int x, float *logits)
{
    const hs_domain *d = &g->model.domain;
    const float *values = d->values + d->value[i];
    int labels = d->kind[i] == HISS_CATEGORICAL;
    float rows[HS_FEW];

    hs_card_rows(&g->model, p, at->tile, at->lane, i, rows);
    hs_card_gain_values(g, law->beta, at, i, x, rows, logits);
    for (int v = 0; v < d->states[i]; v++) {
        float step = values[v] - values[x];
        float far = labels ? (v == x ? 0.0f : 2.0f) : step * step;

        logits[v] = law->balance * logits[v] - law->stiffness * far;
    }
}

/* The value that u draws, or `to` if that is not negative; its ln q. */
HS_ON_CARD int draw_value(const float *logits, int states, float u, int to,
                          float *log_q)
{
    float upto[HS_FEW], max = logits[0], sum = 0.0f;

    for (int v = 1; v < states; v++)
        max = vf_max(max, logits[v]);
    for (int v = 0; v < states; v++) {
        sum = sum + vf_exp(logits[v] - max);
        upto[v] = sum;
    }
    if (to < 0) {
        float target = vf_min(u, 0x1.fffffep-1f) * sum;

        to = 0;
        for (int v = 0; v < states - 1; v++)
            to += upto[v] <= target;
    }
    *log_q = (logits[to] - max) - vf_log(sum);
    return to;
}

HS_ON_CARD void propose_values(const hs_card_group *g, const hs_card_work *w,
                               const hs_card_law *law, const philox_at *words,
                               const hs_card_place *at)
{
    int dim = g->model.dim;
    uint32_t word[4] = {0, 0, 0, 0};

    for (int i = at->first; i < at->last; i++) {
        int x = HS_CARD_ROW(w->at.x, at->tile, dim, i, at->lane);
        float logits[HS_FEW];

        if (i % 4 == 0)
            philox_four(words, (uint32_t)i / 4, word);
        value_logits(g, &w->at, law, at, i, x, logits);
        HS_CARD_ROW(w->y.x, at->tile, dim, i, at->lane) = (int16_t)draw_value(
            logits, g->model.states[i], vf_uniform(word[i % 4]), -1,
            &HS_CARD_ROW(w->forward, at->tile, w->terms, i, at->lane));
    }
}

HS_ON_CARD void go_back_values(const hs_card_group *g, const hs_card_work *w,
                               const hs_card_law *law, const hs_card_place *at)
{
    int dim = g->model.dim;

    for (int i = at->first; i < at->last; i++) {
        int y = HS_CARD_ROW(w->y.x, at->tile, dim, i, at->lane);
        float logits[HS_FEW];

        value_logits(g, &w->y, law, at, i, y, logits);
        draw_value(logits, g->model.states[i], 0.0f,
                   HS_CARD_ROW(w->at.x, at->tile, dim, i, at->lane),
                   &HS_CARD_ROW(w->reverse, at->tile, w->terms, i, at->lane));
    }
}

HS_KERNEL void propose(hs_card_group g, hs_card_work w, uint64_t clock,
                       int position)
{
    hs_card_place at;
    hs_card_law law;
    philox_at words;

    if (hs_card_thread() >= hs_card_places(&g, &w))
        return;
    at = hs_card_place_at(&g, hs_card_thread());
    law = hs_card_law_at(&g, at.number, clock, position);
    words = philox_begin(g.seed, clock, g.lanes.chain[0][at.number],
                         g.lanes.replica[0][at.number], HS_DRAW_PROPOSE);
    if (g.model.domain.is_pair)
        propose_pair(&g, &w, &law, &words, &at);
    else
        propose_values(&g, &w, &law, &words, &at);
}

HS_KERNEL void go_back(hs_card_group g, hs_card_work w, uint64_t clock,
                       int position)
{
    hs_card_place at;
    hs_card_law law;

    if (hs_card_thread() >= hs_card_places(&g, &w))
        return;
    at = hs_card_place_at(&g, hs_card_thread());
    law = hs_card_law_at(&g, at.number, clock, position);
    if (g.model.domain.is_pair)
        go_back_pair(&g, &w, &law, &at);
    else
        go_back_values(&g, &w, &law, &at);
    hs_card_bends(&g, &w, &at);
}

HS_KERNEL void decide(hs_card_group g, hs_card_work w, uint64_t clock)
{
    int64_t number = hs_card_thread(), tile = number / HS_LANES;
    int lane = (int)(number % HS_LANES), accept;
    int terms = g.model.domain.is_pair ? (g.model.dim + GROUP - 1) / GROUP
                                       : g.model.dim;
    double ratio;

    if (number >= hs_card_lanes(&g))
        return;
    ratio = hs_card_log_ratio(&g, &w, number);
    if (ratio != HS_MINUS_INFINITY)
        ratio += hs_card_sum(w.reverse, tile, w.terms, terms, lane) -
                 hs_card_sum(w.forward, tile, w.terms, terms, lane);
    accept = hs_card_decide(&g, number, clock, ratio);
    g.lanes.changed[tile][lane] += (double)accept;
    w.accept[tile][lane] = (uint8_t)accept;
    hs_card_learn(&g, number, ratio);
    if (accept)
        w.at.u[tile][lane] = w.y.u[tile][lane];
}

void hs_card_langevin_rows(const hs_card_group *g, const hs_card_work *w,
                           uint64_t clock, int position)
{
    HS_LAUNCH(propose, hs_card_places(g, w), *g, *w, clock, position);
    hs_card_evaluate(g, w, &w->y, HS_CARD_U | HS_CARD_GRAD | HS_CARD_IN_BLOCKS);
    HS_LAUNCH(go_back, hs_card_places(g, w), *g, *w, clock, position);
    HS_LAUNCH(decide, hs_card_lanes(g), *g, *w, clock);
    hs_card_move(g, w);
}

void hs_card_langevin(const hs_card_group *g, const hs_card_work *w,
                      uint64_t clock, uint64_t position)
{
    const hs_device_sampler *s = &g->sampler;
    int at = s->cycle > 0
                 ? (int)(position / (uint64_t)s->hold % (uint64_t)s->cycle)
                 : 0;

    if (g->whole && g->model.domain.is_pair) {
        hs_whole_langevin(g, w, clock, at);
        return;
    }
    switch (s->path) {
    case HS_DEVICE_ROWS:
        hs_card_langevin_rows(g, w, clock, at);
        break;
    case HS_DEVICE_ODDS:
        hs_card_langevin_odds(g, w, clock, at);
        break;
    case HS_DEVICE_REGULAR:
        hs_card_langevin_regular(g, w, clock, at);
        break;
    case HS_DEVICE_FACTORS:
        hs_card_langevin_factors(g, w, clock, at);
        break;
    }
}
