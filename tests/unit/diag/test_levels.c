/* test_levels.c - distinct values, ranks, quantiles and normal scores. */
#include "diag/chains/levels.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include "diag/maths/moments.h"
#include "diag/maths/normal.h"
#include "unit/diag_draws.h"

#include <cmocka.h>

/* p, quantile: computed with 50 digits */
static const double quantiles[][2] = {
    {1e-300, -37.047096299361199},  {1e-100, -21.273453560965324},
    {1e-20, -9.2623400897984076},   {1e-9, -5.9978070150076869},
    {1e-4, -3.7190164854556806},    {0.02, -2.053748910631823},
    {0.0625, -1.5341205443525463},  {0.25, -0.67448975019608174},
    {0.4, -0.25334710313579974},    {0.499, -0.0025066308995717662},
    {0.501, 0.0025066308995717662}, {0.75, 0.67448975019608174},
    {0.975, 1.9599639845400539},    {0.9999, 3.7190164854557084},
};

static void normal_quantiles_are_exact(void **state)
{
    (void)state;
    for (size_t i = 0; i < sizeof quantiles / sizeof *quantiles; i++) {
        double z = hs_normal_quantile(quantiles[i][0]);

        if (fabs(z - quantiles[i][1]) > 1e-13 * fabs(z))
            fail_msg("p = %g: %.17g, not %.17g", quantiles[i][0], z,
                     quantiles[i][1]);
    }
    assert_true(hs_normal_quantile(0.0) == -HUGE_VAL);
    assert_true(hs_normal_quantile(1.0) == HUGE_VAL);
    assert_true(hs_normal_quantile(0.5) == 0.0);
    assert_true(isnan(hs_normal_quantile(-0.1)));
    assert_true(isnan(hs_normal_quantile(1.1)));
    assert_true(isnan(hs_normal_quantile(NAN)));
}

static void values_are_sorted_and_counted(void **state)
{
    const double x[7] = {3, -1, 3, 0.5, -1, 3, 0.5};
    hs_levels l;

    (void)state;
    assert_int_equal(hs_levels_init(&l, x, 7, NULL), HISS_OK);
    assert_int_equal(l.count, 3);
    assert_true(l.value[0] == -1 && l.value[1] == 0.5 && l.value[2] == 3);
    assert_int_equal(l.below[0], 0);
    assert_int_equal(l.below[1], 2);
    assert_int_equal(l.below[2], 4);
    assert_int_equal(l.below[3], 7);
    assert_int_equal(hs_levels_find(&l, 0.5), 1);
    for (int k = 0; k < 7; k++)
        assert_true(hs_levels_order(&l, k) == l.value[(k > 1) + (k > 3)]);
    assert_true(hs_levels_median(&l) == 0.5);
    /* type 7: 1 + 6 p = 4.3 lies 0.3 of the way from the 4th to the 5th */
    assert_true(fabs(hs_levels_quantile(&l, 0.55) - (0.5 + 0.3 * 2.5)) < 1e-14);
    assert_true(hs_levels_quantile(&l, 0.0) == -1);
    assert_true(hs_levels_quantile(&l, 1.0) == 3);
    /* the average rank of 0.5 is (3 + 4) / 2 */
    assert_true(hs_levels_score(&l, 1) ==
                hs_normal_quantile((3.5 - 0.375) / 7.25));
    hs_levels_clear(&l);
}

#define N 7000

/* Up to 64 distinct values are counted in a table, more by sorting. */
static void table_and_sort_agree(void **state)
{
    static double x[N];
    hs_levels l;
    uint64_t seed = 3;

    (void)state;
    for (int distinct = 1; distinct <= 128; distinct++) {
        int64_t times[128] = {0};

        for (int i = 0; i < N; i++) {
            int v = i < distinct ? i : (int)(draw_bits(&seed) % distinct);

            x[i] = 0.1 * v;
            times[v]++;
        }
        assert_int_equal(hs_levels_init(&l, x, N, NULL), HISS_OK);
        assert_int_equal(l.count, distinct);
        for (int v = 0; v < distinct; v++) {
            assert_true(l.value[v] == 0.1 * v);
            assert_int_equal(l.below[v + 1] - l.below[v], times[v]);
        }
        hs_levels_clear(&l);
    }
}

static void scores_of_ties_are_equal_and_centred(void **state)
{
    double x[6] = {1, 0, 1, 0, 1, 0};
    double same[5] = {2, 2, 2, 2, 2};

    (void)state;
    assert_int_equal(hs_normal_scores(x, 6, NULL), HISS_OK);
    assert_true(x[0] == x[2] && x[2] == x[4] && x[1] == x[3] && x[3] == x[5]);
    assert_true(fabs(x[0] + x[1]) < 1e-15 && x[0] > 0.0);
    assert_int_equal(hs_normal_scores(same, 5, NULL), HISS_OK);
    for (int i = 0; i < 5; i++)
        assert_true(same[i] == 0.0);
}

static void moments_of_equal_numbers_are_exact(void **state)
{
    double x[1000];
    double mean;
    double variance;

    (void)state;
    for (int i = 0; i < 1000; i++)
        x[i] = 0.3;
    hs_moments(x, 1000, &mean, &variance);
    assert_true(mean == 0.3 && variance == 0.0);
    x[0] = 1e9;
    x[1] = 1e9 + 1;
    x[2] = 1e9 + 5;
    hs_moments(x, 3, &mean, &variance);
    assert_true(fabs(mean - (1e9 + 2)) < 1e-6);
    assert_true(fabs(variance - 7.0) < 1e-12);
    hs_moments(x, 1, &mean, &variance);
    assert_true(mean == 1e9 && variance == 0.0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(normal_quantiles_are_exact),
        cmocka_unit_test(values_are_sorted_and_counted),
        cmocka_unit_test(table_and_sort_agree),
        cmocka_unit_test(scores_of_ties_are_equal_and_centred),
        cmocka_unit_test(moments_of_equal_numbers_are_exact),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
