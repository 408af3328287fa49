/* test_compare.c - a race of samplers, one of them biased, and its figures
 * against those of the draws themselves.  Seeds are fixed: it never flakes. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <hiss/hiss.h>

#include <math.h>
#include <string.h>

#include "base/alloc.h"

static const char *const pair[] = {"gibbs", "dula(alpha=8)"};

static hiss_model *model_of(const char *spec)
{
    hiss_model *model;
    hiss_error err = {0};

    if (hiss_model_create(&model, spec, &err) != HISS_OK)
        fail_msg("%s", err.message);
    return model;
}

static hiss_compare_settings settings_of(double evals)
{
    hiss_compare_settings set;

    hiss_compare_settings_init(&set);
    set.evals = evals;
    set.threads = 1;
    return set;
}

static hiss_comparison *compared(const hiss_model *model,
                                 const char *const *samplers, int count,
                                 const hiss_compare_settings *set)
{
    hiss_comparison *c;
    hiss_error err = {0};

    if (hiss_compare(&c, model, samplers, count, set, &err) != HISS_OK)
        fail_msg("%s", err.message);
    return c;
}

/* With so wide a step dula, which accepts everything, is far off. */
static void the_biased_one_loses(void **state)
{
    static const char *const models[] = {"ising(side=3,beta=0.3,field=0.1)",
                                         "ising(side=5,beta=0.3,field=0.1)"};
    static const char *const metrics[] = {"tvd", "marginal_error"};
    hiss_compare_settings set = settings_of(8000);

    (void)state;
    for (int m = 0; m < 2; m++) {
        hiss_model *model = model_of(models[m]);
        hiss_comparison *c = compared(model, pair, 2, &set);
        const hiss_race_outcome *o =
            hiss_comparison_outcome(c, HISS_RACE_EVALS);
        const hiss_racer *a = hiss_comparison_racer(c, 0);
        const hiss_racer *b = hiss_comparison_racer(c, 1);

        assert_string_equal(hiss_comparison_metric(c), metrics[m]);
        assert_null(hiss_comparison_racer(c, 2));
        assert_null(hiss_comparison_outcome(c, HISS_RACE_TIME));
        assert_ptr_equal(o->best, a);
        assert_ptr_equal(o->next, b);
        assert_int_equal(o->verdict, HISS_RACE_SURE);
        assert_true(o->p_value == 2.0 / 256.0); /* 8 of 8 repetitions */
        assert_true(b->p_value == o->p_value && isnan(a->p_value));
        assert_true(a->is_best && !b->is_best);
        assert_true(a->is_exact && !b->is_exact);
        assert_true(2.0 * a->distance.mean < b->distance.mean);
        assert_true(fabs(a->evals - 8000.0) < 500.0);
        hiss_comparison_destroy(c);
        hiss_model_destroy(model);
    }
}

/* Without exact answers the one that is not exact cannot win. */
static void nothing_is_known(void **state)
{
    hiss_compare_settings set = settings_of(1000);
    hiss_model *model = model_of("ising(side=24,beta=0.4)");
    hiss_comparison *c;

    (void)state;
    set.chains = 2;
    set.repetitions = 3;
    c = compared(model, pair, 2, &set);
    assert_null(hiss_comparison_metric(c));
    assert_int_equal(hiss_comparison_outcome(c, HISS_RACE_EVALS)->verdict,
                     HISS_RACE_ALONE);
    assert_true(hiss_comparison_racer(c, 0)->is_best);
    assert_true(isnan(hiss_comparison_racer(c, 0)->distance.mean));
    assert_int_equal(hiss_comparison_racer(c, 0)->points, 0);
    assert_true(hiss_comparison_racer(c, 0)->ess.mean > 1.0);
    hiss_comparison_destroy(c);
    hiss_model_destroy(model);
}

/* Total variation of one chain from the law of two coordinates, and the share
 * of their states that it saw. */
