/* kernel.c - tests whether a user's kernel keeps the distribution.
 *
 * There are three stages: one call each; several in a row, a batch at a time;
 * and several in a row, one state at a time. A kernel that adapts to the
 * acceptance of a batch of thousands hardly sees a single state, and one that
 * adapts to its only state is as biased as in a run of one chain.  Thousands of
 * calls later, one call each follows again: those by which memory.h tests for
 * memory, and as many as at first. These detect a kernel that becomes wrong on
 * the way.
 *
 * If one application keeps the distribution and several do not, either a small
 * bias has added up or the kernel remembers something between calls. The failed
 * stage is repeated with states that change places (foreign.h): a bias remains,
 * while memory refers to other states. memory.h tests more directly. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "base/clock.h"
#include "base/error.h"
#include "base/number.h"
#include "base/random/streams.h"
#include "diag/tests/symmetry.h"
#include "run/verify/foreign.h"
#include "run/verify/memory.h"
#include "run/verify/replicate.h"
#include "run/verify/verify.h"

#define BATCH       65536
#define CALLS_LEAST 16
#define VALUES_MOST (1 << 22) /* values of a call */
/* above this p, states that change places keep the distribution */
#define SOUND     1e-3
#define TWIN_SEED 0x9e3779b97f4a7c15u

enum stages {
    ONCE,
    ROW,
    ALONE,
    PROBED,
    LATE,
    STAGES
};

struct judging {
    hs_foreign common;
    hs_law law;           /* owned */
    hs_features features; /* owned */
    hs_foreign_stage stage[STAGES];
    hs_counted trial[STAGES];
    int trials;
};

static void add_trial(struct judging *j, int number)
{
    hs_foreign_stage *s = &j->stage[number];

    j->trial[j->trials++] =
        (hs_counted){.tally = &s->tally,
                     .shift = &s->shift,
                     .steps = s->steps,
                     .has_calls = s->width > 1,
                     .late = number >= PROBED ? s->before : 0};
}

/* Runs a stage and makes a trial of it. */
static hiss_status run_stage(struct judging *j, int number, hiss_error *err)
{
    hs_foreign_stage *s = &j->stage[number];

    s->common = &j->common;
    HS_TRY(hs_foreign_run(s, err));
    add_trial(j, number);
    return HISS_OK;
}

static hiss_status run_stages(struct judging *j, hiss_error *err)
{
    const hiss_verify_settings *set = j->common.set;
    int64_t n = set->replicates, batch = set->batch;
    int64_t most = VALUES_MOST / j->common.domain->dim, steps, calls;

    if (batch == 0) /* several calls, so that they can be compared */
        batch = n / CALLS_LEAST < BATCH ? n / CALLS_LEAST + 1 : BATCH;
    batch = batch < n ? batch : n;
    batch = batch < most ? batch : most;
    calls = (n + batch - 1) / batch;
    j->common.expected = calls * 9 + set->calls;
    j->stage[ONCE] = (hs_foreign_stage){.replicates = n,
                                        .steps = 1,
                                        .pool = batch,
                                        .width = batch,
                                        .has_pairs = true};
    HS_TRY(run_stage(j, ONCE, err));
    steps = hs_verify_steps(hs_shift_renewal(&j->stage[ONCE].shift), 0, set);
    j->common.expected = 2 * calls + (calls + 1) / 2 * steps + set->calls;
    j->stage[ROW] = (hs_foreign_stage){.replicates = n / 2 > 0 ? n / 2 : 1,
                                       .steps = steps,
                                       .pool = batch,
                                       .width = batch,
                                       .first = hs_stream(HS_STREAM_ROWS, 0)};
    HS_TRY(run_stage(j, ROW, err));
    if (set->calls < steps)
        return HISS_OK;
    j->stage[ALONE] =
        (hs_foreign_stage){.replicates = set->calls / steps,
                           .steps = steps,
                           .pool = 1,
                           .width = 1,
                           .first = hs_stream(HS_STREAM_SINGLE_CALLS, 0)};
    return run_stage(j, ALONE, err);
}

/* Moves exact draws again, after all other calls. */
static hiss_status run_late(struct judging *j, hs_memory *memory,
                            hiss_error *err)
{
    int64_t n = j->common.set->replicates, batch = j->stage[ONCE].pool;
    int64_t most = hs_streams[HS_STREAM_REPEATED_CALLS].count;

    j->stage[PROBED].common = &j->common;
    HS_TRY(hs_memory_run(memory, &j->stage[PROBED], batch, err));
    add_trial(j, PROBED);
    j->stage[LATE] =
        (hs_foreign_stage){.replicates = n < most ? n : most,
                           .steps = 1,
                           .pool = batch,
                           .width = batch,
                           .first = hs_stream(HS_STREAM_REPEATED_CALLS, 0)};
    return run_stage(j, LATE, err);
}

