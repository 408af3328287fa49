/* Tuning must not move the law: chains that begin in it are in it after the
 * pilot and a warm-up, whatever `auto` was tuned to.
 *
 * 400 chains from exact draws, a run of 200 steps with tuning, one draw of
 * each, a chi-square of their counts.  A sampler that is right fails with
 * probability 1e-8 + 1e-4 * 1e-4 per verdict (suite.h); there are 40 models
 * and 14 samplers.  400 draws see a state that gains or loses .15. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>

#include <cmocka.h>

#include <hiss/hiss.h>

#include "base/alloc.h"
#include "base/random/rng.h"
#include "conformance/support/suite.h"
#include "diag/tests/chi2.h"
#include "exact/law.h"
#include "model/law/lookup.h"
#include "run/sampling/run.h"

#define COUNT(array) (sizeof(array) / sizeof *(array))
#define CHAINS       400
#define STEPS        200
#define TABLES       30

static const char *const samplers[] = {
    "dmala",
    "acs",
    "pafs",
    "dlmc",
    "jumps",
    "ab",
    "hiss",
    "hiss(tune=jump)",
    "hiss(tune=jump,block=auto)",
    "hiss(inner=acs)",
    "sequence(dmala,gwg)",
    "mix(acs,hiss)",
    "pt(base=dmala)", /* replicas begin at the target and settle */
    "pt(base=acs,levels=auto)",
    "replicas(base=dmala)",
    "auto(base=dmala,independent=no)",
};

static const char *const multimodal[] = {
    "bernoulli4",
    "pairs(d=8)",
    "ising(side=3,beta=0.6)",
    "ising(side=3,beta=0.4,field=0.1)",
    "ladder(d=4,levels=4,beta=0.8)",
    "potts(side=2,states=4,beta=0.6)",
    "mixture(k=2,d=9,seed=3)",
    "mixture(k=4,d=8,seed=5)",
    "cross",
    "pairs(d=6,coupling=2,bias=0.3)",
};

/* A random table with a value far from the others: weights over e^+-3. */
static hs_model *far_table(int number)
{
    static const double far[] = {9, 12, 15};
    hiss_kind kind[4] = {HISS_ORDINAL, HISS_BINARY, HISS_BINARY, HISS_BINARY};
    int states[4] = {3, 2, 2, 2};
    double levels[3] = {0, 1, far[number % 3]};
    double *u = hs_alloc_array(24, sizeof *u); /* the model's */
    hs_domain domain;
    hs_model *m;

    assert_non_null(u);
    for (int n = 0; n < 24; n++)
        u[n] = 6.0 * hs_uniform(hs_rng_word(suite_seed(1), (uint32_t)number, 0,
                                            0, HS_DRAW_INIT, (uint32_t)n)) -
               3.0;
    assert_int_equal(
        hs_domain_init_mixed(&domain, 4, kind, states, levels, NULL), HISS_OK);
    assert_int_equal(hs_lookup_create(&m, &domain, u, NULL), HISS_OK);
    m->name = hs_strdup("far table");
    return m;
}

/* The number of a chain's only draw. */
static int64_t state_of(const hs_exact *e, const hs_run *run, int chain)
{
    int64_t n = 0;
    double *x = hs_alloc_array((size_t)e->dim, sizeof *x);

    assert_non_null(x);
    hs_store_draw(&run->store, chain, 0, x);
    for (int i = 0; i < e->dim; i++) {
        int v = 0;

        while ((double)e->values[e->first[i] + v] != x[i])
            v++;
        n = n * e->radix[i] + v;
    }
    hs_free(x);
    return n;
}

static double p_value(const hs_model *m, const char *sampler, int chains,
                      uint64_t seed)
{
    hs_exact_options options = {
        .threads = 2, .has_u = true, .limit = HS_TABLE_MAX, .what = "test"};
    hiss_settings set;
    hiss_error err = {0};
    hs_exact exact;
    hs_law law;
    hs_sampler *tree;
    hs_run run;
    hs_chi2 chi2;
    double *init, *expected;
    int64_t *observed;

    assert_int_equal(hs_exact_init(&exact, m, &options, NULL), HISS_OK);
    assert_int_equal(hs_law_init(&law, &exact, 1.0, NULL), HISS_OK);
    assert_int_equal(hs_sampler_parse(&tree, sampler, NULL), HISS_OK);
    init = hs_alloc_array((size_t)chains * (size_t)exact.dim, sizeof *init);
    expected = hs_alloc_array((size_t)law.states, sizeof *expected);
    observed = hs_alloc_array((size_t)law.states, sizeof *observed);
    assert_true(init && expected && observed);
    for (int c = 0; c < chains; c++)
        hs_exact_values(&exact, hs_law_draw(&law, seed, (uint32_t)c, 0),
                        init + (size_t)c * (size_t)exact.dim);
    hiss_settings_init(&set);
    set.chains = chains;
    set.samples = 1;
    set.warmup = STEPS;
    set.seed = seed;
    set.threads = 2;
    set.init = init;
    if (hs_run_all(&run, m, NULL, tree, &set, &err) != HISS_OK)
        fail_msg("%s on %s: %s", sampler, m->name, err.message);
    for (int c = 0; c < chains; c++)
        observed[state_of(&exact, &run, c)]++;
    for (int64_t n = 0; n < law.states; n++)
        expected[n] = law.p[n] * chains;
    assert_int_equal(
        hs_chi2_pooled(expected, observed, law.states, &chi2, NULL), HISS_OK);
    hs_run_clear(&run);
    hs_free(init);
    hs_free(expected);
    hs_free(observed);
    hs_sampler_release(tree);
    hs_law_clear(&law);
    hs_exact_clear(&exact);
    return chi2.p;
}

static int complaints(const hs_model *m, const char *sampler, uint64_t number)
{
    int chains = (int)suite_replicates(CHAINS);
    double p = p_value(m, sampler, chains, suite_seed(number));

    if (p > 1e-8 && p <= 1e-4)
        p = p_value(m, sampler, 10 * chains, suite_seed(number + 100000));
    if (p > 1e-4)
        return 0;
    print_error("%s on %s: p = %.3g\n", sampler, m->name, p);
    return 1;
}

static void tuning_keeps_the_law_of_far_tables(void **state)
{
    int all = 0;

    (void)state;
    for (int n = 0; n < TABLES; n++) {
        hs_model *m = far_table(n);

        for (size_t k = 0; k < COUNT(samplers); k++)
            all += complaints(m, samplers[k], (uint64_t)n * 100 + k);
        hs_model_destroy(m);
    }
    assert_int_equal(all, 0);
}

static void tuning_keeps_the_law_of_modes(void **state)
{
    int all = 0;

    (void)state;
    for (size_t n = 0; n < COUNT(multimodal); n++) {
        hiss_error err = {0};
        hs_model *m;

        if (hs_model_create(&m, multimodal[n], &err) != HISS_OK)
            fail_msg("%s", err.message);
        for (size_t k = 0; k < COUNT(samplers); k++)
            all += complaints(m, samplers[k], 50000 + (uint64_t)n * 100 + k);
        hs_model_destroy(m);
    }
    assert_int_equal(all, 0);
}

int main(int argc, char **argv)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(tuning_keeps_the_law_of_far_tables),
        cmocka_unit_test(tuning_keeps_the_law_of_modes),
    };

    suite_begin(argc, argv);
    return cmocka_run_group_tests(tests, NULL, NULL);
}
