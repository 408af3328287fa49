/* optimize.c - the best states of a model: batches of restarts over threads. */
#include "run/search/optimize.h"

#include <math.h>
#include <pthread.h>
#include <stdio.h>
#include <string.h>

#include "base/alloc.h"
#include "base/clock.h"
#include "base/error.h"
#include "base/pool.h"
#include "device/open.h"
#include "model/user/wide.h"
#include "run/search/anneal.h"
#include "run/search/batch_results.h"
#include "run/search/card_wave.h"
#include "run/search/scale.h"

#define PER_ROUND     2   /* batches of one length, */
#define PER_WAVE      256 /* the same on a GPU with a time limit */
#define BRED_OF_WAVE  32  /* one in this many of them is bred */
#define WAVE_BYTES    4e9 /* bytes of the batches of a wave on this side, */
#define SITE_BYTES    256 /* bytes per coordinate */
#define FIRST_STEPS   ((int64_t)16)
#define COUNTED_STEPS 1000 /* steps of a restart, if restarts are counted */
#define STEPS_MIN     4
#define STEPS_MAX     ((int64_t)1 << 40)
#define BATCHES_MAX   ((int64_t)HS_PILOT_CHAIN / HS_GROUP_CHAINS)
#define ROUND_SECONDS 0.05
#define CLOCK_SITES   16384 /* updates between two readings of the clock */
#define FIT           0.95  /* fraction of the remaining time */

/* A batch to do. */
struct batch {
    int64_t number;
    int lanes;
    int64_t steps;
    bool is_bred, is_short; /* made to fit a budget */
};

/* The batch of one thread or one fiber. */
struct slot {
    hs_anneal anneal;       /* owned */
    bool is_busy, is_short; /* made to fit a budget */
    hiss_status status;
    hiss_error error;
};

struct run {
    const hs_model *model;
    const hs_search *set;
    hs_optimum *out;
    hs_scale scale;
    hs_recombine_parts *parts; /* owned, or NULL */
    hs_cold_start cold;        /* owned */
    hs_anneal_plan plan;
    hs_pool *pool;     /* owned */
    struct slot *slot; /* owned, [slots] */
    int slots;
    const hs_device_table *device; /* NULL for the processor */
    int card;
    bool is_timed; /* runs of batches of one length, as many as there are
                      slots */
    bool is_ended; /* inside a wave, which ends at: */
    hiss_ended ended;
    double started;
    double until; /* end of this round */

    pthread_mutex_t lock;
    /* under the lock */
    hs_batch_results results; /* owned */
    int64_t next;             /* batch to begin */
    int64_t restarts;         /* begun */
    double evals;             /* planned evaluations of begun batches */
    double seconds, steps;    /* spent in them, over all threads */
    bool is_over;             /* no more batches to begin */
};

/* Steps of batch `next` before budgets cut it. */
static int64_t usual_steps(const struct run *r)
{
    const hs_search *set = r->set;
    int64_t round = r->next / (r->is_timed ? r->slots : PER_ROUND);

    if (set->sweeps > 0)
        return set->sweeps;
    if (set->restarts > 0 && set->evals > 0.0) {
        double each =
            set->evals / ((double)set->restarts * r->scale.step_evals);

        return each < 1.0                 ? 1
               : each < (double)STEPS_MAX ? (int64_t)each
                                          : STEPS_MAX;
    }
    if (set->restarts > 0)
        return COUNTED_STEPS;
    return round < 36 ? FIRST_STEPS << round : STEPS_MAX;
}

/* Cuts the steps to the remaining budget; false if none is left. */
static bool fit(struct batch *b, double room, bool is_first)
{
    if ((double)b->steps <= room)
        return true;
    b->is_short = true;
    b->steps = room >= 1.0 ? (int64_t)room : 1;
    return b->steps >= STEPS_MIN || is_first;
}

/* Evaluations of the climbs of a lane. */
static double climbs_of(const struct run *r, const struct batch *b)
{
    return r->plan.may_ascend
               ? r->scale.climb_evals * hs_anneal_climbs(b->steps, b->is_bred)
               : 0.0;
}