static double chain_distance(const hiss_model *model, const hiss_exact *exact,
                             const hiss_result *result, int chain,
                             double *cover)
{
    double x[2], law[64] = {0}, u;
    int64_t counts[64] = {0};
    hiss_run_info info = HISS_INIT(hiss_run_info);
    int states = 0, seen = 0;

    hiss_result_info(result, &info);
    assert_int_equal(info.dim, 2);
    for (int a = 0; a < hiss_model_states(model, 0); a++)
        for (int b = 0; b < hiss_model_states(model, 1); b++, states++) {
            double y[2] = {hiss_model_value(model, 0, a),
                           hiss_model_value(model, 1, b)};

            assert_int_equal(hiss_model_energy(model, y, &u, NULL), HISS_OK);
            law[states] = exp(u - hiss_exact_log_z(exact));
            for (int64_t n = 0; n < info.samples; n++) {
                hiss_result_draw(result, chain, n, x);
                counts[states] += x[0] == y[0] && x[1] == y[1];
            }
            seen += counts[states] > 0;
        }
    *cover = (double)seen / states;
    return hiss_tvd(counts, law, states);
}

/* A race by samples is a run of all repetitions at once. */
static void figures_are_those_of_the_draws(void **state)
{
    static const char *const samplers[] = {"3*gibbs", "metropolis"};
    enum {
        REPETITIONS = 5
    };
    hiss_compare_settings set = settings_of(0);
    hiss_model *model = model_of("ladder(d=2,levels=4,beta=0.3)");
    hiss_settings run;
    hiss_comparison *c;
    const hiss_racer *racer;
    hiss_sampler *sampler;
    hiss_result *result;
    hiss_exact *exact;
    double sum = 0.0;

    (void)state;
    set.samples = 40;
    set.chains = 1;
    set.repetitions = REPETITIONS;
    set.warmup = 0;
    set.seed = 9;
    c = compared(model, samplers, 2, &set);
    racer = hiss_comparison_racer(c, 0);
    assert_string_equal(racer->sampler, "3*gibbs");
    assert_true(racer->thin == 3 && racer->draws == 40);
    assert_int_equal(racer->race, HISS_RACE_SAMPLES);
    hiss_settings_init(&run);
    run.chains = REPETITIONS;
    run.samples = 40;
    run.thin = 3;
    run.warmup = 0;
    run.seed = 9;
    assert_int_equal(hiss_sampler_create(&sampler, "gibbs", NULL), HISS_OK);
    assert_int_equal(hiss_sample(&result, model, sampler, &run, NULL), HISS_OK);
    assert_int_equal(hiss_exact_create(&exact, model, 1, NULL), HISS_OK);
    for (int r = 0; r < REPETITIONS; r++) {
        double cover;
        double d = chain_distance(model, exact, result, r, &cover);

        assert_true(fabs(racer->distance.values[r] - d) < 1e-12);
        assert_true(fabs(racer->log_mae.values[r] - log(2.0 * d / 16.0)) <
                    1e-12);
        assert_true(racer->coverage.values[r] == cover);
        assert_true(racer->ess_per_eval.values[r] ==
                    racer->ess.values[r] * (1.0 / racer->evals));
        sum += d;
    }
    assert_true(fabs(racer->distance.mean - sum / REPETITIONS) < 1e-12);
    assert_int_equal(racer->points, 8);
    assert_true(racer->curve[7].mean == racer->distance.mean);
    assert_true(racer->curve[7].evals == racer->evals);
    hiss_exact_destroy(exact);
    hiss_result_destroy(result);
    hiss_sampler_destroy(sampler);
    hiss_comparison_destroy(c);
    hiss_model_destroy(model);
}

struct looks {
    double last;
    int count, stop_at; /* 0: never */
};

static int look(void *context, const hiss_progress *now)
{
    struct looks *l = context;

    assert_true(now->fraction >= l->last && now->fraction <= 1.0 + 1e-9);
    l->last = now->fraction;
    return ++l->count == l->stop_at;
}

static void progress_is_of_the_whole_and_stops_it(void **state)
{
    hiss_compare_settings set = settings_of(20000);
    hiss_model *model = model_of("ising(side=4,beta=0.3)");
    hiss_comparison *c;
    struct looks looks = {0};
    hiss_error err = {0};

    (void)state;
    set.samples = 500;
    set.progress = look;
    set.context = &looks;
    hiss_comparison_destroy(compared(model, pair, 2, &set));
    assert_true(looks.last > 0.75 && looks.count >= 4);
    looks = (struct looks){.stop_at = 2};
    assert_int_equal(hiss_compare(&c, model, pair, 2, &set, &err), HISS_ESTOP);
    assert_null(c);
    assert_non_null(strstr(err.message, "not over"));
    assert_int_equal(looks.count, 2);
    hiss_model_destroy(model);
}

