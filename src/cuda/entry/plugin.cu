/* plugin.cu - the table of device.h: cards, their memory, and which kernel
 * makes a step. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cuda/compose/walk.h"
#include "cuda/entry/work.h"
#include "cuda/gibbs/bits.h"
#include "cuda/group.h"
#include "cuda/memory.h"

#define WARPS 32 /* of a multiprocessor that hide each other's waiting */

struct hs_device_group {
    hs_card_group card; /* in its memory */
    hs_card_bits bits;  /* likewise; used if there is: */
    void *visits;       /* owned, here, and in it: */
    const int *stage;   /* as in bits */
    int is_grid;        /* of all multiprocessors, not of each */
    hs_card_walk walk;
    hs_device_lanes lanes; /* here */
    int number;
    hs_card_memory memory;
};

static hiss_status count_cards(int *cards, hiss_error *err)
{
    cudaError_t error = cudaGetDeviceCount(cards);

    if (error == cudaErrorNoDevice)
        *cards = 0;
    else if (error != cudaSuccess)
        return hs_card_fail(
            err, HISS_EUNSUP,
            "the driver of the card does not answer (see nvidia-smi, "
            "or use --device cpu)",
            error);
    return HISS_OK;
}

static hiss_status card_at(int number, hs_device_card *out, hiss_error *err)
{
    cudaDeviceProp p;
    size_t left, total;

    TRY(cudaSetDevice(number));
    TRY(cudaGetDeviceProperties(&p, number));
    TRY(cudaMemGetInfo(&left, &total));
    memset(out, 0, sizeof *out);
    snprintf(out->name, sizeof out->name, "%s", p.name);
    out->bytes = (double)total;
    out->free = (double)left;
    out->processors = p.multiProcessorCount;
    return HISS_OK;
}

#define PUT(to, from, count)                                                   \
  PASS(hs_card_put(&g->memory, &(to), from, (from) ? (int64_t)(count) : 0,     \
                   sizeof *(to), err))

static hiss_status put_sparse(struct hs_device_group *g, hs_sparse *to,
                              const hs_sparse *from, int64_t fields,
                              hiss_error *err)
{
    int64_t edges = from->start ? from->start[from->dim] : 0;

    PUT(to->start, from->start, from->dim + 1);
    PUT(to->column, from->column, edges);
    PUT(to->value, from->value, edges);
    PUT(to->field, from->field, fields);
    PUT(to->exact, from->exact, edges);
    PUT(to->exact_field, from->exact_field, fields);
    return HISS_OK;
}

static hiss_status put_tables(struct hs_device_group *g, hs_tables *to,
                              const hs_tables *from, int dim, int64_t columns,
                              hiss_error *err)
{
    PUT(to->start, from->start, dim + 1);
    PUT(to->incidence, from->incidence, from->start ? from->start[dim] : 0);
    PUT(to->column, from->column, columns);
    PUT(to->stride, from->stride, columns);
    return HISS_OK;
}

static hiss_status put_model(struct hs_device_group *g,
                             const hs_device_model *from, hiss_error *err)
{
    hs_device_model *to = &g->card.model;
    int64_t labels = from->gain == HS_DEVICE_LABELS ? from->states_max : 1;

    *to = *from;
    PUT(to->domain.kind, from->domain.kind, from->dim);
    PUT(to->domain.states, from->domain.states, from->dim);
    PUT(to->domain.row, from->domain.row, from->dim + 1);
    PUT(to->domain.value, from->domain.value, from->dim + 1);
    PUT(to->domain.values, from->domain.values, from->domain.value_count);
    PUT(to->diagonal, from->diagonal, from->dim);
    to->states = to->domain.states;
    to->value = to->domain.value;
    PUT(to->order, from->order, from->dim);
    PASS(put_sparse(g, &to->j, &from->j, labels * from->dim, err));
    PASS(put_tables(g, &to->once, &from->once, from->dim, from->once_columns,
                    err));
    PASS(
        put_tables(g, &to->all, &from->all, from->dim, from->all_columns, err));
    PUT(to->once.entry, from->once.entry, from->entries);
    to->all.entry = to->once.entry;
    return HISS_OK;
}

/* How a bit per chain is to be used.  HISS_CUDA_SWEEP (lanes: not at all,
 * block, grid) and HISS_CUDA_WORDS are for tests. */
