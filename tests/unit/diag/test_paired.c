/* test_paired.c - tests of paired differences against sums over all outcomes,
 * and the counters of rises and falls against plain ones. */
#include "diag/tests/paired.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>

#include <cmocka.h>

#include "diag/tests/flips.h"
#include "unit/xorshift.h"

static double choose(int n, int k)
{
    double c = 1.0;

    for (int i = 1; i <= k; i++)
        c = c * (n - k + i) / i;
    return c;
}

static void signs_by_counting(void **state)
{
    (void)state;
    assert_true(hs_sign_p(0, 0) == 1.0);
    for (int n = 1; n <= 40; n++)
        for (int up = 0; up <= n; up++) {
            int low = up < n - up ? up : n - up;
            double p = 0.0;

            for (int k = 0; k <= low; k++)
                p += 2.0 * choose(n, k) * pow(0.5, n);
            p = fmin(p, 1.0);
            assert_true(fabs(hs_sign_p(up, n - up) - p) < 1e-12 + 1e-10 * p);
        }
    assert_true(fabs(hs_sign_p(3, 0) - 0.25) <
                1e-12); /* three events show nothing */
}

/* Many signs: the normal tail with continuity, erfc((z - 1/sqrt n)/sqrt 2). */
static void signs_become_normal(void **state)
{
    static const double z[] = {1.0, 3.0, 6.0};

    (void)state;
    for (int i = 0; i < 3; i++) {
        int64_t n = 4000000, d = (int64_t)(z[i] * 2000.0);
        double p = erfc((z[i] - 1.0 / 2000.0) / sqrt(2.0));

        assert_true(fabs(hs_sign_p((n + d) / 2, (n - d) / 2) / p - 1.0) < 2e-3);
        assert_true(hs_sign_p((n - d) / 2, (n + d) / 2) ==
                    hs_sign_p((n + d) / 2, (n - d) / 2));
    }
}

/* Exact law of the spread of `cells` cells of n signs: its tail lies below the
 * bound everywhere. */
static void spread_is_a_bound(void **state)
{
    enum {
        CELLS = 6,
        MOST = 5
    };

    (void)state;
    for (int n = 1; n <= MOST; n++) {
        int outcomes = (int)pow(n + 1, CELLS);

        for (double x = 1.0; x <= CELLS * n; x += 1.0) {
            double tail = 0.0;

            for (int o = 0; o < outcomes; o++) {
                double p = 1.0, sum = 0.0;
                int left = o;

                for (int c = 0; c < CELLS; c++, left /= n + 1) {
                    int up = left % (n + 1);

                    p *= choose(n, up) * pow(0.5, n);
                    sum += (double)(2 * up - n) * (2 * up - n) / n;
                }
                tail += sum >= x - 1e-9 ? p : 0.0;
            }
            assert_true(tail <= hs_spread_p(x, CELLS) + 1e-12);
        }
    }
    assert_true(hs_spread_p(0.0, 0) == 1.0 && hs_spread_p(3.0, 5) == 1.0);
    assert_true(hs_spread_p(200.0, 64) < 1e-10);
}

/* A rare large fall against many small rises, mean 0: what a z-test gets
 * wrong.  The exact chance of p <= a must not pass a; two outcomes, so that
 * it is a binomial sum. */
static void rare_falls_do_not_deceive(void **state)
{
    const int n = 2000;
    const double q = 1.0 / 400.0, fall = -399.0, rise = 1.0;
    static const double level[] = {1e-1, 1e-2, 1e-4};

    (void)state;
    for (int i = 0; i < 3; i++) {
        double chance = 0.0, by_z = 0.0;

        for (int k = 0; k <= 60; k++) {
            double log_p = lgamma(n + 1.0) - lgamma(k + 1.0) -
                           lgamma(n - k + 1.0) + k * log(q) +
                           (n - k) * log1p(-q);
            hs_differences d = {.n = n,
                                .sum = k * fall + (n - k) * rise,
                                .squares =
                                    k * fall * fall + (n - k) * rise * rise,
                                .range = rise - fall};
            double z = fabs(hs_differences_z(&d));

            chance += hs_differences_p(&d) <= level[i] ? exp(log_p) : 0.0;
            by_z += erfc(z / sqrt(2.0)) <= level[i] ? exp(log_p) : 0.0;
        }
        assert_true(chance <= level[i]);
        assert_true(i < 2 || by_z > 50 * level[i]); /* the test could fail */
    }
}

