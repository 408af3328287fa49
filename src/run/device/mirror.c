/* mirror.c - the tiles of a run on a GPU, and their copies on the CPU. */
#include "run/device/mirror.h"

#include <string.h>

#include "base/alloc.h"
#include "base/error.h"
#include "kernel/tempering.h"
#include "run/device/mirror_own.h"
#include "run/device/plan_model.h"

/* The list exists twice: here and in the plan for GPUs. */
_Static_assert((int)HS_LADDER_ROWS == (int)HS_PT_COLUMNS, "rows of a level");
_Static_assert((int)HS_LADDER_HOT_SUM == (int)HS_PT_HOT_SUM, "their order");

/* Models evaluated as a whole have no single sites on a GPU. */
static bool has_sites(const hs_device_plan *plan)
{
    for (int n = 0; n < plan->nodes; n++)
        if (plan->node[n].step <= HS_DEVICE_METROPOLIS)
            return true;
    return false;
}

/* Pilots of other models give runs the processor's draws. */
static bool is_tuned_there(const hs_device_plan *plan)
{
    for (int n = 0; n < plan->nodes; n++)
        if (plan->node[n].is_tuned_here)
            return false;
    return hs_device_is_whole(plan->model.energy);
}

static int lanes_in_use(const hs_mirror *m)
{
    int most = 0;

    for (int g = 0; g < m->groups; g++)
        for (int i = 0; i < m->state[g].group->tiles; i++) {
            int lanes = m->state[g].group->tile[i].lanes;

            most = lanes > most ? lanes : most;
        }
    return most;
}

static void find_ladder(const hs_mirror *m, hs_device_ladder *out)
{
    const hs_group *g = m->state[0].group;
    const hs_group *last = m->state[m->groups - 1].group;

    out->levels = 1;
    if (m->has_levels)
        g->kernel[0]->type->ladder(g->kernel[0], out);
    out->chains = (m->groups - 1) * g->chains + last->chains;
    out->group_chains = g->chains;
    out->group_tiles = g->tiles;
    out->is_hard = m->model->hard;
    out->floor = m->model->floor;
}

static hiss_status find_plan(hs_mirror *m, hiss_error *err)
{
    hs_device_plan *plan = &m->plan;
    const hs_group *g = m->state[0].group;
    const hs_kernel *k = g->kernel[0];
    const hs_marginals *sums = &m->state[0].marginals;

    HS_TRY(hs_plan_model(&plan->model, g->model, err));
    plan->nodes = hs_kernel_plan(k, g->model, plan->node);
    if (m->has_best && plan->node[0].step == HS_DEVICE_GIBBS_PACKED)
        return hs_fail(err, HISS_EUNSUP,
                       "device cuda: gibbs(packed=yes) has one temperature "
                       "there, and a search has many; leave packed out, or "
                       "use --device cpu");
    if (plan->nodes == 0)
        return hs_fail(err, HISS_EUNSUP,
                       "device cuda: sampler %s cannot be run there on this "
                       "model, only gibbs, metropolis(scan=random), dmala, "
                       "dula, gwg, acs, hiss with eta or tune=accept, "
                       "sequence, mix, and pt of these without houdayer or "
                       "reference; use --device cpu",
                       k->type->name);
    if (hs_device_is_whole(plan->model.energy) && has_sites(plan))
        return hs_fail(err, HISS_EUNSUP,
                       "device cuda: gibbs and metropolis cannot be run there "
                       "on this model, only dmala, dula, gwg, acs, hiss, "
                       "sequence, mix, and pt of these; use --device cpu");
    if (plan->is_pilot && !is_tuned_there(plan))
        return hs_fail(err, HISS_EUNSUP,
                       "device cuda: sampler %s is not tuned there",
                       k->type->name);
    plan->sampler = plan->node[0];
    for (int n = 0; n < plan->nodes; n++)
        plan->columns += plan->node[n].columns;
    plan->seed = g->tile[0].rng.seed;
    plan->tiles = m->tiles;
    plan->lanes_most = lanes_in_use(m);
    plan->has_best = m->has_best;
    find_ladder(m, &plan->ladder);
    if (sums->recent) {
        plan->sums = sums->rows;
        plan->counted = sums->counted;
        plan->totals = sums->sums;
    }
    m->rows = plan->sums;
    return HISS_OK;
}

