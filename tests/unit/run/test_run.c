/* test_run.c - what a chain draws depends on nothing around it; a step makes
 * no allocation; budgets and stops keep what was drawn. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "unit/brief.h"
#include "unit/run_fixture.h"

#include <hiss/hiss.h>

#include "api/object/objects.h"
#include "base/alloc.h"
#include "run/account/warmup.h"
#include "run/chain/group.h"
#include "run/sampling/ess_stop.h"

#define BOX 40 /* coordinates of a function */

static const char *const specs[] = {
    "dmala(alpha=auto)",
    "dula(alpha=1)",
    "gwg",
    "acs",
    "acs(tune=no,cycle=3,hold=2)",
    "gibbs",
    "gibbs(scan=random,updates=7)",
    "metropolis",
    "hiss(eta=auto,steps=2,inner=dmala(alpha=auto))",
    "hiss(eta=0.7,steps=1,inner=gwg,order=palindrome)",
    "hiss(eta=1,steps=2,inner=dmala(alpha=1))",
    "hiss(eta=0.6,steps=1,tilt=gradient,block=3,inner=dmala(alpha=0.5))",
    "hiss(eta=0.7,kernel=gaussian,steps=1,inner=gibbs)",
    "pt(base=dmala(alpha=auto),levels=3)",
    "pt(base=hiss(eta=auto,steps=1,inner=acs),ladder=[1,2,5],swap_every=2)",
    "replicas(base=dmala(alpha=auto),count=3)",
    "mix(gwg,hiss(eta=1,steps=0),gibbs,weights=[1,2,1])",
    "sequence(gibbs,hiss(eta=auto,steps=0))",
};

static const char *const models[] = {
    "ising(side=4,beta=0.4)",
    "ising(side=13,beta=0.4)",
    "bernoulli4",
    "potts(side=3,states=3,beta=0.5)",
    "ladder(d=5,levels=4,beta=0.3)",
    "mixture(3,20)",
    "rbm(visible=12,hidden=6)",
};

#define COUNT(a) (sizeof(a) / sizeof *(a))

/* Chain c of both: same draws and same U, bit for bit. */
static void same_chain(const hiss_result *a, const hiss_result *b, int c,
                       const char *what)
{
    hiss_run_info info = HISS_INIT(hiss_run_info);
    double x[256], y[256];

    hiss_result_info(a, &info);
    for (int64_t n = 0; n < info.samples; n++) {
        size_t at = (size_t)c * (size_t)info.samples + (size_t)n;

        hiss_result_draw(a, c, n, x);
        hiss_result_draw(b, c, n, y);
        if (memcmp(x, y, (size_t)info.dim * sizeof *x) ||
            memcmp(hiss_result_lp(a) + at, hiss_result_lp(b) + at,
                   sizeof(double)))
            fail_msg("%s: chain %d differs at draw %d", what, c, (int)n);
    }
}

static void draws_do_not_depend_on_threads_or_other_chains(void **state)
{
    (void)state;
    for (size_t m = 0; m < COUNT(models); m++)
        for (size_t k = 0; k < COUNT(specs); k++) {
            hiss_settings set;
            hiss_result *many, *few, *one, *threads;

            hiss_settings_init(&set);
            set.samples = 20;
            set.warmup = 40;
            set.seed = 5;
            set.threads = 1;
            set.chains = 35;
            many = run(models[m], specs[k], &set);
            set.threads = 3;
            threads = run(models[m], specs[k], &set);
            set.chains = 5;
            few = run(models[m], specs[k], &set);
            set.chains = 1;
            one = run(models[m], specs[k], &set);
            for (int c = 0; c < 35; c++)
                same_chain(many, threads, c, specs[k]);
            for (int c = 0; c < 5; c++)
                same_chain(few, many, c, specs[k]);
            same_chain(one, many, 0, specs[k]);
            hiss_result_destroy(one);
            hiss_result_destroy(many);
            hiss_result_destroy(few);
            hiss_result_destroy(threads);
        }
}

