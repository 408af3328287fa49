/* test_replicas.c - chains of several strands: what they draw and report. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

#include "unit/run_fixture.h"

#include <hiss/hiss.h>

#include "api/object/objects.h"

#define COUNT(a) (sizeof(a) / sizeof *(a))
#define SAMPLES  2000

static bool is_same_draw(const hiss_result *a, const hiss_result *b, int chain,
                         int64_t draw)
{
    double x[256], y[256];

    hiss_result_draw(a, chain, draw, x);
    hiss_result_draw(b, chain, draw, y);
    return memcmp(x, y, (size_t)a->run.info.dim * sizeof *x) == 0;
}

static void one_strand_is_the_base(void **state)
{
    static const char *const bases[] = {
        "gibbs", "dmala(alpha=auto)", "hiss(eta=auto,inner=gwg)",
        "gibbs(scan=random,updates=3)", "sequence(gibbs,bridge)"};
    hiss_settings set;

    (void)state;
    hiss_settings_init(&set);
    set.samples = 50;
    set.chains = 5;
    for (size_t b = 0; b < COUNT(bases); b++) {
        char spec[96];
        hiss_result *plain, *strands;

        snprintf(spec, sizeof spec, "replicas(base=%s,count=1)", bases[b]);
        plain = run("mixture(3,20)", bases[b], &set);
        strands = run("mixture(3,20)", spec, &set);
        for (int c = 0; c < set.chains; c++)
            for (int64_t n = 0; n < set.samples; n++)
                if (!is_same_draw(plain, strands, c, n))
                    fail_msg("%s: chain %d differs at draw %d", spec, c,
                             (int)n);
        assert_true(plain->run.info.energy_evals ==
                    strands->run.info.energy_evals);
        hiss_result_destroy(plain);
        hiss_result_destroy(strands);
    }
}

/* Strand 0 walks where the base's own chain does; other strands are elsewhere,
 * of 2^169 states.  Shares of the 8000 draws that are of strand 0, and that are
 * so one, two and three draws later as well. */
static void find_shares(int count, double share[4])
{
    char spec[64];
    hiss_settings set;
    hiss_result *plain, *strands;

    snprintf(spec, sizeof spec, "replicas(gibbs,count=%d)", count);
    hiss_settings_init(&set);
    set.samples = SAMPLES;
    plain = run("ising(side=13,beta=0.2)", "gibbs", &set);
    strands = run("ising(side=13,beta=0.2)", spec, &set);
    for (int later = 0; later < 4; later++)
        share[later] = 0.0;
    for (int c = 0; c < 4; c++) {
        bool is[4] = {false};

        for (int64_t n = 0; n < SAMPLES; n++) {
            is[n % 4] = is_same_draw(plain, strands, c, n);
            for (int later = 0; later < 4; later++)
                if (is[n % 4] && is[(n + 4 - later) % 4])
                    share[later] += 1.0 / (4 * SAMPLES);
        }
    }
    hiss_result_destroy(plain);
    hiss_result_destroy(strands);
}

/* Once in `count` draws each, and another one next, any of them; any of two:
 * within 5 standard deviations. */
static void a_draw_is_of_any_strand(void **state)
{
    static const struct {
        int count;
        double again[3]; /* after one, two and three draws of it */
    } cases[] = {{2, {0.5, 0.5, 0.5}},
                 {3, {0.0, 0.5, 0.25}},
                 {4, {0.0, 1.0 / 3.0, 2.0 / 9.0}}};

    (void)state;
    for (size_t k = 0; k < COUNT(cases); k++) {
        double share[4], drawn = 1.0 / cases[k].count;

        find_shares(cases[k].count, share);
        assert_true(fabs(share[0] - drawn) < 0.03);
        for (int n = 0; n < 3; n++)
            assert_true(fabs(share[n + 1] - drawn * cases[k].again[n]) <
                        (cases[k].count > 2 ? 0.018 : 0.03));
        if (cases[k].again[0] == 0.0)
            assert_true(share[1] == 0.0);
    }
}

