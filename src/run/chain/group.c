/* group.c - up to 16 chains with all their replicas, advanced together. */
#include "run/chain/group.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "base/alloc.h"
#include "base/assert.h"
#include "base/error.h"
#include "base/fiber/fibers.h"
#include "run/chain/lane_exchange.h"

static hiss_status build_tile(hs_group *g, int index, const hs_sampler *sampler,
                              uint64_t seed, uint32_t first_chain,
                              hiss_error *err)
{
    hs_tile *t = &g->tile[index];
    int first = index * HS_LANES, all = g->chains * g->replicas;

    HS_TRY(hs_tile_init(t, g->model, seed, err));
    t->lanes = all - first < HS_LANES ? all - first : HS_LANES;
    t->rng.lanes = t->lanes;
    for (int l = 0; l < HS_LANES; l++) {
        int i = l < t->lanes ? first + l : first; /* idle lanes copy one */

        t->rng.chain[l] = first_chain + (uint32_t)(i / g->replicas);
        t->rng.replica[l] = (uint32_t)(i % g->replicas);
    }
    HS_TRY(hs_kernel_create(&g->kernel[index], sampler, err));
    return hs_kernel_setup(g->kernel[index], g->model, err);
}

hiss_status hs_group_create(hs_group **out, const hs_model *m,
                            const hs_sampler *sampler, uint64_t seed,
                            uint32_t first_chain, int chains, hiss_error *err)
{
    hs_group *g = hs_alloc_array(1, sizeof *g);
    hiss_status rc = HISS_OK;

    HS_ASSERT(chains >= 1 && chains <= HS_LANES);
    HS_ASSERT(sampler->replicas >= 1 && sampler->replicas <= HS_REPLICAS_MAX);
    *out = NULL;
    if (!g)
        return hs_fail_memory(err);
    g->model = m;
    g->chains = chains;
    g->replicas = sampler->replicas;
    g->laws = sampler->type->has_one_law ? 1 : g->replicas;
    g->tiles = (chains * g->replicas + HS_LANES - 1) / HS_LANES;
    g->tile = hs_alloc_array((size_t)g->tiles, sizeof *g->tile);
    g->kernel = hs_alloc_array((size_t)g->tiles, sizeof *g->kernel);
    if (!g->tile || !g->kernel)
        rc = hs_fail_memory(err);
    for (int i = 0; i < g->tiles && rc == HISS_OK; i++)
        rc = build_tile(g, i, sampler, seed, first_chain, err);
    if (rc != HISS_OK) {
        hs_group_destroy(g);
        return rc;
    }
    if (g->kernel[0]->type->place)
        g->kernel[0]->type->place(g->kernel[0], g);
    g->end_tile = g->tiles;
    *out = g;
    return HISS_OK;
}

void hs_group_destroy(hs_group *g)
{
    if (!g)
        return;
    for (int i = 0; i < g->tiles; i++) {
        if (g->tile)
            hs_tile_clear(&g->tile[i]);
        if (g->kernel)
            hs_kernel_destroy(g->kernel[i]);
    }
    hs_lane_exchange_destroy(g->exchange);
    hs_free(g->tile);
    hs_free(g->kernel);
    hs_free(g);
}

int hs_group_part(const hs_group *g, int member, int size)
{
    return (int)(((int64_t)member * g->tiles + size - 1) / size);
}

hs_tile *hs_group_tile(const hs_group *g, int chain, int replica, int *lane)
{
    int i = chain * g->replicas + replica;

    HS_ASSERT(chain >= 0 && chain < g->chains);
    HS_ASSERT(replica >= 0 && replica < g->replicas);
    *lane = i % HS_LANES;
    return &g->tile[i / HS_LANES];
}

hs_tile *hs_group_at_level(const hs_group *g, int chain, int level, int *lane)
{
    HS_ASSERT(level >= 0 && level < g->replicas);
    for (int r = 0; r < g->replicas; r++) {
        hs_tile *t = hs_group_tile(g, chain, r, lane);

        if (t->level[*lane] == level)
            return t;
    }
    HS_ASSERT(false); /* every level is in some lane */
    return NULL;
}

void hs_group_set(hs_group *g, int chain, int replica, const int16_t *state)
{
    int lane;
    hs_tile *t = hs_group_tile(g, chain, replica, &lane);

    for (int i = 0; i < g->model->domain.dim; i++) {
        HS_ASSERT(state[i] >= 0 && state[i] < g->model->domain.states[i]);
        t->at.x[i][lane] = state[i];
        if (lane == 0) /* idle lanes get a possible state */
            for (int l = t->lanes; l < HS_LANES; l++)
                t->at.x[i][l] = state[i];
    }
    t->at.have = 0;
}

hiss_status hs_group_fail(const hs_group *g, const hs_tile *t, hiss_status rc,
                          const char *before, const char *after,
                          hiss_error *err)
{
    const hs_fault *fault = &t->fault;
    uint32_t chain;
    char where[128];

    /* a kernel may have evaluated the tile's own point itself */
    if (!fault->code && (t->at.fault.code || t->at.fault.is_gradient))
        fault = &t->at.fault;
    chain = t->rng.chain[fault->lane];
    if (chain >= HS_PILOT_CHAIN) /* its number means nothing to a user */
        snprintf(where, sizeof where, "%s a pilot chain%s", before, after);
    else
        snprintf(where, sizeof where, "%s chain %u%s", before, chain, after);
    return hs_fail_model(err, rc, g->model, fault, where);
}

