/* population.c - replicas in tiles: states and steps. */
#include "run/population/population.h"

#include <math.h>
#include <string.h>

#include "base/alloc.h"
#include "base/error.h"
#include "model/user/wide.h"

static hiss_status create_worker(hs_population *p, hs_worker *w,
                                 const hs_sampler *sampler, int number,
                                 hiss_error *err)
{
    HS_TRY(hs_group_create(&w->group, p->model, sampler, 0, 0, HS_LANES, err));
    w->first_tile = (int)((int64_t)number * p->tiles / p->workers);
    w->end_tile = (int)((int64_t)(number + 1) * p->tiles / p->workers);
    p->nodes = 0;
    while (hs_kernel_node(w->group->kernel[0], p->nodes))
        p->nodes++;
    w->steps = hs_alloc_array((size_t)p->nodes, sizeof *w->steps);
    return w->steps ? HISS_OK : hs_fail_memory(err);
}

static hiss_status create(hs_population *p, const hs_sampler *sampler,
                          hiss_error *err)
{
    size_t size = (size_t)p->size;

    p->tile = hs_alloc_array((size_t)p->tiles, sizeof *p->tile);
    p->worker = hs_alloc_array((size_t)p->workers, sizeof *p->worker);
    p->weight = hs_alloc_array(size, sizeof *p->weight);
    p->factor = hs_alloc_array(size, sizeof *p->factor);
    p->order = hs_alloc_array(size, sizeof *p->order);
    p->next = hs_alloc_array(size, sizeof *p->next);
    p->copies = hs_alloc_array(size, sizeof *p->copies);
    p->from = hs_alloc_array(size, sizeof *p->from);
    p->family = hs_alloc_array(size, sizeof *p->family);
    if (!p->tile || !p->worker || !p->weight || !p->factor || !p->order ||
        !p->next || !p->copies || !p->from || !p->family)
        return hs_fail_memory(err);
    for (int i = 0; i < p->tiles; i++)
        HS_TRY(hs_tile_init(&p->tile[i], p->model, 0, err));
    for (int w = 0; w < p->workers; w++)
        HS_TRY(create_worker(p, &p->worker[w], sampler, w, err));
    return HISS_OK;
}

hiss_status hs_population_create(hs_population **out, const hs_model *m,
                                 const hs_sampler *sampler, int size,
                                 hs_pool *pool, int workers, hiss_error *err)
{
    hs_population *p = hs_alloc_array(1, sizeof *p);
    hiss_status rc;

    *out = NULL;
    if (!p)
        return hs_fail_memory(err);
    p->model = m;
    p->pool = pool;
    p->size = size;
    p->tiles = (size + HS_LANES - 1) / HS_LANES;
    p->workers = workers < p->tiles ? workers : p->tiles;
    rc = create(p, sampler, err);
    if (rc != HISS_OK) {
        hs_population_destroy(p);
        return rc;
    }
    *out = p;
    return HISS_OK;
}

void hs_population_destroy(hs_population *p)
{
    if (!p)
        return;
    for (int i = 0; p->tile && i < p->tiles; i++)
        hs_tile_clear(&p->tile[i]);
    for (int w = 0; p->worker && w < p->workers; w++) {
        hs_group_destroy(p->worker[w].group);
        hs_free(p->worker[w].steps);
    }
    hs_free(p->tile);
    hs_free(p->worker);
    hs_free(p->weight);
    hs_free(p->factor);
    hs_free(p->order);
    hs_free(p->next);
    hs_free(p->copies);
    hs_free(p->from);
    hs_free(p->family);
    hs_free(p);
}

/* Idle lanes copy the first. */
static void name_lanes(hs_population *p, hs_tile *t, int number, uint64_t seed,
                       uint32_t first_chain)
{
    int first = number * HS_LANES;

    t->lanes = p->size - first < HS_LANES ? p->size - first : HS_LANES;
    t->rng = (hs_rng){.seed = seed, .lanes = t->lanes};
    for (int l = 0; l < HS_LANES; l++)
        t->rng.chain[l] =
            first_chain + (uint32_t)(l < t->lanes ? first + l : first);
    t->energy_evals = t->gradient_evals = 0.0;
}

/* The distribution at beta = 0: uniform over all states, or all tours. */
static hiss_status start_tile(hs_population *p, hs_tile *t, hiss_error *err)
{
    const hs_model *m = p->model;
    hiss_status rc;

    if (m->domain.is_tour)
        HS_TRY(m->ops->start(m, &t->at, &t->rng, t->lanes, err));
    else
        hs_point_uniform(&t->at, m, &t->rng, HS_DRAW_INIT);
    t->at.have = 0;
    rc = hs_tile_evaluate(t, m, &t->at, HS_U);
    return rc == HISS_OK ? rc
                         : hs_fail_model(err, rc, m, &t->fault,
                                         "at a random state of a population");
}

