/* group.h - the lanes of many tiles in a card's memory, as kernels see them.
 *
 * Thread n is lane n % HS_LANES of tile n / HS_LANES and walks alone: it does
 * what its lane does on the processor, in the same order.  A row of a tile is
 * sixteen lanes in a row, 32 bytes of states, which is what a card reads at
 * once. */
#ifndef HS_CUDA_GROUP_H
#define HS_CUDA_GROUP_H

#include "cuda/thread.h"
#include "device/device.h"

/* What a sampler adds to beta U (kernel/tilt.h, lanes/shapes.h); of pointers
 * that are not wanted, NULL.  A row per coordinate of a pair domain, else one
 * per value. */
typedef struct hs_card_tilt {
    float (*phi)[HS_LANES];    /* [tiles][rows] */
    float (*slope)[HS_LANES];  /* [tiles][2 * rows] */
    float (*factor)[HS_LANES]; /* [tiles][dim] */
    uint8_t (*was)[HS_LANES];  /* [tiles][dim] */
    float (*root)[HS_LANES];   /* [tiles] */
    int rows;
} hs_card_tilt;

/* All pointers are into the card's memory. */
typedef struct hs_card_group {
    hs_device_model model;
    hs_device_sampler sampler; /* the node whose step is made */
    hs_device_lanes lanes;
    hs_card_tilt tilt; /* that it sees */
    int columns;
    /* In a pilot: what the node learns in this step, and the number of the
     * balance that it tries. */
    hs_device_lesson lesson;
    int tried;
    hs_device_ladder ladder;
    /* [lanes], with a ladder: which lane of its chain is at a level, in the
     * order of lanes.ladder */
    int *place;
    int nodes; /* of the tree: that have counts of what changed */
    uint64_t seed;
    int tiles;
    int span; /* coordinates of a place (point.h) */
    /* Of a model that is evaluated as a whole, else NULL; it is here. */
    const struct hs_whole_model *whole;
    int sums, counted, totals;
} hs_card_group;

/* The steps that are asked for. */
typedef struct hs_card_steps {
    uint64_t clock; /* before the first */
    int64_t count;
    int is_summed;
} hs_card_steps;

/* What follows a step where there are levels. */
typedef struct hs_card_exchange {
    uint64_t clock;   /* of the exchange */
    int parity;       /* of the colder levels */
    int is_exchanged; /* else only noted: */
    int is_noted;     /* U, */
    int counted;      /* so often marginals have the lanes at the target, */
    int is_seen;      /* or those that are there after it */
} hs_card_exchange;

/* Row r of a lane's rows, whose first one is at `first`. */
#define HS_AT(first, r) ((first)[(int64_t)(r)*HS_LANES])

/* One lane: the first rows of what it has (HS_AT). */
typedef struct hs_card_lane {
    int16_t *x;
    float *sum;
    uint8_t *counts;
    float beta, weight;
    uint32_t chain, replica;
    const float *phi; /* or NULL */
    int64_t number;
} hs_card_lane;

HS_EITHER int64_t hs_card_lanes(const hs_card_group *g)
{
    return (int64_t)g->tiles * HS_LANES;
}

/* The first lane of a chain. */
HS_ON_CARD int64_t hs_card_chain_lane(const hs_device_ladder *l, int64_t chain)
{
    int64_t group = chain / l->group_chains;

    return group * l->group_tiles * HS_LANES +
           (chain - group * l->group_chains) * l->levels;
}

HS_ON_CARD hs_card_lane hs_card_lane_at(const hs_card_group *g, int64_t number)
{
    int64_t tile = number / HS_LANES, lane = number % HS_LANES;
    const hs_device_lanes *all = &g->lanes;
    hs_card_lane at;

    at.number = number;
    at.x = &all->x[tile * g->model.dim][lane];
    at.sum = all->sum ? &all->sum[tile * g->sums][lane] : NULL;
    at.counts = at.sum
                    ? (uint8_t *)&all->sum[tile * g->sums + g->counted] + lane
                    : NULL;
    at.beta = all->beta[tile][lane];
    at.weight = all->weight[tile][lane];
    at.phi = g->tilt.phi ? &g->tilt.phi[tile * g->tilt.rows][lane] : NULL;
    at.chain = all->chain[tile][lane];
    at.replica = all->replica[tile][lane];
    return at;
}

