/* test_column.c - the state of a column of draws. */
#include "diag/chains/column.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

static void expect(const double *draws, int chains, int64_t n,
                   hs_column_state state, int still)
{
    hs_column c = hs_column_inspect(draws, chains, n);

    assert_int_equal(c.state, state);
    assert_int_equal(c.still, still);
}

static void states_are_told_apart(void **state)
{
    const double moving[8] = {0, 1, 0, 0, 1, 1, 1, 0};
    const double one_still[8] = {0, 0, 0, 0, 1, 1, 1, 0};
    const double constant[8] = {1, 1, 1, 1, 1, 1, 1, 1};
    const double stuck[8] = {0, 0, 0, 0, 1, 1, 1, 1};

    (void)state;
    expect(moving, 2, 4, HS_COLUMN_VARIES, 0);
    expect(one_still, 2, 4, HS_COLUMN_VARIES, 1);
    expect(constant, 2, 4, HS_COLUMN_CONSTANT, 2);
    expect(constant, 1, 8, HS_COLUMN_CONSTANT, 1);
    expect(stuck, 2, 4, HS_COLUMN_STUCK, 2);
    expect(stuck, 1, 8, HS_COLUMN_VARIES, 0);
}

/* A disagreement of chains that hardly ran is no sign of sticking. */
static void few_draws_say_nothing(void **state)
{
    const double x[3] = {0, 1, 2};

    (void)state;
    expect(x, 3, 1, HS_COLUMN_SHORT, 3);
    expect(x, 1, 3, HS_COLUMN_SHORT, 0);
    expect(x, 0, 3, HS_COLUMN_SHORT, 0);
    expect(x, 3, 0, HS_COLUMN_SHORT, 0);
}

static void what_is_not_finite_is_undefined(void **state)
{
    const double with_nan[4] = {0, 1, NAN, 1};
    const double with_inf[4] = {-INFINITY, -INFINITY, -INFINITY, -INFINITY};

    (void)state;
    expect(with_nan, 1, 4, HS_COLUMN_UNDEFINED, 0);
    expect(with_inf, 1, 4, HS_COLUMN_UNDEFINED, 1);
}

static void the_value_of_a_constant_is_told(void **state)
{
    const double x[4] = {7, 7, 7, 7};

    (void)state;
    assert_true(hs_column_inspect(x, 1, 4).value == 7.0);
    assert_true(isnan(hs_column_inspect(x, 1, 0).value));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(states_are_told_apart),
        cmocka_unit_test(few_draws_say_nothing),
        cmocka_unit_test(what_is_not_finite_is_undefined),
        cmocka_unit_test(the_value_of_a_constant_is_told),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
