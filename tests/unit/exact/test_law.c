/* test_law.c - laws at a temperature, and exact draws from them. */
#include "exact/law.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

#include "base/alloc.h"
#include "diag/tests/chi2.h"
#include "model/law/lookup.h"

#define DRAWS 200000

/* Three labels twice: nine states, two of them impossible, one of them last. */
static const double energy[9] = {0.3,  -1.0, -HUGE_VAL, 2.0,      0.0,
                                 -0.7, 1.1,  0.5,       -HUGE_VAL};

static void make(hs_exact *e)
{
    hs_exact_options options = {
        .threads = 1, .has_u = true, .limit = HS_TABLE_MAX, .what = "a test"};
    double *u = hs_alloc_array(9, sizeof *u);
    hs_domain domain;
    hs_model *m;

    assert_non_null(u);
    for (int n = 0; n < 9; n++)
        u[n] = energy[n];
    assert_int_equal(hs_domain_init(&domain, HISS_CATEGORICAL, 2, 3, NULL),
                     HISS_OK);
    assert_int_equal(hs_lookup_create(&m, &domain, u, NULL), HISS_OK);
    assert_int_equal(hs_exact_init(e, m, &options, NULL), HISS_OK);
    hs_model_destroy(m);
}

static void is_tempered(void **state)
{
    static const double betas[] = {0.0, 0.05, 0.5, 1.0, 3.0};
    hs_exact e;

    (void)state;
    make(&e);
    for (int b = 0; b < 5; b++) {
        double sum = 0.0, total = 0.0;
        hs_law law;

        assert_int_equal(hs_law_init(&law, &e, betas[b], NULL), HISS_OK);
        for (int n = 0; n < 9; n++)
            sum += isinf(energy[n]) ? 0.0 : exp(betas[b] * energy[n]);
        for (int n = 0; n < 9; n++) {
            double p = isinf(energy[n]) ? 0.0 : exp(betas[b] * energy[n]) / sum;

            assert_true(fabs(law.p[n] - p) < 1e-15);
            total += law.p[n];
            assert_true(fabs(law.upto[n] - total) < 1e-15);
        }
        assert_true(fabs(total - 1.0) < 1e-14);
        hs_law_clear(&law);
    }
    hs_exact_clear(&e);
}

/* Fixed seeds; p > 1e-4 fails once in 5000 sets of seeds. */
static void draws_follow_it(void **state)
{
    hs_exact e;

    (void)state;
    make(&e);
    for (uint32_t replica = 0; replica < 2; replica++) {
        int64_t seen[9] = {0};
        double expected[9];
        hs_law law;
        hs_chi2 c;

        assert_int_equal(hs_law_init(&law, &e, replica ? 0.3 : 1.0, NULL),
                         HISS_OK);
        for (uint32_t n = 0; n < DRAWS; n++)
            seen[hs_law_draw(&law, 7, n, replica)]++;
        for (int n = 0; n < 9; n++)
            expected[n] = DRAWS * law.p[n];
        assert_int_equal(hs_chi2_pooled(expected, seen, 9, &c, NULL), HISS_OK);
        assert_true(c.p > 1e-4 && c.df == 6);
        assert_int_equal(seen[2] + seen[8], 0);
        assert_int_equal(hs_law_draw(&law, 7, 5, replica),
                         hs_law_draw(&law, 7, 5, replica));
        hs_law_clear(&law);
    }
    hs_exact_clear(&e);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(is_tempered),
        cmocka_unit_test(draws_follow_it),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