/* --- numbers per lane ---------------------------------------------------- */

/* The ladder entry of a chain for the level of lane i of a group. */
static double *level_at(const hs_mirror *m, int group, int i, int level,
                        int row)
{
    int replicas = m->state[group].group->replicas;
    int slot = i / replicas * replicas + level;
    size_t tile = (size_t)hs_mirror_tile(m, group, slot / HS_LANES);

    return &m->lanes
                .ladder[tile * HS_LADDER_ROWS + (size_t)row][slot % HS_LANES];
}

/* Gives the columns of levels of one group from the CPU's copy. */
static void give_levels(hs_mirror *m, int g)
{
    const hs_group *group = m->state[g].group;

    for (int i = 0; i < group->chains * group->replicas; i++) {
        const hs_tile *t = &group->tile[i / HS_LANES];
        const hs_kernel *k = group->kernel[i / HS_LANES];
        int n = hs_mirror_tile(m, g, i / HS_LANES), l = i % HS_LANES;

        m->lanes.level[n][l] = t->level[l];
        m->lanes.heading[n][l] = t->heading[l];
        m->lanes.trips[n][l] = t->trips[l];
        for (int r = 0; r < HS_LADDER_ROWS; r++)
            *level_at(m, g, i, t->level[l], r) = k->lane[r][l];
    }
}

/* Moves the columns of a tile that the GPU has, to the GPU or back. */
static void move_tuned(hs_mirror *m, hs_kernel *k, int tile, bool is_up)
{
    size_t row = (size_t)tile * (size_t)m->plan.columns;

    for (int n = 0; n < m->plan.nodes; n++) {
        const hs_device_sampler *node = &m->plan.node[n];
        size_t bytes = (size_t)node->columns * sizeof *m->lanes.column;
        void *here = hs_kernel_node(k, n)->lane + node->first;

        if (bytes && is_up)
            memcpy(m->lanes.column + row, here, bytes);
        else if (bytes)
            memcpy(here, m->lanes.column + row, bytes);
        row += (size_t)node->columns;
    }
}

hiss_status hs_mirror_fetch_tuned(hs_mirror *m, hiss_error *err)
{
    HS_TRY(m->device->read(m->group, HS_DEVICE_TUNED, err));
    for (int g = 0; g < m->groups; g++)
        for (int i = 0; i < m->state[g].group->tiles; i++)
            move_tuned(m, hs_mirror_stepper(m->state[g].group->kernel[i]),
                       hs_mirror_tile(m, g, i), false);
    return HISS_OK;
}

static hiss_status send_levels(hs_mirror *m, unsigned more, hiss_error *err)
{
    for (int g = 0; g < m->groups; g++) {
        for (int i = 0; i < m->state[g].group->tiles; i++) {
            const hs_tile *t = &m->state[g].group->tile[i];
            int n = hs_mirror_tile(m, g, i);

            memcpy(m->lanes.beta[n], t->tilt.beta, sizeof t->tilt.beta);
            memcpy(m->lanes.weight[n], t->weight, sizeof t->weight);
            move_tuned(m, hs_mirror_stepper(m->state[g].group->kernel[i]), n,
                       true);
        }
        if (m->has_levels)
            give_levels(m, g);
    }
    m->is_warmup = m->state[0].group->tile[0].is_warmup;
    return m->device->write(m->group, HS_DEVICE_LEVELS | more, err);
}

/* Moves columns of the kernels below pt with their levels, like those on the
 * GPU. */
