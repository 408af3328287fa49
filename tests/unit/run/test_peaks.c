/* test_peaks.c - when numbers have two peaks. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

#include "run/flat/peaks.h"
#include "unit/xorshift.h"

enum {
    COUNT = 200
};

static double uniform(uint64_t *seed)
{
    return ((double)xorshift(seed) + 0.5) * 0x1p-32;
}

/* Mean 0 and standard deviation 1. */
static double normal(uint64_t *seed)
{
    double sum = -6.0;

    for (int n = 0; n < 12; n++)
        sum += uniform(seed);
    return sum;
}

/* `high` of the numbers are higher by `apart` standard deviations. */
static bool two_normals(int high, double apart, uint64_t seed)
{
    double u[COUNT];

    seed *= UINT64_C(0x9e3779b97f4a7c15); /* small seeds begin with zeros */
    for (int n = 0; n < COUNT; n++)
        u[n] = 1e6 + normal(&seed) + (n < high ? apart : 0.0);
    return hs_has_two_peaks(u, COUNT);
}

static void one_peak_is_one(void **state)
{
    uint64_t seed = UINT64_C(0x9e3779b97f4a7c15);
    double u[COUNT];

    (void)state;
    for (uint64_t n = 1; n <= 20; n++)
        assert_false(two_normals(0, 0.0, n));
    for (int n = 0; n < COUNT; n++)
        u[n] = uniform(&seed);
    assert_false(hs_has_two_peaks(u, COUNT));
    for (int n = 0; n < COUNT; n++)
        u[n] = 3.0;
    assert_false(hs_has_two_peaks(u, COUNT));
    assert_false(hs_has_two_peaks(u, 3));
}

static void two_peaks_are_two_if_both_have_enough(void **state)
{
    (void)state;
    for (uint64_t n = 1; n <= 20; n++) {
        assert_true(two_normals(COUNT / 2, 8.0, n));
        assert_true(two_normals(COUNT / 10, 9.0, n));
        assert_false(two_normals(2, 9.0, n)); /* outliers */
        assert_false(two_normals(COUNT / 2, 2.0, n));
    }
}

static void impossible_states_are_left_out(void **state)
{
    uint64_t seed = UINT64_C(0x2545f4914f6cdd1d);
    double u[COUNT];

    (void)state;
    for (int n = 0; n < COUNT; n++)
        u[n] = n % 3 ? normal(&seed) : -HUGE_VAL;
    assert_false(hs_has_two_peaks(u, COUNT));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(one_peak_is_one),
        cmocka_unit_test(two_peaks_are_two_if_both_have_enough),
        cmocka_unit_test(impossible_states_are_left_out),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
