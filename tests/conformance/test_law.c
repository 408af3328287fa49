/* test_law.c - every exact kernel keeps the law, on every coordinate kind.
 *
 * Every kernel of the registry is here, with its defaults where it has them
 * and with options under which it moves.  QUICK replicates see a bias of the
 * law of about 3e-3.  Some 390 verdicts: with fresh seeds one of them is wrong
 * by chance once in 10^5 runs of the suite. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

#include "base/error.h"
#include "conformance/support/suite.h"
#include "kernel/kernel.h"

#define QUICK       80000
#define LEAST_MOVED 0.1

static const char *const samplers[] = {
    "hiss(eta=4,steps=2,inner=dmala(alpha=2))",
    "hiss(eta=2,steps=1,inner=dmala(alpha=2))",
    "hiss(eta=0.6,steps=3,inner=dmala(alpha=0.9))",
    "hiss(eta=0.5,steps=1,inner=gwg)",
    "hiss(eta=1,steps=0)",
    "hiss(eta=0.7,steps=0,sweeps=3,kernel=gaussian)",
    "hiss(eta=0.7,steps=2,kernel=gaussian,inner=dmala(alpha=2))",
    "hiss(eta=0.6,steps=2,tilt=gradient,inner=dmala(alpha=2))",
    "hiss(eta=0.8,steps=1,tilt=gradient,kernel=gaussian,inner=gwg)",
    "hiss(eta=1,steps=2,order=palindrome,inner=dmala(alpha=2))",
    "hiss(eta=0.8,steps=1,order=palindrome,block=2,inner=gwg)",
    "hiss(eta=2,block=2,steps=1,inner=dmala(alpha=2))",
    "hiss(eta=0.6,steps=3,inner=acs(tune=no,alpha=1,balance=0.7))",
    "hiss(eta=0.6,steps=1,inner=gibbs)",
    "hiss(eta=0.6,steps=1,inner=metropolis(updates=2))",
    "hiss(eta=0.6,steps=1,inner=mix(gwg,dmala(alpha=2)))",
    "hiss(eta=auto,tune=accept,steps=1,inner=acs)",
    "hiss(inner=acs)",
    "hiss(kernel=learned,inner=gwg)",
    "hiss(steps=0)",
    "hiss(steps=3,sweeps=2,inner=gwg)",
    "hiss(order=palindrome,inner=dmala(alpha=2))",
    "hiss(block=2,steps=1,inner=gibbs)",
    "dmala(alpha=2)",
    "acs(tune=no,alpha=2,balance=0.8,cycle=5,hold=2)",
    "gibbs(scan=random,updates=2)",
    "metropolis(updates=2)",
    "metropolis",
    "hiss(eta=0.6,steps=1,inner=metropolis)",
    "pt(base=dmala(alpha=2))",
    "pt(base=hiss(eta=0.7,steps=1,inner=gwg),ladder=[1,2,5])",
    "pt(base=gwg,levels=3,swap_every=2)",
    "pt(base=hiss(eta=auto,inner=acs),levels=2,max_temperature=3)",
    "pt(base=hiss(eta=auto,tune=jump,steps=1),levels=2,max_temperature=3)",
    "hiss(eta=auto,tune=jump,block=auto,steps=1,inner=dmala(alpha=2))",
    "pt(base=mix(gibbs,dmala(alpha=2)),levels=3)",
    "mix(gwg,hiss(eta=1,steps=0))",
    "mix(hiss(eta=0.5,steps=0),gwg,weights=[3,1])",
    "sequence(gibbs,hiss(eta=1,steps=0))",
    "sequence(dmala(alpha=2),acs(tune=no,cycle=3,alpha=1))",
    "replicas(base=gwg,count=3)",
    "replicas(base=hiss(eta=auto,steps=1,inner=acs),count=2)",
};

enum {
    SAMPLERS = sizeof samplers / sizeof *samplers
};

static bool is_of(const char *sampler, const char *name)
{
    size_t length = strcspn(sampler, "(");

    return strlen(name) == length && strncmp(sampler, name, length) == 0;
}

/* Whether a type can be had by its bare name, and whether it is then exact. */
static bool can_be_bare(const hs_kernel_type *type, hs_traits *traits)
{
    hs_sampler *tree;

    if (hs_sampler_parse(&tree, type->name, NULL) != HISS_OK)
        return false;
    *traits = tree->traits;
    hs_sampler_release(tree);
    return true;
}

