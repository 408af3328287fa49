/* rounds.c - the rounds of a run: steps, budgets, ESS checks, checkpoints.
 *
 * Between rounds the ranks report to rank 0 whether they are done, stopped or
 * at fault, and rank 0 decides the next action. So all do the same, and none
 * waits for one that has left. */
#include <math.h>
#include <string.h>

#include "base/assert.h"
#include "base/error.h"
#include "run/account/warmup.h"
#include "run/comm/ranks.h"
#include "run/policy/policy.h"
#include "run/sampling/card_rounds.h"
#include "run/sampling/ess_stop.h"
#include "run/sampling/running.h"

#define ROUND_SECONDS 0.05 /* target length of a round */
#define RANKS_SECONDS 0.1  /* the same if ranks wait for each other */
#define WARMUP_MOST   0.4  /* share of a budget, if tempering burns in slowly */
#define NEARLY        0.99 /* fraction of the store's capacity */
#define GRACE         0.4  /* seconds allowed beyond a time limit, */
#define AFTERWARDS    0.1  /* share of it that the caller always gets */
#define GRACE_SHARE   0.1  /* and share of it: one draw is better than none */

/* Decisions of rank 0. */
struct order {
    int64_t target;   /* step at the end of the next round */
    int is_look;      /* check the ESS at its end */
    int ends_warmup;  /* end the warm-up before it, because its time is over */
    int writes;       /* write a checkpoint before it */
    int is_over;      /* there is no next round */
    hiss_ended ended; /* then */
    hiss_status status;
};

/* Stores one draw of a chain; its state only if this process has it. */
static void put(hs_group_state *w, hs_store *store, int chain, int64_t draw)
{
    const hs_group *g = w->group;
    float accept = hs_marginals_accept(&w->marginals, g, chain);
    int lane;
    const hs_tile *t = hs_group_at_level(g, chain, 0, &lane);

    HS_ASSERT(hs_model_is_possible(g->model, t->at.u[lane]));
    if (t - g->tile >= g->first_tile && t - g->tile < g->end_tile)
        hs_store_put(store, w->row + chain, draw, (const int16_t(*)[16])t->at.x,
                     lane, t->at.u[lane], accept);
    else
        hs_store_put_numbers(store, w->row + chain, draw, t->at.u[lane],
                             accept);
}

/* Stores the states of all levels of a chain, for a run that keeps them. */
static void put_levels(hs_running *r, const hs_group_state *w, int chain,
                       int64_t draw)
{
    hs_group *g = w->group;
    int first = (w->row + chain) * g->replicas;

    for (int level = 0; level < g->replicas; level++) {
        int lane;
        const hs_tile *t = hs_group_at_level(g, chain, level, &lane);
        double u = t->at.u[lane];

        hs_store_put(&r->run->at_level, first + level, draw,
                     (const int16_t(*)[16])t->at.x, lane,
                     hs_model_is_possible(g->model, u) ? u : -HUGE_VAL, 0.0f);
    }
}

/* Stores the states after `step` steps of a phase. */
static void keep(hs_running *r, hs_group_state *w, int which, int64_t step)
{
    hs_store *store = r->store[which];
    int64_t *thin = which == HS_WARM ? &w->warm_thin : &w->thin;
    int64_t *kept = which == HS_WARM ? &w->warm_kept : &w->kept;

    if (step % *thin != 0)
        return;
    if (*kept == store->capacity) { /* open-ended run: make room */
        for (int c = 0; c < w->group->chains; c++)
            hs_store_thin(store, w->row + c, *kept, 2);
        w->halved[which]++;
        *kept /= 2;
        *thin *= 2;
        if (step % *thin != 0)
            return;
    }
    if (r->mirror)
        hs_card_rounds_keep(r, w, store, *kept);
    for (int c = 0; !r->mirror && c < w->group->chains; c++)
        put(w, store, c, *kept);
    for (int c = 0;
         which == HS_KEPT && r->set->level_draws && c < w->group->chains; c++)
        put_levels(r, w, c, *kept);
    ++*kept;
}

void hs_rounds_end_warmup(hs_group_state *w)
{
    hs_group_freeze(w->group);
    hs_marginals_begin(&w->marginals, w->group);
}

static bool is_burned_in(const hs_running *r, const hs_group_state *w)
{
    return (double)w->step >= r->scheme->settling;
}

/* Whether only evaluations or time limit the number of draws, so that a shorter
 * warm-up gives more draws. */
