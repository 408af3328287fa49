/* test_broken.c - kernels that are wrong on purpose must be rejected, on every
 * coordinate kind; the same code without its fault must not be.
 *
 * Rejected means p < 1e-8 at QUICK replicates: far from the 1e-4 at which a
 * verdict says no, so that chance plays no part. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>

#include <cmocka.h>

#include "conformance/support/broken.h"
#include "conformance/support/suite.h"

#define QUICK 400000

static const suite_model kinds[] = {BINARY, SPIN,  ORDINAL, CATEGORICAL,
                                    MIXED,  ISING, LADDER,  POTTS};

enum {
    KINDS = sizeof kinds / sizeof *kinds
};

static const char *const right[] = {
    "bad_dmala(alpha=2)",
    "bad_gwg",
    "bad_hiss(eta=2,steps=1,inner=dmala(alpha=2))",
    "bad_hiss(eta=0.5,steps=1,inner=bad_dmala(alpha=2))",
    "bad_hiss(eta=0.5,steps=1,inner=bad_gwg)",
    "bad_pt(base=dmala(alpha=2))",
    "bad_strands",
};

static const char *const wrong[] = {
    "bad_dmala(alpha=2,fault=sign)",
    "bad_dmala(alpha=2,fault=reverse)",
    "bad_dmala(alpha=2,fault=half)",
    "bad_gwg(fault=sign)",
    "bad_gwg(fault=reverse)",
    "bad_hiss(eta=1,steps=0,fault=sign)",
    "bad_hiss(eta=1,steps=0,fault=ratio)",
    "bad_hiss(eta=2,steps=1,fault=eta,inner=dmala(alpha=2))",
    "bad_hiss(eta=0.8,steps=1,inner=bad_dmala(alpha=2,fault=tilt))",
    "bad_hiss(eta=0.8,steps=1,inner=bad_gwg(fault=tilt))",
    "hiss(eta=0.8,steps=1,inner=bad_dmala(alpha=2,fault=tilt))",
    "edlp(eta=0.5,inner=bad_dmala(alpha=2,fault=tilt))",
    "bad_pt(fault=sign,base=dmala(alpha=2))",
    "bad_pt(fault=untempered,base=dmala(alpha=2))",
    "bad_strands(fault=best)",
    "bad_strands(fault=moved)",
    "replicas(base=bad_gwg(fault=reverse),count=3)",
};

static void without_fault_they_are_right(void **state)
{
    int complaints = 0;

    (void)state;
    for (int k = 0; k < KINDS; k++) {
        hs_model *m = suite_create(kinds[k]);

        for (size_t s = 0; s < sizeof right / sizeof *right; s++)
            complaints += suite_complaints(
                suite_names[kinds[k]], m, right[s], suite_replicates(100000),
                suite_seed(90000 + 100 * (uint64_t)k + s), 0.1);
        hs_model_destroy(m);
    }
    assert_int_equal(complaints, 0);
}

static void every_fault_is_seen(void **state)
{
    int overlooked = 0;

    (void)state;
    for (int k = 0; k < KINDS; k++) {
        hs_model *m = suite_create(kinds[k]);

        for (size_t s = 0; s < sizeof wrong / sizeof *wrong; s++)
            overlooked += suite_overlooks(
                suite_names[kinds[k]], m, wrong[s], suite_replicates(QUICK),
                suite_seed(95000 + 100 * (uint64_t)k + s));
        hs_model_destroy(m);
    }
    assert_int_equal(overlooked, 0);
}

/* Why `moved` is part of a verdict; to draw from another strand is no move. */
static void standing_still_keeps_every_law(void **state)
{
    static const char *const still[] = {"bad_still", "replicas(bad_still)"};
    hs_model *m = suite_create(MIXED);

    (void)state;
    for (size_t s = 0; s < sizeof still / sizeof *still; s++) {
        hs_verdict v;

        suite_verify(&v, m, still[s], suite_replicates(QUICK),
                     suite_seed(99000 + s));
        assert_int_equal(v.result.verdict, HISS_UNDECIDED);
        assert_true(v.result.p_value > 1e-4);
        assert_true(v.result.moved == 0.0);
        hs_verdict_clear(&v);
    }
    hs_model_destroy(m);
}

int main(int argc, char **argv)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(without_fault_they_are_right),
        cmocka_unit_test(every_fault_is_seen),
        cmocka_unit_test(standing_still_keeps_every_law),
    };

    suite_begin(argc, argv);
    hs_kernel_extra = broken_kernels;
    return cmocka_run_group_tests_name("broken", tests, NULL, NULL);
}
