/* test_ess.c - effective sample sizes against ArviZ, and their limits. */
#include "diag/chains/ess.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include "base/alloc.h"
#include "unit/diag_draws.h"

#include <cmocka.h>

typedef hiss_status (*estimate)(const double *, int, int64_t, double *,
                                hiss_error *);

static void every_golden_agrees(estimate f, size_t field, const char *what)
{
    for (int i = 0; i < GOLDENS; i++) {
        const struct golden *g = &goldens[i];
        double theirs = *(const double *)((const char *)g + field);
        double *x = draw_all(g);
        double ours = 0.0;

        assert_non_null(x);
        assert_int_equal(f(x, g->chains, g->n, &ours, NULL), HISS_OK);
        if (!agrees(ours, theirs))
            fail_msg("%s of %s: %.12g, ArviZ %.12g", what, g->name, ours,
                     theirs);
        free(x);
    }
}

static void draws_are_those_of_the_golden_file(void **state)
{
    (void)state;
    for (int i = 0; i < GOLDENS; i++) {
        double *x = draw_all(&goldens[i]);
        double sum = 0.0;

        assert_non_null(x);
        for (int64_t k = 0; k < goldens[i].chains * goldens[i].n; k++)
            sum += x[k];
        if (sum != goldens[i].sum)
            fail_msg("%s: the draws differ", goldens[i].name);
        free(x);
    }
}

static void bulk_equals_arviz(void **state)
{
    (void)state;
    every_golden_agrees(hs_ess_bulk, offsetof(struct golden, bulk), "bulk");
}

static void tail_equals_arviz(void **state)
{
    (void)state;
    every_golden_agrees(hs_ess_tail, offsetof(struct golden, tail), "tail");
}

static void mean_equals_arviz(void **state)
{
    (void)state;
    every_golden_agrees(hs_ess_mean, offsetof(struct golden, mean), "mean");
}

/* An AR(1) chain has tau = (1 + p) / (1 - p).  4 chains of 50000 draws at
 * p = 0.9: tau is 19, its standard error about 0.3. */
static void time_of_an_ar1_chain_is_known(void **state)
{
    const struct golden g = {"", AR, 4, 50000, 77, 0.9, 0, 0, 0, 0, 0, 0, 0};
    double *x = draw_all(&g);
    double ess = 0.0, tau;

    (void)state;
    assert_non_null(x);
    assert_int_equal(hs_ess_mean(x, 4, g.n, &ess, NULL), HISS_OK);
    tau = 4.0 * (double)g.n / ess;
    if (fabs(tau - 19.0) > 1.5)
        fail_msg("tau = %g, expected 19", tau);
    free(x);
}

static void what_is_not_finite_gives_nan(void **state)
{
    const double bad[2] = {NAN, INFINITY};

    (void)state;
    for (int i = 0; i < 2; i++) {
        double x[8] = {1, 2, 3, 4, bad[i], 6, 7, 8};
        double ess = 0.0;

        assert_int_equal(hs_ess_bulk(x, 2, 4, &ess, NULL), HISS_OK);
        assert_true(isnan(ess));
        assert_int_equal(hs_ess_tail(x, 2, 4, &ess, NULL), HISS_OK);
        assert_true(isnan(ess));
        assert_int_equal(hs_ess_mean(x, 2, 4, &ess, NULL), HISS_OK);
        assert_true(isnan(ess));
    }
}

/* Squares of these overflow: NaN may come out, a fault may not. */
static void huge_draws_are_survived(void **state)
{
    double x[12];
    double ess;

    (void)state;
    for (int i = 0; i < 12; i++)
        x[i] = i % 3 ? 1.7e308 : -1.7e308;
    assert_int_equal(hs_ess_mean(x, 1, 12, &ess, NULL), HISS_OK);
    assert_int_equal(hs_ess_bulk(x, 1, 12, &ess, NULL), HISS_OK);
    assert_true(ess > 0.0);
}

/* Every allocation of a call fails in its turn; the call says so. */
static void walk_failures(estimate f, const struct golden *g)
{
    double *x = draw_all(g);
    hiss_status rc = HISS_ENOMEM;
    int64_t n = 0;

    assert_non_null(x);
    while (rc != HISS_OK && n < 100) {
        hiss_error err = {0};
        double ess = 0.0;

        hs_alloc_fail_after(++n);
        rc = f(x, g->chains, g->n, &ess, &err);
        hs_alloc_fail_after(0);
        if (rc != HISS_OK) {
            assert_int_equal(rc, HISS_ENOMEM);
            assert_true(isnan(ess));
            assert_true(err.message[0]);
        }
    }
    assert_int_equal(rc, HISS_OK);
    assert_true(n > 2);
    free(x);
}

static void a_failed_allocation_is_reported(void **state)
{
    /* slow enough for the FFT */
    const struct golden g = {"", AR, 2, 1000, 5, 0.999, 1, 0, 0, 0, 0, 0, 0};

    (void)state;
    walk_failures(hs_ess_mean, &g);
    walk_failures(hs_ess_bulk, &g);
    walk_failures(hs_ess_tail, &g);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(draws_are_those_of_the_golden_file),
        cmocka_unit_test(bulk_equals_arviz),
        cmocka_unit_test(tail_equals_arviz),
        cmocka_unit_test(mean_equals_arviz),
        cmocka_unit_test(time_of_an_ar1_chain_is_known),
        cmocka_unit_test(what_is_not_finite_gives_nan),
        cmocka_unit_test(huge_draws_are_survived),
        cmocka_unit_test(a_failed_allocation_is_reported),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