static void move_columns(hs_mirror *m, int g, int chain)
{
    hs_group *group = m->state[g].group;
    int replicas = group->replicas, first = chain * replicas;
    double at_level[HS_REPLICAS_MAX];
    const hs_kernel *k;

    for (int node = 1; (k = hs_kernel_node(group->kernel[0], node)); node++)
        for (int c = 0; c < k->columns; c++) {
            for (int i = first; i < first + replicas; i++)
                at_level[group->tile[i / HS_LANES].level[i % HS_LANES]] =
                    hs_kernel_node(group->kernel[i / HS_LANES], node)
                        ->lane[c][i % HS_LANES];
            for (int i = first; i < first + replicas; i++) {
                int n = hs_mirror_tile(m, g, i / HS_LANES);

                hs_kernel_node(group->kernel[i / HS_LANES], node)
                    ->lane[c][i % HS_LANES] =
                    at_level[m->lanes.level[n][i % HS_LANES]];
            }
        }
}

static void take_levels(hs_mirror *m, int g)
{
    hs_group *group = m->state[g].group;

    for (int c = 0; c < group->chains; c++)
        move_columns(m, g, c);
    for (int i = 0; i < group->chains * group->replicas; i++) {
        hs_tile *t = &group->tile[i / HS_LANES];
        hs_kernel *k = group->kernel[i / HS_LANES];
        int n = hs_mirror_tile(m, g, i / HS_LANES), l = i % HS_LANES;

        t->level[l] = m->lanes.level[n][l];
        t->heading[l] = m->lanes.heading[n][l];
        t->trips[l] = m->lanes.trips[n][l];
        t->tilt.beta[l] = m->lanes.beta[n][l];
        t->weight[l] = m->lanes.weight[n][l];
        for (int r = 0; r < HS_LADDER_ROWS; r++)
            k->lane[r][l] = *level_at(m, g, i, t->level[l], r);
        if (m->state[g].marginals.recent)
            m->state[g].marginals.count[i / HS_LANES] += m->lanes.counted[n][l];
    }
}

/* Adds the accepted moves, node by node. */
static void take_changed(const hs_mirror *m, hs_kernel *k, int lanes, int tile)
{
    for (int n = 0; n < m->plan.nodes; n++) {
        size_t row = (size_t)n * (size_t)m->tiles + (size_t)tile;
        double *accepted = hs_kernel_node(k, n)->lane[HS_ACCEPTED];

        for (int l = 0; l < lanes; l++)
            accepted[l] += m->lanes.changed[row][l];
    }
}

/* Copies the numbers read to the tiles of one group. */
static void take(void *context, int g)
{
    hs_mirror *m = context;
    hs_group *group = m->state[g].group;

    if (m->has_levels)
        take_levels(m, g);
    for (int i = 0; i < group->tiles; i++) {
        hs_tile *t = &group->tile[i];
        int n = hs_mirror_tile(m, g, i);

        if (m->with_states) {
            memcpy(t->at.u, m->lanes.u[n], sizeof t->at.u);
            t->at.have |= HS_U;
        }
        take_changed(m, hs_mirror_stepper(group->kernel[i]), t->lanes, n);
    }
}

/* --- states -------------------------------------------------------------- */

/* Moves the rows of the transfer that belong to one group, in either
 * direction. */
static void move_rows(const hs_mirror *m, int g, bool is_up)
{
    const hs_group *group = m->state[g].group;
    int64_t dim = m->model->domain.dim;

    for (int i = 0; i < group->tiles; i++) {
        int64_t begin = (int64_t)hs_mirror_tile(m, g, i) * dim;
        int64_t first = m->first_row > begin ? m->first_row : begin;
        int64_t end = m->end < begin + dim ? m->end : begin + dim;
        int16_t(*here)[HS_LANES] = group->tile[i].at.x + (first - begin);
        int16_t(*there)[HS_LANES] = m->lanes.x + (first - m->first_row);

        if (first < end && is_up)
            memcpy(there, here, (size_t)(end - first) * sizeof *here);
        else if (first < end)
            memcpy(here, there, (size_t)(end - first) * sizeof *here);
    }
}