static void many_differences_are_nearly_normal(void **state)
{
    hs_differences d = {
        .n = 1e8, .sum = 6.0 * 1e4, .squares = 1e8, .range = 4.0};
    double p = hs_differences_p(&d), reach;

    (void)state;
    assert_true(p > exp(-18.0) && p < 8.0 * exp(-18.0));
    reach = hs_differences_reach(&d, p) * d.n;
    assert_true(fabs(reach - d.sum - 1.2815515655 * 1e4) < 2.0);
    d.sum = 0.0;
    assert_true(hs_differences_p(&d) == 1.0);
    d.n = 1.0;
    assert_true(isinf(hs_differences_reach(&d, 0.1)));
}

static uint64_t bits(uint64_t *seed)
{
    uint64_t high = xorshift(seed);

    return high << 32 | xorshift(seed);
}

/* 700 differences of 130 indicators in 3 cells, from two threads' counters. */
static void flips_are_counted(void **state)
{
    enum {
        FEATURES = 130,
        CELLS = 3
    };
    static int64_t plain[CELLS][FEATURES][2];
    hs_flips f[2];
    uint64_t seed = 77;

    (void)state;
    for (int i = 0; i < 2; i++)
        assert_int_equal(hs_flips_init(&f[i], FEATURES, CELLS, NULL), HISS_OK);
    assert_int_equal(f[0].words, 3);
    for (int n = 0; n < 700; n++) {
        uint64_t a[3], b[3];
        int cell = n / 300;

        for (int w = 0; w < 3; w++) {
            a[w] = bits(&seed) & (w == 2 ? 3 : UINT64_MAX);
            b[w] = bits(&seed) & (w == 2 ? 3 : UINT64_MAX);
        }
        hs_flips_add(&f[n % 5 == 0], cell, a, b);
        for (int k = 0; k < FEATURES; k++) {
            int before = a[k / 64] >> k % 64 & 1,
                after = b[k / 64] >> k % 64 & 1;

            plain[cell][k][0] += after > before;
            plain[cell][k][1] += after < before;
        }
    }
    hs_flips_merge(&f[0], &f[1]);
    for (int k = 0; k < FEATURES; k++) {
        int64_t up, down, ups = 0, downs = 0, df;
        double spread = 0.0;

        for (int c = 0; c < CELLS; c++) {
            double n = (double)(plain[c][k][0] + plain[c][k][1]);
            double d = (double)(plain[c][k][0] - plain[c][k][1]);

            ups += plain[c][k][0];
            downs += plain[c][k][1];
            spread += n > 0 ? d * d / n : 0.0;
        }
        hs_flips_total(&f[0], k, &up, &down);
        assert_int_equal(up, ups);
        assert_int_equal(down, downs);
        assert_true(fabs(hs_flips_spread(&f[0], k, &df) - spread) < 1e-9);
        assert_int_equal(df, CELLS);
    }
    hs_flips_clear(&f[0]);
    hs_flips_clear(&f[1]);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(signs_by_counting),
        cmocka_unit_test(signs_become_normal),
        cmocka_unit_test(spread_is_a_bound),
        cmocka_unit_test(rare_falls_do_not_deceive),
        cmocka_unit_test(many_differences_are_nearly_normal),
        cmocka_unit_test(flips_are_counted),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
