/* stage.c - many replicates, moved by a sampler and compared with the law. */
#include "run/verify/stage.h"

#include "base/alloc.h"
#include "base/clock.h"
#include "base/error.h"

#define ROUND_SECONDS 0.05  /* aimed at, per round */
#define ROUND_MAX     65536 /* states of a round, at most */
#define CELLS_MAX     64    /* parts that are told apart */

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

    HS_TRY(hs_replicator_init(&w->replicator, &s->plan, c->model, c->sampler, 0,
                              err));
    hs_scheme_attach(c->scheme, w->replicator.group);
    return hs_shift_init(&w->shift, c->features,
                         parts < CELLS_MAX ? parts : CELLS_MAX, err);
}

static hiss_status init(hs_stage *s, bool has_pairs, hiss_error *err)
{
    int64_t states = (int64_t)s->plan.chains * s->plan.levels;
    int threads = s->common->set->threads;
    size_t replicates;

    s->most = states < ROUND_MAX ? ROUND_MAX / states : 1;
    replicates = (size_t)s->most * (size_t)s->plan.chains;
    s->worker = hs_alloc_array((size_t)threads, sizeof *s->worker);
    s->before = hs_alloc_array(replicates, sizeof *s->before);
    s->after =
        hs_alloc_array(replicates * (size_t)s->plan.levels, sizeof *s->after);
    if (!s->worker || !s->before || !s->after)
        return hs_fail_memory(err);
    for (int w = 0; w < threads; w++)
        HS_TRY(init_worker(s, &s->worker[w], err));
    HS_TRY(
        hs_tally_init(&s->tally, s->plan.law, s->plan.levels, has_pairs, err));
    return hs_pool_create(&s->pool, threads, err);
}

/* The last batch may reach past the last replicate. */
static void compare(const hs_stage *s, struct hs_stage_worker *w, int64_t b,
                    const uint32_t *after)
{
    int64_t left = s->replicates - b * s->plan.chains;
    int levels = s->plan.levels;
    int cell = hs_shift_cell(&w->shift, hs_replication_part(&s->plan, b),
                             hs_replication_parts(&s->plan));

    for (int c = 0; c < s->plan.chains && c < left; c++)
        hs_shift_add(&w->shift, cell, w->replicator.from + c * levels,
                     after + c * levels);
}

static void work(void *context, int index)
{
    hs_stage *s = context;
    struct hs_stage_worker *w = &s->worker[index];
    int chains = s->plan.chains, levels = s->plan.levels;

    for (int64_t b = index; b < s->count && w->status == HISS_OK;
         b += s->common->set->threads) {
        uint32_t *after = s->after + b * chains * levels;

        w->status = hs_replicator_run(&w->replicator, &s->plan, s->first + b,
                                      s->before + b * chains, after, &w->error);
        if (w->status == HISS_OK)
            compare(s, w, s->first + b, after);
    }
}

static hiss_status first_fault(const hs_stage *s, hiss_error *err)
{
    for (int w = 0; w < s->common->set->threads; w++)
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
    for (int w = 0; w < set->threads; w++) {
        double energy, gradient;

        hs_group_evals(s->worker[w].replicator.group, &energy, &gradient);
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
    int threads = s->common->set->threads;
    int64_t size = threads;

    for (s->first = 0; s->first < s->plan.batches; s->first += s->count) {
        int64_t left = s->plan.batches - s->first;
        double before = hs_now(), took;

        size = size < s->most ? size : s->most;
        s->count = size < left ? size : left;
        hs_pool_run(s->pool, work, s, threads);
        HS_TRY(first_fault(s, err));
        HS_TRY(count_round(s, err));
        HS_TRY(report_progress(s, err));
        took = hs_now() - before;
        if (took < 0.5 * ROUND_SECONDS)
            size *= 2;
        else if (took > 2.0 * ROUND_SECONDS && size > threads)
            size /= 2;
    }
    for (int w = 1; w < threads; w++)
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
    for (int w = 0; s->worker && w < s->common->set->threads; w++) {
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
