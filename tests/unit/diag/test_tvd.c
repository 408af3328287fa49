/* test_tvd.c - distances between counts and a law. */
#include "diag/tests/tvd.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

static const double law[4] = {0.4, 0.3, 0.2, 0.1};

static void distances_by_hand(void **state)
{
    const int64_t counts[4] = {5, 3, 0, 2};

    (void)state;
    /* |.5-.4| + 0 + .2 + .1 = .4 */
    assert_true(fabs(hs_tvd(counts, law, 4) - 0.2) < 1e-15);
    assert_true(fabs(hs_log_mae(counts, law, 4) - log(0.1)) < 1e-14);
    assert_true(hs_coverage(counts, 4) == 0.75);
}

static void a_perfect_match_is_at_distance_zero(void **state)
{
    const int64_t counts[2] = {7, 7};
    const double even[2] = {0.5, 0.5};

    (void)state;
    assert_true(hs_tvd(counts, even, 2) == 0.0);
    assert_true(hs_log_mae(counts, even, 2) == -HUGE_VAL);
    assert_true(hs_coverage(counts, 2) == 1.0);
}

static void disjoint_laws_are_at_distance_one(void **state)
{
    const int64_t counts[2] = {0, 9};
    const double other[2] = {1, 0};

    (void)state;
    assert_true(hs_tvd(counts, other, 2) == 1.0);
}

static void no_counts_are_as_far_as_can_be(void **state)
{
    const int64_t counts[4] = {0};

    (void)state;
    assert_true(hs_tvd(counts, law, 4) == 1.0);
    assert_true(fabs(hs_log_mae(counts, law, 4) - log(0.25)) < 1e-14);
    assert_true(hs_coverage(counts, 4) == 0.0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(distances_by_hand),
        cmocka_unit_test(a_perfect_match_is_at_distance_zero),
        cmocka_unit_test(disjoint_laws_are_at_distance_one),
        cmocka_unit_test(no_counts_are_as_far_as_can_be),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
