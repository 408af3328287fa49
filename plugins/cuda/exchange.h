/* exchange.h - two neighboring levels of a chain, after a step of all lanes:
 * what kernel/compose/pt.c and kernel/tempering.c do.
 *
 * What is noted of a level stays in its place; what a lane has with its level
 * (beta, counts of its kernels) goes with it.  Not here: the base, which leaves
 * states and U. */
#ifndef HS_CUDA_EXCHANGE_H
#define HS_CUDA_EXCHANGE_H

#include "cuda/model.h"

/* As in kernel/tile.h. */
enum {
    HS_FROM_COLD = 1,
    HS_FROM_HOT = 2
};

/* A level of a chain, and its lane. */
typedef struct hs_rung {
    int level; /* -1: there is none */
    int64_t slot;
    int64_t lane;
} hs_rung;

HS_ON_CARD hs_rung hs_rung_at(const hs_card_group *g, int64_t chain, int level)
{
    int64_t first = hs_card_chain_lane(&g->ladder, chain);
    hs_rung r;

    r.level = level >= 0 && level < g->ladder.levels ? level : -1;
    r.slot = first + level;
    r.lane = r.level < 0 ? -1 : first + g->place[r.slot];
    return r;
}

/* What is noted of a level. */
HS_ON_CARD double *hs_rung_row(const hs_card_group *g, const hs_rung *r,
                               int row)
{
    return &g->lanes.ladder[r->slot / HS_LANES * HS_LADDER_ROWS + row]
                           [r->slot % HS_LANES];
}

/* Adds e^exponent to a sum that is kept relative to its largest exponent. */
HS_ON_CARD void hs_rung_add(double exponent, double count, double *max,
                            double *sum)
{
    double before = count > 0.0 ? *max : HS_MINUS_INFINITY;
    double now = exponent > before ? exponent : before;
    float fall = vf_exp((float)(before - now));
    float rise = vf_exp((float)(exponent - now));

    *max = now;
    *sum = *sum * (double)fall + (double)rise;
}

HS_ON_CARD void hs_rung_note(const hs_card_group *g, const hs_rung *r)
{
    double u = g->lanes.u[0][r->lane];
    double count = *hs_rung_row(g, r, HS_LADDER_COUNT);

    hs_rung_add(*hs_rung_row(g, r, HS_LADDER_COLD_GAP) * u, count,
                hs_rung_row(g, r, HS_LADDER_COLD_MAX),
                hs_rung_row(g, r, HS_LADDER_COLD_SUM));
    hs_rung_add(-*hs_rung_row(g, r, HS_LADDER_HOT_GAP) * u, count,
                hs_rung_row(g, r, HS_LADDER_HOT_MAX),
                hs_rung_row(g, r, HS_LADDER_HOT_SUM));
    *hs_rung_row(g, r, HS_LADDER_ENERGY) += u;
    *hs_rung_row(g, r, HS_LADDER_SQUARE) += u * u;
    *hs_rung_row(g, r, HS_LADDER_COUNT) += 1.0;
}

/* The target itself takes nothing from a state that is impossible there. */
HS_ON_CARD int hs_rung_is_closed(const hs_device_ladder *l, int level, double u)
{
    return level == 0 && !(l->is_hard ? u >= l->floor : u > HS_MINUS_INFINITY);
}

HS_ON_CARD double hs_rung_log_ratio(const hs_card_group *g, const hs_rung *cold,
                                    const hs_rung *hot)
{
    double there = g->lanes.u[0][hot->lane];

    if (hs_rung_is_closed(&g->ladder, cold->level, there))
        return HS_MINUS_INFINITY;
    return ((double)g->lanes.beta[0][cold->lane] -
            (double)g->lanes.beta[0][hot->lane]) *
           (there - g->lanes.u[0][cold->lane]);
}

/* e^min(0, ratio); 0 where it is not a number. */
HS_ON_CARD double hs_rung_chance(double ratio)
{
    float capped = ratio < 0.0      ? (float)ratio
                   : ratio != ratio ? (float)HS_MINUS_INFINITY
                                    : 0.0f;

    return (double)vf_exp(capped);
}

HS_ON_CARD float hs_rung_log_uniform(const hs_card_group *g,
                                     const hs_card_exchange *e,
                                     const hs_rung *cold)
{
    philox_at at = philox_begin(g->seed, e->clock,
                                g->lanes.chain[0][cold->lane], 0, HS_DRAW_SWAP);
    uint32_t words[4];

    philox_four(&at, (uint32_t)cold->level / 4, words);
    return vf_log((float)words[cold->level % 4] * 0x1p-32f + 0x1p-33f);
}

