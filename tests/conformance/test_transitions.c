/* test_transitions.c - the right kernel, not only one that keeps the law:
 * counts of x -> y against rows of matrices computed from the definitions.
 *
 * One chi-square over all rows per kernel and model; p must exceed 1e-5, so
 * with fresh seeds one of some 60 tests fails by chance in 1600 runs; for
 * 1e-8 < p <= 1e-5 it is repeated with ten times the replicates, which leaves
 * 6e-7. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>

#include <cmocka.h>

#include "base/alloc.h"
#include "conformance/support/matrix.h"
#include "conformance/support/suite.h"
#include "model/law/lookup.h"

#define QUICK 400000

/* 1 if the transitions of the sampler are not those of p. */
static int compare(const char *name, const hs_model *m, const space *s,
                   const char *sampler, matrix p, uint64_t seed)
{
    return matrix_complaints(name, m, s, sampler, p, suite_replicates(QUICK),
                             seed);
}

/* The kernels with a matrix in closed form, on model *state. */
static void transitions_are_as_defined(void **state)
{
    suite_model which = *(suite_model *)*state;
    const char *name = suite_names[which];
    hs_model *m = suite_create(which);
    uint64_t seed = 60000 + 100 * (uint64_t)which;
    static matrix p;
    space s;
    int wrong = 0;

    space_init(&s, m);
    matrix_jump(&s, LOGISTIC, 0.3, p);
    wrong += compare(name, m, &s, "hiss(eta=0.3,steps=0)", p, seed++);
    matrix_jump(&s, LOGISTIC, 1.5, p);
    wrong += compare(name, m, &s, "hiss(eta=1.5,steps=0)", p, seed++);
    matrix_jump(&s, GAUSSIAN, 0.8, p);
    wrong += compare(name, m, &s, "hiss(eta=0.8,steps=0,kernel=gaussian)", p,
                     seed++);
    matrix_dmala(&s, 0.7, p);
    wrong += compare(name, m, &s, "dmala(alpha=0.7)", p, seed++);
    matrix_dmala(&s, 3.0, p);
    wrong += compare(name, m, &s, "dmala(alpha=3)", p, seed++);
    matrix_gwg(&s, p);
    wrong += compare(name, m, &s, "gwg", p, seed++);
    wrong += compare(name, m, &s, "replicas(gwg,count=3)", p, seed + 50);
    matrix_metropolis(&s, p);
    wrong += compare(name, m, &s, "metropolis(updates=1)", p, seed++);
    matrix_gibbs(&s, p);
    wrong += compare(name, m, &s, "gibbs(scan=random,updates=1)", p, seed++);
    matrix_metropolis_scan(&s, m->order, p);
    wrong += compare(name, m, &s, "metropolis", p, seed++);
    hs_model_destroy(m);
    assert_int_equal(wrong, 0);
}

/* Two numeric coordinates with a law of their own. */
static hs_model *create_two(hiss_kind kind, int states, const double *levels,
                            const double *law)
{
    hiss_kind kinds[2] = {kind, kind};
    int counts[2] = {states, 2}, n = 2 * states;
    double *u = hs_alloc_array((size_t)n, sizeof *u);
    hs_domain domain;
    hs_model *m;

    assert_non_null(u);
    for (int x = 0; x < n; x++)
        u[x] = log(law[x]);
    assert_int_equal(
        hs_domain_init_mixed(&domain, 2, kinds, counts, levels, NULL), HISS_OK);
    assert_int_equal(hs_lookup_create(&m, &domain, u, NULL), HISS_OK);
    m->name = hs_strdup("two");
    return m;
}

static const double four[4] = {0.5, 0.03, 0.07, 0.4};
static const double six[6] = {0.3, 0.1, 0.05, 0.2, 0.15, 0.2};
static const double five_levels[5] = {0, 1, 3, -1, 1};