/* Steps between which states change places: equal random numbers in every call
 * bring states together again if there are many. */
enum {
    SHUFFLED = 4
};

/* Tests whether states that change places keep the distribution when others do
 * not. */
static hiss_status look_for_memory(struct judging *j, hs_verdict *out,
                                   hiss_error *err)
{
    int worst = hs_judge_worst(out, j->trial, j->trials);
    hs_foreign_stage again = j->stage[worst];
    hs_counted trial = j->trial[worst];
    int64_t most = hs_streams[HS_STREAM_SHUFFLED_CALLS].count;
    double p = 0.0;
    hiss_status rc;

    if (out->result.verdict != HISS_BROKEN || worst == ONCE || trial.late > 0 ||
        hs_judge_p(out, &j->trial[worst]) > HS_VERIFY_P ||
        hs_judge_p(out, &j->trial[ONCE]) <= HS_VERIFY_P)
        return HISS_OK;
    again.tally = (hs_tally){0};
    again.shift = (hs_shift){0};
    again.first = hs_stream(HS_STREAM_SHUFFLED_CALLS, 0);
    again.is_shuffled = true;
    again.steps = again.steps < SHUFFLED ? again.steps : SHUFFLED;
    again.replicates = again.replicates < most ? again.replicates : most;
    again.pool = worst == ALONE ? again.replicates : again.pool;
    rc = hs_foreign_run(&again, err);
    trial.tally = &again.tally;
    trial.shift = &again.shift;
    if (rc == HISS_OK)
        rc = hs_judge_alone(&trial, &p, err);
    hs_foreign_clear(&again);
    HS_TRY(rc);
    out->is_memory_shown = p > SOUND;
    out->result.has_memory |= out->is_memory_shown;
    return hs_explain(out, j->trial, j->trials, err);
}

/* --- the sampler that it claims to be ------------------------------------ */

static int place(const hs_pair *a, const hs_pair *b)
{
    uint64_t x = (uint64_t)a->from << 32 | a->to;
    uint64_t y = (uint64_t)b->from << 32 | b->to;

    return (x > y) - (x < y);
}

static void print_state(const hs_exact *e, uint32_t n, char *text, size_t size)
{
    int64_t stride = e->states;
    size_t used = 0;

    text[0] = '\0';
    for (int i = 0; i < e->dim && used + 24 < size; i++) {
        stride /= e->radix[i];
        used += (size_t)hs_snprintf(
            text + used, size - used, "%s%g", i ? " " : "",
            (double)e->values[e->first[i] + n / stride % e->radix[i]]);
    }
}

/* The largest difference between the two. */
struct gap {
    hs_pair at; /* count is the kernel's */
    int64_t twin;
    double z;
};

static void tell_gap(hs_verdict *out, const struct judging *j,
                     const struct gap *gap)
{
    char from[80], to[80];
    double all = (double)out->result.replicates * j->law.p[gap->at.from];

    print_state(&out->exact, gap->at.from, from, sizeof from);
    print_state(&out->exact, gap->at.to, to, sizeof to);
    hs_snprintf(out->gap, sizeof out->gap,
                "from (%s) to (%s): %.4g, the sampler %.4g", from, to,
                (double)gap->at.count / all, (double)gap->twin / all);
    out->result.twin_gap = out->gap;
}

/* Compares two samples of the same size: transitions of either against the
 * other. */
static void compare_pairs(hs_verdict *out, const hs_verdict *twin,
                          const struct judging *j)
{
    hs_symmetry s = {0};
    struct gap gap = {.z = 0.0};
    hs_chi2 chi2;
    int64_t a = 0, b = 0;

    while (a < out->pairs || b < twin->pairs) {
        int order = a == out->pairs    ? 1
                    : b == twin->pairs ? -1
                                       : place(&out->pair[a], &twin->pair[b]);
        hs_pair at = order <= 0 ? out->pair[a] : twin->pair[b];
        int64_t own = order <= 0 ? out->pair[a++].count : 0;
        int64_t other = order >= 0 ? twin->pair[b++].count : 0;
        double z = (double)llabs(own - other) / sqrt((double)(own + other));

        hs_symmetry_add(&s, own, other);
        at.count = own;
        if (z > gap.z)
            gap = (struct gap){at, other, z};
    }
    hs_symmetry_finish(&s, &chi2);
    out->result.twin_p_value = chi2.p;
    if (gap.z > 0.0)
        tell_gap(out, j, &gap);
}

