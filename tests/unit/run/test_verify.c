/* test_verify.c - how a verdict is reached: replicates, phases, clocks, levels,
 * tuning, threads.  Which samplers pass is the conformance suite's matter. */
#include "run/verify/verify.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdatomic.h>
#include <stddef.h>
#include <string.h>

#include <cmocka.h>

#include "base/alloc.h"
#include "base/error.h"
#include "kernel/kernel.h"
#include "model/law/lookup.h"
#include "run/verify/replicate.h"
#include "unit/brief.h"
#include "unit/verify_fixture.h"

/* --- a kernel that only looks ------------------------------------------- */

#define PHASES 6
#define CLOCKS 4096

static struct {
    atomic_int phase[PHASES]; /* of first steps */
    atomic_int row[PHASES];   /* of steps in a row */
    atomic_int clock[CLOCKS]; /* in units of HS_REPLICATE_CLOCK */
    atomic_int widest;        /* lanes in use */
    int ticks;                /* to make per step */
    bool shares;
} probe;

static hiss_status probe_step(hs_kernel *k, const hs_model *m, const hs_tilt *t,
                              hs_tile *x)
{
    (void)m, (void)t;
    if (x->is_warmup)
        return HISS_OK;
    if (x->rng.clock >= HS_ROW_CLOCK) {
        atomic_fetch_add(&probe.row[k->steps % PHASES], 1);
        hs_tile_tick(x);
        return HISS_OK;
    }
    atomic_fetch_add(&probe.phase[k->steps % PHASES], 1);
    if (x->rng.clock / HS_REPLICATE_CLOCK < CLOCKS)
        atomic_fetch_add(&probe.clock[x->rng.clock / HS_REPLICATE_CLOCK], 1);
    if (x->lanes > atomic_load(&probe.widest))
        atomic_store(&probe.widest, x->lanes);
    for (int i = 0; i < probe.ticks; i++)
        hs_tile_tick(x);
    return HISS_OK;
}

static hs_traits probe_traits(const hs_kernel *k)
{
    (void)k;
    return (hs_traits){.exact = true,
                       .reversible = true,
                       .shares = probe.shares,
                       .period = PHASES};
}

/* --- a kernel that goes to state 0 -------------------------------------- */

static hiss_status zero_step(hs_kernel *k, const hs_model *m, const hs_tilt *t,
                             hs_tile *x)
{
    (void)k, (void)t;
    memset(x->at.x, 0, (size_t)m->domain.dim * sizeof *x->at.x);
    x->at.have = 0;
    return HISS_OK;
}

static const hs_option no_options[] = {{0}};

static const hs_kernel_type probe_type = {
    .name = "probe",
    .options = no_options,
    .step = probe_step,
    .traits = probe_traits,
};
static const hs_kernel_type zero_type = {
    .name = "zero",
    .options = no_options,
    .step = zero_step,
    .traits = probe_traits,
};

/* --- helpers ------------------------------------------------------------- */

static int64_t counted(const hs_verdict *v)
{
    int64_t sum = 0;

    for (int64_t i = 0; i < v->pairs; i++)
        sum += v->pair[i].count;
    return sum;
}

/* --- tests --------------------------------------------------------------- */

static void does_not_depend_on_threads(void **state)
{
    static const char *const samplers[] = {
        "dmala", "pt(base=hiss(inner=acs),levels=3)", "metropolis",
        "mix(gwg,hiss(eta=1,steps=0))"};
    hs_model *m = model_of("ising(side=3,beta=0.3)");

    (void)state;
    for (int s = 0; s < 4; s++) {
        hs_verdict one, many;

        must_verify(&one, m, samplers[s], 10007, 1);
        for (int threads = 2; threads < 5; threads++) {
            must_verify(&many, m, samplers[s], 10007, threads);
            assert_int_equal(one.pairs, many.pairs);
            assert_memory_equal(one.pair, many.pair,
                                (size_t)one.pairs * sizeof *one.pair);
            assert_int_equal(one.tests, many.tests);
            for (int t = 0; t < one.tests; t++)
                assert_true(one.test[t].chi2.p == many.test[t].chi2.p);
            if (one.tuning)
                assert_string_equal(one.tuning, many.tuning);
            hs_verdict_clear(&many);
        }
        hs_verdict_clear(&one);
    }
    hs_model_destroy(m);
}