static void step_tile(void *context, int index)
{
    hs_group *g = context;
    int i = g->first_tile + index;
    hs_tile *t = &g->tile[i];

    t->status = hs_kernel_step(g->kernel[i], g->model, &t->tilt, t);
}

hiss_status hs_group_walk(hs_group *g, hiss_error *err)
{
    hs_fibers_each(step_tile, g, g->end_tile - g->first_tile);
    for (int i = g->first_tile; i < g->end_tile; i++) {
        const hs_tile *t = &g->tile[i];
        char step[40];

        if (t->status == HISS_OK)
            continue;
        snprintf(step, sizeof step, " at step %llu",
                 (unsigned long long)g->kernel[i]->steps);
        return hs_group_fail(g, t, t->status, "in", step, err);
    }
    return HISS_OK;
}

hiss_status hs_group_step(hs_group *g, hiss_error *err)
{
    hiss_status rc = hs_group_walk(g, err);

    if (g->exchange)
        rc = hs_lane_exchange_run(g, rc, err);
    HS_TRY(rc);
    if (g->kernel[0]->type->couple)
        g->kernel[0]->type->couple(g->kernel[0], g);
    return HISS_OK;
}

bool hs_group_walks(const hs_group *g)
{
    return g->tiles == 1 && hs_kernel_walks(g->kernel[0], &g->tile[0]);
}

hiss_status hs_group_stride(hs_group *g, int64_t steps, hiss_error *err)
{
    hs_tile *t = &g->tile[0];
    hs_kernel *k = g->kernel[0];
    hiss_status rc;

    if (!hs_group_walks(g))
        return hs_group_step(g, err);
    rc = hs_kernel_walk(k, g->model, &t->tilt, t, steps);
    return rc == HISS_OK ? rc : hs_group_fail(g, t, rc, "in", "", err);
}

hiss_status hs_group_flush(hs_group *g, hiss_error *err)
{
    for (int i = g->first_tile; i < g->end_tile; i++) {
        hs_tile *t = &g->tile[i];
        hiss_status rc = hs_kernel_flush(g->kernel[i], g->model, t);

        if (rc != HISS_OK)
            return hs_group_fail(g, t, rc, "after", "", err);
    }
    return HISS_OK;
}

void hs_group_set_warmup(hs_group *g, bool is_warmup)
{
    for (int i = 0; i < g->tiles; i++)
        g->tile[i].is_warmup = is_warmup;
}

void hs_group_tune(hs_group *g, int64_t steps)
{
    hs_group_set_warmup(g, true);
    for (int i = 0; i < g->tiles; i++) {
        g->tile[i].is_tuning = true;
        hs_kernel_begin(g->kernel[i], steps);
    }
}

/* Averages one column of the same node in the tree of every tile. */
static void pool_column(const hs_group *g, int number, int column)
{
    double mean[HS_REPLICAS_MAX];
    int lanes = g->chains * g->replicas;

    for (int j = 0; j < g->laws; j++)
        mean[j] = 0.0;
    for (int i = 0; i < lanes; i++) {
        const hs_kernel *k = hs_kernel_node(g->kernel[i / HS_LANES], number);
        int law = hs_group_law(g, &g->tile[i / HS_LANES], i % HS_LANES);

        mean[law] += k->lane[column][i % HS_LANES] / (lanes / g->laws);
    }
    for (int i = 0; i < lanes; i++) {
        hs_kernel *k = hs_kernel_node(g->kernel[i / HS_LANES], number);
        int law = hs_group_law(g, &g->tile[i / HS_LANES], i % HS_LANES);

        k->lane[column][i % HS_LANES] = mean[law];
    }
}

void hs_group_pool(hs_group *g)
{
    const hs_kernel *k;

    for (int n = 0; (k = hs_kernel_node(g->kernel[0], n)); n++)
        for (int c = HS_OWN_COLUMNS; !k->type->couple && c < k->columns; c++)
            pool_column(g, n, c);
}

void hs_group_freeze(hs_group *g)
{
    hs_group_set_warmup(g, false);
    for (int i = 0; i < g->tiles; i++) {
        g->tile[i].is_tuning = false;
        hs_kernel_freeze(g->kernel[i]);
        memset(g->tile[i].trips, 0, sizeof g->tile[i].trips);
        hs_kernel_clear_counts(g->kernel[i]);
    }
}

void hs_group_attach(hs_group *g, const hs_library *library)
{
    for (int i = 0; i < g->tiles; i++)
        hs_kernel_attach(g->kernel[i], library);
}

void hs_group_heat(hs_group *g, double beta)
{
    for (int i = 0; i < g->tiles; i++)
        for (int l = 0; l < HS_LANES; l++)
            g->tile[i].tilt.beta[l] = (float)beta;
}

void hs_group_evals(const hs_group *g, double *energy, double *gradient)
{
    *energy = *gradient = 0.0;
    /* every lane of a tile costs the same; a chain has `replicas` lanes */
    for (int r = 0; r < g->replicas; r++) {
        int lane;
        const hs_tile *t = hs_group_tile(g, 0, r, &lane);

        *energy += t->energy_evals;
        *gradient += t->gradient_evals;
    }
}

double hs_group_spent(const hs_group *g)
{
    double energy, gradient;

    hs_group_evals(g, &energy, &gradient);
    return fmax(energy + gradient,
                (double)g->kernel[0]->steps / (2.0 * g->model->domain.dim));
}
