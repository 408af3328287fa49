/* Values of `auto` options: one per level, for all chains. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include <hiss/arrays.h>
#include <hiss/hiss.h>

#include "run/chain/group.h"
#include "run/pilot/pilot.h"

#define LATTICE "ising(side=16,beta=0.35)"

/* What a run was tuned to, and the acceptance of its first kernel. */
static double tuned(const char *model, const char *sampler, int chains,
                    int64_t warmup, char *text, size_t size)
{
    hiss_settings set;
    hiss_model *m;
    hiss_sampler *s;
    hiss_result *r;
    const char *name;
    double rate;

    hiss_settings_init(&set);
    set.chains = chains;
    set.samples = 400;
    set.warmup = warmup;
    assert_int_equal(hiss_model_create(&m, model, NULL), HISS_OK);
    assert_int_equal(hiss_sampler_create(&s, sampler, NULL), HISS_OK);
    assert_int_equal(hiss_sample(&r, m, s, &set, NULL), HISS_OK);
    assert_non_null(hiss_result_tuning(r));
    snprintf(text, size, "%s", hiss_result_tuning(r));
    assert_true(hiss_result_acceptance(r, 0, &name, &rate));
    hiss_result_destroy(r);
    hiss_sampler_destroy(s);
    hiss_model_destroy(m);
    return rate;
}

static void tuning_is_that_of_no_chain(void **state)
{
    static const char *const samplers[] = {
        "dmala",          "acs",
        "hiss",           "hiss(block=16)",
        "hiss(block=20)", "hiss(tune=jump,block=auto)",
        "pt(base=dmala)"};

    (void)state;
    for (size_t k = 0; k < sizeof samplers / sizeof *samplers; k++) {
        char one[512], many[512], longer[512];

        tuned(LATTICE, samplers[k], 1, 100, one, sizeof one);
        tuned(LATTICE, samplers[k], 20, 100, many, sizeof many);
        tuned(LATTICE, samplers[k], 1, 3000, longer, sizeof longer);
        assert_string_equal(one, many);
        assert_string_equal(one, longer);
    }
}

/* The pilot's chains are on their way to equilibrium; the run's are there.
 * Acceptances of 4 x 400 steps have an error of about .01. */
static void acceptances_are_those_aimed_at(void **state)
{
    char text[512];

    (void)state;
    assert_true(fabs(tuned(LATTICE, "dmala", 4, 1000, text, sizeof text) -
                     0.574) < 0.05);
    assert_true(fabs(tuned(LATTICE, "hiss(tune=accept,steps=1,inner=gibbs)", 4,
                           1000, text, sizeof text) -
                     0.234) < 0.08);
    /* between the largest step, at its best balance, and the smallest */
    assert_in_range(
        (int)(100.0 * tuned(LATTICE, "acs", 4, 1000, text, sizeof text)), 25,
        75);
}

static hs_group *tuned_group(const hs_model *m, const char *spec)
{
    hs_sampler *tree;
    hs_group *g;

    assert_int_equal(hs_sampler_parse(&tree, spec, NULL), HISS_OK);
    assert_int_equal(hs_group_create(&g, m, tree, 1, 0, 7, NULL), HISS_OK);
    assert_int_equal(hs_group_start(g, false, NULL), HISS_OK);
    hs_group_tune(g, 50);
    for (int n = 0; n < 50; n++) {
        assert_int_equal(hs_group_step(g, NULL), HISS_OK);
        hs_group_pool(g);
    }
    hs_sampler_release(tree);
    return g;
}

/* What level j of chain c knows is what that of another lane knows. */
static void same_columns(const hs_group *g, int chain, int j, int other_chain,
                         int other_j)
{
    int lane, other;
    const hs_tile *t = hs_group_at_level(g, chain, j, &lane);
    const hs_kernel *k = g->kernel[t - g->tile]->child[0];
    const hs_tile *o = hs_group_at_level(g, other_chain, other_j, &other);
    const hs_kernel *same = g->kernel[o - g->tile]->child[0];

    assert_true(k->columns > HS_OWN_COLUMNS);
    for (int n = HS_OWN_COLUMNS; n < k->columns; n++)
        assert_true(k->lane[n][lane] == same->lane[n][other]);
}

