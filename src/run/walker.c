/* walker.c - a group of chains: its start, and to bytes and back. */
#include "run/walker.h"

#include <math.h>
#include <string.h>

#include "base/alloc.h"
#include "base/error.h"

#define ROUNDING 1e-4 /* of U, relative, between two refreshes */

static hiss_status set_states(hs_walker *w, const hiss_settings *set,
                              hiss_error *err)
{
    const hs_domain *d = &w->group->model->domain;
    int16_t *state;

    if (!set->init)
        return hs_group_start(w->group, set->init_best, err);
    state = hs_alloc_array((size_t)d->dim, sizeof *state);
    if (!state)
        return hs_fail_memory(err);
    for (int c = 0; c < w->group->chains; c++) {
        const double *from =
            set->init + (size_t)(w->first_chain + c) * (size_t)d->dim;

        for (int i = 0; i < d->dim; i++)
            for (int v = 0; v < d->states[i]; v++)
                if ((double)d->values[d->value[i] + v] == from[i])
                    state[i] = (int16_t)v;
        for (int k = 0; k < w->group->replicas; k++)
            hs_group_set(w->group, c, k, state);
    }
    hs_free(state);
    return HISS_OK;
}

/* No chain may start where the probability is 0. */
static hiss_status check_start(hs_walker *w, hiss_error *err)
{
    for (int i = 0; i < w->group->tiles; i++) {
        hs_tile *t = &w->group->tile[i];
        hiss_status rc = hs_tile_evaluate(t, w->group->model, &t->at, HS_U);

        if (rc != HISS_OK)
            return hs_fail(err, rc,
                           "model %s: U is NaN or +infinity at the start of "
                           "chain %u",
                           w->group->model->name,
                           t->rng.chain[t->bad_lane > 0 ? t->bad_lane : 0]);
        for (int l = 0; l < t->lanes; l++)
            if (t->at.u[l] == -HUGE_VAL)
                return hs_fail(err, HISS_EINFEASIBLE,
                               "the initial state of chain %u has "
                               "probability 0",
                               t->rng.chain[l]);
    }
    return HISS_OK;
}

hiss_status hs_walker_start(hs_walker *w, const hiss_settings *set,
                            hiss_error *err)
{
    HS_TRY(set_states(w, set, err));
    return check_start(w, err);
}

/* One function for both directions, so that they cannot differ. */
typedef void (*transfer)(hs_blob *b, void *at, size_t size);

static void put(hs_blob *b, void *at, size_t size)
{
    hs_blob_put(b, at, size);
}

#define FIELD(field) move(b, &(field), sizeof(field))

static void kernel_bytes(hs_kernel *k, hs_blob *b, transfer move)
{
    FIELD(k->steps);
    move(b, k->lane, (size_t)k->columns * sizeof *k->lane);
    for (int i = 0; i < k->children; i++)
        kernel_bytes(k->child[i], b, move);
}

static void tile_bytes(hs_tile *t, const hs_model *m, hs_blob *b, transfer move)
{
    FIELD(t->rng.clock);
    FIELD(t->level);
    FIELD(t->heading);
    FIELD(t->trips);
    FIELD(t->tilt.beta);
    FIELD(t->is_warmup);
    FIELD(t->energy_evals);
    FIELD(t->gradient_evals);
    move(b, t->at.x, (size_t)m->domain.dim * sizeof *t->at.x);
    FIELD(t->at.u);
    FIELD(t->at.have);
    /* not computed anew: single-site updates leave their rounding in them */
    if (t->at.grad)
        move(b, t->at.grad, (size_t)m->domain.rows * sizeof *t->at.grad);
    if (m->cache_bytes)
        move(b, t->at.cache, m->cache_bytes);
}

static void walker_bytes(hs_walker *w, hs_blob *b, transfer move)
{
    FIELD(w->step);
    FIELD(w->warmup);
    FIELD(w->thin);
    FIELD(w->kept);
    FIELD(w->warm_thin);
    FIELD(w->warm_kept);
    FIELD(w->is_done);
    FIELD(w->trail.seen);
    FIELD(w->trail.pending);
    FIELD(w->trail.count);
    if (w->trail.recent) {
        size_t rows = (size_t)w->trail.rows;

        move(b, w->trail.sum, rows * sizeof *w->trail.sum);
        move(b, w->trail.recent,
             (size_t)w->group->tiles * rows * sizeof *w->trail.recent);
    }
    for (int i = 0; i < w->group->tiles; i++) {
        tile_bytes(&w->group->tile[i], w->group->model, b, move);
        kernel_bytes(w->group->kernel[i], b, move);
    }
}

void hs_walker_save(const hs_walker *w, hs_blob *to)
{
    hs_walker copy = *w; /* the group's contents are only read */

    walker_bytes(&copy, to, put);
}

/* Every chain has each of its levels once. */
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

    for (int k = 0; k < g->tiles; k++)
        for (int i = 0; i < d->dim; i++)
            for (int l = 0; l < HS_LANES; l++)
                if (g->tile[k].at.x[i][l] < 0 ||
                    g->tile[k].at.x[i][l] >= d->states[i])
                    return false;
    return true;
}

bool hs_walker_load(hs_walker *w, hs_blob *from, int64_t capacity,
                    int64_t warm_capacity)
{
    int64_t thin = w->thin;

    walker_bytes(w, from, hs_blob_get);
    if (from->is_broken || w->step < 0 || w->warmup < -1 || w->thin < thin ||
        w->kept < 0 || w->kept > capacity || w->warm_thin < thin ||
        w->warm_kept < 0 || w->warm_kept > warm_capacity ||
        !has_levels(w->group) || !has_states(w->group))
        return false;
    if (w->warmup >= 0 && w->step >= w->warmup)
        hs_trail_arm(&w->trail, w->group);
    return true;
}

static bool is_near(double a, double b)
{
    return a == b || fabs(a - b) <= ROUNDING * (1.0 + fabs(b));
}

hiss_status hs_walker_check(const hs_walker *w, const char *what,
                            hiss_error *err)
{
    const hs_model *m = w->group->model;
    hs_point p;
    hiss_status rc;

    HS_TRY(hs_point_init(&p, m, err));
    rc = HISS_OK;
    for (int k = 0; k < w->group->tiles && rc == HISS_OK; k++) {
        const hs_tile *t = &w->group->tile[k];

        memcpy(p.x, t->at.x, (size_t)m->domain.dim * sizeof *p.x);
        p.have = 0;
        rc = hs_model_evaluate(m, &p, HS_U);
        if (rc != HISS_OK)
            hs_fail(err, rc, "model %s: %s", m->name, hiss_status_text(rc));
        for (int l = 0; l < t->lanes && rc == HISS_OK; l++)
            if ((t->at.have & HS_U) && !is_near(t->at.u[l], p.u[l]))
                rc = hs_fail(err, HISS_EPARSE,
                             "%s: this checkpoint is of another model: U of "
                             "a saved state is %.9g here, it was %.9g",
                             what, p.u[l], t->at.u[l]);
    }
    hs_point_clear(&p);
    return rc;
}