static bool is_open(const hiss_settings *set)
{
    return set->samples == 0 && !(set->ess > 0.0);
}

/* Whether a longer warm-up would still fill the store.  The cost of the
 * beginning is not the cost of a step. */
static bool is_full(const hs_running *r, const hs_group_state *w, double budget)
{
    double spent = hs_group_spent(w->group), thin = (double)r->set->thin;
    double cost = thin * (spent - w->mark_spent), least, most;
    hs_keeping kept = {NEARLY * (double)r->most,
                       NEARLY * (double)r->store[HS_KEPT]->capacity};

    if (!(w->step > w->mark && cost > 0.0))
        return false;
    cost /= (double)(w->step - w->mark);
    most = (budget - spent) / cost;
    least = (1.0 - hs_policy(HS_PREPARATION_SHARE)) * budget / cost;
    return hs_warmup_steps(most, least, &kept) < most;
}

/* Whether the warm-up has used its share of the evaluations. */
static bool is_warm(const hs_running *r, const hs_group_state *w)
{
    double budget = r->set->evals / r->set->chains;
    double spent = hs_group_spent(w->group),
           share = hs_policy(HS_PREPARATION_SHARE);

    if (!is_burned_in(r, w))
        share = WARMUP_MOST;
    else if (is_open(r->set) && !is_full(r, w, budget))
        share = hs_warmup_share(budget, r->scheme->each);
    return spent >= share * budget;
}

/* Ends warm-up when its steps are spent or, unless the caller fixed them, its
 * share of the evaluations. */
static void check_warmup(const hs_running *r, hs_group_state *w)
{
    if (r->set->warmup < 0 && r->set->evals > 0.0 && is_warm(r, w))
        w->warmup = w->step;
    if (w->warmup == w->step)
        hs_rounds_end_warmup(w);
}

static bool is_warming(const hs_group_state *w)
{
    return w->warmup < 0 || w->step < w->warmup;
}

/* After `steps` steps, of which only the last may be kept: stores draws and
 * statistics, and returns whether to go on. */
static void note(hs_running *r, hs_group_state *w, int64_t steps)
{
    const hiss_settings *set = r->set;
    bool was_warming = is_warming(w);

    w->step += steps;
    if (w->mark == 0) {
        w->mark = w->step;
        w->mark_spent = hs_group_spent(w->group);
    }
    if (was_warming) {
        if (set->save_warmup)
            keep(r, w, HS_WARM, w->step);
        check_warmup(r, w);
    } else {
        if (!r->mirror) /* the GPU has them */
            hs_marginals_step(&w->marginals, w->group, steps);
        keep(r, w, HS_KEPT, w->step - w->warmup);
    }
    w->is_done = (set->samples > 0 && w->kept == set->samples) ||
                 (set->evals > 0.0 &&
                  hs_group_spent(w->group) >= set->evals / set->chains);
}

static int64_t least(int64_t a, int64_t b)
{
    return a < b ? a : b;
}

/* Steps until the next check of a budget of evaluations.  All steps of a kernel
 * that walks cost the same, so this is the step at which single steps would
 * have stopped, or an earlier one. */
static int64_t steps_in_budget(const hs_running *r, const hs_group_state *w)
{
    double spent = hs_group_spent(w->group), cost, budget, left;

    if (!(r->set->evals > 0.0))
        return INT64_MAX;
    if (w->mark == 0 || w->step <= w->mark)
        return 1;
    cost = (spent - w->mark_spent) / (double)(w->step - w->mark);
    budget = r->set->evals / r->set->chains;
    if (is_warming(w) && w->warmup < 0)
        budget *= is_open(r->set) ? hs_warmup_share(budget, r->scheme->each)
                                  : HS_PREPARATION_SHARE;
    left = floor((budget - spent) / cost);
    return left < 1.0 ? 1 : left < 1e15 ? (int64_t)left : INT64_MAX;
}

/* Steps until some code reads the states, if that makes a difference. */
static int64_t steps_at_once(const hs_running *r, const hs_group_state *w)
{
    int64_t left = r->target - w->step;

    if (!hs_group_walks(w->group))
        return 1;
    left = least(left, steps_in_budget(r, w));
    if (!is_warming(w)) {
        left = least(left, hs_marginals_room(&w->marginals));
        return least(left, w->thin - (w->step - w->warmup) % w->thin);
    }
    if (r->set->save_warmup)
        left = least(left, w->warm_thin - w->step % w->warm_thin);
    return w->warmup < 0 ? left : least(left, w->warmup - w->step);
}

