/* run.c - all chains of a run: warm-up, kept draws, budgets, threads. */
#include "run/run.h"

#include <math.h>
#include <string.h>
#include <time.h>

#include "base/alloc.h"
#include "base/error.h"
#include "base/pool.h"
#include "run/checkpoint.h"
#include "run/walker.h"

#define ROUND_SECONDS 0.05 /* aimed at, per round */
#define OPEN_DRAWS    4096 /* kept per chain when --samples is not given */
#define OPEN_BYTES    1e9
#define WARMUP_SHARE  0.2 /* of a budget, when --warmup is not given */

struct running {
    const hs_model *model;
    const hiss_settings *set;
    hs_run *run;
    hs_walker *walker; /* owned, [groups] */
    int groups;
    hs_pool *pool;  /* owned */
    int64_t target; /* step that this round leads to */
    double started;
    double before; /* seconds spent before a resumed run */
    hs_checkpoint checkpoint;
    bool has_checkpoint;
};

static double now(void)
{
    struct timespec t;

    clock_gettime(CLOCK_MONOTONIC, &t);
    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

static bool is_open_ended(const hiss_settings *set)
{
    return set->samples == 0;
}

/* Half of the steps that are kept; -1, a share of the budget, when their
 * number is open. */
static int64_t default_warmup(const hiss_settings *set)
{
    if (set->warmup >= 0)
        return set->warmup;
    return is_open_ended(set) ? -1 : set->samples * set->thin / 2;
}

/* Evaluations of one chain, energy and gradient together. */
static double evals_per_chain(const hs_walker *w)
{
    double energy, gradient;

    hs_group_evals(w->group, &energy, &gradient);
    return energy + gradient;
}

static void keep(struct running *r, hs_walker *w)
{
    hs_store *store = &r->run->store;

    if (w->kept == store->capacity) { /* open-ended: make room */
        for (int c = 0; c < w->group->chains; c++)
            hs_store_thin(store, w->first_chain + c, w->kept);
        w->kept /= 2;
        w->thin *= 2;
        if ((w->step - w->warmup) % w->thin != 0)
            return;
    }
    for (int c = 0; c < w->group->chains; c++) {
        int lane;
        const hs_tile *t = hs_group_at_level(w->group, c, 0, &lane);

        hs_store_put(store, w->first_chain + c, w->kept,
                     (const int16_t(*)[16])t->at.x, lane, t->at.u[lane]);
    }
    w->kept++;
}

/* Ends warm-up when its steps are spent or, unless the caller fixed them, its
 * share of the evaluations. */
static void check_warmup(struct running *r, hs_walker *w)
{
    double budget = r->set->evals / r->set->chains;

    if (r->set->warmup < 0 && r->set->evals > 0.0 &&
        evals_per_chain(w) >= WARMUP_SHARE * budget)
        w->warmup = w->step;
    if (w->warmup == w->step)
        hs_group_freeze(w->group);
}

static void advance(void *context, int index)
{
    struct running *r = context;
    hs_walker *w = &r->walker[index];
    const hiss_settings *set = r->set;
    int64_t samples = set->samples;

    while (w->step < r->target && !w->is_done) {
        w->status = hs_group_step(w->group, &w->error);
        if (w->status != HISS_OK) {
            w->is_done = true;
            return;
        }
        w->step++;
        if (w->warmup < 0 || w->step <= w->warmup)
            check_warmup(r, w);
        else if ((w->step - w->warmup) % w->thin == 0)
            keep(r, w);
        w->is_done = (samples > 0 && w->kept == samples) ||
                     (set->evals > 0.0 &&
                      evals_per_chain(w) >= set->evals / set->chains);
    }
}

static hiss_status set_states(struct running *r, hs_walker *w, hiss_error *err)
{
    const hs_domain *d = &r->model->domain;
    int16_t *state;

    if (!r->set->init)
        return hs_group_start(w->group, r->set->init_best, err);
    state = hs_alloc_array((size_t)d->dim, sizeof *state);
    if (!state)
        return hs_fail_memory(err);
    for (int c = 0; c < w->group->chains; c++) {
        const double *from =
            r->set->init + (size_t)(w->first_chain + c) * (size_t)d->dim;

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
static hiss_status check_start(struct running *r, hs_walker *w, hiss_error *err)
{
    for (int i = 0; i < w->group->tiles; i++) {
        hs_tile *t = &w->group->tile[i];
        hiss_status rc = hs_tile_evaluate(t, r->model, &t->at, HS_U);

        if (rc != HISS_OK)
            return hs_fail(err, rc,
                           "model %s: U is NaN or +infinity at the start of "
                           "chain %u",
                           r->model->name,
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

static hiss_status prepare_walker(struct running *r, int index,
                                  const hs_spec *sampler, hiss_error *err)
{
    const hiss_settings *set = r->set;
    hs_walker *w = &r->walker[index];
    int left = set->chains - index * HS_GROUP_CHAINS;
    int chains = left < HS_GROUP_CHAINS ? left : HS_GROUP_CHAINS;

    w->first_chain = index * HS_GROUP_CHAINS;
    w->thin = set->thin;
    w->warmup = default_warmup(set);
    HS_TRY(hs_group_create(&w->group, r->model, sampler, set->seed,
                           (uint32_t)w->first_chain, chains, err));
    HS_TRY(set_states(r, w, err));
    HS_TRY(check_start(r, w, err));
    hs_group_set_warmup(w->group, true);
    for (int i = 0; i < w->group->tiles; i++)
        hs_kernel_begin(w->group->kernel[i],
                        w->warmup >= 0 ? w->warmup : OPEN_DRAWS);
    if (w->warmup == 0)
        hs_group_freeze(w->group);
    return HISS_OK;
}

/* The least of all groups: what can be told of the whole run. */
static void progress_of(const struct running *r, double seconds,
                        hiss_progress *p)
{
    const hiss_settings *set = r->set;
    const hs_walker *slow = &r->walker[0];
    double evals, done = 0.0, part;

    for (int g = 1; g < r->groups; g++)
        if (r->walker[g].step < slow->step)
            slow = &r->walker[g];
    evals = evals_per_chain(slow);
    if (set->samples > 0)
        done = (double)slow->step / ((double)default_warmup(set) +
                                     (double)set->samples * (double)set->thin);
    part = set->evals > 0.0 ? evals * set->chains / set->evals : 0.0;
    done = part > done ? part : done;
    part = set->time_limit > 0.0 ? seconds / set->time_limit : 0.0;
    done = part > done ? part : done;
    *p = (hiss_progress){.fraction = done < 1.0 ? done : 1.0,
                         .seconds = seconds,
                         .evaluations = evals * set->chains,
                         .draws = slow->kept,
                         .is_warmup =
                             slow->warmup < 0 || slow->step < slow->warmup};
}

/* Between rounds: budgets of time, and the caller's wish.  True to go on. */
static bool go_on(struct running *r)
{
    const hiss_settings *set = r->set;
    double seconds = r->before + now() - r->started;
    hiss_progress p;

    progress_of(r, seconds, &p);
    if (set->progress && set->progress(set->context, &p)) {
        r->run->info.ended = HISS_ENDED_STOPPED;
        return false;
    }
    if (set->time_limit <= 0.0)
        return true;
    for (int g = 0; g < r->groups; g++) {
        hs_walker *w = &r->walker[g];

        if (set->warmup < 0 && (w->warmup < 0 || w->step < w->warmup) &&
            seconds >= WARMUP_SHARE * set->time_limit) {
            w->warmup = w->step;
            hs_group_freeze(w->group);
        }
    }
    if (seconds < set->time_limit)
        return true;
    r->run->info.ended = HISS_ENDED_TIME;
    return false;
}

/* Writes one when it is time, between rounds, where all chains agree.  A
 * checkpoint that cannot be written does not end the run: the last one stays,
 * and the result says so. */
static void write_checkpoint(struct running *r, double every)
{
    hs_checkpoint *c = &r->checkpoint;
    hiss_error err = {0};

    if (!r->has_checkpoint || now() - c->last < every)
        return;
    if (hs_checkpoint_write(c, r->walker, r->groups, &r->run->store,
                            r->before + now() - r->started, &err) != HISS_OK)
        memcpy(r->run->warning, err.message, sizeof r->run->warning);
    c->last = now();
}

static bool all_done(const struct running *r)
{
    for (int g = 0; g < r->groups; g++)
        if (!r->walker[g].is_done)
            return false;
    return true;
}

static hiss_status first_fault(const struct running *r, hiss_error *err)
{
    for (int g = 0; g < r->groups; g++)
        if (r->walker[g].status != HISS_OK) {
            if (err)
                *err = r->walker[g].error;
            return r->walker[g].status;
        }
    return HISS_OK;
}

static hiss_status walk(struct running *r, hiss_error *err)
{
    int64_t stride = 1;

    r->target = r->walker[0].step;
    while (!all_done(r) && go_on(r)) {
        double before = now(), took;

        r->target += stride;
        hs_pool_run(r->pool, advance, r, r->groups);
        HS_TRY(first_fault(r, err));
        write_checkpoint(r, r->checkpoint.every);
        took = now() - before;
        if (took < 0.5 * ROUND_SECONDS && stride < (int64_t)1 << 40)
            stride *= 2;
        else if (took > 2.0 * ROUND_SECONDS && stride > 1)
            stride /= 2;
    }
    return HISS_OK;
}

/* Kept draws: as many as the slowest group has. */
static void settle(struct running *r)
{
    hs_run *run = r->run;
    hiss_run_info *info = &run->info;
    const hs_walker *last = &r->walker[r->groups - 1];

    /* groups differ by at most a round when stopped; a group ahead may have
     * thinned already, then the others follow */
    for (int g = 0; g < r->groups; g++)
        last = r->walker[g].thin > last->thin ? &r->walker[g] : last;
    for (int g = 0; g < r->groups; g++) {
        hs_walker *w = &r->walker[g];

        for (; w->thin < last->thin; w->thin *= 2, w->kept /= 2)
            for (int c = 0; c < w->group->chains; c++)
                hs_store_thin(&run->store, w->first_chain + c, w->kept);
        if (g == 0 || w->kept < info->samples)
            info->samples = w->kept;
    }
    info->thin = last->thin;
    info->warmup = last->warmup < 0 ? last->step : last->warmup;
    info->seconds = r->before + now() - r->started;
    for (int g = 0; g < r->groups; g++) {
        double energy, gradient;
        int chains = r->walker[g].group->chains;

        hs_group_evals(r->walker[g].group, &energy, &gradient);
        info->energy_evals += energy * chains;
        info->gradient_evals += gradient * chains;
    }
    if (info->ended == HISS_ENDED_DONE && r->set->evals > 0.0 &&
        (is_open_ended(r->set) || info->samples < r->set->samples))
        info->ended = HISS_ENDED_EVALS;
    hs_store_shrink(&run->store, info->samples);
    run->store.domain = NULL; /* the result outlives the model */
}

static hiss_status prepare(struct running *r, const hs_spec *sampler,
                           hiss_error *err)
{
    const hiss_settings *set = r->set;
    int64_t capacity = set->samples;

    if (is_open_ended(set))
        capacity = hs_store_capacity(&r->model->domain, set->chains, OPEN_BYTES,
                                     OPEN_DRAWS);
    r->groups = (set->chains + HS_GROUP_CHAINS - 1) / HS_GROUP_CHAINS;
    r->walker = hs_alloc_array((size_t)r->groups, sizeof *r->walker);
    if (!r->walker)
        return hs_fail_memory(err);
    HS_TRY(hs_store_init(&r->run->store, &r->model->domain, set->chains,
                         capacity, err));
    HS_TRY(hs_pool_create(&r->pool, set->threads, err));
    for (int g = 0; g < r->groups; g++)
        HS_TRY(prepare_walker(r, g, sampler, err));
    r->run->info = (hiss_run_info){.chains = set->chains,
                                   .dim = r->model->domain.dim,
                                   .replicas = r->walker[0].group->replicas,
                                   .seed = set->seed,
                                   .threads = set->threads,
                                   .element = r->run->store.element};
    return HISS_OK;
}

static hiss_status prepare_checkpoint(struct running *r, const hs_spec *sampler,
                                      hiss_error *err)
{
    const hiss_settings *set = r->set;
    uint64_t print;

    r->has_checkpoint = set->resume || set->checkpoint;
    if (!r->has_checkpoint)
        return HISS_OK;
    print = hs_checkpoint_fingerprint(r->model, sampler, set);
    if (set->resume)
        HS_TRY(hs_checkpoint_resume(&r->checkpoint, set, print, r->walker,
                                    r->groups, &r->run->store, &r->before,
                                    err));
    else
        HS_TRY(hs_checkpoint_open(&r->checkpoint, set, print, err));
    r->checkpoint.last = now();
    return HISS_OK;
}

static void report(struct running *r)
{
    hs_group **group = hs_alloc_array((size_t)r->groups, sizeof(hs_group *));

    if (!group)
        return; /* rates are left out, draws are not */
    for (int g = 0; g < r->groups; g++)
        group[g] = r->walker[g].group;
    hs_run_report(r->run, group, r->groups);
    hs_free(group);
}

hiss_status hs_run_all(hs_run *run, const hs_model *m, const hs_spec *sampler,
                       const hiss_settings *settings, hiss_error *err)
{
    struct running r = {.model = m, .set = settings, .run = run};
    hiss_status rc;

    memset(run, 0, sizeof *run);
    r.started = now();
    rc = prepare(&r, sampler, err);
    if (rc == HISS_OK)
        rc = prepare_checkpoint(&r, sampler, err);
    if (rc == HISS_OK)
        rc = walk(&r, err);
    if (rc == HISS_OK && run->info.ended != HISS_ENDED_DONE)
        write_checkpoint(&r, 0.0); /* it may go on later */
    if (rc == HISS_OK) {
        settle(&r);
        report(&r);
    }
    for (int g = 0; r.walker && g < r.groups; g++)
        hs_group_destroy(r.walker[g].group);
    hs_free(r.walker);
    hs_pool_destroy(r.pool);
    if (r.has_checkpoint)
        hs_checkpoint_close(&r.checkpoint);
    if (rc != HISS_OK)
        hs_run_clear(run);
    return rc;
}

void hs_run_clear(hs_run *run)
{
    hs_store_clear(&run->store);
}