/* The rule that keeps a step fast: all memory is there before it. */
static void no_kernel_allocates_in_a_step(void **state)
{
    (void)state;
    for (size_t m = 0; m < COUNT(models); m++)
        for (size_t k = 0; k < COUNT(specs); k++) {
            hs_model *model;
            hs_sampler *tree;
            hs_group *g;
            int64_t before;

            assert_int_equal(hs_model_create(&model, models[m], NULL), 0);
            assert_int_equal(hs_sampler_parse(&tree, specs[k], NULL), 0);
            assert_int_equal(hs_group_create(&g, model, tree, 1, 0, 5, NULL),
                             0);
            assert_int_equal(hs_group_start(g, false, NULL), 0);
            hs_group_tune(g, 100);
            before = hs_alloc_count();
            for (int n = 0; n < 150; n++) {
                assert_int_equal(hs_group_step(g, NULL), 0);
                if (n == 100)
                    hs_group_freeze(g);
            }
            if (hs_alloc_count() != before)
                fail_msg("%s on %s allocates in a step", specs[k], models[m]);
            hs_group_destroy(g);
            hs_sampler_release(tree);
            hs_model_destroy(model);
        }
}

/* A kernel must not stand still; how far it moves is conformance's business. */
static void every_sampler_moves(void **state)
{
    (void)state;
    for (size_t k = 0; k < COUNT(specs); k++) {
        hiss_settings set;
        hiss_result *r;
        hiss_column energy = HISS_INIT(hiss_column);

        hiss_settings_init(&set);
        set.samples = 200;
        set.warmup = 200;
        r = run("ising(side=4,beta=0.3)", specs[k], &set);
        assert_int_equal(hiss_result_energy(r, &energy, NULL), HISS_OK);
        if (energy.state != HISS_VARIES || energy.still > 0)
            fail_msg("%s stands still", specs[k]);
        hiss_result_destroy(r);
    }
}

static int stop_after(void *context, const hiss_progress *p)
{
    int64_t *draws = context;

    return !p->is_warmup && p->draws >= *draws;
}

/* What was drawn before a stop is the beginning of the whole run. */
static void a_stopped_run_is_a_beginning(void **state)
{
    int64_t enough = 10;
    hiss_settings set;
    hiss_result *whole, *part;
    hiss_run_info a = HISS_INIT(hiss_run_info);
    hiss_run_info b = HISS_INIT(hiss_run_info);

    (void)state;
    hiss_settings_init(&set);
    set.samples = 200000;
    set.warmup = 50;
    set.progress = stop_after;
    set.context = &enough;
    part = run("ising(side=4,beta=0.4)", "gwg", &set);
    hiss_result_info(part, &a);
    assert_int_equal(a.ended, HISS_ENDED_STOPPED);
    assert_true(a.samples >= 10 && a.samples < 200000);
    set.samples = a.samples;
    set.progress = NULL;
    whole = run("ising(side=4,beta=0.4)", "gwg", &set);
    hiss_result_info(whole, &b);
    assert_int_equal(b.ended, HISS_ENDED_DONE);
    for (int c = 0; c < 4; c++)
        same_chain(part, whole, c, "stopped run");
    hiss_result_destroy(whole);
    hiss_result_destroy(part);
}

/* 16 chains, dmala: 2 evaluations a step and chain; a fifth warms up. */
static void a_budget_of_evaluations_is_kept(void **state)
{
    hiss_settings set;
    hiss_result *r;
    hiss_run_info info = HISS_INIT(hiss_run_info);

    (void)state;
    hiss_settings_init(&set);
    set.chains = 16;
    set.samples = 0;
    set.evals = 1e6;
    r = run("ising(side=4,beta=0.4)", "dmala(alpha=0.4)", &set);
    hiss_result_info(r, &info);
    assert_int_equal(info.ended, HISS_ENDED_EVALS);
    assert_true(fabs(info.energy_evals + info.gradient_evals - 1e6) < 1e3);
    assert_true(info.samples > 2000 && info.samples <= 4096);
    assert_true(info.thin > 1);
    assert_true(fabs((double)info.warmup - 0.2 * 1e6 / 32) < 10.0);
    hiss_result_destroy(r);
}

