/* stage.c - moves many replicates by a sampler and compares the
 * distributions. */
#include "run/verify/stage.h"

#include "base/alloc.h"
#include "base/clock.h"
#include "base/error.h"
#include "model/user/wide.h"

#define ROUND_SECONDS 0.05  /* target length of a round */
#define ROUND_MAX     65536 /* most states of a round */
#define CELLS_MAX     64    /* most parts distinguished */
#define FIBERS_MAX    64    /* each has its own counts, up to 16 MB */

struct hs_stage_worker {
    hs_replicator replicator;
    hs_shift shift;
    hiss_status status;
    hiss_error error;
};

hs_shift *hs_stage_shift(hs_stage *s)
{
    return &s->worker[0].shift;
}

static hiss_status init_worker(hs_stage *s, struct hs_stage_worker *w,
                               hiss_error *err)
{
    const hs_staging *c = s->common;
    int64_t parts = hs_replication_parts(&s->plan);

    if (!c->device) {
        HS_TRY(hs_replicator_init(&w->replicator, &s->plan, c->model,
                                  c->sampler, 0, err));
        hs_scheme_attach(c->scheme, w->replicator.group);
    }
    return hs_shift_init(&w->shift, c->features,
                         parts < CELLS_MAX ? parts : CELLS_MAX, err);
}

static hiss_status init_card(hs_stage *s, hiss_error *err)
{
    const hs_staging *c = s->common;
    hs_card_batches *k = &s->cards;
    int64_t together = hs_replication_together(&s->plan, 0);

    k->most = (int)(together < s->most ? together : s->most);
    k->replicator = hs_alloc_array((size_t)k->most, sizeof *k->replicator);
    k->state = hs_alloc_array((size_t)k->most, sizeof *k->state);
    if (!k->replicator || !k->state)
        return hs_fail_memory(err);
    for (int n = 0; n < k->most; n++) {
        HS_TRY(hs_replicator_init(&k->replicator[n], &s->plan, c->model,
                                  c->sampler, 0, err));
        k->state[n].group = k->replicator[n].group;
        hs_scheme_attach(c->scheme, k->state[n].group);
        hs_replicator_begin(&k->replicator[n], &s->plan, n);
    }
    return hs_mirror_create(&k->mirror, c->device, c->card, k->state, k->most,
                            HS_MIRROR_RUN, s->pool, err);
}

static void clear_card(hs_card_batches *k)
{
    hs_mirror_destroy(k->mirror);
    for (int n = 0; k->replicator && n < k->most; n++)
        hs_replicator_clear(&k->replicator[n]);
    hs_free(k->replicator);
    hs_free(k->state);
}

/* One for each thread or, for a wide function, as many as fill a call. */
static int count_workers(const hs_stage *s, int states)
{
    int threads = s->common->set->threads;
    int pieces = hs_wide_pieces(s->common->model, states, threads);

    if (pieces > threads && pieces > FIBERS_MAX)
        pieces = threads > FIBERS_MAX ? threads : FIBERS_MAX;
    return pieces < s->plan.batches ? pieces : (int)s->plan.batches;
}

static hiss_status init(hs_stage *s, bool has_pairs, hiss_error *err)
{
    int64_t states = (int64_t)s->plan.chains * s->plan.levels;
    int threads = s->common->set->threads;
    size_t replicates;

    s->workers = s->common->device ? 1 : count_workers(s, (int)states);
    s->most = states < ROUND_MAX ? ROUND_MAX / states : 1;
    replicates = (size_t)s->most * (size_t)s->plan.chains;
    s->worker = hs_alloc_array((size_t)s->workers, sizeof *s->worker);
    s->before = hs_alloc_array(replicates, sizeof *s->before);
    s->after =
        hs_alloc_array(replicates * (size_t)s->plan.levels, sizeof *s->after);
    if (!s->worker || !s->before || !s->after)
        return hs_fail_memory(err);
    for (int w = 0; w < s->workers; w++)
        HS_TRY(init_worker(s, &s->worker[w], err));
    HS_TRY(
        hs_tally_init(&s->tally, s->plan.law, s->plan.levels, has_pairs, err));
    HS_TRY(hs_pool_create(&s->pool, threads, err));
    return s->common->device ? init_card(s, err) : HISS_OK;
}

/* The last batch may extend past the last replicate. */
static void compare(const hs_stage *s, struct hs_stage_worker *w,
                    const hs_replicator *r, int64_t b, const uint32_t *after)
{
    int64_t left = s->replicates - b * s->plan.chains;
    int levels = s->plan.levels;
    int cell = hs_shift_cell(&w->shift, hs_replication_part(&s->plan, b),
                             hs_replication_parts(&s->plan));

    for (int c = 0; c < s->plan.chains && c < left; c++)
        hs_shift_add(&w->shift, cell, r->from + c * levels, after + c * levels);
}

/* The share of one worker in a round. */
static void work(void *context, int index)
{
    hs_stage *s = context;
    struct hs_stage_worker *w = &s->worker[index];
    int chains = s->plan.chains, levels = s->plan.levels;

    for (int64_t b = index; b < s->count && w->status == HISS_OK;
         b += s->workers) {
        uint32_t *after = s->after + b * chains * levels;

        w->status = hs_replicator_run(&w->replicator, &s->plan, s->first + b,
                                      s->before + b * chains, after, &w->error);
        if (w->status == HISS_OK)
            compare(s, w, &w->replicator, s->first + b, after);
    }
}