/* Makes independent draws of the sampler's steps, as many as of the
 * kernel's. */
static hiss_status compare_twin(struct judging *j, hs_verdict *out,
                                const hs_model *m, const hs_sampler *same,
                                hiss_error *err)
{
    hiss_verify_settings set = *j->common.set;
    hs_verdict twin;

    if (!same)
        return HISS_OK;
    set.seed ^= TWIN_SEED;
    set.steps = 1;
    set.progress = NULL;
    HS_TRY(hs_verify(&twin, m, same, &set, err));
    compare_pairs(out, &twin, j);
    out->result.claims_reversible = twin.result.claims_reversible;
    hs_verdict_clear(&twin);
    return HISS_OK;
}

/* Adds one more test, with a sentence if it fails. */
static hs_verify_test memory_test(hs_verdict *out, const hs_memory *m)
{
    const char *what = m->is_distance ? "coordinates change" : "of states move";
    hs_verify_test test = {.name = "memory",
                           .members = 2,
                           .steps = 1,
                           .chi2 = {m->z, 0, m->p},
                           .change = m->after_top - m->after_low};

    snprintf(test.worst, sizeof test.worst, "%s",
             m->is_distance ? "coordinates changed" : "moved");
    if (m->p > HS_VERIFY_P)
        return test;
    out->result.has_memory = 1;
    hs_snprintf(out->adapts, sizeof out->adapts,
                "it depends on the states of earlier calls: %.4g %s after "
                "calls with the most probable state, %.4g after calls with "
                "states of low U; adaptation must end before draws are kept",
                m->after_top, what, m->after_low);
    return test;
}

/* --- all of it ----------------------------------------------------------- */

static hiss_status run(struct judging *j, hs_verdict *out, const hs_model *m,
                       const hs_sampler *same, hiss_error *err)
{
    hiss_verify_result *r = &out->result;
    hs_verify_test test;
    hs_memory memory;

    HS_TRY(run_stages(j, err));
    HS_TRY(run_late(j, &memory, err));
    test = memory_test(out, &memory);
    HS_TRY(hs_judge(out, j->trial, j->trials, &test, err));
    r->states = hs_domain_count(&m->domain);
    r->period = r->phases = 1;
    r->steps = j->stage[ROW].steps;
    r->chains = j->stage[ROW].replicates;
    r->clocks = (r->chains + j->stage[ROW].pool - 1) / j->stage[ROW].pool;
    r->singles = j->stage[ALONE].replicates;
    r->claims_exact = 1;
    HS_TRY(look_for_memory(j, out, err));
    r->calls = j->common.calls;
    return compare_twin(j, out, m, same, err);
}

static void clear(struct judging *j)
{
    for (int i = 0; i < STAGES; i++)
        hs_foreign_clear(&j->stage[i]);
    hs_features_clear(&j->features);
    hs_law_clear(&j->law);
}

hiss_status hs_verify_kernel(hs_verdict *out, const hs_model *m,
                             const hiss_kernel *kernel, const hs_sampler *same,
                             const hiss_verify_settings *settings,
                             hiss_error *err)
{
    hs_exact_options enumerate = {.threads = settings->threads,
                                  .has_u = true,
                                  .limit = HS_TABLE_MAX,
                                  .what = "verify"};
    struct judging j = {.common = {.kernel = kernel,
                                   .set = settings,
                                   .domain = &m->domain,
                                   .started = hs_now()}};
    hiss_status rc;

    *out = (hs_verdict){0};
    rc = hs_exact_init(&out->exact, m, &enumerate, err);
    if (rc == HISS_OK)
        rc = hs_law_init(&j.law, &out->exact, 1.0, err);
    if (rc == HISS_OK)
        rc = hs_features_init(&j.features, &out->exact, &j.law, 1, err);
    j.common.exact = &out->exact;
    j.common.law = &j.law;
    j.common.features = &j.features;
    if (rc == HISS_OK)
        rc = run(&j, out, m, same, err);
    clear(&j);
    if (rc != HISS_OK)
        hs_verdict_clear(out);
    return rc;
}
