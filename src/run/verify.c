/* verify.c - does a sampler keep the law?
 *
 * Rounds of batches are shared out to the threads, each with a group of its
 * own that it uses again and again; between rounds the caller's thread counts
 * and may stop.  The counts do not depend on rounds or threads. */
#include "run/verify.h"

#include <math.h>
#include <string.h>
#include <time.h>

#include "base/alloc.h"
#include "base/error.h"
#include "base/pool.h"
#include "base/text.h"
#include "run/replicate.h"
#include "run/scheme.h"

#define ROUND_SECONDS 0.05   /* aimed at, per round */
#define ROUND_MAX     65536  /* states of a round, at most */
#define LAW_CELLS     0x1p26 /* states times levels, at most */

struct worker {
    hs_replicator replicator;
    hiss_status status;
    hiss_error error;
};

struct verifying {
    const hs_model *model;
    const hs_spec *sampler;
    const hiss_verify_settings *set;
    hs_scheme scheme; /* owned: the sampler as it is applied */
    hs_traits traits;
    hs_law *law; /* owned, [levels] */
    hs_replication shared;
    hs_tally tally;
    struct worker *worker; /* owned, [threads] */
    hs_pool *pool;         /* owned */
    uint32_t *from;        /* owned, of a round: [replicate] */
    uint32_t *to;          /* owned, of a round: [replicate][level] */
    int64_t first;         /* batch of this round */
    int64_t count;         /* batches of this round */
    int64_t most;          /* batches of any round */
    double started;
};

static double now(void)
{
    struct timespec t;

    clock_gettime(CLOCK_MONOTONIC, &t);
    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

/* What is known of the sampler without the model. */
static hiss_status read_sampler(struct verifying *v, hiss_error *err)
{
    int64_t replicates = v->set->replicates;
    hs_kernel *tree;

    HS_TRY(hs_kernel_create(&tree, v->sampler, err));
    v->traits = hs_kernel_traits(tree);
    v->shared.levels = hs_kernel_replicas(tree);
    hs_kernel_destroy(tree);
    v->shared.seed = v->set->seed;
    v->shared.period = v->traits.period > 0 ? v->traits.period : 1;
    v->shared.is_shared = v->traits.shares;
    v->shared.chains = v->traits.shares ? 1 : HS_GROUP_CHAINS;
    v->shared.batches = (replicates + v->shared.chains - 1) / v->shared.chains;
    return HISS_OK;
}

/* The law of each level; the temperatures are those of a placed group. */
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
                       v->model->name, (long long)exact->states, levels);
    v->law = hs_alloc_array((size_t)levels, sizeof *v->law);
    if (!v->law)
        return hs_fail_memory(err);
    HS_TRY(hs_group_create(&g, v->model, v->sampler, v->set->seed, 0, 1, err));
    for (int j = 0; j < levels && rc == HISS_OK; j++) {
        int lane;
        const hs_tile *t = hs_group_at_level(g, 0, j, &lane);

        rc = hs_law_init(&v->law[j], exact, (double)t->tilt.beta[lane], err);
    }
    hs_group_destroy(g);
    v->shared.exact = exact;
    v->shared.law = v->law;
    return rc;
}

static hiss_status init_workers(struct verifying *v, hiss_error *err)
{
    int64_t states = (int64_t)v->shared.chains * v->shared.levels;
    size_t replicates;

    v->most = states < ROUND_MAX ? ROUND_MAX / states : 1;
    replicates = (size_t)v->most * (size_t)v->shared.chains;
    v->worker = hs_alloc_array((size_t)v->set->threads, sizeof *v->worker);
    v->from = hs_alloc_array(replicates, sizeof *v->from);
    v->to =
        hs_alloc_array(replicates * (size_t)v->shared.levels, sizeof *v->to);
    if (!v->worker || !v->from || !v->to)
        return hs_fail_memory(err);
    for (int w = 0; w < v->set->threads; w++) {
        hs_replicator *r = &v->worker[w].replicator;

        HS_TRY(hs_replicator_init(r, &v->shared, v->model, v->sampler, 0, err));
        hs_scheme_attach(&v->scheme, r->group);
    }
    return hs_pool_create(&v->pool, v->set->threads, err);
}

static void work(void *context, int index)
{
    struct verifying *v = context;
    struct worker *w = &v->worker[index];
    int chains = v->shared.chains, levels = v->shared.levels;

    for (int64_t b = index; b < v->count && w->status == HISS_OK;
         b += v->set->threads)
        w->status = hs_replicator_run(&w->replicator, &v->shared, v->first + b,
                                      v->from + b * chains,
                                      v->to + b * chains * levels, &w->error);
}

static hiss_status first_fault(const struct verifying *v, hiss_error *err)
{
    for (int w = 0; w < v->set->threads; w++)
        if (v->worker[w].status != HISS_OK) {
            if (err)
                *err = v->worker[w].error;
            return v->worker[w].status;
        }
    return HISS_OK;
}

/* Counts a round; the last batch may reach past the last replicate. */
static hiss_status count_round(struct verifying *v, hiss_error *err)
{
    int64_t n = v->count * v->shared.chains;
    int64_t left = v->set->replicates - v->tally.replicates;

    n = n < left ? n : left;
    for (int64_t i = 0; i < n; i++)
        HS_TRY(hs_tally_add(&v->tally, v->from[i], v->to + i * v->shared.levels,
                            err));
    return HISS_OK;
}