HS_ON_CARD void hs_rung_swap_doubles(double *a, double *b)
{
    double was = *a;

    *a = *b;
    *b = was;
}

/* What the kernels of the base have counted, and what they are tuned to. */
HS_ON_CARD void hs_rung_swap_columns(const hs_card_group *g, int64_t a,
                                     int64_t b)
{
    const hs_device_lanes *all = &g->lanes;

    for (int n = 0; n < g->nodes; n++) {
        double(*changed)[HS_LANES] = all->changed + (int64_t)n * g->tiles;

        hs_rung_swap_doubles(&changed[0][a], &changed[0][b]);
    }
    for (int c = 0; c < g->columns; c++)
        hs_rung_swap_doubles(
            &all->column[a / HS_LANES * g->columns + c][a % HS_LANES],
            &all->column[b / HS_LANES * g->columns + c][b % HS_LANES]);
}

/* The lanes change places on the ladder. */
HS_ON_CARD void hs_rung_swap(const hs_card_group *g, hs_rung *cold,
                             hs_rung *hot)
{
    const hs_device_lanes *all = &g->lanes;
    int64_t lane = cold->lane;
    float beta = all->beta[0][lane];
    int place = g->place[cold->slot];

    all->beta[0][lane] = all->beta[0][hot->lane];
    all->beta[0][hot->lane] = beta;
    all->level[0][lane] = hot->level;
    all->level[0][hot->lane] = cold->level;
    hs_rung_swap_columns(g, lane, hot->lane);
    g->place[cold->slot] = g->place[hot->slot];
    g->place[hot->slot] = place;
    cold->lane = hot->lane;
    hot->lane = lane;
}

HS_ON_CARD void hs_rung_try_swap(const hs_card_group *g,
                                 const hs_card_exchange *e, hs_rung *cold,
                                 hs_rung *hot)
{
    double ratio = hs_rung_log_ratio(g, cold, hot);

    *hs_rung_row(g, cold, HS_LADDER_CHANCE) += hs_rung_chance(ratio);
    *hs_rung_row(g, cold, HS_LADDER_PROPOSED) += 1.0;
    if ((double)hs_rung_log_uniform(g, e, cold) < ratio) {
        *hs_rung_row(g, cold, HS_LADDER_ACCEPTED) += 1.0;
        hs_rung_swap(g, cold, hot);
    }
}

/* A round trip leads from the coldest level to the hottest and back. */
HS_ON_CARD void hs_rung_count_trip(const hs_card_group *g, const hs_rung *r)
{
    int *heading = &g->lanes.heading[0][r->lane];

    if (r->level == 0) {
        g->lanes.trips[0][r->lane] += *heading == HS_FROM_HOT;
        *heading = HS_FROM_COLD;
    } else if (r->level == g->ladder.levels - 1 && *heading == HS_FROM_COLD) {
        *heading = HS_FROM_HOT;
    }
}

/* A lane that is at the target. */
HS_ON_CARD void hs_rung_count_target(const hs_card_group *g, const hs_rung *r,
                                     int times)
{
    if (r->level == 0)
        g->lanes.counted[0][r->lane] += (double)times;
}

/* Levels cold and cold + 1 of a chain, of which one may not be there; no other
 * thread looks at the lanes that stand there. */
HS_ON_CARD void hs_card_exchange_pair(const hs_card_group *g,
                                      const hs_card_exchange *e, int64_t chain,
                                      int cold)
{
    hs_rung r[2];

    for (int k = 0; k < 2; k++) {
        r[k] = hs_rung_at(g, chain, cold + k);
        if (e->counted)
            hs_rung_count_target(g, &r[k], e->counted);
        if (e->is_noted && r[k].level >= 0)
            hs_rung_note(g, &r[k]);
    }
    if (e->is_exchanged && r[0].level >= 0 && r[1].level >= 0)
        hs_rung_try_swap(g, e, &r[0], &r[1]);
    for (int k = 0; k < 2; k++) {
        if (r[k].level < 0)
            continue;
        if (e->is_exchanged)
            hs_rung_count_trip(g, &r[k]);
        if (e->is_seen)
            hs_rung_count_target(g, &r[k], 1);
        g->lanes.weight[0][r[k].lane] = r[k].level == 0 ? 1.0f : 0.0f;
    }
}

#endif
