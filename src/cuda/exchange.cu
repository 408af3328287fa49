/* exchange.cu - levels of parallel tempering, after a step of all lanes: what
 * kernel/compose/pt.c and kernel/tempering.c do.
 *
 * A thread has two neighbouring levels of a chain and the lanes that stand
 * there, which no other thread looks at.  What is noted of a level stays in its
 * place; what a lane has with its level (beta, counts of its kernels) goes with
 * it.  Not here: the base, which leaves states and U. */
#include "cuda/model.h"

/* As in kernel/tile.h. */
enum {
    FROM_COLD = 1,
    FROM_HOT = 2
};

/* A level of a chain, and its lane. */
typedef struct rung {
    int level; /* -1: there is none */
    int64_t slot;
    int64_t lane;
} rung;

HS_ON_CARD rung rung_at(const hs_card_group *g, int64_t chain, int level)
{
    int64_t first = hs_card_chain_lane(&g->ladder, chain);
    rung r;

    r.level = level >= 0 && level < g->ladder.levels ? level : -1;
    r.slot = first + level;
    r.lane = r.level < 0 ? -1 : first + g->place[r.slot];
    return r;
}

/* What is noted of a level. */
HS_ON_CARD double *row_of(const hs_card_group *g, const rung *r, int row)
{
    return &g->lanes.ladder[r->slot / HS_LANES * HS_LADDER_ROWS + row]
                           [r->slot % HS_LANES];
}

/* Adds e^exponent to a sum that is kept relative to its largest exponent. */
HS_ON_CARD void add_exponential(double exponent, double count, double *max,
                                double *sum)
{
    double before = count > 0.0 ? *max : HS_MINUS_INFINITY;
    double now = exponent > before ? exponent : before;
    float fall = vf_exp((float)(before - now));
    float rise = vf_exp((float)(exponent - now));

    *max = now;
    *sum = *sum * (double)fall + (double)rise;
}

HS_ON_CARD void note(const hs_card_group *g, const rung *r)
{
    double u = g->lanes.u[0][r->lane];
    double count = *row_of(g, r, HS_LADDER_COUNT);

    add_exponential(*row_of(g, r, HS_LADDER_COLD_GAP) * u, count,
                    row_of(g, r, HS_LADDER_COLD_MAX),
                    row_of(g, r, HS_LADDER_COLD_SUM));
    add_exponential(-*row_of(g, r, HS_LADDER_HOT_GAP) * u, count,
                    row_of(g, r, HS_LADDER_HOT_MAX),
                    row_of(g, r, HS_LADDER_HOT_SUM));
    *row_of(g, r, HS_LADDER_ENERGY) += u;
    *row_of(g, r, HS_LADDER_SQUARE) += u * u;
    *row_of(g, r, HS_LADDER_COUNT) += 1.0;
}

/* The target itself takes nothing from a state that is impossible there. */
HS_ON_CARD int is_closed(const hs_device_ladder *l, int level, double u)
{
    return level == 0 && !(l->is_hard ? u >= l->floor : u > HS_MINUS_INFINITY);
}

HS_ON_CARD double log_ratio(const hs_card_group *g, const rung *cold,
                            const rung *hot)
{
    double there = g->lanes.u[0][hot->lane];

    if (is_closed(&g->ladder, cold->level, there))
        return HS_MINUS_INFINITY;
    return ((double)g->lanes.beta[0][cold->lane] -
            (double)g->lanes.beta[0][hot->lane]) *
           (there - g->lanes.u[0][cold->lane]);
}

/* e^min(0, ratio); 0 where it is not a number. */
HS_ON_CARD double chance_of(double ratio)
{
    float capped = ratio < 0.0      ? (float)ratio
                   : ratio != ratio ? (float)HS_MINUS_INFINITY
                                    : 0.0f;

    return (double)vf_exp(capped);
}

HS_ON_CARD float log_uniform(const hs_card_group *g, const hs_card_exchange *e,
                             const rung *cold)
{
    philox_at at = philox_begin(g->seed, e->clock,
                                g->lanes.chain[0][cold->lane], 0, HS_DRAW_SWAP);
    uint32_t words[4];

    philox_four(&at, (uint32_t)cold->level / 4, words);
    return vf_log((float)words[cold->level % 4] * 0x1p-32f + 0x1p-33f);
}

HS_ON_CARD void swap_doubles(double *a, double *b)
{
    double was = *a;

    *a = *b;
    *b = was;
}