static void counts_each_replicate_once(void **state)
{
    static const int64_t numbers[] = {1, 15, 16, 17, 1000, 65537};
    hs_model *m = model_of("ladder(d=2,levels=3,beta=0.3)");

    (void)state;
    for (int n = 0; n < 6; n++)
        for (int is_shared = 0; is_shared < 2; is_shared++) {
            int64_t moved = 0;
            hs_verdict v;

            must_verify(&v, m, is_shared ? "metropolis" : "gwg", numbers[n], 2);
            assert_int_equal(v.result.replicates, numbers[n]);
            assert_int_equal(counted(&v), numbers[n]);
            for (int64_t i = 0; i < v.pairs; i++) {
                moved += v.pair[i].from == v.pair[i].to ? 0 : v.pair[i].count;
                assert_true(i == 0 || v.pair[i - 1].from < v.pair[i].from ||
                            (v.pair[i - 1].from == v.pair[i].from &&
                             v.pair[i - 1].to < v.pair[i].to));
            }
            assert_true(v.result.moved == (double)moved / (double)numbers[n]);
            assert_true(v.result.states == 9.0);
            hs_verdict_clear(&v);
        }
    hs_model_destroy(m);
}

static void reset_probe(bool shares, int ticks)
{
    memset(&probe, 0, sizeof probe);
    probe.shares = shares;
    probe.ticks = ticks;
}

/* Sixteen to a batch, every phase as often as any other. */
static void meets_every_phase(void **state)
{
    hs_model *m = model_of("bernoulli4");
    hs_verdict v;

    (void)state;
    reset_probe(false, 3);
    must_verify(&v, m, "probe", 16 * PHASES * 10, 2);
    assert_int_equal(probe.widest, 16);
    for (int p = 0; p < PHASES; p++)
        assert_int_equal(probe.phase[p], 10);
    assert_true(v.result.moved == 0.0 && v.result.p_value > 1e-4);
    assert_int_equal(v.result.verdict, HISS_UNDECIDED);
    assert_false(v.result.is_invariant);
    hs_verdict_clear(&v);
    hs_model_destroy(m);
}

/* One at a time, each with a clock of its own. */
static void shared_choices_are_drawn_anew(void **state)
{
    hs_model *m = model_of("bernoulli4");
    hs_verdict v;

    (void)state;
    reset_probe(true, 100);
    must_verify(&v, m, "probe", PHASES * 100, 2);
    assert_int_equal(probe.widest, 1);
    for (int p = 0; p < PHASES; p++)
        assert_int_equal(probe.phase[p], 100);
    for (int c = 0; c < PHASES * 100; c++)
        assert_int_equal(probe.clock[c], 1);
    hs_verdict_clear(&v);
    hs_model_destroy(m);
}

/* Sixteen to a group, groups in step, all phases first and last. */
static void makes_steps_in_a_row(void **state)
{
    hs_model *m = model_of("bernoulli4");
    hs_verdict v;

    (void)state;
    for (int is_shared = 0; is_shared < 2; is_shared++) {
        int64_t steps = 0;

        reset_probe(is_shared, 1);
        must_verify(&v, m, "probe", 16 * 640, 2);
        assert_int_equal(v.result.period, PHASES);
        assert_int_equal(v.result.steps, 64); /* nothing moves: the most */
        assert_int_equal(v.result.chains, 16 * 320);
        assert_int_equal(v.result.clocks, 64);
        for (int p = 0; p < PHASES; p++) {
            assert_true(probe.row[p] >= 320 * 64 / PHASES - 320);
            steps += probe.row[p];
        }
        assert_int_equal(steps, 320 * 64);
        hs_verdict_clear(&v);
    }
    hs_model_destroy(m);
}

static void the_caller_may_choose_the_steps(void **state)
{
    hs_model *m = model_of("bernoulli4");
    hiss_verify_settings set = {
        .replicates = 3200, .seed = 1, .threads = 1, .steps = 100};
    hs_sampler *tree;
    hs_verdict v;

    (void)state;
    assert_int_equal(hs_sampler_parse(&tree, "gibbs", NULL), HISS_OK);
    assert_int_equal(hs_verify(&v, m, tree, &set, NULL), HISS_OK);
    assert_int_equal(v.result.steps, 100);
    assert_int_equal(v.result.chains, 1600);
    assert_int_equal(v.result.clocks, 50);
    hs_verdict_clear(&v);
    hs_sampler_release(tree);
    hs_model_destroy(m);
}

