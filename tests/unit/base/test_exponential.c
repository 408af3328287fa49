/* test_exponential.c - e^x without libm: near that of libm, and the same bits
 * one at a time and side by side. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <string.h>

#include <cmocka.h>

#include "base/exponential.h"
#include "unit/xorshift.h"

static void it_is_near_that_of_libm(void **state)
{
    (void)state;
    for (double x = -690.0; x < 690.0; x += 0.37)
        assert_true(fabs(hs_exponential(x) / exp(x) - 1.0) < 1e-15 * 3.0);
    assert_true(hs_exponential(0.0) == 1.0);
    assert_true(hs_exponential(-HUGE_VAL) == 0.0);
    assert_true(hs_exponential(701.0) == HUGE_VAL);
}

static void sixteen_have_the_same_bits(void **state)
{
    static const double edges[HS_LANES] = {
        0.0, -0.0, -1e-300, -700.0, -700.0001, -HUGE_VAL, -1e300, -0.5, -1.0};
    uint64_t seed = UINT64_C(0x9e3779b97f4a7c15);
    double x[HS_LANES], out[HS_LANES];

    (void)state;
    memcpy(x, edges, sizeof x);
    for (int n = 0; n < 2000; n++) {
        hs_exponentials(x, out);
        for (int l = 0; l < HS_LANES; l++) {
            double one = hs_exponential(x[l]);

            assert_memory_equal(&one, &out[l], sizeof one);
            x[l] = -(double)xorshift(&seed) * 0x1p-32 * (n % 3 ? 1.0 : 710.0);
        }
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(it_is_near_that_of_libm),
        cmocka_unit_test(sixteen_have_the_same_bits),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