static void rows_up(void *context, int g)
{
    move_rows(context, g, true);
}

static void rows_down(void *context, int g)
{
    move_rows(context, g, false);
}

static hiss_status move_states(hs_mirror *m, bool is_up, hiss_error *err)
{
    int64_t all = (int64_t)m->tiles * m->model->domain.dim;

    for (m->first_row = 0; m->first_row < all; m->first_row = m->end) {
        int64_t rows = all - m->first_row;

        rows = rows < m->lanes.rows ? rows : m->lanes.rows;
        m->end = m->first_row + rows;
        if (is_up) {
            hs_pool_run(m->pool, rows_up, m, m->groups);
            HS_TRY(m->device->write_states(m->group, HS_DEVICE_PRESENT,
                                           m->first_row, rows, err));
        } else {
            HS_TRY(m->device->read_states(m->group, HS_DEVICE_PRESENT,
                                          m->first_row, rows, err));
            hs_pool_run(m->pool, rows_down, m, m->groups);
        }
    }
    return HISS_OK;
}

/* --- marginals ----------------------------------------------------------- */

hiss_status hs_mirror_fetch_sums(hs_mirror *m, bool is_last, hiss_error *err)
{
    if (is_last)
        HS_TRY(hs_mirror_fold(m, err));
    return hs_mirror_move_sums(m, false, err);
}

/* Number of steps that the sums have room for. */
static int64_t room(const hs_mirror *m)
{
    return m->rows ? HS_TRAIL_STEPS - m->state[0].marginals.pending : INT64_MAX;
}

static hiss_status note_sums(hs_mirror *m, int64_t steps, hiss_error *err)
{
    bool is_full = steps == room(m);

    for (int g = 0; m->rows && g < m->groups; g++) {
        hs_marginals *t = &m->state[g].marginals;

        t->pending += steps;
        for (int i = 0; !m->has_levels && i < m->state[g].group->tiles; i++) {
            const hs_tile *tile = &m->state[g].group->tile[i];

            t->count[i] += (double)tile->lanes * tile->summed;
        }
    }
    return is_full ? hs_mirror_fold(m, err) : HISS_OK;
}

/* --- life and steps ------------------------------------------------------ */

/* Whether U of every lane is known. */
static bool has_energies(const hs_mirror *m)
{
    for (int g = 0; g < m->groups; g++)
        for (int i = 0; i < m->state[g].group->tiles; i++)
            if (!(m->state[g].group->tile[i].at.have & HS_U))
                return false;
    return true;
}

hiss_status hs_mirror_send(hs_mirror *m, hiss_error *err)
{
    hs_kernel *tree = hs_mirror_stepper(m->state[0].group->kernel[0]);
    unsigned more =
        HS_DEVICE_NAMES | (has_energies(m) ? HS_DEVICE_ENERGIES : 0);

    for (int g = 0; g < m->groups; g++)
        for (int i = 0; i < m->state[g].group->tiles; i++) {
            const hs_tile *t = &m->state[g].group->tile[i];
            int n = hs_mirror_tile(m, g, i);

            memcpy(m->lanes.u[n], t->at.u, sizeof t->at.u);
            memcpy(m->lanes.chain[n], t->rng.chain, sizeof t->rng.chain);
            memcpy(m->lanes.replica[n], t->rng.replica, sizeof t->rng.replica);
        }
    for (int n = 0; n < m->plan.nodes; n++)
        m->lanes.made[n] = hs_kernel_node(tree, n)->steps;
    HS_TRY(hs_mirror_move_sums(m, true, err));
    HS_TRY(move_states(m, true, err));
    return send_levels(m, more, err);
}

