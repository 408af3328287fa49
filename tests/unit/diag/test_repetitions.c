/* test_repetitions.c - means of a few repetitions and the paired test. */
#include "diag/tests/repetitions.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#define MANY 20 /* more than whose signs are all tried */

static const double zeros[MANY];

static void means_by_hand(void **state)
{
    const double x[] = {1.0, 2.0, 6.0};
    double mean, se;

    (void)state;
    hs_repetitions_mean(x, 3, &mean, &se);
    assert_true(fabs(mean - 3.0) < 1e-15);
    assert_true(fabs(se - sqrt((4.0 + 1.0 + 9.0) / 2.0 / 3.0)) < 1e-15);
    hs_repetitions_mean(x, 1, &mean, &se);
    assert_true(mean == 1.0 && isnan(se));
}

/* Of 2^n equally likely signs, those whose sum is as far from 0. */
static void signs_by_counting(void **state)
{
    const double ones[] = {1.0, 1.0, 1.0}, mixed[] = {3.0, 1.0, -1.0};
    const double a[] = {1.0, 2.0}, b[] = {2.0, 1.0};

    (void)state;
    assert_true(hs_repetitions_p(ones, zeros, 3) == 2.0 / 8.0);
    assert_true(hs_repetitions_p(zeros, ones, 3) == 2.0 / 8.0);
    assert_true(hs_repetitions_p(a, b, 2) == 1.0);
    /* sums 5 3 3 1 -1 -3 -3 -5: six are as far as 3 */
    assert_true(hs_repetitions_p(mixed, zeros, 3) == 6.0 / 8.0);
}

static void many_are_normal(void **state)
{
    double x[MANY], mean, se;

    (void)state;
    assert_true(hs_repetitions_p(zeros, zeros, MANY) == 1.0);
    for (int r = 0; r < MANY; r++)
        x[r] = 0.1 + (r % 2 ? 1.0 : -1.0);
    hs_repetitions_mean(x, MANY, &mean, &se);
    assert_true(fabs(hs_repetitions_p(x, zeros, MANY) -
                     erfc(mean / se / sqrt(2.0))) < 1e-12);
    for (int r = 0; r < MANY; r++)
        x[r] = 1.0 + (r % 2 ? 0.01 : -0.01);
    assert_true(hs_repetitions_p(x, zeros, MANY) < 1e-6);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(means_by_hand),
        cmocka_unit_test(signs_by_counting),
        cmocka_unit_test(many_are_normal),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