/* Plans the next batch; false if there is none. */
static bool plan_batch(struct run *r, struct batch *b)
{
    const hs_search *set = r->set;
    bool is_first = r->next == 0, may = true;
    double cost = r->scale.step_evals, climbs;

    *b = (struct batch){
        .number = r->next, .lanes = HS_GROUP_CHAINS, .steps = usual_steps(r)};
    b->is_bred = set->breeds && set->restarts == 0 &&
                 b->number % (r->is_timed ? BRED_OF_WAVE : 2) == 1;
    if (set->restarts > 0 && set->restarts - r->restarts < b->lanes)
        b->lanes = (int)(set->restarts - r->restarts);
    climbs = climbs_of(r, b);
    if (r->model->domain.is_tour && set->evals > 0.0 && b->is_bred &&
        r->evals + climbs * b->lanes > set->evals) {
        b->is_bred = false; /* climbs of tours are expensive */
        climbs = climbs_of(r, b);
    }
    if (set->evals > 0.0 && set->restarts == 0)
        may = fit(b, ((set->evals - r->evals) / b->lanes - climbs) / cost,
                  is_first);
    if (may && set->time_limit > 0.0 && r->steps > 0.0) {
        double left = set->time_limit - (hs_now() - r->started);

        may = fit(b, FIT * left * r->steps / r->seconds, is_first);
    }
    r->evals += (cost * (double)b->steps + climbs) * b->lanes;
    return may && b->lanes > 0 && b->number < BATCHES_MAX &&
           b->number <= r->results.last;
}

/* Gives a slot its next batch; false if there is none. */
static bool begin(struct run *r, struct slot *s)
{
    struct batch b;
    bool may;

    pthread_mutex_lock(&r->lock);
    may = !r->is_over && plan_batch(r, &b);
    r->is_over = !may;
    if (may) {
        r->next++;
        r->restarts += b.lanes;
    }
    pthread_mutex_unlock(&r->lock);
    if (!may)
        return false;
    s->is_short = b.is_short;
    s->is_busy = true;
    s->status = hs_anneal_begin(&s->anneal, b.number, b.lanes, b.steps,
                                b.is_bred, &s->error);
    return s->status == HISS_OK;
}

/* Delivers the outcome of a batch. */
static void deliver(struct run *r, struct slot *s, bool is_whole)
{
    s->is_busy = false;
    s->status = hs_anneal_finish(&s->anneal, &s->error);
    if (s->status != HISS_OK)
        return;
    pthread_mutex_lock(&r->lock);
    s->status =
        hs_batch_results_add(&r->results, &s->anneal, is_whole && !s->is_short,
                             hs_now() - r->started, &s->error);
    r->is_over |= r->results.last < r->next;
    pthread_mutex_unlock(&r->lock);
}

/* Returns false if this batch is not needed: an earlier one has reached the
 * goal or, if time matters more than order, any has. */
static bool is_wanted(const struct run *r, const struct slot *s)
{
    if (r->set->time_limit > 0.0 && r->results.last < INT64_MAX)
        return false;
    return s->anneal.number <= r->results.last;
}

/* Makes some steps, and what follows the last one; false after a fault. */
static bool advance(struct run *r, struct slot *s)
{
    int count = CLOCK_SITES / r->model->domain.dim + 1;
    double before = hs_now(), steps = 0.0;
    bool is_done = false;

    while (count-- > 0 && !is_done && s->status == HISS_OK) {
        s->status = hs_anneal_step(&s->anneal, &is_done, &s->error);
        steps += 1.0;
    }
    if (s->status != HISS_OK)
        return false;
    if (is_done)
        deliver(r, s, true);
    pthread_mutex_lock(&r->lock);
    s->is_busy = s->is_busy && is_wanted(r, s);
    r->seconds += hs_now() - before;
    r->steps += steps;
    pthread_mutex_unlock(&r->lock);
    return s->status == HISS_OK;
}

/* The share of one thread in a round. */
static void work(void *context, int index)
{
    struct run *r = context;
    struct slot *s = &r->slot[index];

    /* the first batch begins even if the pilot took all the time */
    while (s->status == HISS_OK &&
           (hs_now() < r->until || (index == 0 && r->next == 0))) {
        if (!s->is_busy && !begin(r, s))
            return;
        if (!advance(r, s))
            return;
    }
}

