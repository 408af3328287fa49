/* plugin.cu - the table of device.h: cards, their memory, and which kernel
 * makes a step. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cuda/compose/replay.h"
#include "cuda/entry/own_group.h"
#include "cuda/entry/work.h"
#include "cuda/network/network.h"

#define WARPS 32 /* of a multiprocessor that hide each other's waiting */

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
    PUT(to->exact, from->exact, from->is_wide ? edges : 0);
    PUT(to->exact_field, from->exact_field, from->is_wide ? fields : 0);
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

/* HISS_CUDA_SWEEP=lanes, for tests: steps are made in phases. */
static hiss_status put_lattice(struct hs_device_group *g,
                               const hs_device_plan *plan, hiss_error *err)
{
    const char *sweep = getenv("HISS_CUDA_SWEEP");
    cudaDeviceProp p;

    if (sweep && strcmp(sweep, "lanes") == 0)
        return HISS_OK;
    TRY(cudaGetDeviceProperties(&p, g->number));
    return hs_card_put_lattice(&g->walk, &g->memory, &plan->model,
                               p.sharedMemPerBlockOptin, &g->windows, err);
}

/* Sweeps over states that are words. */
static void sweep(hs_device_group *g, const hs_card_group *card,
                  const hs_card_steps *s)
{
    if (g->team.ranks) { /* of few chains: over rows */
        hs_card_need_rows(g);
        g->has_bits = 0;
        hs_card_gibbs_team(card, &g->team, s);
        return;
    }
    hs_card_need_bits(g);
    g->has_rows = 0;
    if (g->is_grid)
        hs_card_gibbs_grid(card, &g->bits, s, g->stage);
    else
        hs_card_gibbs_block(card, &g->bits, s);
}

/* The same among steps that look at rows. */
static void sweep_between(void *context, const hs_card_group *card,
                          const hs_card_steps *s)
{
    hs_device_group *g = (hs_device_group *)context;

    if (!g->stage || card->sampler.is_random) {
        hs_card_gibbs_pairs(card, s);
        return;
    }
    g->has_bits = 0;
    sweep(g, card, s);
    hs_card_need_rows(g);
    g->has_bits = 0; /* what follows may change the rows */
}

static hiss_status put_packed(struct hs_device_group *g,
                              const hs_device_plan *plan, hiss_error *err)
{
    int64_t tiles = plan->tiles;
    hs_card_packed from, *to = &g->packed;
    cudaDeviceProp p;
    int *stage = NULL;

    if (plan->sampler.step != HS_DEVICE_GIBBS_PACKED)
        return HISS_OK;
    TRY(cudaGetDeviceProperties(&p, g->number));
    hs_card_packed_plan(&from, &stage, plan->sampler.packed);
    if (!from.site)
        return hs_card_fail(err, HISS_ENOMEM, "neighbors",
                            cudaErrorMemoryAllocation);
    g->visits = from.site;
    g->packed_stage = stage;
    *to = from;
    to->words = (int)((tiles * HS_LANES + HS_WARP - 1) / HS_WARP);
    to->warps_most = (int64_t)p.multiProcessorCount * WARPS;
    PUT(to->site, from.site, from.visits);
    PUT(to->kind, from.kind, from.visits);
    PUT(to->near, from.near, (int64_t)from.degree * from.visits);
    PUT(to->law, from.law, from.laws);
    return hs_card_put(&g->memory, &to->all, NULL,
                       (int64_t)to->words * from.visits, sizeof *to->all, err);
}

#define BOTH(field, rows)                                                      \
  PASS(hs_card_both(&g->memory, &g->lanes.field, &g->card.lanes.field, rows,   \
                    sizeof *g->lanes.field, err))

/* What levels have. */
static hiss_status put_ladder(struct hs_device_group *g, hiss_error *err)
{
    int64_t tiles = g->card.tiles;

    if (!g->card.ladder.every)
        return HISS_OK;
    BOTH(level, tiles);
    BOTH(heading, tiles);
    BOTH(trips, tiles);
    BOTH(counted, tiles);
    BOTH(ladder, tiles * HS_LADDER_ROWS);
    return hs_card_put(&g->memory, &g->card.place, NULL,
                       hs_card_lanes(&g->card), sizeof *g->card.place, err);
}

/* Rows, and words beside them where sweeps have some. */
static hiss_status put_best(struct hs_device_group *g, hiss_error *err)
{
    int64_t tiles = g->card.tiles, dim = g->card.model.dim;

    BOTH(best, tiles);
    BOTH(hit, tiles);
    g->best = g->card;
    g->best_bits = g->bits;
    PASS(hs_card_put(&g->memory, &g->take, NULL, tiles, sizeof *g->take, err));
    PASS(hs_card_put(&g->memory, &g->best.lanes.x, NULL, tiles * dim,
                     sizeof *g->best.lanes.x, err));
    return hs_card_put(&g->memory, &g->best_bits.all, NULL,
                       g->stage ? dim * g->bits.stride : 0,
                       sizeof *g->best_bits.all, err);
}

