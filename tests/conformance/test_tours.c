/* test_tours.c - kernels on tours: the law, transitions against their
 * definition, faults that must be seen, and refusals.
 *
 * Five cities have 120 tours, twelve of them different as closed ones.  QUICK
 * replicates see a bias of about 2e-3 of the law. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

#include "base/error.h"
#include "conformance/support/broken_tours.h"
#include "conformance/support/matrix.h"
#include "conformance/support/suite.h"
#include "model/tour/cities.h"

#define QUICK 150000

#define COUNT(a) (sizeof(a) / sizeof *(a))

static const char *const on_permutations[] = {
    "tour",
    "tour(updates=1,turn=no)",
    "tour(updates=1,turn=no,or_opt=0)",
    "tour(updates=3,turn=no,or_opt=1)",
    "tour(updates=1,or_opt=1)",
    "hiss",
    "hiss(eta=0.5,steps=0,block=0)",
    "hiss(eta=2,steps=0,block=1)",
    "hiss(eta=1,sweeps=3,steps=0,block=2)",
    "hiss(eta=1,steps=0,kernel=gaussian)",
    "hiss(eta=1,steps=2,inner=tour(updates=1,turn=no))",
    "hiss(eta=1,steps=1,order=palindrome,inner=tour(updates=1,turn=no))",
    "mix(tour(updates=1,turn=no),hiss(eta=1,steps=0))",
    "sequence(tour(updates=1),hiss(eta=0.7,steps=0))",
    "pt",
    "pt(base=tour(updates=1),ladder=[1,2,inf])",
    "pt(base=hiss(eta=1,steps=0),levels=2,max_temperature=3)",
    "replicas(base=tour(updates=1),count=3)",
    "auto",
    "bad_tour",
    "bad_keys",
};

static const char *const on_positions[] = {
    "dmala(alpha=4)",
    "acs(tune=no,alpha=4,cycle=1)",
    "hiss(eta=1,steps=1,inner=dmala(alpha=4))",
    "hiss(eta=2,steps=0,block=2)",
    "pt(base=dmala(alpha=4),ladder=[1,2,8])",
};

static void the_law_is_kept(void **state)
{
    hs_model *m = suite_tours(5, HS_TOUR_PERMUTATION);
    uint64_t seed = 160000;
    int wrong = 0;

    (void)state;
    for (size_t s = 0; s < COUNT(on_permutations); s++)
        wrong +=
            suite_complaints("tours", m, on_permutations[s],
                             suite_replicates(QUICK), suite_seed(seed++), 0.1);
    hs_model_destroy(m);
    /* proposals that are no tour are rejected, so these move less */
    m = suite_tours(5, HS_TOUR_ONEHOT);
    for (size_t s = 0; s < COUNT(on_positions); s++)
        wrong += suite_complaints("positions", m, on_positions[s],
                                  suite_replicates(QUICK), suite_seed(seed++),
                                  0.005);
    hs_model_destroy(m);
    assert_int_equal(wrong, 0);
}

static void every_fault_is_seen(void **state)
{
    static const char *const wrong[] = {
        "bad_tour(fault=sign)",
        "bad_tour(fault=half)",
        "bad_keys(fault=prior,eta=2)",
    };
    hs_model *m;
    int overlooked = 0;

    (void)state;
    if (suite_is_brief())
        skip();
    m = suite_tours(5, HS_TOUR_PERMUTATION);
    for (size_t s = 0; s < sizeof wrong / sizeof *wrong; s++)
        overlooked +=
            suite_overlooks("tours", m, wrong[s], suite_replicates(4 * QUICK),
                            suite_seed(161000 + s));
    hs_model_destroy(m);
    assert_int_equal(overlooked, 0);
}

/* On four cities a 2-opt move swaps two neighbors on the circle, each of the
 * four pairs as likely. */
static void transitions_are_those_of_2_opt(void **state)
{
    static space s;
    static matrix p;
    hs_model *m;
    hs_verdict v;
    double found;

    (void)state;
    if (suite_is_brief())
        skip();
    m = suite_tours(4, HS_TOUR_PERMUTATION);
    s.dim = 4;
    s.n = 256;
    for (int n = 0; n < s.n; n++) {
        int16_t x[4];

        for (int i = 0; i < 4; i++)
            x[i] = (int16_t)(n >> (6 - 2 * i) & 3);
        assert_int_equal(hs_model_energy(m, x, &s.u[n], NULL), HISS_OK);
    }
    for (int n = 0; n < s.n; n++) {
        p[n][n] = 1.0;
        for (int i = 0; s.u[n] > -HUGE_VAL && i < 4; i++) {
            int a = 6 - 2 * i, b = 6 - 2 * ((i + 1) % 4);
            int flip = (n >> a & 3) ^ (n >> b & 3);
            int to = n ^ flip << a ^ flip << b;
            double q = 0.25 * fmin(1.0, exp(s.u[to] - s.u[n]));

            p[n][to] += q;
            p[n][n] -= q;
        }
    }
    suite_verify(&v, m, "tour(updates=1,turn=no,or_opt=0)",
                 suite_replicates(4 * QUICK), suite_seed(162000));
    found = matrix_p_value(s.n, p, &v);
    printf("       2-opt against its matrix: p = %.3g\n", found);
    assert_true(found > 1e-6);
    hs_verdict_clear(&v);
    hs_model_destroy(m);
}

static void check_refusal(const hs_model *m, const char *sampler,
                          const char *part)
{
    hiss_verify_settings set = {.replicates = 100, .seed = 1, .threads = 1};
    hiss_error err = {0};
    hs_sampler *tree;
    hs_verdict v;

    assert_int_equal(hs_sampler_parse(&tree, sampler, NULL), HISS_OK);
    assert_int_equal(hs_verify(&v, m, tree, &set, &err), HISS_EUNSUP);
    if (!strstr(err.message, part))
        fail_msg("%s: %s", sampler, err.message);
    hs_sampler_release(tree);
}

static void others_refuse(void **state)
{
    static const char *const samplers[] = {
        "dmala",
        "dula",
        "gwg",
        "acs",
        "gibbs",
        "metropolis",
        "cluster",
        "mix(tour,gwg)",
        "hiss(inner=dmala,steps=0)",
        "pt(base=gibbs)",
    };
    hs_model *m = suite_tours(5, HS_TOUR_PERMUTATION);

    (void)state;
    for (size_t s = 0; s < COUNT(samplers); s++)
        check_refusal(m, samplers[s], "tour and hiss(inner=tour)");
    hs_model_destroy(m);
    m = suite_create(ISING);
    check_refusal(m, "tour", "tsp(FILE) has tours");
    hs_model_destroy(m);
}

int main(int argc, char **argv)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_law_is_kept),
        cmocka_unit_test(every_fault_is_seen),
        cmocka_unit_test(transitions_are_those_of_2_opt),
        cmocka_unit_test(others_refuse),
    };

    suite_begin(argc, argv);
    hs_kernel_extra = broken_tours;
    return cmocka_run_group_tests_name("tours", tests, NULL, NULL);
}
