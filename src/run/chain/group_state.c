/* group_state.c - a group of chains: its start, and its serialization. */
#include "run/chain/group_state.h"

#include <math.h>
#include <string.h>

#include "base/alloc.h"
#include "base/error.h"
#include "device/open.h"
#include "run/chain/everywhere.h"
#include "run/chain/lane_exchange.h"

#define ROUNDING  1e-4 /* relative change of U between two refreshments */
#define STEPS_MAX ((int64_t)1 << 53)

/* Sets the states; levels are still as placed: replica k has level k. */
static hiss_status set_states(hs_group_state *w, const hiss_settings *set,
                              hiss_error *err)
{
    const hs_domain *d = &w->group->model->domain;
    int replicas = w->group->replicas, each = set->by_level ? replicas : 1;
    int16_t *state;

    if (!set->init)
        return hs_group_start(w->group, set->init_best, err);
    state = hs_alloc_array((size_t)d->dim, sizeof *state);
    if (!state)
        return hs_fail_memory(err);
    for (int c = 0; c < w->group->chains; c++)
        for (int k = 0; k < replicas; k++) {
            size_t at = (size_t)(w->first_chain + c) * (size_t)each +
                        (size_t)(k % each);

            if (k < each)
                hs_domain_indices(d, set->init + at * (size_t)d->dim, state);
            hs_group_set(w->group, c, k, state);
        }
    hs_free(state);
    return HISS_OK;
}

/* Fails if a chain starts where the probability is 0.  If the GPU computes U,
 * it is not checked here. */
static hiss_status check_start(hs_group_state *w, const hiss_settings *set,
                               hiss_error *err)
{
    hs_device_choice on;

    HS_TRY(hs_device_parse(set->device, &on, err));
    if (on.is_card && !on.may_not && hs_is_everywhere(w->group->model))
        return HISS_OK;
    for (int i = w->group->first_tile; i < w->group->end_tile; i++) {
        hs_tile *t = &w->group->tile[i];
        hiss_status rc = hs_tile_evaluate(t, w->group->model, &t->at, HS_U);

        if (rc != HISS_OK)
            return hs_group_fail(w->group, t, rc, "at the start of", "", err);
        for (int l = 0; l < t->lanes; l++)
            if (!hs_model_is_possible(w->group->model, t->at.u[l]))
                return hs_fail(err, HISS_EINFEASIBLE,
                               "the initial state of chain %u has "
                               "probability 0",
                               t->rng.chain[l]);
    }
    return HISS_OK;
}

hiss_status hs_group_state_start(hs_group_state *w, const hiss_settings *set,
                                 hiss_error *err)
{
    HS_TRY(set_states(w, set, err));
    return check_start(w, set, err);
}

#define FIELD(field) move(b, &(field), sizeof(field))

/* Serializes the progress of the group. */
static void head_bytes(hs_group_state *w, hs_blob *b, hs_lane_transfer move)
{
    FIELD(w->step);
    FIELD(w->mark);
    FIELD(w->mark_spent);
    FIELD(w->warmup);
    FIELD(w->thin);
    FIELD(w->kept);
    FIELD(w->warm_thin);
    FIELD(w->warm_kept);
    hs_lane_transfer_flag(b, &w->is_done, move);
    FIELD(w->marginals.seen);
    FIELD(w->marginals.pending);
}

/* Serializes the state that only the rank that advances the tile needs. */
static void state_bytes(hs_group_state *w, int tile, hs_blob *b,
                        hs_lane_transfer move)
{
    const hs_model *m = w->group->model;
    hs_tile *t = &w->group->tile[tile];
    size_t rows = (size_t)w->marginals.rows, sums = (size_t)w->marginals.sums;

    move(b, t->at.x, (size_t)m->domain.dim * sizeof *t->at.x);
    /* not computed anew, because single-site updates leave rounding in them */
    if (t->at.grad)
        move(b, t->at.grad, (size_t)m->domain.rows * sizeof *t->at.grad);
    if (m->cache_bytes)
        move(b, t->at.cache, m->cache_bytes);
    if (w->marginals.recent) {
        FIELD(w->marginals.count[tile]);
        move(b, w->marginals.sum + (size_t)tile * sums, sums * sizeof(double));
        move(b, w->marginals.recent + (size_t)tile * rows,
             rows * sizeof *w->marginals.recent);
    }
}

static bool is_own(const hs_group *g, int tile)
{
    return tile >= g->first_tile && tile < g->end_tile;
}

static void save(const hs_group_state *w, hs_blob *to, bool with_states)
{
    hs_group_state copy = *w; /* the group's contents are only read */

    if (w->group->first_tile == 0)
        head_bytes(&copy, to, hs_lane_transfer_put);
    for (int i = w->group->first_tile; i < w->group->end_tile; i++) {
        hs_lane_exchange_tile(w->group, i, to, hs_lane_transfer_put);
        if (with_states)
            state_bytes(&copy, i, to, hs_lane_transfer_put);
    }
}

void hs_group_state_save(const hs_group_state *w, hs_blob *to)
{
    save(w, to, true);
}

void hs_group_state_save_numbers(const hs_group_state *w, hs_blob *to)
{
    save(w, to, false);
}

void hs_group_state_load_numbers(hs_group_state *w, hs_blob *from)
{
    head_bytes(w, from, hs_blob_get);
    for (int i = 0; i < w->group->tiles; i++)
        hs_lane_exchange_tile(w->group, i, from, hs_blob_get);
}