/* The state of coordinate i of lane `number`, and its row of the sums. */
HS_ON_CARD int16_t *hs_card_row(const hs_card_group *g, int64_t number, int i)
{
    return &g->lanes.x[number / HS_LANES * g->model.dim + i][number % HS_LANES];
}

HS_ON_CARD float *hs_card_sum_row(const hs_card_group *g, int64_t number, int i)
{
    return &g->lanes.sum[number / HS_LANES * g->sums + i][number % HS_LANES];
}

/* The site of a visit; shared: the words that all lanes draw sites from, of
 * the block that the last visit used. */
typedef struct hs_card_sites {
    philox_at at;
    uint32_t word[4];
} hs_card_sites;

HS_ON_CARD hs_card_sites hs_card_sites_begin(const hs_card_group *g,
                                             uint64_t clock)
{
    hs_card_sites s;

    s.at = philox_begin(g->seed, clock, HS_SHARED_CHAIN, 0, HS_DRAW_SITE);
    return s;
}

HS_ON_CARD int hs_card_site(const hs_card_group *g, hs_card_sites *s, int visit)
{
    if (!g->sampler.is_random)
        return g->model.order ? g->model.order[visit] : visit;
    if (visit % 4 == 0)
        philox_four(&s->at, (uint32_t)visit / 4, s->word);
    /* as hs_below */
    return (int)((uint64_t)s->word[visit % 4] * (uint32_t)g->model.dim >> 32);
}

/* Indicators of where the lane stands, where no probabilities were added. */
HS_ON_CARD void hs_card_count(const hs_card_group *g, const hs_card_lane *at)
{
    const hs_device_model *m = &g->model;

    for (int i = 0; i < m->dim; i++) {
        int x = at->x[i * HS_LANES];

        if (!g->counted)
            at->sum[(int64_t)(m->value[i] + x) * HS_LANES] += at->weight;
        else if (at->weight != 0.0f)
            at->counts[i * HS_LANES] += (uint8_t)x;
    }
}

/* The kernels: one file each. */
#ifdef __cplusplus
extern "C" {
#endif
/* Which lanes are at which level, from lanes.level. */
void hs_card_find_levels(const hs_card_group *g);
void hs_card_exchange_levels(const hs_card_group *g, const hs_card_exchange *e);
/* Draws of all chains (device.h): U and counts, then states, from rows or from
 * words [dim][stride]. */
void hs_card_pack_numbers(const hs_card_group *g, double *u, double *changed);
void hs_card_pack_states(const hs_card_group *g, const uint32_t *words,
                         int stride, int bits, uint32_t *to);

/* Tiles' lanes that stand better than before: a bit each, to take [tiles]. */
void hs_card_find_better(const hs_card_group *g, double goal, uint32_t *take);
/* Their states, to the rows of `to`. */
void hs_card_take_rows(const hs_card_group *g, const uint32_t *take,
                       int16_t (*to)[HS_LANES]);
/* After a step of a pilot: chains share what they have learnt. */
void hs_card_pool(const hs_card_group *g);
/* Sums to the totals, and begun anew (run/chain/marginals.c). */
void hs_card_fold(const hs_card_group *g);
void hs_card_gibbs_pairs(const hs_card_group *g, const hs_card_steps *s);
void hs_card_gibbs_values(const hs_card_group *g, const hs_card_steps *s);
void hs_card_metropolis(const hs_card_group *g, const hs_card_steps *s);
#ifdef __cplusplus
}
#endif

#endif