static void every_kernel_is_here(void **state)
{
    (void)state;
    for (const hs_kernel_type *const *t = hs_kernel_types; *t; t++) {
        hs_traits traits = {0};
        bool is_here = can_be_bare(*t, &traits);

        for (int s = 0; s < SAMPLERS; s++)
            is_here |= is_of(samplers[s], (*t)->name);
        if (!is_here)
            fail_msg("no sampler of this suite is a %s", (*t)->name);
    }
}

/* A kernel that cannot work on a model says so. */
static bool can_run(const hs_model *m, const char *name)
{
    hs_sampler *tree;
    hs_kernel *k = NULL;
    hiss_error err = {0};
    hiss_status rc = hs_sampler_parse(&tree, name, NULL);

    assert_int_equal(rc, HISS_OK);
    assert_int_equal(hs_kernel_create(&k, tree, NULL), HISS_OK);
    rc = hs_kernel_setup(k, m, &err);
    if (rc == HISS_EUNSUP) {
        printf("       %s: %s\n", name, err.message);
        assert_true(strlen(err.message) > 20);
    }
    hs_sampler_release(tree);
    hs_kernel_destroy(k);
    return rc != HISS_EUNSUP;
}

/* All samplers on one model; *state is its number. */
static void exact_kernels_keep_the_law(void **state)
{
    suite_model which = *(suite_model *)*state;
    const char *name = suite_names[which];
    hs_model *m = suite_create(which);
    int64_t n = suite_replicates(QUICK);
    uint64_t number = 1000 * (uint64_t)which;
    int wrong = 0;

    for (int s = 0; s < SAMPLERS; s++)
        wrong += suite_complaints(name, m, samplers[s], n, suite_seed(number++),
                                  LEAST_MOVED);
    for (const hs_kernel_type *const *t = hs_kernel_types; *t; t++) {
        hs_traits traits = {0};

        /* a bridge alone moves only where its pilot found two modes */
        double least = strcmp((*t)->name, "bridge") == 0 ? 0.0 : LEAST_MOVED;

        if (can_be_bare(*t, &traits) && traits.exact && can_run(m, (*t)->name))
            wrong += suite_complaints(name, m, (*t)->name, n,
                                      suite_seed(number++), least);
    }
    hs_model_destroy(m);
    if (wrong)
        fail_msg("%d of the samplers above are wrong on %s", wrong, name);
}

/* What makes no claim is not exact, and what is not reversible is seen not to
 * be: ten times the replicates, p below 1e-8. */
static void a_verdict_can_be_no(void **state)
{
    static const char *const biased[] = {
        "dula(alpha=4)",
        "dmala(alpha=4,adjust=no)",
        "hiss(eta=2,steps=1,inner=dula(alpha=2))",
        "hiss(eta=1,steps=0,adjust=no)",
    };
    static const char *const turning[] = {
        "hiss(eta=2,steps=1,inner=dmala(alpha=2))",
        "gibbs",
        "pt(base=dmala(alpha=2))",
    };
    int64_t n = suite_replicates(10 * (int64_t)QUICK);
    int wrong = 0;
    hs_model *m;

    (void)state;
    if (suite_is_brief())
        skip();
    m = suite_create(ISING);
    for (size_t s = 0; s < sizeof biased / sizeof *biased; s++) {
        hs_verdict v;

        suite_verify(&v, m, biased[s], n, suite_seed(50000 + s));
        printf("       %s: p = %.3g\n", biased[s], v.result.p_value);
        wrong += v.result.p_value > 1e-8 || v.result.is_invariant ||
                 v.result.claims_exact;
        hs_verdict_clear(&v);
    }
    for (size_t s = 0; s < sizeof turning / sizeof *turning; s++) {
        hs_verdict v;

        suite_verify(&v, m, turning[s], n, suite_seed(51000 + s));
        printf("       %s: reversible with p = %.3g\n", turning[s],
               v.result.reversible_p_value);
        wrong += v.result.reversible_p_value > 1e-8 ||
                 v.result.claims_reversible || !v.result.is_invariant;
        hs_verdict_clear(&v);
    }
    hs_model_destroy(m);
    assert_int_equal(wrong, 0);
}

int main(int argc, char **argv)
{
    static suite_model number[SUITE_MODELS];
    struct CMUnitTest tests[SUITE_MODELS + 2] = {
        cmocka_unit_test(every_kernel_is_here),
        cmocka_unit_test(a_verdict_can_be_no),
    };

    suite_begin(argc, argv);
    for (int i = 0; i < SUITE_MODELS; i++) {
        number[i] = (suite_model)i;
        tests[i + 2] = (struct CMUnitTest){
            .name = suite_names[i],
            .test_func = exact_kernels_keep_the_law,
            .initial_state = &number[i],
        };
    }
    return cmocka_run_group_tests_name("law", tests, NULL, NULL);
}