/* Whatever the number of steps, draws at the least distance at which they fit
 * are left; and so distant the run repeats them. */
static void a_run_without_samples_fills_what_it_keeps(void **state)
{
    (void)state;
    for (int times = 1; times <= 40; times++) {
        hiss_settings set;
        hiss_result *r, *again;
        hiss_run_info info = HISS_INIT(hiss_run_info);
        int64_t steps, least;

        hiss_settings_init(&set);
        set.chains = 2;
        set.samples = 0;
        set.samples_most = 50;
        set.evals = 2.0 * 60.0 * times;
        r = run("ising(side=4,beta=0.4)", "gibbs", &set);
        hiss_result_info(r, &info);
        steps = 60 * times - 1 - info.warmup; /* one is that of the start */
        least = (steps + set.samples_most - 1) / set.samples_most;
        assert_true(info.samples <= set.samples_most);
        assert_true(info.thin >= least);
        assert_true(4 * info.thin <= 5 * least || info.thin <= 4);
        assert_int_equal(info.samples, steps / info.thin);
        set.samples = info.samples;
        set.thin = info.thin;
        set.warmup = info.warmup;
        set.evals = 0.0;
        again = run("ising(side=4,beta=0.4)", "gibbs", &set);
        for (int c = 0; c < set.chains; c++)
            same_chain(r, again, c, "a run of known length");
        hiss_result_destroy(again);
        hiss_result_destroy(r);
    }
}

/* What there is to prepare has taken all of it. */
static void a_run_without_time_has_a_draw(void **state)
{
    hiss_settings set;
    hiss_run_info info = HISS_INIT(hiss_run_info);
    hiss_result *r;

    (void)state;
    hiss_settings_init(&set);
    set.samples = 0;
    set.time_limit = 1e-6;
    r = run("ising(side=50,beta=0.3)", "gibbs", &set);
    hiss_result_info(r, &info);
    assert_int_equal(info.ended, HISS_ENDED_TIME);
    assert_int_equal(info.warmup, 1);
    assert_int_equal(info.samples, 1);
    hiss_result_destroy(r);
}

/* Work of ten days per draw leaves no time for a second round. */
static void a_run_leaves_time_for_its_caller(void **state)
{
    hiss_settings set;
    hiss_run_info info = HISS_INIT(hiss_run_info);
    hiss_result *r;

    (void)state;
    hiss_settings_init(&set);
    set.samples = 0;
    set.warmup = 10;
    set.time_limit = 1000.0;
    set.afterwards = 1e6;
    r = run("ising(side=8,beta=0.3)", "gibbs", &set);
    hiss_result_info(r, &info);
    assert_int_equal(info.ended, HISS_ENDED_TIME);
    assert_true(info.samples >= 1 && info.seconds < 100.0);
    hiss_result_destroy(r);
}

/* Steps of a run of 2*10^5 evaluations without strands, thinned or not. */
static hiss_run_info long_run(const char *sampler, int64_t most)
{
    hiss_settings set;
    hiss_run_info info = HISS_INIT(hiss_run_info);
    hiss_result *r;

    hiss_settings_init(&set);
    set.chains = 16;
    set.samples = 0;
    set.samples_most = most;
    set.evals = 2e5;
    r = run("mixture(k=3,d=30)", sampler, &set);
    hiss_result_info(r, &info);
    assert_int_equal(info.replicas, 1);
    hiss_result_destroy(r);
    return info;
}

static double warmup_of(const hiss_run_info *i)
{
    return (double)i->warmup / (double)(i->warmup + i->samples * i->thin);
}

