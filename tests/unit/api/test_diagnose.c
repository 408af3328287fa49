/* test_diagnose.c - modes, and the verdict: both of its mistakes.
 *
 * Fixed seeds; the rates over many runs are measured by
 * tests/calibration/calibrate.py. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include <hiss/hiss.h>

#include "unit/brief.h"
#include "unit/drawn.h"

static struct drawn draw_some(const char *model, const char *sampler,
                              int64_t samples, int chains, uint64_t seed)
{
    hiss_settings set;

    hiss_settings_init(&set);
    set.samples = samples;
    set.chains = chains;
    set.seed = seed;
    return draw(model, sampler, &set);
}

static int is_trusted(const struct drawn *d, int blind, int has_model,
                      int probe, hiss_outcome *outcome, const char *name)
{
    hiss_diagnose_settings set;
    hiss_diagnosis *found;
    hiss_finding f = HISS_INIT(hiss_finding);
    hiss_error err = {0};
    int trusted, remedies = 0;

    hiss_diagnose_settings_init(&set);
    set.effort = 10;
    set.blind = blind;
    set.probe = probe;
    if (hiss_diagnose(&found, d->result, has_model ? d->model : NULL, &set,
                      &err))
        fail_msg("%s", err.message);
    trusted = hiss_diagnosis_is_trusted(found);
    for (int n = 0; hiss_diagnosis_finding(found, n, &f); n++) {
        assert_non_null(f.text);
        remedies += f.remedy != NULL;
        if (name && strcmp(f.name, name) == 0)
            *outcome = f.outcome;
    }
    assert_int_equal(remedies > 0, !trusted);
    hiss_diagnosis_destroy(found);
    return trusted;
}

static void good_runs_are_trusted(void **state)
{
    static const struct {
        const char *model, *sampler;
    } good[] = {
        {"bernoulli4", "hiss(eta=4,sweeps=5,inner=dmala(alpha=0.2))"},
        {"ising(side=8,beta=0.2)", "gibbs"},
        {"potts(side=3,states=3,beta=0.4)", "gibbs"},
        {"ladder(d=5,levels=4,beta=0.3)", "gibbs"},
        {"ising(side=4,beta=0.5)", "pt(base=gibbs)"},
    };

    (void)state;
    for (size_t n = 0; n < sizeof good / sizeof *good;
         n += test_is_brief() ? 4 : 1) {
        struct drawn d = draw_some(good[n].model, good[n].sampler, 3000, 4, 11);

        for (int blind = 0; blind < 2; blind++)
            if (!is_trusted(&d, blind, 1, 16, NULL, NULL))
                fail_msg("%s with %s, blind %d", good[n].model, good[n].sampler,
                         blind);
        drop(&d);
    }
}

static void bad_runs_are_not(void **state)
{
    static const struct {
        const char *model, *sampler;
    } bad[] = {
        {"pairs(d=40)", "dmala(alpha=0.2)"},
        {"bernoulli4", "dmala(alpha=0.2)"},
        {"ising(side=8,beta=0.8)", "gibbs"},
        {"ising(side=24,beta=0.44)", "metropolis"},
    };

    (void)state;
    for (size_t n = 0; n < sizeof bad / sizeof *bad;
         n += test_is_brief() ? 4 : 1) {
        struct drawn d = draw_some(bad[n].model, bad[n].sampler, 1000, 8, 5);

        for (int blind = 0; blind < 2; blind++)
            for (int model = test_is_brief(); model < 2; model++)
                if (is_trusted(&d, blind, model, 16, NULL, NULL))
                    fail_msg("%s with %s, blind %d, model %d", bad[n].model,
                             bad[n].sampler, blind, model);
        drop(&d);
    }
}

/* Two chains that fell into the same one of two modes agree with each other:
 * only fresh chains, a search or exact answers know better. */
static void a_missed_mode_is_noticed(void **state)
{
    hiss_outcome outcome;

    (void)state;
    for (uint64_t seed = 1; seed < 40; seed++) {
        struct drawn d = draw_some("ising(side=4,beta=0.9)",
                                   "dmala(alpha=auto)", 500, 2, seed);

        outcome = HISS_PASSED;
        assert_false(is_trusted(&d, 1, 1, 0, &outcome, "search"));
        if (outcome == HISS_SKIPPED) {
            drop(&d);
            continue; /* the chains disagree, and that was seen */
        }
        assert_int_equal(outcome, HISS_FAILED);
        outcome = HISS_PASSED;
        assert_false(is_trusted(&d, 0, 1, 0, &outcome, "exact answers"));
        assert_int_equal(outcome, HISS_FAILED);
        outcome = HISS_PASSED;
        assert_false(is_trusted(&d, 1, 1, 16, &outcome, "fresh chains"));
        assert_int_equal(outcome, HISS_DOUBT);
        drop(&d);
        return;
    }
    fail_msg("no seed has both chains in one mode");
}