/* What the kernels of the base have counted, and what they are tuned to. */
HS_ON_CARD void swap_columns(const hs_card_group *g, int64_t a, int64_t b)
{
    const hs_device_lanes *all = &g->lanes;

    for (int n = 0; n < g->nodes; n++) {
        double(*changed)[HS_LANES] = all->changed + (int64_t)n * g->tiles;

        swap_doubles(&changed[0][a], &changed[0][b]);
    }
    for (int c = 0; c < g->columns; c++)
        swap_doubles(&all->column[a / HS_LANES * g->columns + c][a % HS_LANES],
                     &all->column[b / HS_LANES * g->columns + c][b % HS_LANES]);
}

/* The lanes change places on the ladder. */
HS_ON_CARD void swap(const hs_card_group *g, rung *cold, rung *hot)
{
    const hs_device_lanes *all = &g->lanes;
    int64_t lane = cold->lane;
    float beta = all->beta[0][lane];
    int place = g->place[cold->slot];

    all->beta[0][lane] = all->beta[0][hot->lane];
    all->beta[0][hot->lane] = beta;
    all->level[0][lane] = hot->level;
    all->level[0][hot->lane] = cold->level;
    swap_columns(g, lane, hot->lane);
    g->place[cold->slot] = g->place[hot->slot];
    g->place[hot->slot] = place;
    cold->lane = hot->lane;
    hot->lane = lane;
}

HS_ON_CARD void try_swap(const hs_card_group *g, const hs_card_exchange *e,
                         rung *cold, rung *hot)
{
    double ratio = log_ratio(g, cold, hot);

    *row_of(g, cold, HS_LADDER_CHANCE) += chance_of(ratio);
    *row_of(g, cold, HS_LADDER_PROPOSED) += 1.0;
    if ((double)log_uniform(g, e, cold) < ratio) {
        *row_of(g, cold, HS_LADDER_ACCEPTED) += 1.0;
        swap(g, cold, hot);
    }
}

/* A round trip leads from the coldest level to the hottest and back. */
HS_ON_CARD void count_trip(const hs_card_group *g, const rung *r)
{
    int *heading = &g->lanes.heading[0][r->lane];

    if (r->level == 0) {
        g->lanes.trips[0][r->lane] += *heading == FROM_HOT;
        *heading = FROM_COLD;
    } else if (r->level == g->ladder.levels - 1 && *heading == FROM_COLD) {
        *heading = FROM_HOT;
    }
}

/* A lane that is at the target. */
HS_ON_CARD void count_target(const hs_card_group *g, const rung *r, int times)
{
    if (r->level == 0)
        g->lanes.counted[0][r->lane] += (double)times;
}

HS_KERNEL void exchange(hs_card_group g, hs_card_exchange e)
{
    int each = g.ladder.levels / 2 + 1;
    int64_t chain = hs_card_thread() / each;
    int cold = (int)(hs_card_thread() % each) * 2 - e.parity;
    rung r[2];

    if (chain >= g.ladder.chains)
        return;
    for (int k = 0; k < 2; k++) {
        r[k] = rung_at(&g, chain, cold + k);
        if (e.counted)
            count_target(&g, &r[k], e.counted);
        if (e.is_noted && r[k].level >= 0)
            note(&g, &r[k]);
    }
    if (e.is_exchanged && r[0].level >= 0 && r[1].level >= 0)
        try_swap(&g, &e, &r[0], &r[1]);
    for (int k = 0; k < 2; k++) {
        if (r[k].level < 0)
            continue;
        if (e.is_exchanged)
            count_trip(&g, &r[k]);
        if (e.is_seen)
            count_target(&g, &r[k], 1);
        g.lanes.weight[0][r[k].lane] = r[k].level == 0 ? 1.0f : 0.0f;
    }
}

void hs_card_exchange_levels(const hs_card_group *g, const hs_card_exchange *e)
{
    HS_LAUNCH(exchange, (int64_t)g->ladder.chains * (g->ladder.levels / 2 + 1),
              *g, *e);
}

HS_KERNEL void find_levels(hs_card_group g)
{
    int64_t chain = hs_card_thread() / g.ladder.levels, first;
    int replica = (int)(hs_card_thread() % g.ladder.levels);

    if (chain >= g.ladder.chains)
        return;
    first = hs_card_chain_lane(&g.ladder, chain);
    g.place[first + g.lanes.level[0][first + replica]] = replica;
}

void hs_card_find_levels(const hs_card_group *g)
{
    HS_LAUNCH(find_levels, (int64_t)g->ladder.chains * g->ladder.levels, *g);
}