/* There are no temperatures to report on; all strands are counted. */
static void the_report_is_of_one_level(void **state)
{
    hiss_settings set;
    hiss_result *plain, *strands;
    hiss_level level = HISS_INIT(hiss_level);
    hiss_tempering tempering = HISS_INIT(hiss_tempering);
    const char *name;
    double rate, own;

    (void)state;
    hiss_settings_init(&set);
    set.samples = SAMPLES;
    plain = run("ising(side=4,beta=0.3)", "dmala(alpha=1)", &set);
    strands =
        run("ising(side=4,beta=0.3)", "replicas(dmala(alpha=1),count=3)", &set);
    assert_int_equal(strands->run.info.replicas, 3);
    assert_false(hiss_result_tempering(strands, &tempering));
    assert_true(hiss_result_level(strands, 0, &level));
    assert_true(level.temperature == 1.0);
    assert_true(isnan(level.swap));
    assert_false(hiss_result_level(strands, 1, &level));
    assert_true(hiss_result_acceptance(strands, 0, &name, &rate));
    assert_string_equal(name, "dmala");
    assert_true(hiss_result_acceptance(plain, 0, &name, &own));
    assert_true(fabs(rate - own) < 0.02 && rate < 0.99);
    assert_false(hiss_result_acceptance(strands, 1, &name, &rate));
    assert_true(strands->run.counter[0].proposed ==
                3.0 * plain->run.counter[0].proposed);
    assert_true(strands->run.info.energy_evals ==
                3.0 * plain->run.info.energy_evals);
    assert_true(strands->run.info.gradient_evals ==
                3.0 * plain->run.info.gradient_evals);
    hiss_result_destroy(plain);
    hiss_result_destroy(strands);
}

/* What is tuned is common to all strands, and named once. */
static void tuning_is_of_one_law(void **state)
{
    hiss_settings set;
    hiss_result *r;
    const char *text;

    (void)state;
    hiss_settings_init(&set);
    set.samples = 50;
    r = run("mixture(3,20)", "replicas(dmala(alpha=auto),count=4)", &set);
    text = hiss_result_text(r, "tuning");
    assert_non_null(text);
    assert_int_equal(strncmp(text, "dmala: alpha=", 13), 0);
    assert_null(strstr(text, "level"));
    hiss_result_destroy(r);
}

/* Squared error of P(x.i = 1), which is 1/2, by the sums or by the draws. */
static double error_of(hiss_result *r, bool of_draws)
{
    double *sums = r->run.marginal, all = 0.0;

    if (of_draws)
        r->run.marginal = NULL;
    for (int i = 0; i < r->run.info.dim; i++) {
        double p[2];

        hiss_result_marginal(r, i, p);
        all += (p[1] - 0.5) * (p[1] - 0.5);
    }
    r->run.marginal = sums;
    return all;
}

/* A random scan leaves a site alone in e^-1 of the sweeps, so that tau is
 * 2.2: draws of 4 strands, the next of another one each, have an error of 1.13
 * of that of independent ones, marginals over all strands 2.2 / 4: a ratio of
 * .48. */
static void marginals_are_of_all_strands(void **state)
{
    static const struct {
        const char *sampler;
        double least, most;
    } cases[] = {
        {"gibbs(scan=random)", 0.999, 1.001},
        {"replicas(gibbs(scan=random),count=4)", 0.36, 0.6},
    };
    hiss_settings set;

    (void)state;
    hiss_settings_init(&set);
    set.samples = 400;
    set.warmup = 20;
    set.marginals = 1;
    for (size_t k = 0; k < COUNT(cases); k++) {
        double sums = 0.0, draws = 0.0;

        for (int seed = 1; seed <= 10; seed++) {
            hiss_result *r;

            set.seed = (uint64_t)seed;
            r = run("ising(side=13,beta=0)", cases[k].sampler, &set);
            sums += error_of(r, false);
            draws += error_of(r, true);
            hiss_result_destroy(r);
        }
        if (sums < cases[k].least * draws || sums > cases[k].most * draws)
            fail_msg("%s: errors %g and %g", cases[k].sampler, sums, draws);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(one_strand_is_the_base),
        cmocka_unit_test(a_draw_is_of_any_strand),
        cmocka_unit_test(the_report_is_of_one_level),
        cmocka_unit_test(tuning_is_of_one_law),
        cmocka_unit_test(marginals_are_of_all_strands),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
