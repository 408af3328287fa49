/* verify.c - tests whether a sampler keeps the distribution.
 *
 * There are two stages: replicates that are moved once, each with its own
 * clock, and then chains that share clocks and make several steps in a row.
 * The first stage determines the number of steps of the second, whose draws are
 * independent of it. */
#include "run/verify/verify.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "base/alloc.h"
#include "base/clock.h"
#include "base/error.h"
#include "base/text.h"
#include "device/open.h"
#include "model/user/wide.h"
#include "run/verify/judge.h"
#include "run/verify/stage.h"

#define LAW_CELLS 0x1p26 /* most states times levels */

/* For the second stage. */
#define STEPS_LEAST 16 /* so that the excess of a rare state adds up */
#define STEPS_MOST  64 /* unless the caller requests more */
/* Replicates times steps: few chains make more steps, so that a state of
 * probability 2e-5 that is never left is found with 10^5 replicates as well as
 * with 10^6. */
#define MOVES_LEAST 16e6
#define CLOCKS      64

#define FIRST_SHARE (2.0 / 3.0) /* of the time, for progress */

struct verifying {
    hs_staging common;
    hs_scheme scheme; /* owned: the sampler as applied */
    hs_traits traits;
    hs_law *law; /* owned, [levels] */
    hs_replication shared;
    hs_features features;
    hs_stage once; /* moved once, with separate clocks */
    hs_stage row;  /* moved in a row, with common clocks */
};

/* Reads the properties of the sampler that do not depend on the model. */
static void read_sampler(struct verifying *v)
{
    v->traits = v->common.sampler->traits;
    v->shared.levels = v->common.sampler->replicas;
    v->shared.seed = v->common.set->seed;
    v->shared.period = v->traits.period > 0 ? v->traits.period : 1;
    v->shared.is_shared = v->traits.shares;
}

/* The distribution of one level of a placed group: e^(beta U), and the
 * sampler's other terms. */
static hiss_status init_law(hs_law *law, const hs_exact *exact,
                            const hs_group *g, int level, hiss_error *err)
{
    const hs_domain *d = &g->model->domain;
    int lane;
    double beta =
        (double)hs_group_at_level(g, 0, level, &lane)->tilt.beta[lane];
    const hs_kernel *k = g->kernel[0];
    double *own;
    int16_t *state;
    hiss_status rc = HISS_OK;

    if (!k->type->bias)
        return hs_law_init(law, exact, beta, err);
    own = hs_alloc_array((size_t)exact->states, sizeof *own);
    state = hs_alloc_array((size_t)d->dim, sizeof *state);
    if (!own || !state)
        rc = hs_fail_memory(err);
    for (int64_t n = 0; rc == HISS_OK && n < exact->states; n++) {
        hs_exact_state(exact, n, state);
        own[n] = k->type->bias(k, d, level, state);
    }
    if (rc == HISS_OK)
        rc = hs_law_init_weighed(law, exact, beta, own, err);
    hs_free(own);
    hs_free(state);
    return rc;
}

/* The distribution of each level; the temperatures are those of a placed
 * group. */
static hiss_status init_laws(struct verifying *v, const hs_exact *exact,
                             hiss_error *err)
{
    int levels = v->shared.levels;
    hs_group *g;
    hiss_status rc = HISS_OK;

    if ((double)exact->states * levels > LAW_CELLS)
        return hs_fail(err, HISS_ELIMIT,
                       "model %s has %lld states and the sampler %d levels, "
                       "verify takes up to 2^26 in all",
                       v->common.model->name, (long long)exact->states, levels);
    v->law = hs_alloc_array((size_t)levels, sizeof *v->law);
    if (!v->law)
        return hs_fail_memory(err);
    HS_TRY(hs_group_create(&g, v->common.model, v->common.sampler,
                           v->common.set->seed, 0, 1, err));
    hs_scheme_attach(v->common.scheme, g);
    for (int j = 0; j < levels && rc == HISS_OK; j++)
        rc = init_law(&v->law[j], exact, g, j, err);
    hs_group_destroy(g);
    v->shared.exact = exact;
    v->shared.law = v->law;
    return rc;
}

