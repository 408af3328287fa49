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
    hs_device_plan plan;
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

static hiss_status find_plan(hs_mirror *m, hiss_error *err)
{
    hs_device_plan *plan = &m->plan;
    const hs_group *g = m->state[0].group;
    const hs_kernel *k = g->kernel[0];
    const hs_marginals *sums = &m->state[0].marginals;

    HS_TRY(hs_plan_model(&plan->model, g->model, err));
    plan->nodes = hs_kernel_plan(k, g->model, plan->node);
    if (plan->nodes == 0)
        return hs_fail(err, HISS_EUNSUP,
                       "device cuda: sampler %s cannot be run there on this "
                       "model, only gibbs, metropolis, dmala, dula, gwg, acs, "
                       "hiss, sequence, mix, and pt of these without parts or "
                       "reference; use --device cpu",
                       k->type->name);
    plan->sampler = plan->node[0];
    for (int n = 0; n < plan->nodes; n++)
        plan->columns += plan->node[n].columns;
    plan->seed = g->tile[0].rng.seed;
    plan->tiles = m->tiles;
    plan->couples = m->couples;
    if (sums->recent && (plan->node[0].has_sums || !m->couples)) {
        plan->sums = sums->rows;
        plan->counted = sums->counted;
    }
    m->rows = plan->sums;
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

/* The columns of a tile that the card has. */
static bool take_columns(hs_mirror *m, hs_kernel *k, int tile)
{
    size_t row = (size_t)tile * (size_t)m->plan.columns;
    bool is_new = false;

    for (int n = 0; n < m->plan.nodes; n++) {
        const hs_device_sampler *node = &m->plan.node[n];
        double(*from)[HS_LANES] =
            node->columns ? hs_kernel_node(k, n)->lane + node->first : NULL;
        size_t bytes = (size_t)node->columns * sizeof *from;

        if (!from || memcmp(m->lanes.column + row, from, bytes) == 0) {
            row += (size_t)node->columns;
            continue;
        }
        memcpy(m->lanes.column + row, from, bytes);
        row += (size_t)node->columns;
        is_new = true;
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
            if (m->plan.columns)
                is_new |=
                    take_columns(m, stepper(m->state[g].group->kernel[i]), n);
        }
    return is_new;
}

/* Whether U is known of every lane. */
static bool has_energies(const hs_mirror *m)
{
    for (int g = 0; g < m->groups; g++)
        for (int i = 0; i < m->state[g].group->tiles; i++)
            if (!(m->state[g].group->tile[i].at.have & HS_U))
                return false;
    return true;
}

static hiss_status send_all(hs_mirror *m, hiss_error *err)
{
    hs_kernel *tree = stepper(m->state[0].group->kernel[0]);
    size_t dim = (size_t)m->model->domain.dim;
    unsigned what =
        HS_DEVICE_STATES | HS_DEVICE_LEVELS | HS_DEVICE_NAMES | HS_DEVICE_SUMS;

    for (int g = 0; g < m->groups; g++)
        for (int i = 0; i < m->state[g].group->tiles; i++) {
            const hs_tile *t = &m->state[g].group->tile[i];
            size_t n = (size_t)tile_number(m, g, i), rows = (size_t)m->rows;

            memcpy(m->lanes.x + n * dim, t->at.x, dim * sizeof *t->at.x);
            memcpy(m->lanes.u[n], t->at.u, sizeof t->at.u);
            memcpy(m->lanes.chain[n], t->rng.chain, sizeof t->rng.chain);
            memcpy(m->lanes.replica[n], t->rng.replica, sizeof t->rng.replica);
            if (rows)
                memcpy(m->lanes.sum + n * rows,
                       m->state[g].marginals.recent + (size_t)i * rows,
                       rows * sizeof *m->lanes.sum);
        }
    for (int n = 0; n < m->plan.nodes; n++)
        m->lanes.made[n] = hs_kernel_node(tree, n)->steps;
    take_levels(m);
    if (has_energies(m))
        what |= HS_DEVICE_ENERGIES;
    return m->device->write(m->group, what, err);
}

hiss_status hs_mirror_create(hs_mirror **out, const hs_device_table *device,
                             int card, hs_group_state *state, int groups,
                             hs_pool *pool, hiss_error *err)
{
    hs_mirror *m = hs_alloc_array(1, sizeof *m);
    const hs_group *first = state[0].group, *last = state[groups - 1].group;
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
    rc = find_plan(m, err);
    if (rc == HISS_OK)
        rc = device->create(&m->group, &m->lanes, card, &m->plan, err);
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

/* What was taken, node by node. */
static void take_changed(const hs_mirror *m, hs_kernel *k, int lanes,
                         size_t tile)
{
    for (int n = 0; n < m->plan.nodes; n++) {
        size_t row = (size_t)n * (size_t)m->tiles + tile;
        double *accepted = hs_kernel_node(k, n)->lane[HS_ACCEPTED];

        for (int l = 0; l < lanes; l++)
            accepted[l] += m->lanes.changed[row][l];
    }
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
            t->at.have |= HS_U;
        }
        if (m->what & HS_DEVICE_CHANGED)
            take_changed(m, k, t->lanes, n);
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

/* Clocks and costs of steps of a tile that were made there, and how often each
 * was added to the marginals: by a kernel, or else once (tile.h); behind an
 * exchange of levels that is done here. */
static void note_tile(const hs_mirror *m, hs_kernel *k, hs_tile *t,
                      int64_t steps, bool is_summed)
{
    int summed = 0;

    for (int64_t n = 0; n < steps; n++) {
        t->summed = 0;
        hs_kernel_made(k, m->model, t, HS_TILT_FLAT, 1);
        if (is_summed && m->rows && t->summed == 0 && !m->couples)
            t->summed = 1;
        summed += t->summed;
    }
    t->summed = summed;
}

static void note(hs_mirror *m, int64_t steps, bool is_summed)
{
    for (int g = 0; g < m->groups; g++)
        for (int i = 0; i < m->state[g].group->tiles; i++)
            note_tile(m, m->state[g].group->kernel[i],
                      &m->state[g].group->tile[i], steps, is_summed);
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