/* All of them there, some of them here. */
static hiss_status put_states(struct hs_device_group *g, hiss_error *err)
{
    int64_t rows = (int64_t)g->card.tiles * g->card.model.dim;

    g->lanes.rows = rows < HS_DEVICE_ROOM ? rows : HS_DEVICE_ROOM;
    PASS(hs_card_put(&g->memory, &g->card.lanes.x, NULL, rows,
                     sizeof *g->lanes.x, err));
    return hs_card_pin(&g->memory, &g->lanes.x, g->lanes.rows,
                       sizeof *g->lanes.x, err);
}

static hiss_status build(struct hs_device_group *g, const hs_device_plan *plan,
                         hiss_error *err)
{
    hs_card_group *card = &g->card;
    int64_t tiles = plan->tiles;

    TRY(cudaSetDevice(g->number));
    card->sampler = plan->sampler;
    card->ladder = plan->ladder;
    card->seed = plan->seed;
    card->tiles = plan->tiles;
    card->sums = plan->sums;
    card->counted = plan->counted;
    card->totals = plan->totals;
    card->columns = plan->columns;
    card->nodes = plan->nodes;
    card->span = HS_DEVICE_BLOCK;
    PASS(put_model(g, &plan->model, err));
    if (hs_device_is_whole(plan->model.energy)) {
        card->span = HS_WHOLE_SPAN;
        card->whole = &g->whole;
        PASS(hs_whole_build(&g->whole, &g->memory, plan, &card->model.domain,
                            g->number, err));
    }
    PASS(hs_card_put_bits(g, plan, err));
    PASS(put_packed(g, plan, err));
    PASS(put_states(g, err));
    BOTH(u, tiles);
    BOTH(beta, tiles);
    BOTH(weight, tiles);
    BOTH(changed, tiles * plan->nodes);
    BOTH(column, tiles * plan->columns);
    BOTH(chain, tiles);
    BOTH(replica, tiles);
    PASS(put_ladder(g, err));
    if (plan->has_best)
        PASS(put_best(g, err));
    PASS(hs_card_put(&g->memory, &card->lanes.sum, NULL, tiles * plan->sums,
                     sizeof *card->lanes.sum, err));
    PASS(hs_card_put(&g->memory, &card->lanes.total, NULL, tiles * plan->totals,
                     sizeof *card->lanes.total, err));
    g->lanes.made = g->walk.made;
    g->walk.group = &g->card;
    g->walk.sweep = sweep_between;
    g->walk.context = g;
    g->walk.couples = plan->ladder.every > 0;
    g->walk.is_pilot = plan->is_pilot;
    PASS(put_lattice(g, plan, err));
    PASS(hs_card_put_work(&g->walk, &g->memory, plan, err));
    return hs_card_replay_build(&g->walk, &g->memory, err);
}

static void destroy(hs_device_group *g)
{
    if (!g)
        return;
    cudaSetDevice(g->number);
    cudaDeviceSynchronize(); /* a copy may be under way */
    hs_card_free_slots(g);
    hs_card_replay_free(&g->walk);
    hs_whole_clear(&g->whole);
    hs_card_free(&g->memory);
    free(g->visits);
    free(g->windows);
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
    g->has_rows = g->has_best_rows = 1;
    rc = build(g, plan, err);
    if (rc != HISS_OK) {
        destroy(g);
        return rc;
    }
    *lanes = g->lanes;
    *out = g;
    return HISS_OK;
}

static hiss_status fold(hs_device_group *g, hiss_error *err)
{
    TRY(cudaSetDevice(g->number));
    hs_card_fold(&g->card);
    TRY(cudaGetLastError());
    return HISS_OK;
}

/* One kernel alone makes many steps at once. */
static void step_rows(hs_device_group *g, hs_card_steps *s)
{
    hs_card_need_rows(g);
    g->has_bits = 0;
    switch (g->card.sampler.step) {
    case HS_DEVICE_GIBBS_PAIRS:
        hs_card_gibbs_pairs(&g->card, s);
        break;
    case HS_DEVICE_GIBBS_VALUES:
        hs_card_gibbs_values(&g->card, s);
        break;
    case HS_DEVICE_GIBBS_PACKED:
        hs_card_gibbs_packed(&g->card, &g->packed, s, g->packed_stage);
        break;
    case HS_DEVICE_METROPOLIS:
        hs_card_metropolis(&g->card, s);
        break;
    default:
        hs_card_walk_steps(&g->walk, s);
        s->clock = g->walk.clock;
        return;
    }
    g->walk.has = 0;
    s->clock += (uint64_t)s->count;
}