/* Makes separate replicates, each with its own clock. */
static hiss_status run_once(struct verifying *v, hiss_error *err)
{
    hs_stage *s = &v->once;

    s->replicates = v->common.set->replicates;
    s->upto = FIRST_SHARE;
    s->plan = v->shared;
    s->plan.steps = 1;
    s->plan.chains = v->traits.shares ? 1 : HS_GROUP_CHAINS;
    s->plan.batches = (s->replicates + s->plan.chains - 1) / s->plan.chains;
    return hs_stage_run(s, &v->common, true, err);
}

int64_t hs_verify_steps(double renewal, int64_t least,
                        const hiss_verify_settings *set)
{
    int64_t steps =
        renewal * STEPS_MOST > 1.0 ? (int64_t)ceil(1.0 / renewal) : STEPS_MOST;
    double enough = fmin(MOVES_LEAST / (double)set->replicates, STEPS_MOST);

    if (set->steps > 0)
        return set->steps;
    steps = steps > least ? steps : least;
    steps = steps > STEPS_LEAST ? steps : STEPS_LEAST;
    steps = steps > (int64_t)enough ? steps : (int64_t)enough;
    return steps < STEPS_MOST ? steps : STEPS_MOST;
}

/* Chains with common clocks, half as many as there were replicates.  With 10^6
 * replicates they detect a sampler whose stationary mean is .02 sd off, even if
 * it needs all of the steps to get there. */
static hiss_status run_row(struct verifying *v, hiss_error *err)
{
    int64_t replicates = v->common.set->replicates;
    int64_t chains = HS_GROUP_CHAINS;
    int64_t groups = (replicates / 2 + chains - 1) / chains;
    hs_stage *s = &v->row;

    groups = groups > 1 ? groups : 1;
    s->plan = v->shared;
    /* at least all phases of a cycle */
    s->plan.steps = hs_verify_steps(hs_shift_renewal(hs_stage_shift(&v->once)),
                                    v->shared.period, v->common.set);
    s->plan.chains = HS_GROUP_CHAINS;
    s->plan.per_clock = (groups + CLOCKS - 1) / CLOCKS;
    s->plan.batches = (groups + s->plan.per_clock - 1) / s->plan.per_clock *
                      s->plan.per_clock;
    s->replicates = s->plan.batches * chains;
    s->from = FIRST_SHARE;
    s->upto = 1.0;
    s->replicates_done = replicates;
    s->evaluations_done = v->once.evaluations;
    return hs_stage_run(s, &v->common, false, err);
}

static hs_counted trial_of(hs_stage *s)
{
    return (hs_counted){
        .tally = &s->tally, .shift = hs_stage_shift(s), .steps = s->plan.steps};
}

static hiss_status conclude(struct verifying *v, hs_verdict *out,
                            hiss_error *err)
{
    hiss_verify_result *r = &out->result;
    hs_counted trial[] = {trial_of(&v->once), trial_of(&v->row)};

    HS_TRY(hs_judge(out, trial, 2, NULL, err));
    r->states = hs_domain_count(&v->common.model->domain);
    r->period = v->shared.period;
    r->phases =
        r->period < v->once.plan.batches ? r->period : v->once.plan.batches;
    r->steps = v->row.plan.steps;
    r->chains = v->row.replicates;
    r->clocks = hs_replication_parts(&v->row.plan);
    r->claims_exact = v->traits.exact;
    r->claims_reversible = v->traits.reversible;
    return HISS_OK;
}

/* A pilot runs once; its result is frozen and printed. */
static hiss_status resolve(struct verifying *v, const hs_sampler *sampler,
                           hiss_error *err)
{
    hs_pilot_account account = {.seed = v->common.set->seed,
                                .progress = v->common.set->progress,
                                .context = v->common.set->context};

    HS_TRY(hs_scheme_init(&v->scheme, v->common.model, sampler, &account, err));
    v->common.sampler = v->scheme.sampler;
    v->common.model = v->scheme.model;
    return HISS_OK;
}

/* Reports the tuned values: of the scheme's pilot, and at the levels. */
static hiss_status report_tuning(struct verifying *v, hs_verdict *out,
                                 hiss_error *err)
{
    hs_text text = {0};
    char *spec =
        v->scheme.text ? hs_sampler_print_given(v->common.sampler) : NULL;

    if (spec)
        hs_text_add_string(&text, spec);
    if (spec && v->scheme.pilot.text)
        hs_text_add_string(&text, "; ");
    if (v->scheme.pilot.text)
        hs_text_add_string(&text, v->scheme.pilot.text);
    hs_free(spec);
    if (text.length == 0 && !text.failed)
        return HISS_OK;
    out->tuning = hs_text_take(&text);
    out->result.tuning = out->tuning;
    return out->tuning ? HISS_OK : hs_fail_memory(err);
}