static void start_tiles(void *context, int index)
{
    hs_population *p = context;
    hs_worker *w = &p->worker[index];

    w->status = HISS_OK;
    for (int i = w->first_tile; i < w->end_tile && w->status == HISS_OK; i++)
        w->status = start_tile(p, &p->tile[i], &w->error);
}

/* Runs all workers' shares; returns the first fault in the order of the
 * tiles. */
static hiss_status work(hs_population *p,
                        void (*share)(void *context, int index),
                        hiss_error *err)
{
    hs_wide_each(p->model, p->pool, share, p, p->workers);
    for (int w = 0; w < p->workers; w++)
        if (p->worker[w].status != HISS_OK) {
            if (err)
                *err = p->worker[w].error;
            return p->worker[w].status;
        }
    return HISS_OK;
}

hiss_status hs_population_begin(hs_population *p, uint64_t seed,
                                uint32_t first_chain, hiss_error *err)
{
    p->beta = p->log_ratio = 0.0;
    p->resampled = 0;
    for (int r = 0; r < p->size; r++) {
        p->weight[r] = 1.0;
        p->order[r] = p->family[r] = r;
    }
    for (int w = 0; w < p->workers; w++)
        for (int n = 0; n < p->nodes; n++)
            hs_kernel_node(p->worker[w].group->kernel[0], n)->steps = 0;
    for (int i = 0; i < p->tiles; i++)
        name_lanes(p, &p->tile[i], i, seed, first_chain);
    return work(p, start_tiles, err);
}

static hiss_status walk(const hs_population *p, hs_kernel *k, hs_tile *t)
{
    if (hs_kernel_packs(k)) {
        HS_TRY(hs_kernel_walk(k, p->model, &t->tilt, t, p->moving));
        return hs_kernel_flush(k, p->model, t);
    }
    for (int n = 0; n < p->moving; n++)
        HS_TRY(hs_kernel_step(k, p->model, &t->tilt, t));
    return HISS_OK;
}

static void move_tile(const hs_population *p, hs_worker *w, hs_tile *t)
{
    hs_kernel *k = w->group->kernel[0];

    for (int n = 0; n < p->nodes; n++)
        hs_kernel_node(k, n)->steps = w->steps[n];
    for (int l = 0; l < HS_LANES; l++)
        t->tilt.beta[l] = (float)p->beta;
    t->at.have &=
        (unsigned)(HS_U | HS_GRAD); /* the cache may be from another tree */
    t->is_tuning = w->group->tile[0].is_tuning;
    w->status = walk(p, k, t);
    if (w->status == HISS_OK)
        w->status = hs_tile_evaluate(t, p->model, &t->at, HS_U);
    if (w->status != HISS_OK)
        hs_fail_model(&w->error, w->status, p->model,
                      t->fault.code || t->fault.is_gradient ? &t->fault
                                                            : &t->at.fault,
                      "in a population");
}

static void move_tiles(void *context, int index)
{
    const hs_population *p = context;
    hs_worker *w = &p->worker[index];

    w->status = HISS_OK;
    for (int n = 0; n < p->nodes; n++)
        w->steps[n] = hs_kernel_node(w->group->kernel[0], n)->steps;
    for (int i = w->first_tile; i < w->end_tile && w->status == HISS_OK; i++)
        move_tile(p, w, &p->tile[i]);
}

hiss_status hs_population_move(hs_population *p, int steps, hiss_error *err)
{
    p->moving = steps;
    if (steps == 0)
        return HISS_OK;
    return work(p, move_tiles, err);
}

/* Gives all lanes, which learned it together, one value. */
static void pool_column(double *column)
{
    double mean = 0.0;

    for (int l = 0; l < HS_LANES; l++)
        mean += column[l] / HS_LANES;
    for (int l = 0; l < HS_LANES; l++)
        column[l] = mean;
}

void hs_population_pool(hs_population *p)
{
    const hs_kernel *k;

    for (int n = 0; (k = hs_kernel_node(p->worker[0].group->kernel[0], n)); n++)
        for (int c = HS_OWN_COLUMNS; c < k->columns; c++)
            pool_column(k->lane[c]);
}

void hs_population_evals(const hs_population *p, double *energy,
                         double *gradient)
{
    *energy = *gradient = 0.0;
    for (int i = 0; i < p->tiles; i++) {
        *energy += p->tile[i].energy_evals * p->tile[i].lanes;
        *gradient += p->tile[i].gradient_evals * p->tile[i].lanes;
    }
}

hs_families hs_population_families(hs_population *p)
{
    double *share = p->factor, square = 0.0, entropy = 0.0;
    hs_families f = {0};

    memset(share, 0, (size_t)p->size * sizeof *share);
    for (int r = 0; r < p->size; r++)
        share[p->family[r]] += p->weight[r] / p->size;
    for (int i = 0; i < p->size; i++) {
        if (!(share[i] > 0.0))
            continue;
        f.left += 1.0;
        square += share[i] * share[i];
        entropy -= share[i] * log(share[i]);
    }
    f.rho_t = p->size * square;
    f.rho_s = p->size / exp(entropy);
    return f;
}