static hiss_status choose_sweep(struct hs_device_group *g,
                                const hs_device_plan *plan, hiss_error *err)
{
    const char *sweep = getenv("HISS_CUDA_SWEEP");
    const char *words = getenv("HISS_CUDA_WORDS");
    int64_t all = (hs_card_lanes(&g->card) + HS_WARP - 1) / HS_WARP;
    hs_card_bits *b = &g->bits;
    cudaDeviceProp p;

    TRY(cudaGetDeviceProperties(&p, g->number));
    b->words =
        hs_card_bits_words(plan->model.dim, hs_card_lanes(&g->card),
                           p.multiProcessorCount, p.sharedMemPerBlockOptin);
    g->is_grid = sweep ? strcmp(sweep, "grid") == 0 : b->words == 0;
    if (g->is_grid)
        b->words = all > 1 ? 2 : 1;
    if (words)
        b->words = atoi(words);
    b->stride = (int)((all + b->words - 1) / b->words) * b->words;
    b->warps_most = (int64_t)p.multiProcessorCount * WARPS;
    return HISS_OK;
}

/* Whether some node sweeps over pairs, in order and under a flat tilt. */
static int has_sweeps(const hs_device_plan *plan)
{
    for (int n = 0; n < plan->nodes; n++)
        if (plan->node[n].step == HS_DEVICE_GIBBS_PAIRS &&
            plan->node[n].tilt == HS_DEVICE_FLAT && !plan->node[n].is_random)
            return 1;
    return 0;
}

static hiss_status put_bits(struct hs_device_group *g,
                            const hs_device_plan *plan, hiss_error *err)
{
    const char *sweep = getenv("HISS_CUDA_SWEEP");
    const hs_device_model *m = &plan->model;
    hs_card_bits from, *to = &g->bits;

    if (!has_sweeps(plan) || (sweep && strcmp(sweep, "lanes") == 0))
        return HISS_OK;
    hs_card_bits_plan(&from, m);
    if (!from.visit)
        return HISS_OK;
    *to = from;
    g->visits = from.visit;
    g->stage = from.stage;
    PASS(choose_sweep(g, plan, err));
    PASS(hs_card_put(&g->memory, &to->stage, from.stage, from.stages + 1,
                     sizeof(int), err));
    PASS(hs_card_put(&g->memory, &to->visit, from.visit, m->dim,
                     sizeof *from.visit, err));
    PASS(hs_card_put(&g->memory, &to->pair, from.pair, from.pairs,
                     sizeof *from.pair, err));
    if (g->is_grid)
        PASS(hs_card_put(&g->memory, &to->all, NULL,
                         (int64_t)m->dim * to->stride, sizeof *to->all, err));
    return HISS_OK;
}

static void sweep(void *context, const hs_card_group *card,
                  const hs_card_steps *s)
{
    const hs_device_group *g = (const hs_device_group *)context;

    if (!g->stage || card->sampler.is_random)
        hs_card_gibbs_pairs(card, s);
    else if (g->is_grid)
        hs_card_gibbs_grid(card, &g->bits, s, g->stage);
    else
        hs_card_gibbs_block(card, &g->bits, s);
}

#define BOTH(field, rows)                                                      \
  PASS(hs_card_both(&g->memory, &g->lanes.field, &g->card.lanes.field, rows,   \
                    sizeof *g->lanes.field, err))

static hiss_status build(struct hs_device_group *g, const hs_device_plan *plan,
                         hiss_error *err)
{
    int64_t tiles = plan->tiles;

    TRY(cudaSetDevice(g->number));
    g->card.sampler = plan->sampler;
    g->card.seed = plan->seed;
    g->card.tiles = plan->tiles;
    g->card.sums = plan->sums;
    g->card.counted = plan->counted;
    g->card.columns = plan->columns;
    PASS(put_model(g, &plan->model, err));
    PASS(put_bits(g, plan, err));
    BOTH(x, tiles * plan->model.dim);
    BOTH(u, tiles);
    BOTH(beta, tiles);
    BOTH(weight, tiles);
    BOTH(changed, tiles * plan->nodes);
    BOTH(column, tiles * plan->columns);
    BOTH(chain, tiles);
    BOTH(replica, tiles);
    BOTH(sum, tiles * plan->sums);
    g->lanes.made = g->walk.made;
    g->walk.group = &g->card;
    g->walk.sweep = sweep;
    g->walk.context = g;
    g->walk.couples = plan->couples;
    return hs_card_put_work(&g->walk, &g->memory, plan, err);
}

static void destroy(hs_device_group *g)
{
    if (!g)
        return;
    cudaSetDevice(g->number);
    hs_card_free(&g->memory);
    free(g->visits);
    free(g);
}

