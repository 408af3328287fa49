/* test_factors.c - lists of tables: adding, slicing, energies. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <string.h>

#include <cmocka.h>

#include "base/alloc.h"
#include "unit/factor_fixture.h"

static void energies_are_sums_of_entries(void **state)
{
    int states[] = {2, 3, 2}, scope[] = {2, 1}, lone = 0;
    double table[] = {1, 2, 3, 4, 5, -HUGE_VAL}, unary[] = {0.5, 0.25};
    double constant = 10.0;
    hs_factors f;

    (void)state;
    assert_int_equal(hs_factors_init(&f, 3, states, NULL), HISS_OK);
    assert_int_equal(hs_factors_add(&f, 2, scope, table, NULL, NULL), HISS_OK);
    assert_int_equal(hs_factors_add(&f, 1, &lone, unary, NULL, NULL), HISS_OK);
    assert_int_equal(hs_factors_add(&f, 0, NULL, &constant, NULL, NULL),
                     HISS_OK);
    assert_int_equal(f.count, 2);
    /* table of (x_2, x_1), x_1 fastest */
    assert_true(hs_factors_energy(&f, (int16_t[]){1, 2, 0}) == 13.25);
    assert_true(hs_factors_energy(&f, (int16_t[]){0, 1, 1}) == 15.5);
    assert_true(hs_factors_energy(&f, (int16_t[]){0, 2, 1}) == -HUGE_VAL);
    assert_true(hs_factors_have_zeros(&f));
    hs_factors_clear(&f);
}

static void large_tables_are_refused(void **state)
{
    int states[] = {32767, 32767, 3}, scope[] = {0, 1, 2};
    hiss_error err = {0};
    hs_factors f;

    (void)state;
    assert_int_equal(hs_factors_init(&f, 3, states, NULL), HISS_OK);
    assert_int_equal(hs_factors_entries(&f, 2, scope), 32767 * 32767);
    assert_int_equal(hs_factors_entries(&f, 3, scope), HS_FACTOR_MAX + 1);
    assert_int_equal(hs_factors_add(&f, 3, scope, NULL, NULL, &err),
                     HISS_ELIMIT);
    assert_string_equal(err.message, "a factor has more than 2^30 entries");
    hs_factors_clear(&f);
}

/* U of a slice is U with the fixed values, whatever is free. */
static void slices_keep_energies(void **state)
{
    uint64_t seed = 11;

    (void)state;
    for (int n = 0; n < 200; n++) {
        int dim = 1 + xorshift_below(&seed, 6), at[8];
        int16_t x[8] = {0};
        hs_factors f, s;

        random_factors(&f, &seed, dim, 4, 8, 4, 20);
        for (int i = 0; i < dim; i++)
            at[i] = xorshift_below(&seed, 2)
                        ? xorshift_below(&seed, f.states[i])
                        : -1;
        assert_int_equal(hs_factors_slice(&s, &f, n % 5 ? at : NULL, NULL),
                         HISS_OK);
        for (int64_t k = 0; k < s.scope_at[s.count]; k++)
            assert_true(s.states[s.scope[k]] > 1);
        do {
            int16_t full[8];
            double a, b;

            for (int i = 0; i < dim; i++)
                full[i] = n % 5 && at[i] >= 0 ? (int16_t)at[i] : x[i];
            a = hs_factors_energy(&f, full);
            b = hs_factors_energy(&s, x);
            assert_true(isinf(a) ? a == b : fabs(a - b) < 1e-12);
        } while (next_state(s.states, dim, x));
        hs_factors_clear(&f);
        hs_factors_clear(&s);
    }
}

/* Every allocation of a slice fails once; nothing is left behind. */
static void slices_fail_without_memory(void **state)
{
    uint64_t seed = 5;
    hiss_status rc = HISS_ENOMEM;
    hs_factors f, s;

    (void)state;
    random_factors(&f, &seed, 6, 3, 12, 3, 0);
    for (int n = 1; rc == HISS_ENOMEM; n++) {
        hs_alloc_fail_after(n);
        rc = hs_factors_slice(&s, &f, NULL, NULL);
        hs_alloc_fail_after(0);
        if (rc != HISS_OK)
            assert_null(s.table);
    }
    assert_int_equal(rc, HISS_OK);
    hs_factors_clear(&s);
    hs_factors_clear(&f);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(energies_are_sums_of_entries),
        cmocka_unit_test(large_tables_are_refused),
        cmocka_unit_test(slices_keep_energies),
        cmocka_unit_test(slices_fail_without_memory),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