/* Moves batches b to b + count - 1 of a round, of one clock.  Groups past the
 * last of them move too, but are not read. */
static hiss_status move_on_card(hs_stage *s, int64_t b, int count,
                                hiss_error *err)
{
    const hs_replication *plan = &s->plan;
    hs_card_batches *k = &s->cards;

    for (int n = 0; n < count; n++)
        hs_replicator_begin(&k->replicator[n], plan, s->first + b + n);
    HS_TRY(hs_mirror_send(k->mirror, err));
    HS_TRY(hs_mirror_step(k->mirror, plan->steps, false, err));
    HS_TRY(hs_mirror_fetch(k->mirror, true, err));
    for (int64_t n = 0; n < count; n++) {
        int64_t first = (b + n) * plan->chains;
        uint32_t *after = s->after + first * plan->levels;

        HS_TRY(hs_replicator_end(&k->replicator[n], plan, s->first + b + n,
                                 s->before + first, after, err));
        compare(s, &s->worker[0], &k->replicator[n], s->first + b + n, after);
    }
    return HISS_OK;
}

/* The same on a GPU, for as many batches at once as have a common clock. */
static hiss_status work_on_card(hs_stage *s, hiss_error *err)
{
    for (int64_t b = 0, count; b < s->count; b += count) {
        count = hs_replication_together(&s->plan, s->first + b);
        count = count < s->cards.most ? count : s->cards.most;
        count = count < s->count - b ? count : s->count - b;
        HS_TRY(move_on_card(s, b, (int)count, err));
    }
    return HISS_OK;
}

static hiss_status first_fault(const hs_stage *s, hiss_error *err)
{
    for (int w = 0; w < s->workers; w++)
        if (s->worker[w].status != HISS_OK) {
            if (err)
                *err = s->worker[w].error;
            return s->worker[w].status;
        }
    return HISS_OK;
}

static hiss_status count_round(hs_stage *s, hiss_error *err)
{
    int64_t n = s->count * s->plan.chains;
    int64_t left = s->replicates - s->tally.replicates;

    n = n < left ? n : left;
    for (int64_t i = 0; i < n; i++)
        HS_TRY(hs_tally_add(&s->tally, s->before[i],
                            s->after + i * s->plan.levels, err));
    return HISS_OK;
}

static hiss_status report_progress(hs_stage *s, hiss_error *err)
{
    const hiss_verify_settings *set = s->common->set;
    int64_t done = s->tally.replicates;
    hiss_progress p = {.size = sizeof p,
                       .seconds = hs_now() - s->common->started,
                       .draws = s->replicates_done + done,
                       .fraction = s->upto};

    s->evaluations = s->evaluations_done;
    for (int w = 0; w < s->workers + s->cards.most; w++) {
        const hs_replicator *r = w < s->workers
                                     ? &s->worker[w].replicator
                                     : &s->cards.replicator[w - s->workers];
        double energy, gradient;

        if (!r->group)
            continue;
        hs_group_evals(r->group, &energy, &gradient);
        s->evaluations += (energy + gradient) * s->plan.chains;
    }
    p.evaluations = s->evaluations;
    if (done < s->replicates)
        p.fraction = s->from +
                     (s->upto - s->from) * (double)done / (double)s->replicates;
    if (set->progress && set->progress(set->context, &p))
        return hs_fail(err, HISS_ESTOP,
                       "stopped on request after %lld of %lld replicates",
                       (long long)p.draws,
                       (long long)(s->replicates_done + s->replicates));
    return HISS_OK;
}

static hiss_status run_rounds(hs_stage *s, hiss_error *err)
{
    int64_t least = s->common->device ? s->cards.most : s->workers;
    int64_t size = least;

    for (s->first = 0; s->first < s->plan.batches; s->first += s->count) {
        int64_t left = s->plan.batches - s->first;
        double before = hs_now(), took;

        size = size < s->most ? size : s->most;
        s->count = size < left ? size : left;
        if (s->common->device)
            HS_TRY(work_on_card(s, err));
        else
            hs_wide_each(s->common->model, s->pool, work, s, s->workers);
        HS_TRY(first_fault(s, err));
        HS_TRY(count_round(s, err));
        HS_TRY(report_progress(s, err));
        took = hs_now() - before;
        if (took < 0.5 * ROUND_SECONDS)
            size *= 2;
        else if (took > 2.0 * ROUND_SECONDS && size > least)
            size /= 2;
    }
    for (int w = 1; w < s->workers; w++)
        hs_shift_merge(&s->worker[0].shift, &s->worker[w].shift);
    return HISS_OK;
}

hiss_status hs_stage_run(hs_stage *s, const hs_staging *common, bool has_pairs,
                         hiss_error *err)
{
    s->common = common;
    HS_TRY(init(s, has_pairs, err));
    return run_rounds(s, err);
}

void hs_stage_clear(hs_stage *s)
{
    clear_card(&s->cards);
    for (int w = 0; s->worker && w < s->workers; w++) {
        hs_replicator_clear(&s->worker[w].replicator);
        hs_shift_clear(&s->worker[w].shift);
    }
    hs_pool_destroy(s->pool);
    hs_tally_clear(&s->tally);
    hs_free(s->worker);
    hs_free(s->before);
    hs_free(s->after);
    *s = (hs_stage){0};
}