static void lanes_of_one_law_learn_together(void **state)
{
    hs_model *m;
    hs_group *levels, *strands;

    (void)state;
    assert_int_equal(hs_model_create(&m, LATTICE, NULL), HISS_OK);
    levels = tuned_group(m, "pt(base=dmala,ladder=[1,2,4])");
    strands = tuned_group(m, "replicas(base=dmala,count=3)");
    for (int c = 0; c < 7; c++)
        for (int j = 0; j < 3; j++) {
            same_columns(levels, c, j, 0, j);
            same_columns(strands, c, j, 0, 0);
        }
    hs_group_destroy(levels);
    hs_group_destroy(strands);
    hs_model_destroy(m);
}

/* A value far from the others, half of the mass: every tuned sampler gets
 * there and back.  Without long steps none would in so many. */
static void far_values_are_reached(void **state)
{
    static const char *const samplers[] = {"dmala", "acs", "hiss"};
    static const hiss_kind kind[] = {HISS_ORDINAL, HISS_BINARY};
    static const int states[] = {3, 2};
    static const double levels[] = {0, 1, 12};
    static const double u[] = {0, 0, 0, 0, 0.693, 0.693};
    static const hiss_domain domain = {.size = sizeof domain,
                                       .dim = 2,
                                       .kind = kind,
                                       .states = states,
                                       .levels = levels};

    (void)state;
    for (size_t k = 0; k < sizeof samplers / sizeof *samplers; k++) {
        hiss_settings set;
        hiss_model *m;
        hiss_sampler *s;
        hiss_result *r;
        double x[2];
        int far = 0, changes = 0, before = 0;

        hiss_settings_init(&set);
        set.chains = 1;
        set.samples = 4000;
        assert_int_equal(hiss_model_table(&m, &domain, u, NULL), HISS_OK);
        assert_int_equal(hiss_sampler_create(&s, samplers[k], NULL), HISS_OK);
        assert_int_equal(hiss_sample(&r, m, s, &set, NULL), HISS_OK);
        for (int n = 0; n < 4000; n++) {
            hiss_result_draw(r, 0, n, x);
            far += x[0] > 2.0;
            changes += (x[0] > 2.0) != before;
            before = x[0] > 2.0;
        }
        assert_true(changes > 100 && far > 1000 && far < 3000);
        hiss_result_destroy(r);
        hiss_sampler_destroy(s);
        hiss_model_destroy(m);
    }
}

/* Three values at a distance of 2^-20, 1 or 2^20: the same acceptances. */
static void steps_follow_the_units(void **state)
{
    static const char *const samplers[] = {"dmala", "acs", "hiss(steps=0)"};
    static const hiss_kind kind[] = {HISS_ORDINAL, HISS_ORDINAL};
    static const int states[] = {3, 3};
    static const double u[] = {0, -1, -3, -1, 0, -1, -3, -1, 0};

    (void)state;
    for (size_t k = 0; k < sizeof samplers / sizeof *samplers; k++)
        for (int power = -20; power <= 20; power += 20) {
            double g = ldexp(1.0, power), rate;
            double levels[] = {0, g, 2 * g, 0, g, 2 * g};
            hiss_domain domain = {.size = sizeof domain,
                                  .dim = 2,
                                  .kind = kind,
                                  .states = states,
                                  .levels = levels};
            static double usual;
            hiss_settings set;
            hiss_model *m;
            hiss_sampler *s;
            hiss_result *r;
            const char *name;

            hiss_settings_init(&set);
            assert_int_equal(hiss_model_table(&m, &domain, u, NULL), HISS_OK);
            assert_int_equal(hiss_sampler_create(&s, samplers[k], NULL),
                             HISS_OK);
            assert_int_equal(hiss_sample(&r, m, s, &set, NULL), HISS_OK);
            assert_true(hiss_result_acceptance(r, 0, &name, &rate));
            usual = power == -20 ? rate : usual;
            if (!(fabs(rate - usual) < 0.03))
                fail_msg("%s at 2^%d: %g, at 2^-20: %g", samplers[k], power,
                         rate, usual);
            hiss_result_destroy(r);
            hiss_sampler_destroy(s);
            hiss_model_destroy(m);
        }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(tuning_is_that_of_no_chain),
        cmocka_unit_test(acceptances_are_those_aimed_at),
        cmocka_unit_test(lanes_of_one_law_learn_together),
        cmocka_unit_test(far_values_are_reached),
        cmocka_unit_test(steps_follow_the_units),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