static void refuses_steps_that_would_share(void **state)
{
    hs_model *m = model_of("bernoulli4");
    hiss_error err = {0};
    hs_verdict v;

    (void)state;
    reset_probe(true, (int)HS_REPLICATE_CLOCK);
    assert_int_equal(verify(&v, m, "probe", 100, 1, &err), HISS_ELIMIT);
    assert_non_null(strstr(err.message, "more than 65535"));
    assert_null(v.test);
    hs_model_destroy(m);
}

static void tests_levels_and_their_neighbors(void **state)
{
    static const char *const names[] = {"law",
                                        "level 1",
                                        "level 2",
                                        "levels 0 and 1",
                                        "levels 1 and 2",
                                        "rare states",
                                        "U",
                                        "tails of U",
                                        "marginals",
                                        "pairs",
                                        "spread"};
    enum {
        NAMES = sizeof names / sizeof *names
    };
    hs_model *m = model_of("ladder(d=2,levels=4,beta=0.3)");
    hs_verdict v;
    double least = 1.0;

    (void)state;
    must_verify(&v, m, "pt(base=gwg,ladder=[1,2,4])", 20000, 2);
    assert_int_equal(v.tests, 2 * NAMES + 1);
    for (int t = 0; t < 2 * NAMES; t++) {
        assert_string_equal(v.test[t].name, names[t % NAMES]);
        assert_int_equal(v.test[t].steps, t < NAMES ? 1 : v.result.steps);
        least = fmin(least, v.test[t].chi2.p);
    }
    assert_string_equal(v.test[2 * NAMES].name, "reversibility");
    assert_true(v.result.p_value == fmin(1.0, 2.0 * NAMES * least));
    assert_true(v.test[v.result.worst].chi2.p == least);
    assert_true(v.result.reversible_p_value == v.test[2 * NAMES].chi2.p);
    assert_false(v.result.claims_reversible);
    assert_int_equal(v.test[6].members, 3);  /* levels */
    assert_int_equal(v.test[8].members, 24); /* times values */
    assert_int_equal(v.test[9].members, 30); /* times thirds, and equal */
    hs_verdict_clear(&v);
    hs_model_destroy(m);
    m = model_of("ising(side=4,beta=0.3)"); /* 2^32 pairs of states */
    must_verify(&v, m, "pt(base=gwg,ladder=[1,2,4])", 1000, 2);
    assert_int_equal(v.tests, 2 * (NAMES - 2) + 1);
    assert_int_equal(v.test[7].members, 3 * 120);
    hs_verdict_clear(&v);
    hs_model_destroy(m);
}

static void an_impossible_state_fails_outright(void **state)
{
    hs_model *m = model_with_a_hole(2);
    hs_verdict v;

    (void)state;
    must_verify(&v, m, "zero", 1, 1);
    assert_true(v.result.p_value == 0.0 && !v.result.is_invariant);
    assert_true(isinf(v.result.statistic));
    hs_verdict_clear(&v);
    hs_model_destroy(m);
}

static void tells_what_was_tuned(void **state)
{
    hs_model *m = model_of("ising(side=3,beta=0.3)");
    hs_verdict v, w;

    (void)state;
    must_verify(&v, m, "dmala(alpha=2)", 100, 1);
    assert_null(v.tuning);
    hs_verdict_clear(&v);
    must_verify(&v, m, "hiss(eta=1,steps=0)", 100, 1); /* dmala is not used */
    assert_null(v.result.tuning);
    hs_verdict_clear(&v);
    must_verify(&v, m, "hiss(steps=1,inner=dmala)", 100, 1);
    must_verify(&w, m, "hiss(steps=1,inner=dmala)", 1000, 3);
    assert_non_null(strstr(v.tuning, "hiss: jumps="));
    assert_non_null(strstr(v.tuning, ", dmala: alpha="));
    assert_string_equal(v.tuning, w.tuning);
    assert_ptr_equal(v.tuning, v.result.tuning);
    hs_verdict_clear(&v);
    hs_verdict_clear(&w);
    must_verify(&v, m, "pt(levels=3)", 100, 1);
    assert_non_null(strstr(v.tuning, "level 0: dmala: alpha="));
    assert_non_null(strstr(v.tuning, "; level 2: dmala: alpha="));
    hs_verdict_clear(&v);
    hs_model_destroy(m);
}