static void progress_of(const struct run *r, hiss_progress *p)
{
    const hs_search *set = r->set;
    double best = hs_batch_results_best(&r->results), evals = r->results.evals;
    double done = 0.0, part;

    for (int s = 0; s < r->slots; s++)
        if (r->slot[s].is_busy) {
            double own = hs_anneal_best(&r->slot[s].anneal);

            best = own > best ? own : best;
            evals += hs_anneal_evals(&r->slot[s].anneal);
        }
    part = set->evals > 0.0 ? evals / set->evals : 0.0;
    done = fmax(part, done);
    p->seconds = hs_now() - r->started;
    part = set->time_limit > 0.0 ? p->seconds / set->time_limit : 0.0;
    done = part > done ? part : done;
    if (set->restarts > 0)
        done = fmax(done, (double)r->results.restarts / (double)set->restarts);
    p->fraction = done < 1.0 ? done : 1.0;
    p->evaluations = evals;
    p->best = best;
}

/* Between rounds; true to go on. */
static bool go_on(struct run *r, hs_optimum *out)
{
    const hs_search *set = r->set;
    hiss_progress p = {.size = sizeof p};
    bool is_busy = false;

    progress_of(r, &p);
    for (int s = 0; s < r->slots; s++)
        is_busy |= r->slot[s].is_busy;
    if (set->progress && set->progress(set->context, &p)) {
        out->ended = HISS_ENDED_STOPPED;
        return false;
    }
    if (!is_busy && r->is_over) {
        bool is_hit = r->results.last < INT64_MAX;

        out->ended = is_hit                  ? HISS_ENDED_DONE
                     : set->time_limit > 0.0 ? HISS_ENDED_TIME
                     : set->restarts > 0     ? HISS_ENDED_DONE
                                             : HISS_ENDED_EVALS;
        return false;
    }
    if (set->time_limit <= 0.0 || p.seconds < set->time_limit)
        return true;
    out->ended = HISS_ENDED_TIME;
    return false;
}

static hiss_status first_fault(const struct run *r, hiss_error *err)
{
    for (int s = 0; s < r->slots; s++)
        if (r->slot[s].status != HISS_OK) {
            if (err)
                *err = r->slot[s].error;
            return r->slot[s].status;
        }
    return HISS_OK;
}

/* --- on a GPU ------------------------------------------------------------- */

static void deliver_slot(void *context, int index)
{
    struct run *r = context;

    if (r->slot[index].is_busy && r->slot[index].status == HISS_OK)
        deliver(r, &r->slot[index], true);
}

/* Finishes batches together if they wait for each other. */
static hiss_status end_batch(void *context, int index, hiss_error *err)
{
    struct run *r = context;
    struct slot *s = &r->slot[index];

    if (!r->plan.stops)
        return HISS_OK;
    deliver(r, s, true);
    if (s->status != HISS_OK && err)
        *err = s->error;
    return s->status;
}

static bool wave_goes_on(void *context)
{
    struct run *r = context;
    hs_optimum out = {0};

    r->is_ended = !go_on(r, &out);
    r->ended = out.ended;
    return !r->is_ended;
}

static bool is_slot_wanted(void *context, int index)
{
    struct run *r = context;
    struct slot *s = &r->slot[index];

    s->is_busy = s->is_busy && is_wanted(r, s);
    return s->is_busy;
}

/* Begins as many batches as there are slots, or those of one length. */
static int begin_wave(struct run *r, hs_anneal **batch)
{
    int count = 0;

    while (count < r->slots && begin(r, &r->slot[count])) {
        batch[count] = &r->slot[count].anneal;
        count++;
        if (r->is_timed && r->next % r->slots == 0)
            break;
    }
    return count;
}

static hiss_status run_wave(struct run *r, hs_anneal **batch, bool *is_cut,
                            hiss_error *err)
{
    hs_card_wave how = {.device = r->device,
                        .card = r->card,
                        .pool = r->pool,
                        .context = r,
                        .done = end_batch,
                        .go_on = wave_goes_on,
                        .is_wanted = is_slot_wanted};
    double before = hs_now();
    int count = begin_wave(r, batch);
    int64_t steps = 0;

    HS_TRY(first_fault(r, err));
    if (count == 0)
        return HISS_OK;
    HS_TRY(hs_card_wave_run(&how, batch, count, is_cut, err));
    for (int n = 0; n < count; n++) {
        steps = batch[n]->step > steps ? batch[n]->step : steps;
        if (is_cut[n] && r->slot[n].is_busy)
            deliver(r, &r->slot[n], false);
    }
    hs_pool_run(r->pool, deliver_slot, r, count);
    r->seconds += hs_now() - before;
    r->steps += (double)steps;
    return first_fault(r, err);
}

