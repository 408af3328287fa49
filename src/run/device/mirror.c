/* mirror.c - the tiles of a run on a card, and what is known of them here. */
#include "run/device/mirror.h"

#include <string.h>

#include "base/alloc.h"
#include "base/assert.h"
#include "base/error.h"
#include "run/device/plan_model.h"

struct hs_mirror {
    const hs_device_table *device;
    hs_device_group *group; /* owned, with the arrays of: */
    hs_device_lanes lanes;
    hs_device_sampler sampler;
    const hs_model *model;
    hs_group_state *state; /* borrowed, [groups], as is the pool */
    int groups;
    hs_pool *pool;
    int each; /* tiles of a full group: the last may have fewer */
    int tiles;
    int rows; /* of the marginals of a tile, or 0 */
    bool couples;
    unsigned what; /* of the transfer that is under way */
};

static int tile_number(const hs_mirror *m, int group, int tile)
{
    return group * m->each + tile;
}

/* The kernel that the card makes steps of: the tree, or what pt steps. */
static hs_kernel *stepper(hs_kernel *k)
{
    return k->type->couple ? k->child[0] : k;
}

static hiss_status find_plan(hs_mirror *m, hs_device_plan *plan,
                             hiss_error *err)
{
    const hs_group *g = m->state[0].group;
    const hs_kernel *k = g->kernel[0];
    const hs_marginals *sums = &m->state[0].marginals;

    HS_TRY(hs_plan_model(&plan->model, g->model, err));
    if (!k->type->plan || !k->type->plan(k, g->model, &plan->sampler))
        return hs_fail(err, HISS_EUNSUP,
                       "device cuda: sampler %s cannot be run there on this "
                       "model, only gibbs and metropolis, alone or in pt "
                       "without parts; use --device cpu",
                       k->type->name);
    plan->seed = g->tile[0].rng.seed;
    plan->tiles = m->tiles;
    if (sums->recent && (plan->sampler.has_sums || !m->couples)) {
        plan->sums = sums->rows;
        plan->counted = sums->counted;
    }
    m->rows = plan->sums;
    m->sampler = plan->sampler;
    return HISS_OK;
}

/* A row as it is here; true if it was another. */
static bool take_row(float *to, const float *from)
{
    bool is_new = false;

    for (int l = 0; l < HS_LANES; l++) {
        is_new = is_new || to[l] != from[l];
        to[l] = from[l];
    }
    return is_new;
}

/* Beta and weights as they are here; true if the card has others. */
static bool take_levels(hs_mirror *m)
{
    bool is_new = false;

    for (int g = 0; g < m->groups; g++)
        for (int i = 0; i < m->state[g].group->tiles; i++) {
            const hs_tile *t = &m->state[g].group->tile[i];
            int n = tile_number(m, g, i);

            is_new |= take_row(m->lanes.beta[n], t->tilt.beta);
            is_new |= take_row(m->lanes.weight[n], t->weight);
        }
    return is_new;
}

static hiss_status send_all(hs_mirror *m, hiss_error *err)
{
    size_t dim = (size_t)m->model->domain.dim;
    unsigned what =
        HS_DEVICE_STATES | HS_DEVICE_LEVELS | HS_DEVICE_NAMES | HS_DEVICE_SUMS;

    for (int g = 0; g < m->groups; g++)
        for (int i = 0; i < m->state[g].group->tiles; i++) {
            const hs_tile *t = &m->state[g].group->tile[i];
            size_t n = (size_t)tile_number(m, g, i), rows = (size_t)m->rows;

            memcpy(m->lanes.x + n * dim, t->at.x, dim * sizeof *t->at.x);
            memcpy(m->lanes.chain[n], t->rng.chain, sizeof t->rng.chain);
            memcpy(m->lanes.replica[n], t->rng.replica, sizeof t->rng.replica);
            if (rows)
                memcpy(m->lanes.sum + n * rows,
                       m->state[g].marginals.recent + (size_t)i * rows,
                       rows * sizeof *m->lanes.sum);
        }
    take_levels(m);
    return m->device->write(m->group, what, err);
}

