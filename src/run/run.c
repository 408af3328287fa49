/* run.c - all chains of a run: warm-up, kept draws, budgets, threads. */
#include "run/run.h"

#include <math.h>
#include <stdio.h>
#include <string.h>
#include <time.h>

#include "base/alloc.h"
#include "base/error.h"
#include "base/pool.h"
#include "run/checkpoint.h"
#include "run/doubt.h"
#include "run/enough.h"
#include "run/scheme.h"
#include "run/walker.h"

#define ROUND_SECONDS 0.05 /* aimed at, per round */
#define OPEN_DRAWS    4096 /* kept per chain when --samples is not given */
#define OPEN_BYTES    1e9
#define WARMUP_SHARE  0.2 /* of a budget, when --warmup is not given */
#define WARMUP_MOST   0.4 /* of it, where tempering needs long to settle */

struct running {
    const hs_model *model;
    const char *origin; /* of the model */
    const hiss_settings *set;
    hs_run *run;
    hs_walker *walker; /* owned, [groups] */
    int groups;
    const hs_scheme *scheme;
    hs_pool *pool;  /* owned */
    int64_t target; /* step that this round leads to */
    int64_t looked; /* step at which the ESS was looked at last */
    double ess;     /* that was found there */
    bool is_enough; /* and is what was asked for */
    double started;
    double before; /* seconds spent before a resumed run */
    hs_checkpoint checkpoint;
    bool has_checkpoint;
    hs_store *store[HS_CHECKPOINT_STORES]; /* of the run, for it */
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
    if (set->ess > 0.0)
        return HS_ENOUGH_WARMUP * set->thin;
    return is_open_ended(set) ? -1 : set->samples * set->thin / 2;
}

/* Evaluations of one chain, energy and gradient together. */
static double evals_per_chain(const hs_walker *w)
{
    double energy, gradient;

    hs_group_evals(w->group, &energy, &gradient);
    return energy + gradient;
}

/* The states after `step` steps of a phase to its store. */
static void keep(hs_walker *w, hs_store *store, int64_t step, int64_t *thin,
                 int64_t *kept)
{
    if (step % *thin != 0)
        return;
    if (*kept == store->capacity) { /* open-ended: make room */
        for (int c = 0; c < w->group->chains; c++)
            hs_store_thin(store, w->first_chain + c, *kept);
        *kept /= 2;
        *thin *= 2;
        if (step % *thin != 0)
            return;
    }
    for (int c = 0; c < w->group->chains; c++) {
        int lane;
        const hs_tile *t = hs_group_at_level(w->group, c, 0, &lane);
        float accept = hs_trail_accept(&w->trail, w->group, c);

        hs_store_put(store, w->first_chain + c, *kept,
                     (const int16_t(*)[16])t->at.x, lane, t->at.u[lane],
                     accept);
    }
    ++*kept;
}

/* Tuning is frozen, and what follows counts. */
static void end_warmup(hs_walker *w)
{
    hs_group_freeze(w->group);
    hs_trail_begin(&w->trail, w->group);
}

/* Ends warm-up when its steps are spent or, unless the caller fixed them, its
 * share of the evaluations. */
static void check_warmup(struct running *r, hs_walker *w)
{
    double budget = r->set->evals / r->set->chains;
    bool is_settled = (double)w->step >= r->scheme->settling;

    if (r->set->warmup < 0 && r->set->evals > 0.0 &&
        evals_per_chain(w) >=
            (is_settled ? WARMUP_SHARE : WARMUP_MOST) * budget)
        w->warmup = w->step;
    if (w->warmup == w->step)
        end_warmup(w);
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
        if (w->warmup < 0 || w->step <= w->warmup) {
            if (set->save_warmup)
                keep(w, &r->run->warm, w->step, &w->warm_thin, &w->warm_kept);
            check_warmup(r, w);
        } else {
            hs_trail_step(&w->trail, w->group);
            keep(w, &r->run->store, w->step - w->warmup, &w->thin, &w->kept);
        }
        w->is_done = (samples > 0 && w->kept == samples) ||
                     (set->evals > 0.0 &&
                      evals_per_chain(w) >= set->evals / set->chains);
    }
}

