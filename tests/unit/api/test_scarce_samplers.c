/* test_scarce_samplers.c - every sampler when memory runs out on the way.
 *
 * The n-th allocation of a run and all after it fail, for every n where there
 * are few, else for TRIES values of n.  The run ends with HISS_ENOMEM, or it
 * ends well and has the draws of a run with memory.  The address sanitizer sees
 * what is not freed. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

#include <hiss/hiss.h>

#include "base/alloc.h"
#include "kernel/kernel.h"
#include "kernel/sampler.h"
#include "unit/brief.h"

#define TRIES 120 /* failing allocations of a long run */
#define FEW   12  /* of them where a sanitizer looks on */

enum {
    CHAINS = 3,
    SAMPLES = 4
};

/* Models by the ways that samplers have for them. */
static const char *const models[] = {
    "bernoulli4",
    "ising(side=4,beta=0.3)",
    "ising(side=3,beta=0.3,field=0.2)",
    "potts(side=3,states=3,beta=0.4)",
    "ladder(d=4,levels=4,beta=0.3)",
    "mixture(2,9,strength_low=1.4)",
    "rbm(visible=6,hidden=3,modes=1)",
};

enum {
    MODELS = sizeof models / sizeof *models
};

/* Beside every sampler of the registry with its defaults. */
static const char *const specs[] = {
    "auto(pilot=1000)",
    "auto(pilot=1000,independent=no)",
    "dmala(alpha=2)",
    "dula(alpha=1)",
    "acs(tune=no,alpha=0.6,cycle=3,hold=2)",
    "gibbs(scan=random)",
    "gibbs(packed=yes)",
    "hiss(eta=4,sweeps=2,steps=2,inner=dmala(alpha=2))",
    "hiss(eta=auto,tune=accept,steps=1,inner=gwg)",
    "hiss(eta=auto,tune=jump,block=auto,inner=dmala(alpha=2))",
    "hiss(kernel=learned,inner=gibbs)",
    "hiss(eta=2,block=2,steps=1,order=palindrome,inner=dmala(alpha=2))",
    "hiss(eta=0.8,steps=1,inner=blocks(table=8))",
    "pt(base=hiss(eta=0.7,steps=1,inner=gwg),ladder=[1,2,4])",
    "pt(base=gibbs,levels=auto)",
    "pt(base=gibbs,ladder=[1,3],reference=modes,path=[0.5,0])",
    "mix(gwg,hiss(eta=1,steps=0))",
    "sequence(gibbs,bridge(swap=0.3))",
    "replicas(base=acs,count=2)",
    "cluster(update=one)",
    "chromatic(scan=random,updates=2)",
    "pas(balance=max)",
    "dlmc(time=0.3,balance=barker,solver=euler)",
    "edlp(eta=2,steps=2,inner=dlmc(time=0.5))",
    "tgs(time=1,power=0)",
    "ab(sigma=2,balance=0.6,rank=1)",
    "network(bond=2)",
};

enum {
    SPECS = sizeof specs / sizeof *specs
};

struct run {
    hiss_status rc;
    size_t bytes;
    char draws[CHAINS * SAMPLES * 64];
};

static size_t bytes_of(const hiss_result *r)
{
    static const size_t size[] = {
        [HISS_INT8] = 1, [HISS_INT16] = 2, [HISS_FLOAT32] = 4};
    hiss_run_info info = HISS_INIT(hiss_run_info);

    assert_true(hiss_result_info(r, &info));
    return size[info.element] * (size_t)info.chains * (size_t)info.samples *
           (size_t)info.dim;
}

/* With the n-th allocation failing, 0: with none. */
static void draw(struct run *out, const char *model, const char *spec,
                 int64_t n)
{
    hiss_model *m = NULL;
    hiss_sampler *s = NULL;
    hiss_result *r = NULL;
    hiss_settings set;

    hiss_settings_init(&set);
    set.chains = CHAINS;
    set.samples = SAMPLES;
    set.warmup = 2;
    set.threads = 1;
    hs_alloc_fail_after(n);
    out->rc = hiss_model_create(&m, model, NULL);
    if (out->rc == HISS_OK)
        out->rc = hiss_sampler_create(&s, spec, NULL);
    if (out->rc == HISS_OK)
        out->rc = hiss_sample(&r, m, s, &set, NULL);
    hs_alloc_fail_after(0);
    out->bytes = 0;
    if (out->rc == HISS_OK) {
        out->bytes = bytes_of(r);
        assert_in_range(out->bytes, 1, sizeof out->draws);
        memcpy(out->draws, hiss_result_draws(r), out->bytes);
    }
    hiss_result_destroy(r);
    hiss_sampler_destroy(s);
    hiss_model_destroy(m);
}

/* Every allocation, or `most` of them, at distances that grow. */
static int64_t next_after(int64_t n, int64_t all, int64_t most)
{
    return n + 1 + (all > most ? n * 4 / most : 0);
}

static void run_short_of_memory(const char *model, const char *spec)
{
    static struct run whole, scarce;
    int64_t before = hs_alloc_count(), all;

    draw(&whole, model, spec, 0);
    all = hs_alloc_count() - before;
    if (whole.rc == HISS_EUNSUP)
        return;
    if (whole.rc != HISS_OK)
        fail_msg("%s on %s: status %d with memory", spec, model, whole.rc);
    for (int64_t n = 1; n <= all + 1;
         n = next_after(n, all, test_is_brief() ? FEW : TRIES)) {
        draw(&scarce, model, spec, n);
        if (scarce.rc != HISS_OK && scarce.rc != HISS_ENOMEM)
            fail_msg("%s on %s: status %d when allocation %lld of %lld fails",
                     spec, model, scarce.rc, (long long)n, (long long)all);
        if (scarce.rc == HISS_OK &&
            (scarce.bytes != whole.bytes ||
             memcmp(scarce.draws, whole.draws, whole.bytes) != 0))
            fail_msg("%s on %s: other draws when allocation %lld of %lld fails",
                     spec, model, (long long)n, (long long)all);
    }
}

/* *state is the model's number. */
static void samplers_survive(void **state)
{
    const char *model = models[*(int *)*state];

    for (int s = 0; s < SPECS; s++)
        run_short_of_memory(model, specs[s]);
    for (const hs_kernel_type *const *t = hs_kernel_types; *t; t++) {
        hs_sampler *tree;

        if (hs_sampler_parse(&tree, (*t)->name, NULL) != HISS_OK)
            continue;
        hs_sampler_release(tree);
        run_short_of_memory(model, (*t)->name);
    }
}

int main(void)
{
    static int number[MODELS];
    struct CMUnitTest tests[MODELS] = {{0}};

    for (int m = 0; m < MODELS; m++) {
        number[m] = m;
        tests[m].name = models[m];
        tests[m].test_func = samplers_survive;
        tests[m].initial_state = &number[m];
    }
    return cmocka_run_group_tests(tests, NULL, NULL);
}