static hiss_status search_on_card(struct run *r, hs_optimum *out,
                                  hiss_error *err)
{
    hs_anneal **batch = hs_alloc_array((size_t)r->slots, sizeof *batch);
    bool *is_cut = hs_alloc_array((size_t)r->slots, sizeof *is_cut);
    hiss_status rc = batch && is_cut ? HISS_OK : hs_fail_memory(err);

    while (rc == HISS_OK) {
        rc = run_wave(r, batch, is_cut, err);
        if (r->is_ended)
            out->ended = r->ended;
        if (rc == HISS_OK && (r->is_ended || !go_on(r, out)))
            break;
    }
    hs_free(batch);
    hs_free(is_cut);
    return rc == HISS_OK ? hs_batch_results_end(&r->results, err) : rc;
}

/* Number of batches made side by side. */
static int wave_slots(const struct run *r)
{
    const hs_search *set = r->set;
    double most = WAVE_BYTES / (SITE_BYTES * (double)r->model->domain.dim);
    int64_t slots = HS_CARD_WAVE;

    if (set->restarts > 0)
        slots = (set->restarts + HS_GROUP_CHAINS - 1) / HS_GROUP_CHAINS;
    else if (r->is_timed)
        slots = PER_WAVE;
    slots = slots < HS_CARD_WAVE ? slots : HS_CARD_WAVE;
    return most < 1.0 ? 1 : most < (double)slots ? (int)most : (int)slots;
}

/* Whether only time limits the number of batches. */
static bool is_timed(const hs_search *set)
{
    return set->time_limit > 0.0 && set->evals <= 0.0 && set->restarts == 0 &&
           set->sweeps == 0;
}

static hiss_status open_card(struct run *r, const hs_device_choice *choice,
                             char *text, size_t size, hiss_error *err)
{
    hs_device_card card;

    r->card = choice->number < 0 ? 0 : choice->number;
    HS_TRY(hs_device_open_card(&r->device, r->card, err));
    HS_TRY(r->device->card(r->card, &card, err));
    snprintf(text, size, "cuda:%d (%s)", r->card, card.name);
    r->is_timed = is_timed(r->set);
    r->slots = wave_slots(r);
    return HISS_OK;
}

/* A batch for each thread.  A wide function gets as many as fill a call. */
static void plan_slots(struct run *r)
{
    int threads = r->set->threads;

    r->slots = hs_wide_pieces(r->model, HS_GROUP_CHAINS, threads);
    if (r->slots == threads)
        return;
    r->is_timed = is_timed(r->set);
    r->slots = r->slots < wave_slots(r) ? r->slots : wave_slots(r);
}

static hiss_status choose_device(struct run *r, hs_optimum *out,
                                 hiss_error *err)
{
    hs_device_choice choice;
    hiss_error why = {0};
    char text[sizeof why.message + 32] = "cpu";
    hiss_status rc = HISS_OK;

    plan_slots(r);
    HS_TRY(hs_device_parse(r->set->device, &choice, err));
    if (choice.is_card)
        rc = hs_card_wave_check(r->model, r->set->kernel,
                                choice.may_not ? &why : err);
    if (choice.is_card && rc == HISS_OK)
        rc = open_card(r, &choice, text, sizeof text,
                       choice.may_not ? &why : err);
    if (rc != HISS_OK && !choice.may_not)
        return rc;
    if (rc != HISS_OK) {
        r->device = NULL;
        snprintf(text, sizeof text, "cpu (auto: %s)", why.message);
    }
    out->device = hs_strdup(text);
    return out->device ? HISS_OK : hs_fail_memory(err);
}

/* --- the whole ------------------------------------------------------------ */

/* Delivers the best state of a batch that was cut off. */
static void deliver_cut(void *context, int index)
{
    struct slot *s = &((struct run *)context)->slot[index];

    if (s->is_busy)
        deliver(context, s, false);
}

