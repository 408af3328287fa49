/* gwg.cu - one coordinate, chosen by what its change would gain: what
 * kernel/informed/informed.c does for one lane. */
#include "cuda/langevin/gain.h"

#define FEW_ROWS 4096

/* Logits of all single-site changes from p. */
HS_KERNEL void score(hs_card_group g, hs_card_work w, hs_card_point p)
{
    const hs_device_model *m = &g.model;
    const hs_domain *d = &m->domain;
    hs_card_place at;
    float beta;

    if (hs_card_thread() >= hs_card_places(&g, &w))
        return;
    at = hs_card_place_at(&g, hs_card_thread());
    beta = g.lanes.beta[at.tile][at.lane];
    for (int i = at.first; i < at.last; i++) {
        int x = HS_CARD_ROW(p.x, at.tile, m->dim, i, at.lane);
        float rows[HS_FEW], gain[HS_FEW];

        if (d->is_pair) {
            float row = hs_card_row_of_pair(m, &p, at.tile, at.lane, i);

            HS_CARD_ROW(w.logit, at.tile, w.logits, i, at.lane) =
                0.5f * hs_card_gain_flip(&g, beta, &at, i, x, row);
            continue;
        }
        hs_card_rows(m, &p, at.tile, at.lane, i, rows);
        hs_card_gain_values(&g, beta, &at, i, x, rows, gain);
        for (int v = 0; v < d->states[i]; v++)
            HS_CARD_ROW(w.logit, at.tile, w.logits, d->value[i] + v, at.lane) =
                v == x ? (float)HS_MINUS_INFINITY : 0.5f * gain[v];
    }
}

/* Normalizer of a point's proposal. */
typedef struct total {
    float max;
    double sum;
} total;

HS_ON_CARD total total_of(const hs_card_work *w, int64_t tile, int lane)
{
    total t;

    t.max = HS_CARD_ROW(w->logit, tile, w->logits, 0, lane);
    t.sum = 0.0;
    for (int r = 1; r < w->logits; r++)
        t.max = vf_max(t.max, HS_CARD_ROW(w->logit, tile, w->logits, r, lane));
    t.max = vf_max(t.max, -3.0e38f);
    for (int r = 0; r < w->logits; r++)
        t.sum = t.sum +
                (double)vf_exp(HS_CARD_ROW(w->logit, tile, w->logits, r, lane) -
                               t.max);
    return t;
}

HS_ON_CARD double log_q(const hs_card_work *w, const total *t, float logit)
{
    if (w->logits > FEW_ROWS)
        return (double)logit - (double)t->max - hs_logarithm(t->sum);
    return (double)logit - (double)t->max - (double)vf_log((float)t->sum);
}

HS_ON_CARD double uniform_of(const hs_card_group *g, const hs_card_work *w,
                             int64_t number, uint64_t clock)
{
    philox_at at = philox_begin(g->seed, clock, g->lanes.chain[0][number],
                                g->lanes.replica[0][number], HS_DRAW_PROPOSE);
    uint32_t word[4];

    philox_four(&at, 0, word);
    if (w->logits <= FEW_ROWS)
        return ((double)word[0] + 0.5) * 0x1p-32;
    return ((double)((uint64_t)word[0] << 20 | word[1] >> 12) + 0.5) * 0x1p-52;
}

/* The coordinate of a row. */
HS_ON_CARD int owner_of(const hs_domain *d, int row)
{
    int low = 0, high = d->dim;

    if (d->is_pair)
        return row;
    while (high - low > 1) {
        int middle = low + (high - low) / 2;

        if (d->value[middle] <= row)
            low = middle;
        else
            high = middle;
    }
    return low;
}

/* y: x but for one coordinate; y has x already.  w.row: the row that leads
 * back, or -1 where there is no way out at all. */
HS_KERNEL void propose(hs_card_group g, hs_card_work w, uint64_t clock)
{
    const hs_domain *d = &g.model.domain;
    int64_t number = hs_card_thread(), tile = number / HS_LANES;
    int lane = (int)(number % HS_LANES), row = 0, i, now;
    double running = 0.0, goal;
    total here;

    if (number >= hs_card_lanes(&g))
        return;
    here = total_of(&w, tile, lane);
    goal = uniform_of(&g, &w, number, clock) * here.sum;
    for (; row < w.logits - 1; row++) {
        running = running + (double)vf_exp(HS_CARD_ROW(w.logit, tile, w.logits,
                                                       row, lane) -
                                           here.max);
        if (!(running <= goal))
            break;
    }
    i = owner_of(d, row);
    now = HS_CARD_ROW(w.at.x, tile, d->dim, i, lane);
    HS_CARD_ROW(w.y.x, tile, d->dim, i, lane) =
        (int16_t)(d->is_pair ? 1 - now : row - d->value[i]);
    w.log_q[tile][lane] =
        log_q(&w, &here, HS_CARD_ROW(w.logit, tile, w.logits, row, lane));
    w.row[tile][lane] = !(here.sum > 0.0) ? -1
                        : d->is_pair      ? i
                                          : d->value[i] + now;
}

HS_KERNEL void bends(hs_card_group g, hs_card_work w)
{
    hs_card_place at;

    if (hs_card_thread() >= hs_card_places(&g, &w))
        return;
    at = hs_card_place_at(&g, hs_card_thread());
    hs_card_bends(&g, &w, &at);
}

HS_KERNEL void decide(hs_card_group g, hs_card_work w, uint64_t clock)
{
    int64_t number = hs_card_thread(), tile = number / HS_LANES;
    int lane = (int)(number % HS_LANES), back, accept;
    double ratio;
    total there;

    if (number >= hs_card_lanes(&g))
        return;
    back = w.row[tile][lane];
    there = total_of(&w, tile, lane);
    ratio = hs_card_log_ratio(&g, &w, number);
    if (ratio != HS_MINUS_INFINITY && back >= 0)
        ratio += log_q(&w, &there,
                       HS_CARD_ROW(w.logit, tile, w.logits, back, lane)) -
                 w.log_q[tile][lane];
    accept = back >= 0 &&
             (ratio >= 0.0 || hs_card_log_uniform(&g, number, clock) < ratio);
    g.lanes.changed[tile][lane] += (double)accept;
    w.accept[tile][lane] = (uint8_t)accept;
    if (accept)
        w.at.u[tile][lane] = w.y.u[tile][lane];
}

void hs_card_gwg(const hs_card_group *g, const hs_card_work *w, uint64_t clock)
{
    size_t bytes = (size_t)g->tiles * (size_t)g->model.dim * sizeof *w->at.x;

    if (g->whole && g->model.domain.is_pair) {
        hs_whole_gwg(g, w, clock);
        return;
    }
    HS_LAUNCH(score, hs_card_places(g, w), *g, *w, w->at);
    cudaMemcpyAsync(w->y.x, w->at.x, bytes, cudaMemcpyDeviceToDevice, 0);
    HS_LAUNCH(propose, hs_card_lanes(g), *g, *w, clock);
    hs_card_evaluate(g, w, &w->y, HS_CARD_U | HS_CARD_GRAD);
    HS_LAUNCH(score, hs_card_places(g, w), *g, *w, w->y);
    if (g->tilt.phi)
        HS_LAUNCH(bends, hs_card_places(g, w), *g, *w);
    HS_LAUNCH(decide, hs_card_lanes(g), *g, *w, clock);
    hs_card_move(g, w);
}