static void clear(struct verifying *v)
{
    hs_stage_clear(&v->once);
    hs_stage_clear(&v->row);
    hs_scheme_clear(&v->scheme);
    for (int j = 0; v->law && j < v->shared.levels; j++)
        hs_law_clear(&v->law[j]);
    hs_features_clear(&v->features);
    hs_free(v->law);
}

static hiss_status open_card(struct verifying *v, int number, hs_verdict *out,
                             hiss_error *err)
{
    hs_device_card card;
    char text[HS_DEVICE_NAME + 32];

    HS_TRY(hs_device_open_card(&v->common.device, number, err));
    HS_TRY(v->common.device->card(number, &card, err));
    v->common.card = number;
    snprintf(text, sizeof text, "cuda:%d (%s)", number, card.name);
    out->device = hs_strdup(text);
    return out->device ? run_once(v, err) : hs_fail_memory(err);
}

/* Runs the first stage on the requested device; with `auto`, on the processor
 * if no GPU can. */
static hiss_status begin(struct verifying *v, hs_verdict *out, hiss_error *err)
{
    hs_device_choice choice;
    hiss_error why = {0};
    char text[sizeof why.message + 32] = "cpu";
    hiss_status rc;

    HS_TRY(hs_device_parse(v->common.set->device, &choice, err));
    if (choice.is_card) {
        rc = open_card(v, choice.number < 0 ? 0 : choice.number, out,
                       choice.may_not ? &why : err);
        if (rc == HISS_OK || !choice.may_not || rc == HISS_ESTOP) {
            if (rc != HISS_OK && choice.may_not && err)
                *err = why;
            return rc;
        }
        snprintf(text, sizeof text, "cpu (auto: %s)", why.message);
        hs_stage_clear(&v->once);
        hs_free(out->device);
        v->common.device = NULL;
    }
    out->device = hs_strdup(text);
    return out->device ? run_once(v, err) : hs_fail_memory(err);
}

static hiss_status run(struct verifying *v, hs_verdict *out, hiss_error *err)
{
    hs_exact_options enumerate = {.threads = v->common.set->threads,
                                  .has_u = true,
                                  .limit = HS_TABLE_MAX,
                                  .what = "verify"};

    read_sampler(v);
    HS_TRY(hs_exact_init(&out->exact, v->common.model, &enumerate, err));
    HS_TRY(init_laws(v, &out->exact, err));
    HS_TRY(hs_features_init(&v->features, &out->exact, v->law, v->shared.levels,
                            err));
    HS_TRY(begin(v, out, err));
    HS_TRY(run_row(v, err));
    HS_TRY(conclude(v, out, err));
    out->result.device = out->device;
    return report_tuning(v, out, err);
}

/* The state around calls of wide functions. */
struct all {
    struct verifying *v;
    const hs_sampler *sampler;
    hs_verdict *out;
};

static hiss_status run_all(void *context, hiss_error *err)
{
    const struct all *a = context;

    HS_TRY(resolve(a->v, a->sampler, err));
    return run(a->v, a->out, err);
}

hiss_status hs_verify(hs_verdict *out, const hs_model *m,
                      const hs_sampler *sampler,
                      const hiss_verify_settings *settings, hiss_error *err)
{
    struct verifying v = {.common = {.model = m,
                                     .sampler = sampler,
                                     .set = settings,
                                     .started = hs_now()}};
    hiss_status rc;

    v.common.scheme = &v.scheme;
    v.common.features = &v.features;
    *out = (hs_verdict){0};
    rc = hs_wide_run(m, settings->threads, run_all,
                     &(struct all){&v, sampler, out}, err);
    clear(&v);
    if (rc != HISS_OK)
        hs_verdict_clear(out);
    return rc;
}

void hs_verdict_clear(hs_verdict *v)
{
    hs_exact_clear(&v->exact);
    hs_free(v->test);
    hs_free(v->pair);
    hs_free(v->tuning);
    hs_free(v->device);
    hs_free(v->reason);
    hs_free(v->flow);
    hs_free(v->value);
    *v = (hs_verdict){0};
}
