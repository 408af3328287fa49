/* test_chi2.c - the chi-square law, Pearson's test and its pooling. */
#include "diag/tests/chi2.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include "base/alloc.h"
#include "unit/diag_draws.h"

#include <cmocka.h>

/* df, x, P(chi-square > x): computed with 50 digits */
static const double tails[][3] = {
    {1, 1e-8, 0.99992021154405269},
    {1, 1, 0.3173105078629141},
    {1, 100, 1.5239706048321052e-23},
    {1, 1300, 1.1303728441492742e-284},
    {2, 10, 0.0067379469990854671},
    {3, 0.5, 0.91889141165467586},
    {3, 1375, 7.8334055033367109e-298},
    {7, 2, 0.95984036873010156},
    {10, 200, 1.6139305336977305e-37},
    {15, 15, 0.45141721122572524},
    {31, 29.5, 0.54321009229642122},
    {32, 33.5, 0.3944327089710662},
    {33, 90, 3.4895218707289051e-7},
    {100, 100, 0.48119168452795672},
    {100, 1600, 1.1458595769084505e-268},
    {511, 600, 0.0039352480381731549},
    {511, 400, 0.99990796020245204},
    {1000, 1000, 0.49405285382923964},
    {4095, 5000, 4.2528841109562227e-21},
    {4095, 8000, 3.1071219257122339e-255},
    {65535, 66000, 0.099707849240150684},
    {65535, 75000, 4.6253770972780963e-138},
    {1000000, 1000500, 0.36168223171030437},
    {1000000, 1005000, 0.00020767800946703003},
    {1000000, 1040000, 8.4881596141101953e-172},
    {1000000, 990000, 0.99999999999934998},
};

static void tails_are_exact_to_ten_digits(void **state)
{
    (void)state;
    for (size_t i = 0; i < sizeof tails / sizeof *tails; i++) {
        double p = hs_chi2_sf(tails[i][1], tails[i][0]);

        if (!(fabs(p / tails[i][2] - 1.0) < 1e-10))
            fail_msg("df %g, x %g: %.17g, not %.17g", tails[i][0], tails[i][1],
                     p, tails[i][2]);
    }
}

static void ends_of_the_law(void **state)
{
    (void)state;
    assert_true(hs_chi2_sf(0.0, 3) == 1.0);
    assert_true(hs_chi2_sf(-1.0, 3) == 1.0);
    assert_true(hs_chi2_sf(5.0, 0) == 1.0);
    assert_true(hs_chi2_sf(INFINITY, 3) == 0.0);
    assert_true(hs_chi2_sf(1e6, 3) == 0.0);
    assert_true(isnan(hs_chi2_sf(NAN, 3)));
}

static void expect(const double *e, const int64_t *o, int64_t cells,
                   double statistic, int64_t df)
{
    hs_chi2 c;

    assert_int_equal(hs_chi2_pooled(e, o, cells, &c, NULL), HISS_OK);
    if (fabs(c.statistic - statistic) > 1e-12 || c.df != df)
        fail_msg("statistic %g, df %d; by hand %g, %d", c.statistic, (int)c.df,
                 statistic, (int)df);
    assert_true(c.p == hs_chi2_sf(statistic, (double)df));
}

static void pooling_by_hand(void **state)
{
    const double large[3] = {10, 20, 30};
    const int64_t large_o[3] = {15, 20, 25};
    /* 1 + 1.5 + 2.5 fill a group; 4 is left over and joins 10 */
    const double mixed[6] = {20, 2.5, 1, 10, 1.5, 4};
    const int64_t mixed_o[6] = {17, 5, 2, 9, 1, 5};
    /* 2 + 2 expect less than 5 and join 6 */
    const double little[4] = {10, 2, 6, 2};
    const int64_t little_o[4] = {12, 1, 6, 1};
    /* only small ones: 2+2+2, and the rest joins it */
    const double small[4] = {2, 2, 2, 2};
    const int64_t small_o[4] = {5, 1, 1, 1};
    /* two groups of 6 */
    const double six[6] = {2, 2, 2, 2, 2, 2};
    const int64_t six_o[6] = {3, 3, 3, 1, 1, 1};

    (void)state;
    expect(large, large_o, 3, 25 / 10.0 + 25 / 30.0, 2);
    expect(mixed, mixed_o, 6, 9 / 20.0 + 9 / 5.0 + 0.0, 2);
    expect(little, little_o, 4, 4 / 10.0 + 4 / 10.0, 1);
    expect(small, small_o, 4, 0.0, 0);
    expect(six, six_o, 6, 9 / 6.0 + 9 / 6.0, 1);
    expect(large, large_o, 0, 0.0, 0);
}