static hiss_status prepare_walker(struct running *r, int index,
                                  const hs_spec *sampler, hiss_error *err)
{
    const hiss_settings *set = r->set;
    hs_walker *w = &r->walker[index];
    int left = set->chains - index * HS_GROUP_CHAINS;
    int chains = left < HS_GROUP_CHAINS ? left : HS_GROUP_CHAINS;

    w->first_chain = index * HS_GROUP_CHAINS;
    w->thin = w->warm_thin = set->thin;
    w->warmup = default_warmup(set);
    HS_TRY(hs_group_create(&w->group, r->model, sampler, set->seed,
                           (uint32_t)w->first_chain, chains, err));
    hs_scheme_attach(r->scheme, w->group);
    HS_TRY(hs_trail_init(&w->trail, w->group, set->marginals, err));
    if (!set->resume) /* else the states come from the checkpoint */
        HS_TRY(hs_walker_start(w, set, err));
    hs_group_set_warmup(w->group, true);
    for (int i = 0; i < w->group->tiles; i++)
        hs_kernel_begin(w->group->kernel[i],
                        w->warmup >= 0 ? w->warmup : OPEN_DRAWS);
    if (w->warmup == 0)
        end_warmup(w);
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
    /* the ESS grows with the steps, about */
    if (r->looked > slow->warmup)
        part = r->ess / set->ess * (double)(slow->step - slow->warmup) /
               (double)(r->looked - slow->warmup);
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
            end_warmup(w);
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
    double begun = now();
    hiss_error err = {0};

    if (!r->has_checkpoint || begun - c->last < every ||
        (every > 0.0 && hs_checkpoint_is_busy(c)))
        return;
    if (hs_checkpoint_write(c, r->walker, r->groups, r->store,
                            r->before + begun - r->started, &err) != HISS_OK)
        memcpy(r->run->warning, err.message, sizeof r->run->warning);
    c->last = now();
    r->run->checkpoints++;
    r->run->checkpoint_seconds += c->last - begun;
}