/* A fifth, unless the pilot has seen that an effective draw takes little. */
static void a_warmup_is_as_long_as_needed(void **state)
{
    hiss_run_info usual = long_run("sequence(hidden,bridge)", 100000);
    hiss_run_info known = long_run("auto", 100000), full;
    int64_t steps = known.warmup + known.samples;

    (void)state;
    assert_true(fabs(warmup_of(&usual) - 0.2) < 0.005);
    assert_true(fabs(warmup_of(&known) - 0.05) < 0.005);
    assert_int_equal(known.thin, 1);
    /* one draw too many, and every other one is left out: longer */
    full = long_run("auto", (int64_t)(0.9 * (double)steps));
    assert_int_equal(full.thin, 1);
    assert_true((double)full.samples > 0.88 * (double)steps);
    assert_true(full.samples < (int64_t)(0.9 * (double)steps));
    /* the same where every third one is left, and not every fourth */
    full = long_run("auto", (int64_t)(0.31 * (double)steps));
    assert_int_equal(full.thin, 3);
    assert_true((double)full.samples > 0.305 * (double)steps);
    /* no longer than a fifth, where that does not help */
    full = long_run("auto", (int64_t)(0.75 * (double)steps));
    assert_int_equal(full.thin, 2);
    assert_true(fabs(warmup_of(&full) - 0.05) < 0.005);
    assert_true(hs_warmup_share(1e6, 0.0) == 0.2);
    assert_true(hs_warmup_share(1e6, 10.0) == 0.05);
    assert_true(fabs(hs_warmup_share(1e6, 5000.0) - 0.1) < 1e-12);
    assert_true(hs_warmup_share(1e6, 5e4) == 0.2);
    assert_true(hs_warmup_share(0.0, 5.0) == 0.2);
}

/* Draws are as far apart as a store of that room leaves them, step by step. */
static void draws_are_as_far_apart_as_they_are_kept(void **state)
{
    static const double rooms[] = {4, 12, 13, 32};
    const double draws = 4;

    (void)state;
    for (size_t n = 0; n < sizeof rooms / sizeof *rooms; n++) {
        hs_keeping k = {draws, rooms[n]};
        double apart = 1, kept = 0, last = 0;

        for (double steps = 1; steps <= 2000; steps++) {
            double left, far;

            if (fmod(steps, apart) == 0 && kept == k.room) {
                kept = floor(kept / 2);
                apart *= 2;
            }
            kept += fmod(steps, apart) == 0;
            left = floor(kept / fmax(ceil(kept / draws), 1));
            far = apart * fmax(ceil(kept / draws), 1);
            assert_true(hs_keeping_apart(&k, steps) == far);
            assert_true(left <= draws);
            if (far > last) /* one step less had them nearer */
                assert_true(hs_keeping_fit(&k, steps) < steps);
            if (hs_keeping_fit(&k, steps) > 0)
                assert_true(hs_keeping_apart(&k, hs_keeping_fit(&k, steps)) <
                            far);
            last = far;
        }
    }
}

static double fitted(double draws, double room)
{
    hs_keeping k = {draws, room};

    return hs_warmup_steps(950.0, 800.0, &k);
}

static void a_warmup_is_longer_where_more_is_kept(void **state)
{
    (void)state;
    assert_true(fitted(1000.0, 8000.0) == 950.0);
    assert_true(fitted(850.0, 6800.0) == 850.0);
    assert_true(fitted(790.0, 6320.0) == 950.0);
    assert_true(fitted(460.0, 3680.0) == 920.0);
    assert_true(fitted(9.9, 79.2) == 950.0);
    /* of a store without room to spare, draws are 1, 2, 4 ... apart */
    assert_true(fitted(460.0, 460.0) == 920.0);
    assert_true(fitted(230.0, 230.0) == 920.0);
    assert_true(fitted(310.0, 310.0) == 950.0); /* 930 are no nearer */
}