/* Steps of all lanes, without exchanges; s->clock is then that of the last.
 * How often the last was added to the marginals is returned. */
static int step_lanes(hs_device_group *g, hs_card_steps *s)
{
    int is_alone = g->card.sampler.step <= HS_DEVICE_METROPOLIS;

    if (g->stage && g->card.sampler.step == HS_DEVICE_GIBBS_PAIRS) {
        sweep(g, &g->card, s);
        g->walk.has = 0;
        s->clock += (uint64_t)s->count;
    } else {
        step_rows(g, s);
    }
    return is_alone ? s->is_summed : g->walk.summed;
}

/* All steps that are left, with their exchanges, if one kernel makes both; else
 * 0. */
static int64_t step_tempered(hs_device_group *g, const hs_device_steps *asked,
                             uint64_t made, int64_t most, uint64_t *clock)
{
    const hs_device_sampler *sampler = &g->card.sampler;
    uint64_t every = (uint64_t)g->card.ladder.every;
    uint64_t last = made + (uint64_t)most;
    hs_card_ladder_steps t = {0};

    if (!g->bits.is_tempered || sampler->step != HS_DEVICE_GIBBS_PAIRS ||
        (asked->is_summed && !sampler->has_sums))
        return 0;
    t.steps.clock = *clock;
    t.steps.count = most;
    t.steps.is_summed = t.exchange.counted = asked->is_summed;
    t.made = made;
    t.exchange.is_noted = asked->is_noted;
    hs_card_need_bits(g);
    g->has_rows = 0;
    hs_card_gibbs_tempered(&g->card, &g->bits, &t);
    if (asked->is_noted || last % every == 0)
        g->walk.has |= HS_CARD_U;
    else
        g->walk.has = 0;
    *clock += (uint64_t)most + last / every - made / every;
    return most;
}

/* Up to the next exchange, or one step if what follows it looks at every one;
 * then that. */
static int64_t step_levels(hs_device_group *g, const hs_device_steps *asked,
                           uint64_t made, int64_t most, uint64_t *clock)
{
    uint64_t every = (uint64_t)g->card.ladder.every;
    int64_t until = (int64_t)(every - made % every);
    hs_card_exchange e;
    hs_card_steps s;

    s.clock = *clock;
    s.count = asked->is_noted || asked->is_summed ? 1
              : until < most                      ? until
                                                  : most;
    s.is_summed =
        asked->is_summed && (g->card.sampler.has_sums ||
                             g->card.sampler.step > HS_DEVICE_METROPOLIS);
    e.counted = step_lanes(g, &s);
    e.is_exchanged = s.count == until;
    e.is_noted = asked->is_noted;
    e.is_seen = asked->is_summed && e.counted == 0;
    e.parity = (int)((made + (uint64_t)s.count) / every % 2);
    *clock = e.clock = s.clock + (uint64_t)e.is_exchanged;
    if (e.is_noted || e.is_exchanged) {
        hs_card_make_energies(g);
        hs_card_exchange_levels(&g->card, &e);
    }
    if (e.is_seen) {
        hs_card_need_rows(g);
        hs_card_count_states(&g->card, &g->walk.work);
    }
    return s.count;
}

static hiss_status make_steps(hs_device_group *g, const hs_device_steps *asked,
                              hiss_error *err)
{
    uint64_t clock = asked->clock;
    hs_card_steps s;

    TRY(cudaSetDevice(g->number));
    s.clock = clock;
    s.is_summed = asked->is_summed;
    for (int64_t n = 0; n < asked->count;) {
        s.count = g->walk.is_pilot ? 1 : asked->count - n;
        if (g->card.ladder.every) {
            uint64_t made = asked->made + (uint64_t)n;
            int64_t all = step_tempered(g, asked, made, s.count, &clock);

            n += all ? all : step_levels(g, asked, made, s.count, &clock);
        } else {
            step_lanes(g, &s);
            n += s.count;
        }
        if (g->walk.is_pilot && g->card.columns)
            hs_card_pool(&g->card);
        PASS(hs_card_check(g, err));
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
    static const hs_device_table table = {HS_DEVICE_ABI,
                                          sizeof(hs_device_plan),
                                          count_cards,
                                          card_at,
                                          create,
                                          destroy,
                                          hs_card_write_lanes,
                                          hs_card_read_lanes,
                                          hs_card_write_states,
                                          hs_card_read_states,
                                          hs_card_write_sums,
                                          hs_card_read_sums,
                                          fold,
                                          make_steps,
                                          hs_card_keep,
                                          hs_card_kept,
                                          hs_card_keep_best,
                                          hs_card_predict};

    return &table;
}
#ifdef __cplusplus
}
#endif
