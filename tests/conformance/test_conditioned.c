/* test_conditioned.c - every exact kernel keeps the law of factor graphs with
 * hard constraints, and of models with coordinates fixed.
 *
 * Zeros are placed so that single-site moves still connect what is possible:
 * a kernel that cannot move passes any such test.  Some 130 verdicts at
 * QUICK replicates. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

#include "conformance/support/suite.h"
#include "model/factor/factor_graph.h"
#include "model/factor/fixed.h"

#define QUICK       100000
#define LEAST_MOVED 0.1

static const char *const samplers[] = {
    "hiss(eta=2,steps=1,inner=dmala(alpha=2))",
    "hiss(eta=0.5,steps=1,inner=gwg)",
    "hiss(eta=0.7,steps=0,sweeps=3)",
    "hiss(eta=0.6,steps=2,tilt=gradient,inner=dmala(alpha=2))",
    "hiss(eta=1,steps=2,order=palindrome,inner=dmala(alpha=2))",
    "hiss(eta=2,block=2,steps=1,inner=gibbs)",
    "dmala(alpha=2)",
    "acs(tune=no,alpha=2,balance=0.8,cycle=5,hold=2)",
    "gibbs",
    "gibbs(scan=random,updates=3)",
    "gwg",
    "informed(balance=barker)",
    "pafs(length=2)",
    "hamming(block=3)",
    "metropolis(updates=3)",
    "pt(base=hiss(eta=0.7,steps=1,inner=gwg),ladder=[1,2,5])",
    "pt(base=gibbs,levels=3)",
};

enum {
    SAMPLERS = sizeof samplers / sizeof *samplers,
    DIM = 5
};

/* Entries between -0.8 and 0.8; every `hole`-th one is -infinity, never the
 * first: all zeros is possible, and each coordinate can leave it. */
static void add(hs_factors *f, int size, const int *scope, int hole)
{
    double *t;
    int64_t entries = hs_factors_entries(f, size, scope);

    assert_int_equal(hs_factors_add(f, size, scope, NULL, &t, NULL), HISS_OK);
    for (int64_t e = 0; e < entries; e++) {
        t[e] = 0.8 * sin(2.5 * (double)e + scope[0] + 3.0 * size);
        if (hole > 0 && e % hole == hole - 1)
            t[e] = -HUGE_VAL;
    }
}

static hs_model *graph(const int *states, int hole)
{
    static const int triple[] = {0, 2, 4}, pair[] = {3, 1}, other[] = {1, 2};
    static const int lone[] = {4};
    hs_factors f;
    hs_model *m;

    assert_int_equal(hs_factors_init(&f, DIM, states, NULL), HISS_OK);
    add(&f, 3, triple, hole);
    add(&f, 2, pair, hole);
    add(&f, 2, other, 0);
    add(&f, 1, lone, 0);
    assert_int_equal(hs_factor_graph_create(&m, "graph", &f, NULL), HISS_OK);
    assert_int_equal(m->ops->start != NULL, hole > 0);
    return m;
}

static hs_model *bits(void)
{
    return graph((const int[]){2, 2, 2, 2, 2}, 0);
}

static hs_model *bits_with_zeros(void)
{
    return graph((const int[]){2, 2, 2, 2, 2}, 4);
}

static hs_model *labels(void)
{
    return graph((const int[]){2, 3, 1, 2, 4}, 0);
}

static hs_model *labels_with_zeros(void)
{
    return graph((const int[]){2, 3, 2, 2, 3}, 5);
}

/* A built-in model with its first and third coordinate fixed. */
static hs_model *fixed(const char *spec)
{
    hiss_error err = {0};
    hs_model *m;
    int at[32];

    if (hs_model_create(&m, spec, &err) != HISS_OK)
        fail_msg("%s", err.message);
    for (int i = 0; i < m->domain.dim; i++)
        at[i] = i == 0 || i == 2 ? m->domain.states[i] - 1 : -1;
    if (hs_model_fix(&m, at, &err) != HISS_OK)
        fail_msg("%s", err.message);
    return m;
}

static hs_model *fixed_ising(void)
{
    return fixed("ising(side=3,beta=0.3,field=0.1)");
}

static hs_model *fixed_ladder(void)
{
    return fixed("ladder(d=5,levels=4,beta=0.2)");
}

static hs_model *fixed_potts(void)
{
    return fixed("potts(side=2,states=3,beta=0.3)");
}

static hs_model *fixed_rbm(void)
{
    return fixed("rbm(visible=7,hidden=4,seed=2)");
}

static hs_model *fixed_mixture(void)
{
    return fixed("mixture(k=2,d=7,seed=4)");
}

static struct subject {
    const char *name;
    hs_model *(*create)(void);
} subjects[] = {
    {"bits", bits},
    {"bits with zeros", bits_with_zeros},
    {"labels", labels},
    {"labels with zeros", labels_with_zeros},
    {"fixed ising", fixed_ising},
    {"fixed ladder", fixed_ladder},
    {"fixed potts", fixed_potts},
    {"fixed rbm", fixed_rbm},
    {"fixed mixture", fixed_mixture},
};

enum {
    SUBJECTS = sizeof subjects / sizeof *subjects
};

static void exact_kernels_keep_the_law(void **state)
{
    const struct subject *s = *state;
    hs_model *m = s->create();
    int64_t n = suite_replicates(QUICK);
    uint64_t number = 90000 + 100 * (uint64_t)(s - subjects);
    int wrong = 0;

    for (int k = 0; k < SAMPLERS; k++)
        wrong += suite_complaints(s->name, m, samplers[k], n,
                                  suite_seed(number++), LEAST_MOVED);
    hs_model_destroy(m);
    if (wrong)
        fail_msg("%d of the samplers above are wrong on %s", wrong, s->name);
}

int main(int argc, char **argv)
{
    struct CMUnitTest tests[SUBJECTS];

    suite_begin(argc, argv);
    for (int i = 0; i < SUBJECTS; i++)
        tests[i] = (struct CMUnitTest){.name = subjects[i].name,
                                       .test_func = exact_kernels_keep_the_law,
                                       .initial_state = &subjects[i]};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