/* Whether a draw is kept, or marginals are added, after this many more
 * steps. */
static bool is_looked_at(const hs_running *r, const hs_group_state *w,
                         int64_t steps)
{
    int64_t step = w->step + steps;

    if (is_warming(w))
        return r->set->save_warmup && step % w->warm_thin == 0;
    return (step - w->warmup) % w->thin == 0 ||
           hs_marginals_room(&w->marginals) == steps;
}

static void flush(void *context, int index)
{
    hs_running *r = context;
    hs_group_state *w = &r->state[index];

    if (w->status == HISS_OK)
        w->status = hs_group_flush(w->group, &w->error);
}

static void advance(void *context, int index)
{
    hs_running *r = context;
    hs_group_state *w = &r->state[index];

    while (w->step < r->target && !w->is_done) {
        int64_t steps = steps_at_once(r, w);

        w->status = hs_group_stride(w->group, steps, &w->error);
        if (w->status == HISS_OK && is_looked_at(r, w, steps))
            w->status = hs_group_flush(w->group, &w->error);
        if (w->status == HISS_OK)
            note(r, w, steps);
        else
            w->is_done = true;
    }
}

/* The progress of the slowest group here, which holds for the whole run. */
static void progress_of(const hs_running *r, double seconds, hiss_progress *p)
{
    const hiss_settings *set = r->set;
    const hs_group_state *slow = &r->state[0];
    double evals, done = 0.0, part;

    for (int g = 1; g < r->partition.count; g++)
        if (r->state[g].step < slow->step)
            slow = &r->state[g];
    evals = hs_group_spent(slow->group);
    if (set->samples > 0)
        done = (double)slow->step / ((double)hs_run_warmup(set) +
                                     (double)set->samples * (double)set->thin);
    part = set->evals > 0.0 ? evals * set->chains / set->evals : 0.0;
    done = part > done ? part : done;
    part = set->time_limit > 0.0 ? seconds / set->time_limit : 0.0;
    done = part > done ? part : done;
    /* the ESS grows about linearly with the steps */
    if (r->looked > slow->warmup)
        part = r->ess / set->ess * (double)(slow->step - slow->warmup) /
               (double)(r->looked - slow->warmup);
    done = part > done ? part : done;
    *p = (hiss_progress){.size = sizeof *p,
                         .fraction = done < 1.0 ? done : 1.0,
                         .seconds = seconds,
                         .evaluations = evals * set->chains,
                         .draws = slow->kept,
                         .is_warmup = is_warming(slow)};
}

static double seconds_of(const hs_running *r)
{
    return r->before + hs_now() - r->started;
}

/* Only if all draws are here and in memory. */
static void glance(hs_running *r, double seconds, hiss_progress *p)
{
    int64_t least = INT64_MAX;

    if (p->is_pilot || r->mirror || hs_ranks_size(r->partition.ranks) > 1)
        return;
    for (int g = 0; g < r->partition.count; g++)
        if (r->state[g].kept < least)
            least = r->state[g].kept;
    hs_glance_take(&r->glance, r->store[HS_KEPT], least, seconds);
    p->log_p = r->glance.log_p;
    p->ess = r->glance.ess;
    p->rhat = r->glance.rhat;
}

bool hs_rounds_is_stopped(hs_running *r, bool is_pilot)
{
    double seconds = seconds_of(r);
    hiss_progress p = {.size = sizeof p, .seconds = seconds};

    if (!r->set->progress)
        return false;
    if (r->partition.count > 0)
        progress_of(r, seconds, &p);
    p.is_pilot = is_pilot;
    p.log_p = p.ess = p.rhat = (double)NAN;
    if (r->partition.count > 0)
        glance(r, seconds, &p);
    return r->set->progress(r->set->context, &p) != 0;
}

static bool is_done(const hs_running *r)
{
    for (int g = 0; g < r->partition.count; g++)
        if (!r->state[g].is_done)
            return false;
    return true;
}

hiss_status hs_rounds_fault(const hs_running *r, hiss_error *err)
{
    for (int g = 0; g < r->partition.count; g++)
        if (r->state[g].status != HISS_OK) {
            if (err)
                *err = r->state[g].error;
            return r->state[g].status;
        }
    return HISS_OK;
}

/* Whether the run is over, at a step where the ESS is checked; all ranks call
 * it, rank 0 decides. */