static hiss_status search(struct run *r, hs_optimum *out, hiss_error *err)
{
    if (r->device)
        return search_on_card(r, out, err);
    do {
        r->until = hs_now() + ROUND_SECONDS;
        if (r->set->time_limit > 0.0)
            r->until = fmin(r->until, r->started + r->set->time_limit);
        hs_wide_each(r->model, r->pool, work, r, r->slots);
        HS_TRY(first_fault(r, err));
    } while (go_on(r, out));
    hs_wide_each(r->model, r->pool, deliver_cut, r, r->slots);
    HS_TRY(first_fault(r, err));
    return hs_batch_results_end(&r->results, err);
}

static hiss_status prepare(struct run *r, hs_optimum *out, hiss_error *err)
{
    const hs_search *set = r->set;

    HS_TRY(choose_device(r, out, err));
    HS_TRY(hs_scale_measure(&r->scale, r->model, set->kernel, set->seed, err));
    HS_TRY(hs_recombine_parts_create(&r->parts, r->model, err));
    HS_TRY(hs_cold_start_init(&r->cold, r->model, r->scale.hot, set, r->started,
                              err));
    r->plan =
        (hs_anneal_plan){.model = r->model,
                         .begin = r->cold.network ? &r->cold : NULL,
                         .kernel = set->kernel,
                         .parts = set->breeds ? r->parts : NULL,
                         .seed = set->seed,
                         .hot = isnan(set->hot) ? r->scale.hot : set->hot,
                         .cold = isnan(set->cold) ? r->scale.cold : set->cold,
                         .goal = set->goal - hs_optimum_tolerance(set->goal),
                         .is_mirrored = r->scale.is_mirrored,
                         .may_ascend = r->scale.has_differences,
                         .stops = set->restarts == 0};
    r->evals = r->scale.spent * HS_LANES + r->cold.sweeps;
    HS_TRY(hs_batch_results_init(&r->results, &r->plan, set->top, err));
    r->results.evals = r->evals;
    HS_TRY(hs_pool_create(&r->pool, set->threads, err));
    r->slot = hs_alloc_array((size_t)r->slots, sizeof *r->slot);
    if (!r->slot)
        return hs_fail_memory(err);
    for (int s = 0; s < r->slots; s++)
        HS_TRY(hs_anneal_init(&r->slot[s].anneal, &r->plan, err));
    return HISS_OK;
}

static void report(struct run *r, hs_optimum *out)
{
    hs_batch_results *o = &r->results;

    out->solutions = o->solutions;
    o->solutions = (hs_solutions){0};
    memcpy(out->row, o->row, sizeof out->row);
    out->rows = o->rows;
    out->hot = r->plan.hot;
    out->cold = r->plan.cold;
    out->seconds = hs_now() - r->started;
    out->best_seconds = o->best_seconds;
    out->evals = o->evals;
    out->restarts = o->restarts;
    out->is_hit = out->solutions.at[0].u >= r->plan.goal;
}

static hiss_status run_all(void *context, hiss_error *err)
{
    struct run *r = context;

    HS_TRY(prepare(r, r->out, err));
    HS_TRY(search(r, r->out, err));
    report(r, r->out);
    return HISS_OK;
}

hiss_status hs_optimize(hs_optimum *out, const hs_model *m,
                        const hs_search *set, hiss_error *err)
{
    struct run r = {.model = m, .set = set, .out = out, .started = hs_now()};
    hiss_status rc;

    memset(out, 0, sizeof *out);
    pthread_mutex_init(&r.lock, NULL);
    rc = hs_wide_run(m, set->threads, run_all, &r, err);
    for (int s = 0; r.slot && s < r.slots; s++)
        hs_anneal_clear(&r.slot[s].anneal);
    hs_free(r.slot);
    hs_pool_destroy(r.pool);
    hs_batch_results_clear(&r.results);
    hs_recombine_parts_destroy(r.parts);
    hs_cold_start_clear(&r.cold);
    pthread_mutex_destroy(&r.lock);
    if (rc != HISS_OK)
        hs_optimum_clear(out);
    return rc;
}

void hs_optimum_clear(hs_optimum *o)
{
    hs_solutions_clear(&o->solutions);
    hs_free(o->device);
    o->device = NULL;
}

double hs_optimum_tolerance(double u)
{
    return isinf(u) ? 0.0 : 1e-9 * (1.0 + fabs(u));
}