/* Waits for the last one, whose fault nobody has been told yet. */
static void settle_checkpoint(struct running *r)
{
    double begun = now();
    hiss_error err = {0};

    if (!r->has_checkpoint)
        return;
    if (hs_checkpoint_settle(&r->checkpoint, &err) != HISS_OK)
        memcpy(r->run->warning, err.message, sizeof r->run->warning);
    r->run->checkpoint_seconds += now() - begun;
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

/* Whether the run is over, at a step where that is asked. */
static hiss_status look_at_ess(struct running *r, hiss_error *err)
{
    r->looked = r->target;
    HS_TRY(hs_enough(&r->run->store, r->walker[0].kept, r->set->ess, r->pool,
                     &r->ess, err));
    r->is_enough = r->ess >= r->set->ess;
    if (!r->is_enough &&
        hs_enough_is_hopeless(r->ess, r->set->ess,
                              r->target - r->walker[0].warmup, r->set->thin))
        r->run->info.ended = HISS_ENDED_ESS;
    return HISS_OK;
}

static hiss_status walk(struct running *r, hiss_error *err)
{
    const hiss_settings *set = r->set;
    int64_t stride = 1;

    r->target = r->walker[0].step;
    while (!all_done(r) && go_on(r)) {
        double before = now(), took;
        int64_t look = INT64_MAX;

        if (set->ess > 0.0)
            look = hs_enough_next(r->target, r->walker[0].warmup, set->thin);
        r->target = r->target + stride < look ? r->target + stride : look;
        hs_pool_run(r->pool, advance, r, r->groups);
        HS_TRY(first_fault(r, err));
        if (r->target == look && !all_done(r))
            HS_TRY(look_at_ess(r, err));
        if (r->is_enough || r->run->info.ended == HISS_ENDED_ESS)
            return HISS_OK;
        write_checkpoint(r, r->checkpoint.every);
        took = now() - before;
        if (took < 0.5 * ROUND_SECONDS && stride < (int64_t)1 << 40)
            stride *= 2;
        else if (took > 2.0 * ROUND_SECONDS && stride > 1)
            stride /= 2;
    }
    return HISS_OK;
}

/* Draws per chain: as many as the slowest group has.  Groups differ by at most
 * a round when stopped; a group ahead may have thinned already, then the
 * others follow. */
static int64_t settle_store(struct running *r, hs_store *store, bool is_warm,
                            int64_t *thin)
{
    int64_t samples = 0;

    *thin = 1;
    for (int g = 0; g < r->groups; g++) {
        const hs_walker *w = &r->walker[g];
        int64_t own = is_warm ? w->warm_thin : w->thin;

        *thin = own > *thin ? own : *thin;
    }
    for (int g = 0; g < r->groups; g++) {
        hs_walker *w = &r->walker[g];
        int64_t own = is_warm ? w->warm_thin : w->thin;
        int64_t kept = is_warm ? w->warm_kept : w->kept;

        for (; own < *thin; own *= 2, kept /= 2)
            for (int c = 0; c < w->group->chains; c++)
                hs_store_thin(store, w->first_chain + c, kept);
        if (g == 0 || kept < samples)
            samples = kept;
    }
    hs_store_shrink(store, samples);
    store->domain = NULL; /* the result outlives the model */
    return samples;
}

/* Marginals of all groups together; left out without memory or steps. */
static void settle_marginals(struct running *r)
{
    int values = r->model->domain.value_count;
    double *sum, count = 0.0;

    if (!r->set->marginals)
        return;
    sum = hs_alloc_array((size_t)values, sizeof *sum);
    for (int g = 0; sum && g < r->groups; g++)
        hs_trail_gather(&r->walker[g].trail, r->walker[g].group, sum, &count);
    for (int v = 0; sum && v < values; v++)
        sum[v] /= count;
    if (count > 0.0)
        r->run->marginal = sum;
    else
        hs_free(sum);
}

static void settle(struct running *r)
{
    hs_run *run = r->run;
    hiss_run_info *info = &run->info;
    const hs_walker *last = &r->walker[r->groups - 1];
    int64_t thin;

    info->samples = settle_store(r, &run->store, false, &info->thin);
    if (r->set->save_warmup)
        info->warmup_samples = settle_store(r, &run->warm, true, &thin);
    settle_marginals(r);
    info->warmup = last->warmup < 0 ? last->step : last->warmup;
    info->seconds = r->before + now() - r->started;
    for (int g = 0; g < r->groups; g++) {
        double energy, gradient;
        int chains = r->walker[g].group->chains;

        hs_group_evals(r->walker[g].group, &energy, &gradient);
        info->energy_evals += energy * chains;
        info->gradient_evals += gradient * chains;
    }
    if (info->ended == HISS_ENDED_DONE && !r->is_enough &&
        r->set->evals > 0.0 &&
        (is_open_ended(r->set) || info->samples < r->set->samples))
        info->ended = HISS_ENDED_EVALS;
}

/* A phase of unknown length keeps what fits. */
static hiss_status prepare_stores(struct running *r, hiss_error *err)
{
    const hiss_settings *set = r->set;
    const hs_domain *d = &r->model->domain;
    int64_t least = set->samples_most > 0 ? set->samples_most : OPEN_DRAWS;
    int64_t most = set->ess > 0.0 ? hs_enough_draws(set->ess, set->chains) : 0;
    int64_t open = hs_store_capacity(d, set->chains, OPEN_BYTES,
                                     most > least ? most : least);
    int64_t warmup = default_warmup(set);

    if (is_open_ended(set) && set->ess > (double)open * set->chains)
        return hs_fail(err, HISS_EARG,
                       "an ESS of %g needs more than the %lld draws per chain "
                       "that can be kept; take more chains",
                       set->ess, (long long)open);
    HS_TRY(hs_store_init(&r->run->store, d, set->chains,
                         is_open_ended(set) ? open : set->samples, err));
    if (!set->save_warmup)
        return HISS_OK;
    return hs_store_init(&r->run->warm, d, set->chains,
                         warmup < 0 ? open : warmup / set->thin, err);
}

static hiss_status prepare(struct running *r, const hs_spec *sampler,
                           hiss_error *err)
{
    const hiss_settings *set = r->set;

    r->groups = (set->chains + HS_GROUP_CHAINS - 1) / HS_GROUP_CHAINS;
    r->walker = hs_alloc_array((size_t)r->groups, sizeof *r->walker);
    if (!r->walker)
        return hs_fail_memory(err);
    HS_TRY(prepare_stores(r, err));
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
    hs_fingerprint print;
    bool is_bitwise = true;

    r->has_checkpoint = set->resume || set->checkpoint;
    if (!r->has_checkpoint)
        return HISS_OK;
    r->checkpoint.draws = -1;
    r->store[0] = &r->run->store;
    r->store[1] = set->save_warmup ? &r->run->warm : NULL;
    HS_TRY(hs_fingerprint_take(&print, r->model, r->origin, sampler, set, err));
    if (set->resume)
        HS_TRY(hs_checkpoint_resume(&r->checkpoint, set, &print, r->walker,
                                    r->groups, r->store, &r->before,
                                    &is_bitwise, err));
    else
        HS_TRY(hs_checkpoint_open(&r->checkpoint, set, &print, err));
    if (!is_bitwise)
        snprintf(r->run->warning, sizeof r->run->warning,
                 "the BLAS of this machine gives the model other bits than "
                 "where the run was begun: it went on, but draws other numbers "
                 "than an uninterrupted run");
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
    if (hs_rungs_gather(&r->run->rungs, group, r->groups, NULL) != HISS_OK)
        r->run->rungs = (hs_rungs){0};
    hs_free(group);
}

/* The sampler as it is run, and what is left of the budget after its pilot. */
static hiss_status resolve(hs_run *run, const hs_model *m,
                           const hs_spec *sampler, hs_scheme *scheme,
                           hiss_settings *set, hiss_error *err)
{
    double steps =
        (double)default_warmup(set) + (double)set->samples * (double)set->thin;
    hs_watch watch = {.seed = set->seed,
                      .progress = set->progress,
                      .context = set->context,
                      .share = set->evals > 0.0 ? HS_PILOT_SHARE : 0.0};

    if (!is_open_ended(set))
        watch.budget = fmax(HS_PILOT_STEPS_MAX * steps, HS_PILOT_LEAST);
    if (set->evals > 0.0 &&
        (watch.budget == 0.0 || HS_PILOT_SHARE * set->evals < watch.budget))
        watch.budget = HS_PILOT_SHARE * set->evals;
    HS_TRY(hs_scheme_init(scheme, m, sampler, &watch, err));
    if (set->evals > 0.0)
        set->evals -= hs_watch_spent(&watch);
    run->resolved = hs_spec_print(&scheme->sampler);
    if (!run->resolved)
        return hs_fail_memory(err);
    run->pilot = scheme->text;
    scheme->text = NULL;
    return HISS_OK;
}

hiss_status hs_run_all(hs_run *run, const hs_model *m, const char *origin,
                       const hs_spec *sampler, const hiss_settings *settings,
                       hiss_error *err)
{
    hiss_settings set = *settings;
    struct running r = {.model = m, .origin = origin, .set = &set, .run = run};
    hs_scheme scheme = {0};
    hiss_status rc;

    memset(run, 0, sizeof *run);
    r.started = now();
    r.scheme = &scheme;
    rc = resolve(run, m, sampler, &scheme, &set, err);
    if (rc == HISS_OK)
        rc = prepare(&r, &scheme.sampler, err);
    if (rc == HISS_OK)
        rc = prepare_checkpoint(&r, sampler, err);
    if (rc == HISS_OK)
        rc = walk(&r, err);
    if (rc == HISS_OK && run->info.ended != HISS_ENDED_DONE)
        write_checkpoint(&r, 0.0); /* it may go on later */
    if (rc == HISS_OK)
        settle_checkpoint(&r);
    if (rc == HISS_OK) {
        settle(&r);
        report(&r);
        if (scheme.library)
            run->doubt = hs_doubt_find(&run->store, run->info.samples, m,
                                       scheme.library, scheme.knows_all);
        run->info.energy_evals += scheme.energy_evals;
        run->info.gradient_evals += scheme.gradient_evals;
    }
    hs_scheme_clear(&scheme);
    for (int g = 0; r.walker && g < r.groups; g++) {
        hs_trail_clear(&r.walker[g].trail);
        hs_group_destroy(r.walker[g].group);
    }
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
    hs_rungs_clear(&run->rungs);
    hs_free(run->resolved);
    hs_free(run->pilot);
    hs_free(run->doubt);
    hs_free(run->tuning);
    run->resolved = run->pilot = run->doubt = run->tuning = NULL;
    hs_store_clear(&run->store);
    hs_store_clear(&run->warm);
    hs_free(run->marginal);
    for (int j = 0; j < run->levels; j++)
        hs_free(run->level[j].tuning);
    hs_free(run->level);
    run->marginal = NULL;
    run->level = NULL;
    run->levels = 0;
}