/* What the run's own pilot knew better; exact answers may overrule it. */
static void doubts_of_the_pilot_count(void **state)
{
    struct drawn d = draw_some("ising(side=3,beta=0.2)", "gibbs", 3000, 4, 11);
    hiss_outcome outcome = HISS_PASSED;

    (void)state;
    assert_true(is_trusted(&d, 1, 1, 16, NULL, NULL));
    assert_int_equal(
        hiss_result_put(d.result, "doubt", "modes were missed", NULL), HISS_OK);
    assert_false(is_trusted(&d, 1, 1, 16, &outcome, "pilot"));
    assert_int_equal(outcome, HISS_DOUBT);
    assert_true(is_trusted(&d, 0, 1, 16, NULL, NULL));
    drop(&d);
}

static void odd_runs_have_a_verdict(void **state)
{
    struct drawn d = draw_some("bernoulli4", "gwg", 1, 1, 1);

    (void)state;
    assert_false(is_trusted(&d, 0, 1, 16, NULL, NULL));
    drop(&d);
    d = draw_some("bernoulli4", "dula(alpha=2)", 3000, 4, 1); /* biased */
    assert_false(is_trusted(&d, 0, 1, 16, NULL, NULL));
    drop(&d);
    d = draw_some("ising(side=4,beta=0.2)", "gibbs", 3000, 1, 1);
    assert_false(is_trusted(&d, 1, 0, 16, NULL, NULL)); /* one chain */
    assert_true(is_trusted(&d, 1, 1, 16, NULL, NULL));  /* and fresh ones */
    drop(&d);
}

/* The two modes of the Bernoulli, and three of mass 6e-6 that a run of this
 * length hardly visits. */
static void modes_of_the_bernoulli(void **state)
{
    struct drawn d =
        draw_some("bernoulli4", "hiss(eta=4,sweeps=5,inner=dmala(alpha=0.2))",
                  2000, 4, 3);
    hiss_exact *exact;
    hiss_modes *modes;
    hiss_mode mode = HISS_INIT(hiss_mode);
    double values[4], sum = 0.0, column[4 * 2000], mean = 0.0;

    (void)state;
    assert_int_equal(hiss_exact_create(&exact, d.model, 1, NULL), HISS_OK);
    assert_int_equal(hiss_modes_create(&modes, d.result, d.model, exact, NULL),
                     HISS_OK);
    assert_in_range(hiss_modes_found(modes), 2, 5);
    if (hiss_modes_found(modes) > 2) {
        hiss_modes_get(modes, 2, &mode, NULL);
        assert_true(mode.mass < 1e-3);
    }
    hiss_modes_get(modes, 0, &mode, values);
    assert_true(values[0] == 0 && values[1] == 0 && values[2] == 0);
    assert_true(fabs(mode.mass - mode.exact) < 0.05);
    assert_true(fabs(mode.exact - 0.588) < 1e-3);
    assert_int_equal(mode.chains, 4);
    assert_int_equal(hiss_modes_distance(modes, 0, 1), 3);
    for (int64_t n = 0; n < hiss_modes_count(modes); n++) {
        hiss_modes_get(modes, n, &mode, NULL);
        sum += mode.exact;
    }
    assert_true(fabs(sum - 1.0) < 1e-9);
    assert_int_equal(hiss_modes_looked(modes), 2000);
    hiss_modes_column(modes, 0, column);
    for (int n = 0; n < 4 * 2000; n++)
        mean += column[n] / 8000;
    hiss_modes_get(modes, 0, &mode, NULL);
    assert_true(fabs(mean - mode.mass) < 1e-12);
    assert_true(hiss_modes_transitions(modes) > 50);
    hiss_modes_destroy(modes);
    hiss_exact_destroy(exact);
    drop(&d);
}

static void observables_of_draws(void **state)
{
    struct drawn d = draw_some("bernoulli4", "gwg", 50, 2, 3);
    double sum[100], column[100];
    hiss_error err = {0};

    (void)state;
    assert_int_equal(hiss_result_observable(d.result, "x.2", sum, &err),
                     HISS_OK);
    hiss_result_column(d.result, 1, column);
    assert_memory_equal(sum, column, sizeof sum);
    assert_int_equal(hiss_result_observable(d.result, "lp", sum, &err),
                     HISS_OK);
    assert_memory_equal(sum, hiss_result_lp(d.result), sizeof sum);
    assert_int_equal(hiss_result_observable(d.result, "x.9", sum, &err),
                     HISS_EARG);
    drop(&d);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(good_runs_are_trusted),
        cmocka_unit_test(bad_runs_are_not),
        cmocka_unit_test(a_missed_mode_is_noticed),
        cmocka_unit_test(doubts_of_the_pilot_count),
        cmocka_unit_test(odd_runs_have_a_verdict),
        cmocka_unit_test(modes_of_the_bernoulli),
        cmocka_unit_test(observables_of_draws),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