/* While exact answers are found, too: 2^22 states of a slow model. */
static void the_law_can_be_stopped(void **state)
{
    enum {
        VISIBLE = 22,
        HIDDEN = 200
    };
    static double weight[VISIBLE * HIDDEN];
    hiss_compare_settings set = settings_of(1e9);
    struct looks looks = {.stop_at = 1};
    hiss_comparison *c;
    hiss_model *model;

    (void)state;
    for (int w = 0; w < VISIBLE * HIDDEN; w++)
        weight[w] = 1e-3;
    assert_int_equal(
        hiss_model_rbm(&model, VISIBLE, HIDDEN, weight, NULL, NULL, NULL),
        HISS_OK);
    set.progress = look;
    set.context = &looks;
    assert_int_equal(hiss_compare(&c, model, pair, 2, &set, NULL), HISS_ESTOP);
    assert_true(looks.count == 1 && looks.last == 0.0);
    hiss_model_destroy(model);
}

static void messages_say_what_is_wrong(void **state)
{
    static const struct {
        const char *samplers[2];
        double evals;
        const char *says;
    } cases[] = {
        {{"gibbs", "0*gwg"}, 1000, "steps per draw"},
        {{"gibbs", "gwg*10"}, 1000, "gwg*10"},
        {{"gibbs", "nothing"}, 1000, "unknown sampler 'nothing'"},
        {{"gibbs", NULL}, 1000, "sampler 1 is NULL"},
        {{"gibbs", "gwg"}, 40, "too few"},
        {{"gibbs", "gwg"}, 0, "is missing"},
    };
    hiss_model *model = model_of("bernoulli4");

    (void)state;
    for (size_t n = 0; n < sizeof cases / sizeof *cases; n++) {
        hiss_compare_settings set = settings_of(cases[n].evals);
        hiss_error err = {0};
        hiss_comparison *c;

        assert_int_equal(
            hiss_compare(&c, model, cases[n].samplers, 2, &set, &err),
            HISS_EARG);
        assert_null(c);
        if (!strstr(err.message, cases[n].says))
            fail_msg("no '%s' in '%s'", cases[n].says, err.message);
    }
    hiss_model_destroy(model);
}

/* Whichever allocation fails, the call does and leaves nothing behind (which
 * the address sanitizer sees). */
static void memory_may_be_short(void **state)
{
    hiss_compare_settings set = settings_of(0);
    hiss_model *model = model_of("bernoulli4");
    hiss_status rc = HISS_ENOMEM;
    hiss_comparison *c = NULL;

    (void)state;
    set.samples = 8;
    set.chains = 1;
    set.repetitions = 2;
    for (int64_t n = 1; rc == HISS_ENOMEM; n++) {
        hs_alloc_fail_after(n);
        rc = hiss_compare(&c, model, pair, 2, &set, NULL);
        hs_alloc_fail_after(0);
        assert_true(rc == HISS_OK || !c);
    }
    assert_int_equal(rc, HISS_OK);
    hiss_comparison_destroy(c);
    hiss_model_destroy(model);
}

static int stop(void *context, const hiss_progress *progress)
{
    (void)progress;
    ++*(int *)context;
    return 1;
}

/* What cannot run is refused before anything runs. */
static void all_are_checked_first(void **state)
{
    static const char *const samplers[] = {"gibbs", "tour"};
    hiss_compare_settings set = settings_of(1e9);
    hiss_model *model = model_of("ising(side=3,beta=0.3)");
    hiss_comparison *c;
    hiss_error err = {0};
    int calls = 0;

    (void)state;
    set.progress = stop;
    set.context = &calls;
    assert_int_equal(hiss_compare(&c, model, samplers, 2, &set, &err),
                     HISS_EUNSUP);
    assert_null(c);
    assert_non_null(strstr(err.message, "tour"));
    assert_int_equal(calls, 0);
    set.chains = 50000;
    set.repetitions = 30;
    assert_int_equal(hiss_compare(&c, model, pair, 2, &set, &err), HISS_EARG);
    assert_non_null(strstr(err.message, "50000 chains in each of 30"));
    assert_int_equal(calls, 0);
    hiss_model_destroy(model);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(all_are_checked_first),
        cmocka_unit_test(the_biased_one_loses),
        cmocka_unit_test(nothing_is_known),
        cmocka_unit_test(figures_are_those_of_the_draws),
        cmocka_unit_test(progress_is_of_the_whole_and_stops_it),
        cmocka_unit_test(the_law_can_be_stopped),
        cmocka_unit_test(messages_say_what_is_wrong),
        cmocka_unit_test(memory_may_be_short),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