static hiss_status count_lanes(hs_mirror *m, hiss_error *err)
{
    m->used = hs_alloc_array((size_t)m->tiles, sizeof *m->used);
    if (!m->used)
        return hs_fail_memory(err);
    for (int g = 0; g < m->groups; g++)
        for (int i = 0; i < m->state[g].group->tiles; i++)
            m->used[hs_mirror_tile(m, g, i)] = m->state[g].group->tile[i].lanes;
    m->plan.lanes = m->used;
    return HISS_OK;
}

hiss_status hs_mirror_create(hs_mirror **out, const hs_device_table *device,
                             int card, hs_group_state *state, int groups,
                             hs_mirror_use use, hs_pool *pool, hiss_error *err)
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
                     .has_best = use == HS_MIRROR_SEARCH,
                     .plan.is_pilot = use == HS_MIRROR_PILOT,
                     .has_levels = first->kernel[0]->type->ladder != NULL};
    rc = count_lanes(m, err);
    if (rc == HISS_OK)
        rc = find_plan(m, err);
    if (rc == HISS_OK)
        rc = device->create(&m->group, &m->lanes, card, &m->plan, err);
    if (rc == HISS_OK)
        rc = hs_mirror_send(m, err);
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
    hs_free(m->used);
    hs_free(m);
}

hiss_status hs_mirror_fetch(hs_mirror *m, bool with_states, hiss_error *err)
{
    unsigned what = HS_DEVICE_CHANGED | (m->has_levels ? HS_DEVICE_LEVELS : 0) |
                    (with_states ? HS_DEVICE_ENERGIES : 0);

    HS_TRY(m->device->read(m->group, what, err));
    m->with_states = with_states;
    hs_pool_run(m->pool, take, m, m->groups);
    return with_states ? move_states(m, false, err) : HISS_OK;
}

/* Records clocks and costs of steps of a tile made on the GPU, and how often
 * each is added to the marginals: by a kernel, or else once (tile.h). */
static void note_tile(const hs_mirror *m, hs_kernel *k, hs_tile *t,
                      int64_t steps)
{
    int summed = 0;

    for (int64_t n = 0; n < steps; n++) {
        t->summed = 0;
        hs_kernel_made(k, m->model, t, HS_TILT_FLAT, 1);
        summed += t->summed ? t->summed : 1;
    }
    t->summed = summed;
}

static void note_group(void *context, int g)
{
    const hs_mirror *m = context;

    for (int i = 0; i < m->state[g].group->tiles; i++)
        note_tile(m, m->state[g].group->kernel[i], &m->state[g].group->tile[i],
                  m->noted);
}

/* Uses the threads, because thousands of tiles would keep one thread busy
 * longer than the GPU. */
static void note(hs_mirror *m, int64_t steps)
{
    m->noted = steps;
    hs_pool_run(m->pool, note_group, m, m->groups);
}

static hiss_status step(hs_mirror *m, int64_t steps, bool is_summed,
                        hiss_error *err)
{
    const hs_group *first = m->state[0].group;
    hs_device_steps asked = {.clock = first->tile[0].rng.clock,
                             .made = first->kernel[0]->steps,
                             .count = steps,
                             .is_summed = is_summed && m->rows,
                             .is_noted = !m->is_warmup};

    HS_TRY(m->device->step(m->group, &asked, err));
    note(m, steps);
    return is_summed ? note_sums(m, steps, err) : HISS_OK;
}

hiss_status hs_mirror_step(hs_mirror *m, int64_t steps, bool is_summed,
                           hiss_error *err)
{
    if (m->is_warmup != m->state[0].group->tile[0].is_warmup)
        HS_TRY(send_levels(m, 0, err));
    while (steps > 0) {
        int64_t now = is_summed && room(m) < steps ? room(m) : steps;

        HS_TRY(step(m, now, is_summed, err));
        steps -= now;
    }
    return HISS_OK;
}

hiss_status hs_mirror_send_betas(hs_mirror *m, hiss_error *err)
{
    return send_levels(m, 0, err);
}