/* Every failed allocation on the way is reported and leaks nothing (the
 * address sanitizer watches). */
static void a_run_survives_every_failed_allocation(void **state)
{
    hiss_model *m;
    hiss_sampler *s;
    hiss_settings set;
    int64_t n = 0;
    hiss_status rc;

    (void)state;
    hiss_settings_init(&set);
    set.chains = 3;
    set.samples = 5;
    set.threads = 2;
    do {
        hiss_result *r = NULL;

        m = NULL;
        s = NULL;
        hs_alloc_fail_after(++n);
        rc = hiss_model_create(&m, "potts(side=2,states=3,beta=0.4)", NULL);
        if (rc == HISS_OK)
            rc = hiss_sampler_create(
                &s, "pt(base=mix(acs,hiss(inner=gibbs),gwg),levels=2)", NULL);
        if (rc == HISS_OK)
            rc = hiss_sample(&r, m, s, &set, NULL);
        hs_alloc_fail_after(0);
        hiss_result_destroy(r);
        hiss_sampler_destroy(s);
        hiss_model_destroy(m);
        assert_true(rc == HISS_OK || rc == HISS_ENOMEM);
    } while (rc != HISS_OK && n < 100000);
    assert_true(rc == HISS_OK && n > 50);
}

/* A goal is given up when it would take more than 2^30 steps, but not before
 * 2^20 of them. */
static void a_goal_may_be_out_of_reach(void **state)
{
    int64_t least = HS_ESS_STOP_LEAST;

    (void)state;
    assert_false(hs_ess_stop_is_hopeless(0, 100, least - 1, 1));
    assert_true(hs_ess_stop_is_hopeless(0, 100, least, 1));
    assert_false(hs_ess_stop_is_hopeless(0, 100, least, 2));
    assert_false(hs_ess_stop_is_hopeless(1, 1024, least, 1));
    assert_true(hs_ess_stop_is_hopeless(1, 1025, least, 1));
    assert_false(hs_ess_stop_is_hopeless(4, 1025, 2 * least, 1));
    assert_true(hs_ess_stop_is_hopeless(4, 1025, 4 * least, 1));
}

/* Two chains that cannot leave their modes. */
static void a_run_without_end_ends(void **state)
{
    static const double init[] = {0, 0, 0, 0, 1, 1, 1, 1};
    hiss_model *m = NULL;
    hiss_sampler *s = NULL;
    hiss_result *r = NULL;
    hiss_settings set;
    hiss_run_info info = HISS_INIT(hiss_run_info);

    (void)state;
    if (test_is_brief())
        return; /* after a million steps */
    hiss_settings_init(&set);
    set.chains = 2;
    set.samples = 0;
    set.ess = 100;
    set.init = init;
    assert_int_equal(hiss_model_create(&m, "pairs(d=4)", NULL), HISS_OK);
    assert_int_equal(hiss_sampler_create(&s, "dmala(alpha=0.0001)", NULL),
                     HISS_OK);
    assert_int_equal(hiss_sample(&r, m, s, &set, NULL), HISS_OK);
    hiss_result_info(r, &info);
    assert_int_equal(info.ended, HISS_ENDED_ESS);
    assert_true(info.samples * info.thin >= HS_ESS_STOP_LEAST);
    hiss_result_destroy(r);
    hiss_sampler_destroy(s);
    hiss_model_destroy(m);
}