/* Whole sweeps of HiSS, the noise integrated out: every way to see the tilt. */
static void sweeps_are_as_defined(void **state)
{
    static const struct {
        sweep sweep;
        const char *sampler;
    } cases[] = {
        {{LOGISTIC, 1, 0.5, 1, false, false, false},
         "hiss(eta=1,steps=1,inner=dmala(alpha=0.5))"},
        {{LOGISTIC, 0.5, 2, 2, false, false, false},
         "hiss(eta=0.5,steps=2,inner=dmala(alpha=2))"},
        {{LOGISTIC, 0.7, 2, 1, true, false, false},
         "hiss(eta=0.7,steps=1,order=palindrome,inner=dmala(alpha=2))"},
        {{LOGISTIC, 0.6, 2, 1, false, true, false},
         "hiss(eta=0.6,steps=1,tilt=gradient,inner=dmala(alpha=2))"},
        {{GAUSSIAN, 0.7, 2, 1, false, false, false},
         "hiss(eta=0.7,steps=1,kernel=gaussian,inner=dmala(alpha=2))"},
        {{GAUSSIAN, 0.9, 2, 1, true, true, false},
         "hiss(eta=0.9,steps=1,kernel=gaussian,tilt=gradient,"
         "order=palindrome,inner=dmala(alpha=2))"},
        {{GAUSSIAN, 0.7, 2, 1, false, false, true},
         "edlp(eta=0.49,inner=dmala(alpha=2))"},
    };
    static const char *const names[] = {"two bits", "two spins", "two levels"};
    static matrix p;
    int wrong = 0;

    (void)state;
    for (int kind = 0; kind < 3; kind++) {
        hs_model *m = kind == 0 ? create_two(HISS_BINARY, 2, NULL, four)
                      : kind == 1
                          ? create_two(HISS_SPIN, 2, NULL, four)
                          : create_two(HISS_ORDINAL, 3, five_levels, six);
        space s;

        space_init(&s, m);
        for (size_t c = 0; c < sizeof cases / sizeof *cases; c++) {
            matrix_sweep(&s, &cases[c].sweep, p);
            wrong += compare(names[kind], m, &s, cases[c].sampler, p,
                             70000 + 10 * (uint64_t)kind + c);
        }
        hs_model_destroy(m);
    }
    assert_int_equal(wrong, 0);
}

/* Quadrature of the definitions agrees with known numbers: invariance, and
 * how far the paper's order is from detailed balance with pi = (.5,.03,.07,.4)
 * at eta = 1, alpha = .5 and the linear tilt: 0, 1.1e-3 and 1.5e-3 for 0, 1
 * and 2 inner steps. */
static void the_paper_order_is_not_reversible(void **state)
{
    static const double violation[3] = {0.0, 1.1e-3, 1.5e-3};
    hs_model *m = create_two(HISS_BINARY, 2, NULL, four);
    static matrix p;
    space s;

    (void)state;
    space_init(&s, m);
    for (int steps = 0; steps <= 2; steps++) {
        sweep w = {LOGISTIC, 1.0, 0.5, steps, false, true, false};
        double worst = 0.0;

        matrix_sweep(&s, &w, p);
        for (int y = 0; y < 4; y++) {
            double into = 0.0;

            for (int x = 0; x < 4; x++) {
                into += four[x] * p[x][y];
                worst =
                    fmax(worst, fabs(four[x] * p[x][y] - four[y] * p[y][x]));
            }
            assert_true(fabs(into - four[y]) < 1e-5);
        }
        assert_true(fabs(worst - violation[steps]) < 5e-5);
    }
    hs_model_destroy(m);
}

int main(int argc, char **argv)
{
    /* all but the ladder, whose gradient is its own */
    static suite_model number[] = {BINARY, SPIN,  ORDINAL, CATEGORICAL,
                                   MIXED,  ISING, FIELD,   POTTS};
    enum {
        MODELS = sizeof number / sizeof *number
    };
    struct CMUnitTest tests[MODELS + 2] = {
        cmocka_unit_test(sweeps_are_as_defined),
        cmocka_unit_test(the_paper_order_is_not_reversible),
    };

    suite_begin(argc, argv);
    for (int i = 0; i < MODELS; i++)
        tests[i + 2] = (struct CMUnitTest){
            .name = suite_names[number[i]],
            .test_func = transitions_are_as_defined,
            .initial_state = &number[i],
        };
    return cmocka_run_group_tests_name("transitions", tests, NULL, NULL);
}