static hiss_status look_at_ess(hs_running *r, hiss_error *err)
{
    hs_gather_draws(&r->gather, r->store[HS_KEPT], HS_KEPT);
    if (!hs_is_first_rank(r))
        return HISS_OK;
    r->looked = r->target;
    HS_TRY(hs_ess_stop_smallest(r->store[HS_KEPT], r->state[0].kept,
                                r->set->ess, r->pool, &r->ess, err));
    r->is_enough = r->ess >= r->set->ess;
    if (!r->is_enough &&
        hs_ess_stop_is_hopeless(r->ess, r->set->ess,
                                r->target - r->state[0].warmup, r->set->thin))
        r->run->info.ended = HISS_ENDED_ESS;
    return HISS_OK;
}

static bool wants_checkpoint(hs_running *r)
{
    hs_checkpoint *c = &r->checkpoint;

    return r->has_checkpoint && hs_now() - c->last >= c->every &&
           !(c->every > 0.0 && hs_checkpoint_is_busy(c));
}

static bool is_warming_up(const hs_running *r)
{
    const hs_group_state *w = &r->state[0];

    return r->partition.count > 0 && (w->warmup < 0 || w->step < w->warmup);
}

/* Seconds that a run may exceed its limit before its first draw. */
static double grace(const hs_running *r)
{
    const hs_group_state *w = &r->state[0];
    bool is_near = w->kept == 0 && (r->set->warmup < 0 || !is_warming_up(r));

    return is_near ? GRACE + GRACE_SHARE * r->set->time_limit : 0.0;
}

/* Seconds that the caller needs for the kept draws, at the share of a processor
 * that the rounds have got. */
static double seconds_afterwards(const hs_running *r, double seconds)
{
    const hs_partition *p = &r->partition;
    double used = hs_cpu_seconds() - r->began_cpu, slower = 1.0;
    int threads = r->set->threads < p->count ? r->set->threads : p->count;

    if (!r->mirror && used > 0.0)
        slower = fmax(1.0, threads * (seconds - r->began) / used);
    return r->set->afterwards * slower * (double)r->state[0].kept *
           r->set->chains;
}

/* Whether a run has reached its time limit, or leaves the caller no time. */
static bool is_late(const hs_running *r, double seconds)
{
    double limit = r->set->time_limit, most = limit + grace(r);

    return limit > 0.0 &&
           (seconds >= most || seconds + seconds_afterwards(r, seconds) >=
                                   most + AFTERWARDS * limit);
}

/* Whether the warm-up of a run with a time limit has used its share. */
static bool is_warm_in_time(const hs_running *r, double seconds)
{
    const hs_group_state *w = &r->state[0];
    double left = r->set->time_limit - r->began, spent = seconds - r->began;
    double share = hs_policy(HS_PREPARATION_SHARE);

    if (!(left > 0.0)) /* the pilot took all of it */
        return true;
    if (r->partition.count > 0 && is_burned_in(r, w) && is_open(r->set))
        share = hs_warmup_share(hs_group_spent(w->group) * left / spent,
                                r->scheme->each);
    return spent >= share * left;
}

/* Rank 0 decides the next action. */
static void decide(hs_running *r, double seconds, bool is_all_done, bool stops,
                   int64_t stride, struct order *o)
{
    const hiss_settings *set = r->set;
    int64_t look = INT64_MAX;

    o->ended = r->run->info.ended;
    o->is_over =
        is_all_done || r->is_enough || o->ended == HISS_ENDED_ESS || stops;
    if (stops && !is_all_done && !r->is_enough && o->ended != HISS_ENDED_ESS)
        o->ended = HISS_ENDED_STOPPED;
    o->ends_warmup = !o->is_over && set->time_limit > 0.0 && set->warmup < 0 &&
                     r->target > 0 && is_warm_in_time(r, seconds);
    if (!o->is_over && is_late(r, seconds)) {
        o->is_over = 1;
        o->ended = HISS_ENDED_TIME;
    }
    o->writes = !o->is_over && wants_checkpoint(r);
    if (set->ess > 0.0)
        look = hs_ess_stop_next(r->target, r->state[0].warmup, set->thin);
    if (r->target < r->state[0].warmup && r->state[0].warmup < look)
        look = r->state[0].warmup; /* a round has steps of one kind */
    if (o->ends_warmup && is_warming_up(r))
        stride = 1;
    o->target = r->target + stride < look ? r->target + stride : look;
    o->is_look =
        set->ess > 0.0 && o->target == look && look > r->state[0].warmup;
}

