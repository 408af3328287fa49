/* test_power.c - what a verdict finds, and what it lets pass.
 *
 * Samplers that settle .02 sd of U from the truth, or further, are rejected
 * with 10^6 replicates.  200 pairs of an exact sampler and a model of every
 * coordinate kind are not: with fixed seeds no p-value may lie below 1e-4,
 * which of 200 right ones happens by chance once in 50 choices of the seeds,
 * or less often, since most p-values are bounds.  The slow twin, with fresh
 * seeds, asks once more in case of doubt (suite.h). */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>

#include <cmocka.h>

#include "base/alloc.h"
#include "conformance/support/broken.h"
#include "conformance/support/suite.h"
#include "model/law/lookup.h"

#define EXACT_QUICK 50000

#define COUNT(a) (sizeof(a) / sizeof *(a))

/* Of a sampler that settles off by B, one step from the truth moves the mean
 * of U by B (1 - correlation of U before and after), and that is measured. */
static const struct {
    const char *model, *sampler;
} biased[] = {
    {"ising(side=4,beta=0.3)", "dula(alpha=0.4)"},
    {"ising(side=4,beta=0.3)", "dula(alpha=0.5)"},
    {"ising(side=4,beta=0.3)", "dula(alpha=0.6)"},
    {"ising(side=4,beta=0.3)", "dula(alpha=1.5)"},
    {"ising(side=3,beta=0.3)", "hiss(eta=0.14,adjust=no,steps=0)"},
    {"ising(side=4,beta=0.3)", "hiss(eta=0.5,steps=2,inner=dula(alpha=0.6))"},
    {"ising(side=4,beta=0.3)", "bad_cool(scale=1.01,base=gibbs)"},
    {"ising(side=4,beta=0.3)", "bad_cool(scale=1.01,base=gibbs(packed=yes))"},
    {"ising(side=3,beta=0.3)", "bad_pt(fault=sign,base=dmala(alpha=0.6))"},
    {"ising(side=3,beta=0.3)", "bad_dmala(alpha=0.6,fault=reverse)"},
    {"ising(side=3,beta=0.3)",
     "hiss(eta=0.8,steps=1,inner=bad_dmala(alpha=2,fault=tilt))"},
    {"ising(side=3,beta=0.3)", "replicas(dula(alpha=0.6),count=4)"},
};

static const char *const exact[] = {
    "gibbs",
    "gibbs(scan=random,updates=2)",
    "metropolis",
    "dmala(alpha=2)",
    "gwg",
    "acs(tune=no,alpha=1,balance=0.7,cycle=3,hold=2)",
    "hiss(eta=1,steps=0)",
    "hiss(eta=0.6,steps=2,inner=gibbs)",
    "hiss(eta=0.8,block=2,steps=1,inner=gwg)",
    "hiss(eta=1,steps=1,order=palindrome,inner=dmala(alpha=2))",
    "hiss(eta=0.7,steps=1,kernel=gaussian,inner=metropolis(updates=2))",
    "hiss(eta=0.6,steps=1,inner=mix(gwg,dmala(alpha=2)))",
    "pt(base=gwg,levels=3)",
    "pt(base=dmala(alpha=2),ladder=[1,2,5],swap_every=2)",
    "mix(gwg,hiss(eta=1,steps=0))",
    "mix(acs(tune=no,alpha=1,cycle=2),acs(tune=no,alpha=2,cycle=3))",
    "sequence(dmala(alpha=2),acs(tune=no,alpha=1,cycle=3))",
    "sequence(gibbs,metropolis(updates=1))",
    "replicas(base=dmala(alpha=2),count=3)",
};

/* One coordinate of many values, one with a value far away from the others. */
static hs_model *create_far(void)
{
    static const hiss_kind kind[] = {HISS_CATEGORICAL, HISS_ORDINAL,
                                     HISS_BINARY};
    static const int states[] = {40, 3, 2};
    static const double levels[] = {0, 1, 12};
    double *u = hs_alloc_array(240, sizeof *u);
    hs_domain domain;
    hs_model *m;

    assert_non_null(u);
    for (int n = 0; n < 240; n++)
        u[n] = 1.5 * sin(7.0 * n) + 0.02 * n;
    assert_int_equal(
        hs_domain_init_mixed(&domain, 3, kind, states, levels, NULL), HISS_OK);
    assert_int_equal(hs_lookup_create(&m, &domain, u, NULL), HISS_OK);
    m->name = hs_strdup("far");
    return m;
}

/* How far off it settles, in sd of U: the bias of a step divided by 1 - the
 * correlation, which is half the variance of the difference. */
static double settles(const hiss_verify_result *r)
{
    double variance = (double)r->replicates * r->bias_error * r->bias_error;

    return fabs(r->bias) / (0.5 * variance);
}

static void biased_samplers_are_rejected(void **state)
{
    int overlooked = 0;

    (void)state;
    for (size_t s = 0; s < COUNT(biased); s++) {
        hs_model *m;
        hs_verdict v;
        bool is_seen;

        assert_int_equal(hs_model_create(&m, biased[s].model, NULL), HISS_OK);
        suite_verify(&v, m, biased[s].sampler, suite_replicates(1000000),
                     suite_seed(170000 + s));
        assert_true(settles(&v.result) > 0.02); /* as it was chosen */
        is_seen = v.result.verdict == HISS_BROKEN;
        printf("%s  %-58s p = %-9.3g by %s, %lld steps; off by %.2g sd\n",
               is_seen ? "seen " : "OVERLOOKED", biased[s].sampler,
               v.result.p_value, v.test[v.result.worst].name,
               (long long)v.test[v.result.worst].steps, settles(&v.result));
        overlooked += !is_seen;
        hs_verdict_clear(&v);
        hs_model_destroy(m);
    }
    assert_int_equal(overlooked, 0);
}

static int alarms(const char *name, const hs_model *m, const char *sampler,
                  uint64_t seed)
{
    hs_verdict v;
    bool is_alarm;

    if (suite_is_slow())
        return suite_complaints(name, m, sampler, suite_replicates(EXACT_QUICK),
                                seed, 0.01);
    suite_verify(&v, m, sampler, suite_replicates(EXACT_QUICK), seed);
    is_alarm = v.result.p_value < 1e-4;
    printf("%s  %-11s %-66s p = %-8.3g would see %.3f sd\n",
           is_alarm ? "ALARM" : "ok   ", name, sampler, v.result.p_value,
           v.result.detectable);
    hs_verdict_clear(&v);
    return is_alarm;
}

static void exact_samplers_raise_no_alarm(void **state)
{
    int pairs = 0, wrong = 0;

    (void)state;
    for (int k = 0; k <= SUITE_MODELS; k++) {
        hs_model *m = k < SUITE_MODELS ? suite_create(k) : create_far();

        for (size_t s = 0; s < COUNT(exact); s++, pairs++)
            wrong +=
                alarms(k < SUITE_MODELS ? suite_names[k] : "far", m, exact[s],
                       suite_seed(171000 + 100 * (uint64_t)k + s));
        hs_model_destroy(m);
    }
    assert_true(pairs >= 200);
    assert_int_equal(wrong, 0);
}

int main(int argc, char **argv)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(biased_samplers_are_rejected),
        cmocka_unit_test(exact_samplers_raise_no_alarm),
    };

    suite_begin(argc, argv);
    hs_kernel_extra = broken_kernels;
    return cmocka_run_group_tests_name("power", tests, NULL, NULL);
}