struct listener {
    int calls;
    int stop_at;
    double last;
};

static int listen(void *context, const hiss_progress *p)
{
    struct listener *l = context;

    assert_true(p->fraction > l->last && p->fraction <= 1.0);
    assert_true(p->evaluations > 0.0);
    l->last = p->fraction;
    return ++l->calls == l->stop_at;
}

static void can_be_stopped(void **state)
{
    hs_model *m = model_of("ising(side=3,beta=0.3)");
    struct listener l = {.stop_at = 2};
    hiss_verify_settings set = {.replicates = 1000000,
                                .seed = 1,
                                .threads = 2,
                                .progress = listen,
                                .context = &l};
    hiss_error err = {0};
    hs_sampler *tree;
    hs_verdict v;

    (void)state;
    assert_int_equal(hs_sampler_parse(&tree, "gwg", NULL), HISS_OK);
    assert_int_equal(hs_verify(&v, m, tree, &set, &err), HISS_ESTOP);
    assert_non_null(strstr(err.message, "of 1000000 replicates"));
    assert_int_equal(l.calls, 2);
    assert_null(v.test);
    l = (struct listener){0};
    set.replicates = 100000;
    assert_int_equal(hs_verify(&v, m, tree, &set, &err), HISS_OK);
    assert_true(l.last == 1.0);
    hs_verdict_clear(&v);
    hs_sampler_release(tree);
    hs_model_destroy(m);
}

static void refuses_what_it_cannot_do(void **state)
{
    hs_model *m = model_of("ising(side=5,beta=0.3)");
    hiss_error err = {0};
    hs_verdict v;

    (void)state;
    assert_int_equal(verify(&v, m, "gwg", 100, 1, &err), HISS_ELIMIT);
    assert_non_null(strstr(err.message, "verify goes to 2^20"));
    assert_int_equal(verify(&v, m, "gwgg", 100, 1, &err), HISS_EARG);
    hs_model_destroy(m);
    if (test_is_brief())
        return; /* the law of 10^6 states takes long */
    m = model_of("ladder(d=2,levels=1000,beta=0.3)");
    assert_int_equal(verify(&v, m, "pt(levels=100)", 100, 1, &err),
                     HISS_ELIMIT);
    assert_non_null(strstr(err.message, "100 levels"));
    hs_model_destroy(m);
}

static void survives_any_failed_allocation(void **state)
{
    hs_model *m = model_of("ising(side=2,beta=0.3)");
    hiss_status rc = HISS_ENOMEM;

    (void)state;
    for (int n = 1; rc != HISS_OK; n++) {
        hs_verdict v;
        hs_sampler *tree;
        hiss_verify_settings set = {.replicates = 50, .threads = 2};

        assert_int_equal(
            hs_sampler_parse(&tree, "pt(base=dmala,levels=2)", NULL), HISS_OK);
        hs_alloc_fail_after(n);
        rc = hs_verify(&v, m, tree, &set, NULL);
        hs_alloc_fail_after(0);
        hs_sampler_release(tree);
        assert_true(rc == HISS_OK || rc == HISS_ENOMEM);
        assert_true(n < 10000);
        if (rc == HISS_OK)
            hs_verdict_clear(&v);
        else
            assert_null(v.test);
    }
    hs_model_destroy(m);
}

static const hs_kernel_type *const extra[] = {&probe_type, &zero_type, NULL};

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(does_not_depend_on_threads),
        cmocka_unit_test(counts_each_replicate_once),
        cmocka_unit_test(meets_every_phase),
        cmocka_unit_test(shared_choices_are_drawn_anew),
        cmocka_unit_test(makes_steps_in_a_row),
        cmocka_unit_test(the_caller_may_choose_the_steps),
        cmocka_unit_test(refuses_steps_that_would_share),
        cmocka_unit_test(tests_levels_and_their_neighbors),
        cmocka_unit_test(an_impossible_state_fails_outright),
        cmocka_unit_test(tells_what_was_tuned),
        cmocka_unit_test(can_be_stopped),
        cmocka_unit_test(refuses_what_it_cannot_do),
        cmocka_unit_test(survives_any_failed_allocation),
    };

    hs_kernel_extra = extra;
    return cmocka_run_group_tests(tests, NULL, NULL);
}