static void the_impossible_fails_outright(void **state)
{
    const double e[3] = {1e6, 0, 1e6};
    const int64_t o[3] = {1000000, 1, 1000000};
    const int64_t fine[3] = {1000000, 0, 1000000};
    const double zero[1] = {0};
    const int64_t none[1] = {0};
    hs_chi2 c;

    (void)state;
    assert_int_equal(hs_chi2_pooled(e, o, 3, &c, NULL), HISS_OK);
    assert_true(c.p == 0.0 && isinf(c.statistic));
    assert_int_equal(hs_chi2_pooled(e, fine, 3, &c, NULL), HISS_OK);
    assert_true(c.p == 1.0 && c.df == 1);
    assert_int_equal(hs_chi2_pooled(zero, none, 1, &c, NULL), HISS_OK);
    assert_true(c.p == 1.0 && c.df == 0);
}

static void wrong_arguments_are_refused(void **state)
{
    const double e[2] = {10, 10};
    const double negative[2] = {-1, 21};
    const double nan[2] = {NAN, 20};
    const int64_t o[2] = {10, 10};
    const int64_t less[2] = {5, 10};
    const int64_t below[2] = {-1, 21};
    hiss_error err = {0};
    hs_chi2 c;

    (void)state;
    assert_int_equal(hs_chi2_pooled(e, less, 2, &c, &err), HISS_EARG);
    assert_string_equal(err.message,
                        "the expected counts sum to 20, the observed to 15");
    assert_int_equal(hs_chi2_pooled(negative, o, 2, &c, NULL), HISS_EARG);
    assert_int_equal(hs_chi2_pooled(nan, o, 2, &c, NULL), HISS_EARG);
    assert_int_equal(hs_chi2_pooled(e, below, 2, &c, NULL), HISS_EARG);
    hs_alloc_fail_after(1);
    assert_int_equal(hs_chi2_pooled(e, o, 2, &c, NULL), HISS_ENOMEM);
    hs_alloc_fail_after(0);
}

/* Counts of n draws from the law p [cells], by inversion. */
static void draw_counts(const double *p, int cells, int n, uint64_t *seed,
                        int64_t *counts)
{
    for (int i = 0; i < cells; i++)
        counts[i] = 0;
    for (int k = 0; k < n; k++) {
        double u = draw_uniform(seed);
        int i = 0;

        while (i < cells - 1 && u >= p[i])
            u -= p[i++];
        counts[i]++;
    }
}

#define TESTS     2000
#define BINS      10
#define CELLS_MAX 64

/* p-values of TESTS true laws, counted in ten bins, which a chi-square of 9
 * degrees then judges; its false alarm rate is 1e-4. */
static void expect_uniform(const double *p, int cells, int n, uint64_t seed)
{
    double expected[CELLS_MAX];
    double level[BINS];
    int64_t counts[CELLS_MAX];
    int64_t bin[BINS] = {0};
    hs_chi2 c;

    for (int i = 0; i < cells; i++)
        expected[i] = n * p[i];
    for (int i = 0; i < BINS; i++)
        level[i] = TESTS / (double)BINS;
    for (int t = 0; t < TESTS; t++) {
        draw_counts(p, cells, n, &seed, counts);
        assert_int_equal(hs_chi2_pooled(expected, counts, cells, &c, NULL),
                         HISS_OK);
        bin[c.p < 1.0 ? (int)(c.p * BINS) : BINS - 1]++;
    }
    assert_int_equal(hs_chi2_pooled(level, bin, BINS, &c, NULL), HISS_OK);
    if (c.p < 1e-4)
        fail_msg("%d cells, %d draws: p-values not uniform, p = %g", cells, n,
                 c.p);
}

/* Large cells; half of them small; all equal and small, where a pooling that
 * looked at the counts would be caught. */
static void p_values_are_uniform_under_the_law(void **state)
{
    double even[16];
    double uneven[40];
    double tiny[60];

    (void)state;
    for (int i = 0; i < 16; i++)
        even[i] = 1.0 / 16;
    for (int i = 0; i < 40; i++)
        uneven[i] = (i + 1) / 820.0;
    for (int i = 0; i < 60; i++)
        tiny[i] = 1.0 / 60;
    expect_uniform(even, 16, 2000, 1);
    expect_uniform(uneven, 40, 400, 2);
    expect_uniform(tiny, 60, 150, 3);
}

/* A cell off by 10 %: 10^5 draws must see it. */
static void a_wrong_law_is_rejected(void **state)
{
    double truth[8];
    double expected[8];
    int64_t counts[8];
    uint64_t seed = 4;
    hs_chi2 c;

    (void)state;
    for (int i = 0; i < 8; i++) {
        truth[i] = 0.125 + (i == 0 ? 0.0125 : i == 1 ? -0.0125 : 0.0);
        expected[i] = 100000 * 0.125;
    }
    draw_counts(truth, 8, 100000, &seed, counts);
    assert_int_equal(hs_chi2_pooled(expected, counts, 8, &c, NULL), HISS_OK);
    assert_true(c.p < 1e-20);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(tails_are_exact_to_ten_digits),
        cmocka_unit_test(ends_of_the_law),
        cmocka_unit_test(pooling_by_hand),
        cmocka_unit_test(the_impossible_fails_outright),
        cmocka_unit_test(wrong_arguments_are_refused),
        cmocka_unit_test(p_values_are_uniform_under_the_law),
        cmocka_unit_test(a_wrong_law_is_rejected),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