/* Nothing stops a run within a step. */
static void a_step_that_would_not_end_is_refused(void **state)
{
    static const char *const endless[] = {"jumps(time=1e6)", "tgs(time=1e6)",
                                          "tabu(time=1e6)",
                                          "sequence(gibbs,jumps(time=1e6))"};
    hiss_model *m;
    hiss_settings set;

    (void)state;
    hiss_settings_init(&set);
    assert_int_equal(hiss_model_create(&m, "ising(side=4,beta=0.3)", NULL),
                     HISS_OK);
    for (size_t n = 0; n < sizeof endless / sizeof *endless; n++) {
        hiss_sampler *s;
        hiss_result *r;
        hiss_error err = {0};

        assert_int_equal(hiss_sampler_create(&s, endless[n], NULL), HISS_OK);
        assert_int_equal(hiss_sample(&r, m, s, &set, &err), HISS_EARG);
        assert_non_null(strstr(err.message, "shorter steps"));
        hiss_sampler_destroy(s);
    }
    hiss_model_destroy(m);
}

/* U of two modes, all 0 and all 1. */
static int two_modes(const void *context, const int16_t *x, int lanes,
                     double *u, float *gradient)
{
    (void)context;
    (void)gradient;
    for (int l = 0; l < lanes; l++) {
        double ones = 0.0;

        for (int i = 0; i < BOX; i++)
            ones += x[i * lanes + l];
        u[l] = 2.0 * fabs(ones - 0.5 * BOX);
    }
    return 0;
}

/* A sweep of a function that can only be called is as many evaluations as it
 * has coordinates: replicas that come down to their levels before the first
 * step would take several times what the run may.  It is exceeded by less than
 * a step of all chains, and there are draws. */
static void a_budget_is_kept_where_replicas_come_down(void **state)
{
    static const hiss_domain domain = {.size = sizeof domain, .dim = BOX};
    hiss_callback callback = {.size = sizeof callback,
                              .name = "two",
                              .domain = &domain,
                              .evaluate = two_modes};
    hiss_settings set;
    hiss_model *m;
    hiss_sampler *s;

    (void)state;
    assert_int_equal(hiss_model_callback(&m, &callback, NULL), HISS_OK);
    assert_int_equal(
        hiss_sampler_create(&s, "pt(base=gibbs,levels=auto)", NULL), HISS_OK);
    for (uint64_t seed = 1; seed <= 3; seed++) {
        hiss_run_info info = HISS_INIT(hiss_run_info);
        hiss_tempering t = HISS_INIT(hiss_tempering);
        hiss_result *r = NULL;
        double spent;

        hiss_settings_init(&set);
        set.chains = 4;
        set.samples = 0;
        set.evals = 5e4;
        set.seed = seed;
        assert_int_equal(hiss_sample(&r, m, s, &set, NULL), HISS_OK);
        hiss_result_info(r, &info);
        assert_true(hiss_result_tempering(r, &t));
        spent = info.energy_evals + info.gradient_evals;
        assert_true(info.samples > 0);
        assert_true(spent <= 5e4 + 1.1 * set.chains * t.levels * BOX);
        hiss_result_destroy(r);
    }
    hiss_sampler_destroy(s);
    hiss_model_destroy(m);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(draws_do_not_depend_on_threads_or_other_chains),
        cmocka_unit_test(no_kernel_allocates_in_a_step),
        cmocka_unit_test(every_sampler_moves),
        cmocka_unit_test(a_step_that_would_not_end_is_refused),
        cmocka_unit_test(a_goal_may_be_out_of_reach),
        cmocka_unit_test(a_run_without_end_ends),
        cmocka_unit_test(a_stopped_run_is_a_beginning),
        cmocka_unit_test(a_budget_of_evaluations_is_kept),
        cmocka_unit_test(a_run_without_samples_fills_what_it_keeps),
        cmocka_unit_test(a_run_without_time_has_a_draw),
        cmocka_unit_test(a_run_leaves_time_for_its_caller),
        cmocka_unit_test(a_warmup_is_as_long_as_needed),
        cmocka_unit_test(draws_are_as_far_apart_as_they_are_kept),
        cmocka_unit_test(a_warmup_is_longer_where_more_is_kept),
        cmocka_unit_test(a_budget_is_kept_where_replicas_come_down),
        cmocka_unit_test(a_run_survives_every_failed_allocation),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
