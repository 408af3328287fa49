/* test_golden.c - the draws of every kernel, pinned.
 *
 * A hash of the draws of each sampler on each coordinate kind.  They may
 * change only in a minor release, and the changelog says so
 * (docs/reproducibility.md).  HISS_GOLDEN=print writes the table anew:
 *     HISS_GOLDEN=print build/release/tests/unit/test_golden \
 *         > tests/unit/golden/draws.inc */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include <hiss/hiss.h>

static const char *const specs[] = {
    "dmala(alpha=2)",
    "dmala(alpha=auto)",
    "dula(alpha=1)",
    "gwg",
    "acs",
    "acs(tune=no,alpha=0.6,cycle=3,hold=2)",
    "gibbs",
    "gibbs(scan=random)",
    "metropolis(scan=random)",
    "metropolis",
    "hiss(eta=4,sweeps=2,steps=2,inner=dmala(alpha=2))",
    "hiss(eta=auto,tune=accept,steps=1,inner=gwg)",
    "hiss(tune=mix,inner=gwg)",
    "hiss(eta=0.7,steps=1,kernel=gaussian,inner=dmala(alpha=2))",
    "hiss(eta=0.6,steps=1,tilt=gradient,inner=dmala(alpha=2))",
    "hiss(eta=2,block=2,steps=1,order=palindrome,inner=dmala(alpha=2))",
    "pt(base=dmala(alpha=auto))",
    "pt(base=hiss(eta=0.7,steps=1,inner=gwg),ladder=[1,2,4])",
    "mix(gwg,hiss(eta=1,steps=0))",
    "sequence(gibbs,hiss(eta=1,steps=0))",
    "cluster",
    "sequence(gibbs,cluster(update=one))",
    "pt(base=gibbs,ladder=[1,2,inf])",
    "replicas(base=gibbs,count=3)",
    "pt(base=gibbs,levels=auto)",
    "sequence(gibbs,bridge(swap=0.3))",
    "pt(base=gibbs,ladder=[1,3],reference=modes,path=[0.5,0])",
    "auto",
    "auto(independent=no)",
    "blocks",
    "independent",
    "hiss(eta=0.8,steps=1,inner=blocks(table=8))",
    "informed",
    "informed(balance=barker,gain=gradient)",
    "pas(balance=max)",
    "pafs",
    "pafs(length=3,balance=min)",
    "dlmc",
    "dlmc(time=0.3,balance=barker,solver=euler)",
    "hamming",
    "edlp",
    "edlp(eta=2,steps=2,inner=dlmc(time=0.5))",
    "gibbs(packed=yes)",
    "chromatic",
    "chromatic(scan=random,updates=3)",
    "jumps",
    "tgs(time=1,power=0)",
    "tabu",
    "mtm",
    "ab",
    "ab(sigma=2,balance=0.6,rank=1)",
};

/* Models that do not use BLAS: their bits are the same everywhere. */
static const char *const models[] = {
    "bernoulli4",
    "ising(side=4,beta=0.3)",
    "ladder(d=5,levels=4,beta=0.3)",
    "potts(side=3,states=3,beta=0.5)",
    "mixture(3,14,strength_low=1.4,strength_high=1.8)",
};

#define COUNT(a) (sizeof(a) / sizeof *(a))

static const uint64_t golden[COUNT(models)][COUNT(specs)] = {
#include "unit/golden/draws.inc"
};

static uint64_t hash_of(const char *model, const char *spec)
{
    hiss_settings set;
    hiss_model *m;
    hiss_sampler *s;
    hiss_result *r;
    hiss_run_info info = HISS_INIT(hiss_run_info);
    hiss_status rc;
    uint64_t h = 0xcbf29ce484222325u;
    double x[16];

    hiss_settings_init(&set);
    set.chains = 5;
    set.samples = 50;
    set.warmup = 200;
    set.seed = 20261115;
    assert_int_equal(hiss_model_create(&m, model, NULL), HISS_OK);
    assert_int_equal(hiss_sampler_create(&s, spec, NULL), HISS_OK);
    rc = hiss_sample(&r, m, s, &set, NULL);
    if (rc == HISS_EUNSUP) { /* not for this model */
        hiss_sampler_destroy(s);
        hiss_model_destroy(m);
        return 0;
    }
    assert_int_equal(rc, HISS_OK);
    hiss_result_info(r, &info);
    for (int c = 0; c < info.chains; c++)
        for (int64_t n = 0; n < info.samples; n++) {
            hiss_result_draw(r, c, n, x);
            for (int i = 0; i < info.dim; i++)
                h = (h ^ (uint64_t)(int64_t)(x[i] + 2.0)) * 0x100000001b3u;
        }
    hiss_result_destroy(r);
    hiss_sampler_destroy(s);
    hiss_model_destroy(m);
    return h;
}

static void draws_are_the_golden_ones(void **state)
{
    (void)state;
    for (size_t m = 0; m < COUNT(models); m++)
        for (size_t k = 0; k < COUNT(specs); k++) {
            uint64_t h = hash_of(models[m], specs[k]);

            if (h != golden[m][k])
                fail_msg("%s on %s: draws have hash %#018llx, not %#018llx",
                         specs[k], models[m], (unsigned long long)h,
                         (unsigned long long)golden[m][k]);
        }
}

static void print_table(void)
{
    for (size_t m = 0; m < COUNT(models); m++) {
        printf("/* %s */\n{\n", models[m]);
        for (size_t k = 0; k < COUNT(specs); k++)
            printf("    /* %s */\n    %#018llx,\n", specs[k],
                   (unsigned long long)hash_of(models[m], specs[k]));
        printf("},\n");
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(draws_are_the_golden_ones),
    };
    const char *wish = getenv("HISS_GOLDEN");

    if (wish && strcmp(wish, "print") == 0) {
        print_table();
        return 0;
    }
    return cmocka_run_group_tests(tests, NULL, NULL);
}
