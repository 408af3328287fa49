/* test_rhat.c - R-hat and the error of the mean against ArviZ. */
#include "diag/chains/rhat.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include "base/alloc.h"
#include "diag/chains/mcse.h"
#include "unit/diag_draws.h"

#include <cmocka.h>

static void rhat_equals_arviz(void **state)
{
    (void)state;
    for (int i = 0; i < GOLDENS; i++) {
        const struct golden *g = &goldens[i];
        double *x = draw_all(g);
        double ours = 0.0;

        assert_non_null(x);
        assert_int_equal(hs_rhat(x, g->chains, g->n, &ours, NULL), HISS_OK);
        if (!agrees(ours, g->rhat))
            fail_msg("%s: %.12g, ArviZ %.12g", g->name, ours, g->rhat);
        free(x);
    }
}

static void mcse_equals_arviz(void **state)
{
    (void)state;
    for (int i = 0; i < GOLDENS; i++) {
        const struct golden *g = &goldens[i];
        double *x = draw_all(g);
        double ours = 0.0;

        assert_non_null(x);
        assert_int_equal(hs_mcse_mean(x, g->chains, g->n, &ours, NULL),
                         HISS_OK);
        if (!agrees(ours, g->mcse))
            fail_msg("%s: %.12g, ArviZ %.12g", g->name, ours, g->mcse);
        free(x);
    }
}

/* 0.3 is not a binary fraction: sums of it round, its variance must not. */
static void chains_stuck_apart_are_infinitely_apart(void **state)
{
    const struct golden g = {"", STUCK, 4, 1001, 0, 0, 1, 0, 0, 0, 0, 0, 0};
    double *x = draw_all(&g);
    double rhat = 0.0;

    (void)state;
    assert_non_null(x);
    assert_int_equal(hs_rhat(x, g.chains, g.n, &rhat, NULL), HISS_OK);
    assert_true(isinf(rhat) && rhat > 0.0);
    free(x);
}

static void a_constant_column_has_no_error(void **state)
{
    const struct golden g = {"", STUCK, 4, 1001, 0, 0, 0, 0, 0, 0, 0, 0, 0};
    double *x = draw_all(&g);
    double mcse = 1.0;

    (void)state;
    assert_non_null(x);
    assert_int_equal(hs_mcse_mean(x, g.chains, g.n, &mcse, NULL), HISS_OK);
    assert_true(mcse == 0.0);
    free(x);
}

static void a_failed_allocation_is_reported(void **state)
{
    const struct golden g = {"", AR, 2, 1000, 5, 0.999, 1, 0, 0, 0, 0, 0, 0};
    double *x = draw_all(&g);
    hiss_status rc = HISS_ENOMEM;
    double value;

    (void)state;
    assert_non_null(x);
    for (int64_t n = 1; rc != HISS_OK && n < 100; n++) {
        hs_alloc_fail_after(n);
        rc = hs_rhat(x, g.chains, g.n, &value, NULL);
        hs_alloc_fail_after(0);
        assert_true(rc == HISS_OK || rc == HISS_ENOMEM);
        assert_true((rc == HISS_OK) == !isnan(value));
    }
    assert_int_equal(rc, HISS_OK);
    hs_alloc_fail_after(1);
    assert_int_equal(hs_mcse_mean(x, g.chains, g.n, &value, NULL), HISS_ENOMEM);
    hs_alloc_fail_after(0);
    assert_true(isnan(value));
    free(x);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(rhat_equals_arviz),
        cmocka_unit_test(mcse_equals_arviz),
        cmocka_unit_test(chains_stuck_apart_are_infinitely_apart),
        cmocka_unit_test(a_constant_column_has_no_error),
        cmocka_unit_test(a_failed_allocation_is_reported),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