static void pass_over(hs_blob *b, void *at, size_t size)
{
    (void)at;
    if (size > b->used - b->read)
        b->is_broken = true;
    else
        b->read += size;
}

/* Whether every chain has each of its levels once. */
static bool has_levels(const hs_group *g)
{
    for (int c = 0; c < g->chains; c++)
        for (int level = 0; level < g->replicas; level++) {
            int lane;

            if (!hs_group_at_level(g, c, level, &lane))
                return false;
        }
    return true;
}

static bool has_states(const hs_group *g)
{
    const hs_domain *d = &g->model->domain;

    for (int k = g->first_tile; k < g->end_tile; k++)
        for (int i = 0; i < d->dim; i++)
            for (int l = 0; l < HS_LANES; l++)
                if (g->tile[k].at.x[i][l] < 0 ||
                    g->tile[k].at.x[i][l] >= d->states[i])
                    return false;
    return true;
}

/* Whether a tour visits every city once. */
static bool has_tours(const hs_group *g)
{
    const hs_domain *d = &g->model->domain;
    char *seen = d->is_tour ? hs_alloc_array((size_t)d->dim, 1) : NULL;
    bool is_right = seen || !d->is_tour;

    for (int k = g->first_tile; seen && k < g->end_tile; k++)
        for (int l = 0; l < HS_LANES; l++) {
            memset(seen, 0, (size_t)d->dim);
            for (int i = 0; i < d->dim; i++) {
                char *city = &seen[g->tile[k].at.x[i][l]];

                is_right = is_right && !*city;
                *city = 1;
            }
        }
    hs_free(seen);
    return is_right;
}

/* Checks numbers that index other memory, or that nothing else bounds. */
static bool has_numbers(const hs_group_state *w)
{
    const hs_group *g = w->group;

    for (int k = 0; k < g->tiles; k++) {
        const hs_tile *t = &g->tile[k];

        if (t->at.have & ~(unsigned)(HS_U | HS_GRAD | HS_TILE_KEPT))
            return false;
        for (int l = 0; l < HS_LANES; l++)
            if (t->level[l] < 0 || t->level[l] >= g->replicas ||
                t->heading[l] < HS_FROM_NOWHERE ||
                t->heading[l] > HS_FROM_HOT || !isfinite(t->tilt.beta[l]))
                return false;
    }
    return w->marginals.pending >= 0 && w->marginals.pending < HS_TRAIL_STEPS;
}

/* Whether a run of this length can reach the progress. */
static bool has_counts(const hs_group_state *w, int64_t thin, int64_t capacity,
                       int64_t warm_capacity)
{
    return w->step >= 0 && w->step <= STEPS_MAX && w->mark >= 0 &&
           w->mark <= w->step && w->mark_spent >= 0.0 && w->warmup >= -1 &&
           w->warmup <= STEPS_MAX && w->thin >= thin && w->thin <= STEPS_MAX &&
           w->kept >= 0 && w->kept <= capacity && w->warm_thin >= thin &&
           w->warm_thin <= STEPS_MAX && w->warm_kept >= 0 &&
           w->warm_kept <= warm_capacity;
}

bool hs_group_state_load(hs_group_state *w, hs_blob *from, int64_t capacity,
                         int64_t warm_capacity)
{
    int64_t thin = w->thin;

    head_bytes(w, from, hs_blob_get);
    for (int i = 0; i < w->group->tiles; i++) {
        hs_lane_exchange_tile(w->group, i, from, hs_blob_get);
        state_bytes(w, i, from, is_own(w->group, i) ? hs_blob_get : pass_over);
    }
    if (from->is_broken || !has_counts(w, thin, capacity, warm_capacity) ||
        !has_numbers(w) || !has_levels(w->group) || !has_states(w->group) ||
        !has_tours(w->group))
        return false;
    w->sent[HS_KEPT] = w->kept; /* they are in the checkpoint */
    w->sent[HS_WARM] = w->warm_kept;
    if (w->warmup >= 0 && w->step >= w->warmup)
        hs_marginals_arm(&w->marginals, w->group);
    return true;
}

static bool is_near(double a, double b)
{
    return a == b || fabs(a - b) <= ROUNDING * (1.0 + fabs(b));
}

hiss_status hs_group_state_check(const hs_group_state *w, const char *what,
                                 hiss_error *err)
{
    const hs_model *m = w->group->model;
    hs_point p;
    hiss_status rc;

    HS_TRY(hs_point_init(&p, m, err));
    rc = HISS_OK;
    for (int k = w->group->first_tile; k < w->group->end_tile && rc == HISS_OK;
         k++) {
        const hs_tile *t = &w->group->tile[k];

        memcpy(p.x, t->at.x, (size_t)m->domain.dim * sizeof *p.x);
        p.have = 0;
        rc = hs_model_evaluate(m, &p, HS_U);
        if (rc != HISS_OK)
            hs_fail_model(err, rc, m, &p.fault, "at a saved state");
        for (int l = 0; l < t->lanes && rc == HISS_OK; l++)
            if ((t->at.have & HS_U) && !is_near(t->at.u[l], p.u[l]))
                rc =
                    hs_fail(err, HISS_EPARSE,
                            "%s: this checkpoint is of another model: log p of "
                            "a saved state is %.9g here, it was %.9g",
                            what, p.u[l], t->at.u[l]);
    }
    hs_point_clear(&p);
    return rc;
}