/* Between rounds: collects the ranks' reports and distributes the decision. */
static hiss_status confer(hs_running *r, int64_t stride, struct order *o,
                          hiss_error *err)
{
    enum {
        DONE,  /* all of a rank's groups are done */
        GOES,  /* no rank wants to stop */
        SOUND, /* no fault */
        VOTES
    };
    const hs_ranks *ranks = r->partition.ranks;
    double seconds = seconds_of(r);
    hiss_status rc = hs_rounds_fault(r, err);
    int vote[VOTES] = {is_done(r), !hs_rounds_is_stopped(r, false),
                       rc == HISS_OK};

    hs_ranks_least(ranks, vote, VOTES);
    if (!vote[SOUND])
        return hs_ranks_agree(ranks, rc, err);
    if (o->is_look && !vote[DONE])
        rc = look_at_ess(r, err);
    if (hs_is_first_rank(r)) {
        decide(r, seconds, vote[DONE], !vote[GOES], stride, o);
        o->status = rc;
    }
    hs_ranks_share(ranks, 0, o, sizeof *o);
    r->run->info.ended = o->ended;
    return o->status == HISS_OK ? HISS_OK : hs_ranks_agree(ranks, rc, err);
}

void hs_rounds_save(hs_running *r)
{
    hs_checkpoint *c = &r->checkpoint;
    bool is_first = hs_is_first_rank(r);
    double begun = hs_now();
    hiss_status rc = HISS_OK;
    hiss_error err = {0};

    if (!r->has_checkpoint)
        return;
    for (int s = 0; s < HS_STORES; s++)
        if (r->store[s])
            hs_gather_draws(&r->gather, r->store[s], s);
    if (is_first)
        rc = hs_checkpoint_begin(c, &r->state[0], r->store,
                                 r->before + begun - r->started, &err);
    hs_gather_states(&r->gather, true, is_first ? &c->state : NULL);
    if (!is_first)
        return;
    if (rc == HISS_OK)
        rc = hs_checkpoint_commit(c, &err);
    else
        hs_blob_clear(&c->state);
    if (rc != HISS_OK)
        memcpy(r->run->warning, err.message, sizeof r->run->warning);
    c->last = hs_now();
    r->run->checkpoints += rc == HISS_OK;
    r->run->checkpoint_seconds += c->last - begun;
}

static void end_warmups(hs_running *r)
{
    for (int g = 0; g < r->partition.count; g++) {
        hs_group_state *w = &r->state[g];

        if (is_warming(w)) {
            w->warmup = w->step;
            hs_rounds_end_warmup(w);
        }
    }
}

/* Steps of the warm-up may be far cheaper than later ones. */
hiss_status hs_rounds_walk(hs_running *r, hiss_error *err)
{
    bool is_alone = hs_ranks_size(r->partition.ranks) == 1;
    double aim = is_alone ? ROUND_SECONDS : RANKS_SECONDS, before = hs_now();
    struct order o = {0};
    bool was_warming_up = true;
    int64_t stride = 1;

    if (hs_is_first_rank(r))
        r->target = r->state[0].step;
    r->began = r->before > 0.0 ? 0.0 : seconds_of(r);
    r->began_cpu = hs_cpu_seconds();
    for (bool is_begun = false;; is_begun = true) {
        double took = hs_now() - before;

        if (is_begun && took < 0.5 * aim && stride < (int64_t)1 << 40)
            stride *= took < 0.1 * aim ? 8 : 2;
        else if (is_begun && took > 2.0 * aim && stride > 1)
            stride /= 2;
        if (was_warming_up && !is_warming_up(r))
            stride = 1;
        HS_TRY(confer(r, stride, &o, err));
        if (r->mirror &&
            (o.writes || o.is_over || (o.ends_warmup && is_warming_up(r))))
            HS_TRY(hs_card_rounds_collect(r, o.is_over && !r->has_checkpoint,
                                          err));
        if (!r->mirror && (o.writes || o.is_over)) {
            hs_run_each(r, flush, r);
            HS_TRY(hs_rounds_fault(r, err));
        }
        if (o.writes)
            hs_rounds_save(r);
        if (o.is_over)
            return HISS_OK;
        before = hs_now();
        r->target = o.target;
        was_warming_up = is_warming_up(r);
        if (o.ends_warmup)
            end_warmups(r);
        if (r->mirror)
            hs_card_rounds_advance(r, note);
        else if (r->partition.team) /* communicates, so only from this thread */
            advance(r, 0);
        else
            hs_run_each(r, advance, r);
    }
}