static hiss_status create(hs_device_group **out, hs_device_lanes *lanes,
                          int number, const hs_device_plan *plan,
                          hiss_error *err)
{
    hs_device_group *g = (hs_device_group *)calloc(1, sizeof *g);
    hiss_status rc;

    *out = NULL;
    if (!g)
        return hs_card_fail(err, HISS_ENOMEM, "a group",
                            cudaErrorMemoryAllocation);
    g->number = number;
    rc = build(g, plan, err);
    if (rc != HISS_OK) {
        destroy(g);
        return rc;
    }
    *lanes = g->lanes;
    *out = g;
    return HISS_OK;
}

#define UP(field, rows)                                                        \
  TRY(cudaMemcpy(g->card.lanes.field, g->lanes.field,                          \
                 (size_t)(rows) * sizeof *g->lanes.field,                      \
                 cudaMemcpyHostToDevice))
#define DOWN(field, rows)                                                      \
  TRY(cudaMemcpy(g->lanes.field, g->card.lanes.field,                          \
                 (size_t)(rows) * sizeof *g->lanes.field,                      \
                 cudaMemcpyDeviceToHost))

static hiss_status write_lanes(hs_device_group *g, unsigned what,
                               hiss_error *err)
{
    int64_t tiles = g->card.tiles;

    TRY(cudaSetDevice(g->number));
    if (what & HS_DEVICE_STATES) {
        UP(x, tiles * g->card.model.dim);
        g->walk.has = 0;
    }
    if (what & HS_DEVICE_ENERGIES) {
        UP(u, tiles);
        g->walk.has |= HS_CARD_U;
    }
    if (what & HS_DEVICE_LEVELS) {
        UP(beta, tiles);
        UP(weight, tiles);
        if (g->card.columns)
            UP(column, tiles * g->card.columns);
    }
    if (what & HS_DEVICE_NAMES) {
        UP(chain, tiles);
        UP(replica, tiles);
    }
    if (what & HS_DEVICE_SUMS && g->card.sums)
        UP(sum, tiles * g->card.sums);
    return HISS_OK;
}

static hiss_status read_lanes(hs_device_group *g, unsigned what,
                              hiss_error *err)
{
    int64_t tiles = g->card.tiles;

    TRY(cudaSetDevice(g->number));
    if (what & HS_DEVICE_ENERGIES) {
        hs_card_walk_want(&g->walk, HS_CARD_U);
        TRY(cudaGetLastError());
        DOWN(u, tiles);
    }
    if (what & HS_DEVICE_STATES)
        DOWN(x, tiles * g->card.model.dim);
    if (what & HS_DEVICE_CHANGED) {
        DOWN(changed, tiles * g->walk.nodes);
        TRY(cudaMemset(g->card.lanes.changed, 0,
                       (size_t)tiles * (size_t)g->walk.nodes *
                           sizeof *g->lanes.changed));
    }
    if (what & HS_DEVICE_SUMS && g->card.sums)
        DOWN(sum, tiles * g->card.sums);
    return HISS_OK;
}

static hiss_status make_steps(hs_device_group *g, uint64_t clock, int64_t steps,
                              int is_summed, hiss_error *err)
{
    hs_card_steps s;

    s.clock = clock;
    s.count = steps;
    s.is_summed = is_summed && g->card.sums > 0;
    TRY(cudaSetDevice(g->number));
    switch (g->card.sampler.step) { /* many steps at once, where it can be */
    case HS_DEVICE_GIBBS_PAIRS:
        sweep(g, &g->card, &s);
        g->walk.has = 0;
        break;
    case HS_DEVICE_GIBBS_VALUES:
        hs_card_gibbs_values(&g->card, &s);
        g->walk.has = 0;
        break;
    case HS_DEVICE_METROPOLIS:
        hs_card_metropolis(&g->card, &s);
        g->walk.has = 0;
        break;
    default:
        hs_card_walk_steps(&g->walk, &s);
    }
    TRY(cudaGetLastError());
    return HISS_OK;
}

#ifdef __cplusplus
extern "C" {
#endif
HISS_API const hs_device_table *hs_device_entry(void);

const hs_device_table *hs_device_entry(void)
{
    static const hs_device_table table = {HS_DEVICE_ABI, sizeof(hs_device_plan),
                                          count_cards,   card_at,
                                          create,        destroy,
                                          write_lanes,   read_lanes,
                                          make_steps};

    return &table;
}
#ifdef __cplusplus
}
#endif