hiss_status hs_mirror_create(hs_mirror **out, const hs_device_table *device,
                             int card, hs_group_state *state, int groups,
                             hs_pool *pool, hiss_error *err)
{
    hs_mirror *m = hs_alloc_array(1, sizeof *m);
    const hs_group *first = state[0].group, *last = state[groups - 1].group;
    hs_device_plan plan = {0};
    hiss_status rc;

    *out = NULL;
    if (!m)
        return hs_fail_memory(err);
    *m = (hs_mirror){.device = device,
                     .model = first->model,
                     .state = state,
                     .groups = groups,
                     .pool = pool,
                     .each = first->tiles,
                     .tiles = (groups - 1) * first->tiles + last->tiles,
                     .couples = first->kernel[0]->type->couple != NULL};
    rc = find_plan(m, &plan, err);
    if (rc == HISS_OK)
        rc = device->create(&m->group, &m->lanes, card, &plan, err);
    if (rc == HISS_OK)
        rc = send_all(m, err);
    if (rc != HISS_OK) {
        hs_mirror_destroy(m);
        return rc;
    }
    *out = m;
    return HISS_OK;
}

void hs_mirror_destroy(hs_mirror *m)
{
    if (!m)
        return;
    if (m->group)
        m->device->destroy(m->group);
    hs_free(m);
}

bool hs_mirror_couples(const hs_mirror *m)
{
    return m->couples;
}

/* What was read, to the tiles of one group. */
static void take(void *context, int g)
{
    const hs_mirror *m = context;
    hs_group *group = m->state[g].group;
    size_t dim = (size_t)m->model->domain.dim, rows = (size_t)m->rows;

    for (int i = 0; i < group->tiles; i++) {
        hs_tile *t = &group->tile[i];
        hs_kernel *k = stepper(group->kernel[i]);
        size_t n = (size_t)tile_number(m, g, i);

        if (m->what & HS_DEVICE_STATES)
            memcpy(t->at.x, m->lanes.x + n * dim, dim * sizeof *t->at.x);
        if (m->what & HS_DEVICE_ENERGIES) {
            memcpy(t->at.u, m->lanes.u[n], sizeof t->at.u);
            t->at.have = HS_U;
        }
        for (int l = 0; m->what & HS_DEVICE_CHANGED && l < t->lanes; l++)
            k->lane[HS_ACCEPTED][l] += m->lanes.changed[n][l];
        if (m->what & HS_DEVICE_SUMS && rows)
            memcpy(m->state[g].marginals.recent + (size_t)i * rows,
                   m->lanes.sum + n * rows, rows * sizeof *m->lanes.sum);
    }
}

hiss_status hs_mirror_fetch(hs_mirror *m, unsigned what, hiss_error *err)
{
    HS_TRY(m->device->read(m->group, what, err));
    m->what = what;
    hs_pool_run(m->pool, take, m, m->groups);
    return HISS_OK;
}

/* Clocks and costs of steps that were made there. */
static void note(hs_mirror *m, int64_t steps, bool is_summed)
{
    for (int g = 0; g < m->groups; g++)
        for (int i = 0; i < m->state[g].group->tiles; i++) {
            hs_tile *t = &m->state[g].group->tile[i];

            hs_kernel_made(m->state[g].group->kernel[i], m->model, t, steps);
            if (is_summed && m->rows)
                t->summed += (int)steps;
        }
}

static void couple(void *context, int g)
{
    const hs_mirror *m = context;
    hs_group *group = m->state[g].group;

    group->kernel[0]->type->couple(group->kernel[0], group);
}

hiss_status hs_mirror_step(hs_mirror *m, int64_t steps, bool is_summed,
                           hiss_error *err)
{
    uint64_t clock = m->state[0].group->tile[0].rng.clock;
    unsigned what = HS_DEVICE_ENERGIES | HS_DEVICE_CHANGED;

    HS_ASSERT(steps == 1 || !m->couples);
    if (take_levels(m))
        HS_TRY(m->device->write(m->group, HS_DEVICE_LEVELS, err));
    HS_TRY(m->device->step(m->group, clock, steps, is_summed && m->rows, err));
    if (m->couples) { /* by U, and what was counted goes with the level */
        if (is_summed && m->state[0].marginals.recent && !m->rows)
            what |= HS_DEVICE_STATES; /* they are looked at after it */
        HS_TRY(hs_mirror_fetch(m, what, err));
    }
    note(m, steps, is_summed);
    if (m->couples)
        hs_pool_run(m->pool, couple, m, m->groups);
    return HISS_OK;
}

hiss_status hs_mirror_clear_sums(hs_mirror *m, hiss_error *err)
{
    if (!m->rows)
        return HISS_OK;
    memset(m->lanes.sum, 0,
           (size_t)m->tiles * (size_t)m->rows * sizeof *m->lanes.sum);
    return m->device->write(m->group, HS_DEVICE_SUMS, err);
}
