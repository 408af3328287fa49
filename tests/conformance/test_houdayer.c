/* test_houdayer.c - Houdayer moves between replicas at every temperature.
 *
 * Models with several parts of every kind; copies with a fault must be
 * rejected with p < 1e-8, far from where a verdict says no. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

#include <cmocka.h>

#include "conformance/support/broken.h"
#include "conformance/support/suite.h"
#include "kernel/parts.h"

#define QUICK    20000
#define COUNT(a) (sizeof(a) / sizeof *(a))

static const char *const models[] = {
    "ising(side=3,beta=0.3,field=0.2)",
    "ising(side=2,beta=-0.25,dims=3)",
    "pairs(d=6,coupling=0.6,bias=0.3)",
    "potts(side=2,states=3,beta=0.4,field=0.3)",
    "ladder(d=4,levels=4,beta=0.3)",
};

static void houdayer_moves_keep_the_law(void **state)
{
    static const char *const samplers[] = {
        "pthr(base=gibbs,copies=3,ladder=[1,2,4])",
        "pthr(metropolis,copies=2,ladder=[1,3,inf],swap_every=2,clusters=3)",
        "pthr(base=gibbs(scan=random,updates=1),copies=4,levels=2)",
        "bad_houdayer",
    };

    (void)state;
    assert_int_equal(suite_all_complaints(models, COUNT(models), samplers,
                                          COUNT(samplers),
                                          suite_replicates(QUICK), 340000, 0.1),
                     0);
}

/* All that differs is one part there, and is exchanged as a whole. */
static void tables_of_all_kinds_keep_it_too(void **state)
{
    static const suite_model kinds[] = {MIXED, HOLES};
    int wrong = 0;

    (void)state;
    for (size_t i = 0; i < COUNT(kinds); i++) {
        hs_model *m = suite_create(kinds[i]);

        wrong += suite_complaints(
            suite_names[kinds[i]], m, "pthr(base=gibbs,copies=2,ladder=[1,3])",
            suite_replicates(QUICK), suite_seed(350000 + i), 0.1);
        hs_model_destroy(m);
    }
    assert_int_equal(wrong, 0);
}

static void faults_are_seen(void **state)
{
    static const char *const samplers[] = {"bad_houdayer(fault=site)",
                                           "bad_houdayer(fault=greedy)"};
    int missed = 0;

    (void)state;
    if (suite_is_brief())
        skip();
    for (size_t i = 0; i < COUNT(models); i++) {
        hs_model *m = suite_model_of(models[i]);

        for (size_t s = 0; s < COUNT(samplers); s++) {
            hs_verdict v;

            suite_verify(&v, m, samplers[s], suite_replicates(QUICK),
                         suite_seed(360000 + 10 * i + s));
            printf("%-40s %-28s p = %.2g\n", models[i], samplers[s],
                   v.result.p_value);
            missed += !(v.result.p_value < 1e-8);
            hs_verdict_clear(&v);
        }
        hs_model_destroy(m);
    }
    assert_int_equal(missed, 0);
}

static double sum_of(const hs_model *m, hs_tile *t)
{
    t->at.have = 0;
    assert_int_equal(hs_model_evaluate(m, &t->at, HS_U), HISS_OK);
    return t->at.u[0] + t->at.u[1];
}

/* What differs stays, the sum of U stays, and something changes hands. */
static void energies_are_exchanged(void **state)
{
    hs_model *m = suite_model_of("ising(side=6,beta=0.4,field=0.1)");
    hs_parts parts;
    hs_tile t;
    int moved = 0;

    (void)state;
    assert_int_equal(hs_tile_init(&t, m, 7, NULL), HISS_OK);
    assert_int_equal(hs_parts_init(&parts, m, NULL), HISS_OK);
    for (int n = 0; n < 200; n++) {
        int before[36], now = 0;
        double sum;

        hs_tile_tick(&t);
        t.rng.chain[1] = 1;
        hs_point_uniform(&t.at, m, &t.rng, HS_DRAW_INIT);
        sum = sum_of(m, &t);
        for (int i = 0; i < 36; i++)
            before[i] = t.at.x[i][0];
        hs_parts_exchange_one(&parts, (hs_parts_side){&t, 0},
                              (hs_parts_side){&t, 1}, 3, 0);
        for (int i = 0; i < 36; i++)
            now += t.at.x[i][0] != before[i];
        moved += now > 0;
        assert_true(fabs(sum_of(m, &t) - sum) < 1e-5);
    }
    assert_int_equal(moved, 200);
    hs_parts_clear(&parts);
    hs_tile_clear(&t);
    hs_model_destroy(m);
}

int main(int argc, char **argv)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(houdayer_moves_keep_the_law),
        cmocka_unit_test(tables_of_all_kinds_keep_it_too),
        cmocka_unit_test(faults_are_seen),
        cmocka_unit_test(energies_are_exchanged),
    };

    suite_begin(argc, argv);
    hs_kernel_extra = broken_kernels;
    return cmocka_run_group_tests(tests, NULL, NULL);
}
