/* test_values.c - many values behind a heavy one.
 *
 * A coordinate with 4000 values, all but one of which have 5.5e-8 of the
 * weight of that one: each is below what single precision keeps beside 1,
 * and together they are 2.2e-4.  The heavy one is the first, the middle or the
 * last.  WIDE replicates expect 33 draws of the light ones. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>

#include <cmocka.h>

#include "base/alloc.h"
#include "conformance/support/suite.h"
#include "model/law/lookup.h"

enum {
    VALUES = 4000,
    WIDE = 150000,
    SLIM = 20000
};

#define COUNT(a) (sizeof(a) / sizeof *(a))

static hs_model *create(hiss_kind kind, int values, int heavy, double light)
{
    double *u = hs_alloc_array((size_t)values, sizeof *u);
    double *level = hs_alloc_array((size_t)values, sizeof *level);
    hs_domain domain;
    hs_model *m;

    assert_non_null(u);
    assert_non_null(level);
    for (int v = 0; v < values; v++) {
        u[v] = v == heavy ? 0.0 : log(light);
        level[v] = 0.01 * v;
    }
    assert_int_equal(
        hs_domain_init_mixed(&domain, 1, &kind, &values, level, NULL), HISS_OK);
    assert_int_equal(hs_lookup_create(&m, &domain, u, NULL), HISS_OK);
    m->name = hs_strdup("values");
    hs_free(level);
    return m;
}

static void light_values_are_drawn(void **state)
{
    static const int heavy[] = {0, VALUES / 2, VALUES - 1};
    static const char *const names[] = {"first", "middle", "last"};
    int wrong = 0;

    (void)state;
    for (size_t n = 0; n < COUNT(heavy); n++) {
        hs_model *m = create(HISS_CATEGORICAL, VALUES, heavy[n], 5.5e-8);

        wrong += suite_complaints(names[n], m, "gibbs", suite_replicates(WIDE),
                                  suite_seed(180000 + n), 0.0);
        hs_model_destroy(m);
    }
    assert_int_equal(wrong, 0);
}

/* Kernels that draw a value otherwise: of several hundred, where the heavy one
 * has half of the law. */
static void every_kernel_takes_many_values(void **state)
{
    static const char *const samplers[] = {
        "dmala(alpha=2)",
        "gwg",
        "metropolis(updates=3)",
        "gibbs(scan=random)",
        "blocks",
        "hiss(eta=1,steps=0)",
        "hiss(eta=1,steps=1,inner=dmala(alpha=2))",
        "hiss(eta=1,steps=1,inner=gibbs)",
        "acs(tune=no,alpha=2,balance=0.8,cycle=5,hold=2)",
    };
    static const hiss_kind kinds[] = {HISS_CATEGORICAL, HISS_ORDINAL};
    static const char *const names[] = {"labels", "levels"};
    int wrong = 0;

    (void)state;
    for (size_t n = 0; n < COUNT(kinds); n++) {
        hs_model *m = create(kinds[n], 300, 0, 1.0 / 300.0);

        for (size_t s = 0; s < COUNT(samplers); s++)
            wrong += suite_complaints(
                names[n], m, samplers[s], suite_replicates(SLIM),
                suite_seed(181000 + 100 * (uint64_t)n + s), 0.02);
        hs_model_destroy(m);
    }
    assert_int_equal(wrong, 0);
}

int main(int argc, char **argv)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(light_values_are_drawn),
        cmocka_unit_test(every_kernel_takes_many_values),
    };

    suite_begin(argc, argv);
    return cmocka_run_group_tests_name("values", tests, NULL, NULL);
}
