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
}

static void a_perfect_match_is_at_distance_zero(void **state)
{
    const int64_t counts[2] = {7, 7};
    const double even[2] = {0.5, 0.5};

    (void)state;
    assert_true(hs_tvd(counts, even, 2) == 0.0);
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
    assert_true(hs_tvd_seen(counts, law, 0) == 1.0);
}

/* The third state, which was not seen, need not be listed. */
static void what_was_not_seen_has_the_rest_of_the_mass(void **state)
{
    const int64_t counts[3] = {5, 3, 2};
    const double seen[3] = {0.4, 0.3, 0.1};

    (void)state;
    assert_true(fabs(hs_tvd_seen(counts, seen, 3) - 0.2) < 1e-15);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(distances_by_hand),
        cmocka_unit_test(a_perfect_match_is_at_distance_zero),
        cmocka_unit_test(disjoint_laws_are_at_distance_one),
        cmocka_unit_test(no_counts_are_as_far_as_can_be),
        cmocka_unit_test(what_was_not_seen_has_the_rest_of_the_mass),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