static hiss_status tell(const struct verifying *v, hiss_error *err)
{
    const hiss_verify_settings *set = v->set;
    hiss_progress p = {.seconds = now() - v->started,
                       .draws = v->tally.replicates};

    if (!set->progress)
        return HISS_OK;
    p.fraction = (double)p.draws / (double)set->replicates;
    for (int w = 0; w < set->threads; w++) {
        double energy, gradient;

        hs_group_evals(v->worker[w].replicator.group, &energy, &gradient);
        p.evaluations += (energy + gradient) * v->shared.chains;
    }
    if (set->progress(set->context, &p))
        return hs_fail(err, HISS_ESTOP,
                       "stopped on request after %lld of %lld replicates",
                       (long long)p.draws, (long long)set->replicates);
    return HISS_OK;
}

static hiss_status run_rounds(struct verifying *v, hiss_error *err)
{
    int64_t size = v->set->threads;

    for (v->first = 0; v->first < v->shared.batches; v->first += v->count) {
        int64_t left = v->shared.batches - v->first;
        double before = now(), took;

        size = size < v->most ? size : v->most;
        v->count = size < left ? size : left;
        hs_pool_run(v->pool, work, v, v->set->threads);
        HS_TRY(first_fault(v, err));
        HS_TRY(count_round(v, err));
        HS_TRY(tell(v, err));
        took = now() - before;
        if (took < 0.5 * ROUND_SECONDS)
            size *= 2;
        else if (took > 2.0 * ROUND_SECONDS && size > v->set->threads)
            size /= 2;
    }
    return HISS_OK;
}

/* The smallest p of the tests of the law, times their number. */
static void judge(hiss_verify_result *r, const hs_verify_test *test, int tests)
{
    const hs_verify_test *worst = &test[0];

    for (int i = 1; i < tests; i++)
        if (test[i].chi2.p < worst->chi2.p)
            worst = &test[i];
    r->statistic = worst->chi2.statistic;
    r->freedom = (double)worst->chi2.df;
    r->p_value = worst->chi2.p * tests < 1.0 ? worst->chi2.p * tests : 1.0;
    r->is_invariant = r->p_value > HS_VERIFY_P;
}

static hiss_status conclude(const struct verifying *v, hs_verdict *out,
                            hiss_error *err)
{
    hiss_verify_result *r = &out->result;
    int laws = hs_tally_tests(&v->tally);
    hs_verify_test *symmetry;

    out->test = hs_alloc_array((size_t)laws + 1, sizeof *out->test);
    if (!out->test)
        return hs_fail_memory(err);
    for (int i = 0; i < laws; i++)
        HS_TRY(hs_tally_test(&v->tally, i, &out->test[i], err));
    judge(r, out->test, laws);
    symmetry = &out->test[laws];
    strcpy(symmetry->name, "reversibility");
    HS_TRY(hs_pairs_symmetry(&v->tally.pairs, &symmetry->chi2, err));
    out->tests = laws + 1;
    HS_TRY(hs_pairs_list(&v->tally.pairs, &out->pair, err));
    out->pairs = v->tally.pairs.used;
    r->replicates = v->tally.replicates;
    r->states = hs_domain_count(&v->model->domain);
    r->moved = (double)v->tally.moved / (double)v->tally.replicates;
    r->claims_exact = v->traits.exact;
    r->claims_reversible = v->traits.reversible;
    r->reversible_p_value = symmetry->chi2.p;
    return HISS_OK;
}

/* A pilot finds what it has to, once; it is frozen and printed. */
static hiss_status resolve(struct verifying *v, const hs_spec *sampler,
                           hiss_error *err)
{
    hs_watch watch = {.seed = v->set->seed,
                      .progress = v->set->progress,
                      .context = v->set->context};

    HS_TRY(hs_scheme_init(&v->scheme, v->model, sampler, &watch, err));
    v->sampler = &v->scheme.sampler;
    return HISS_OK;
}

/* What was tuned: by the scheme's pilot, and at the levels. */
static hiss_status tell_tuning(struct verifying *v, hs_verdict *out,
                               hiss_error *err)
{
    hs_text text = {0};
    char *spec = v->scheme.text ? hs_spec_print(v->sampler) : NULL;

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
    hs_scheme_clear(&v->scheme);
    for (int w = 0; v->worker && w < v->set->threads; w++)
        hs_replicator_clear(&v->worker[w].replicator);
    for (int j = 0; v->law && j < v->shared.levels; j++)
        hs_law_clear(&v->law[j]);
    hs_pool_destroy(v->pool);
    hs_tally_clear(&v->tally);
    hs_free(v->worker);
    hs_free(v->law);
    hs_free(v->from);
    hs_free(v->to);
}

hiss_status hs_verify(hs_verdict *out, const hs_model *m,
                      const hs_spec *sampler,
                      const hiss_verify_settings *settings, hiss_error *err)
{
    struct verifying v = {
        .model = m, .sampler = sampler, .set = settings, .started = now()};
    hs_exact_options enumerate = {.threads = settings->threads,
                                  .has_u = true,
                                  .limit = HS_TABLE_MAX,
                                  .what = "verify"};
    hiss_status rc;

    *out = (hs_verdict){0};
    rc = resolve(&v, sampler, err);
    if (rc == HISS_OK)
        rc = read_sampler(&v, err);
    if (rc == HISS_OK)
        rc = hs_exact_init(&out->exact, m, &enumerate, err);
    if (rc == HISS_OK)
        rc = init_laws(&v, &out->exact, err);
    if (rc == HISS_OK)
        rc = init_workers(&v, err);
    if (rc == HISS_OK)
        rc = hs_tally_init(&v.tally, v.law, v.shared.levels, err);
    if (rc == HISS_OK)
        rc = run_rounds(&v, err);
    if (rc == HISS_OK)
        rc = conclude(&v, out, err);
    if (rc == HISS_OK)
        rc = tell_tuning(&v, out, err);
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
    *v = (hs_verdict){0};
}
