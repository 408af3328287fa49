/* test_symmetry.c - transitions against their reverses. */
#include "diag/tests/symmetry.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include "unit/diag_draws.h"

#include <cmocka.h>

/* Of a whole matrix of counts [from][to]. */
static void test_matrix(const int64_t *counts, int64_t states, hs_chi2 *out)
{
    hs_symmetry s = {0};

    for (int64_t x = 0; x < states; x++)
        for (int64_t y = x + 1; y < states; y++)
            hs_symmetry_add(&s, counts[x * states + y], counts[y * states + x]);
    hs_symmetry_finish(&s, out);
}

static void sums_by_hand(void **state)
{
    /* [from][to]; the diagonal does not count */
    const int64_t counts[16] = {
        99, 20, 3, 0, //
        10, 99, 4, 2, //
        1,  3,  9, 8, //
        0,  1,  6, 0, //
    };
    /* pairs: 01 20:10; 02 3:1 and 12 4:3 pool to 7:4; 13 2:1 is left when
     * 23 8:6 closes, and joins it as 10:7 */
    double statistic = 100 / 30.0 + 9 / 11.0 + 9 / 17.0;
    hs_chi2 c;

    (void)state;
    test_matrix(counts, 4, &c);
    assert_true(fabs(c.statistic - statistic) < 1e-12);
    assert_int_equal(c.df, 3);
    assert_true(c.p == hs_chi2_sf(c.statistic, 3));
}

static void few_transitions_show_nothing(void **state)
{
    const int64_t counts[4] = {50, 9, 0, 50};
    hs_chi2 c;

    (void)state;
    test_matrix(counts, 2, &c);
    assert_true(c.df == 0 && c.statistic == 0.0 && c.p == 1.0);
    test_matrix(counts, 0, &c);
    assert_true(c.df == 0 && c.p == 1.0);
}

static void a_used_accumulator_is_empty_again(void **state)
{
    hs_symmetry s = {0};
    hs_chi2 c;

    (void)state;
    hs_symmetry_add(&s, 50, 10);
    hs_symmetry_add(&s, 3, 0);
    hs_symmetry_finish(&s, &c);
    assert_true(c.df == 1 && fabs(c.statistic - 43 * 43 / 63.0) < 1e-12);
    hs_symmetry_finish(&s, &c);
    assert_true(c.df == 0 && c.p == 1.0);
}

#define RING  30
#define TESTS 2000
#define BINS  10

/* A walk on a ring that turns right with probability `right`: its law is
 * uniform for any, and only 1/2 is reversible. */
static hs_chi2 ring(double right, int steps, uint64_t *seed)
{
    int64_t counts[RING * RING] = {0};
    hs_chi2 c;

    for (int k = 0; k < steps; k++) {
        int x = (int)(draw_uniform(seed) * RING);
        int y = (x + (draw_uniform(seed) < right ? 1 : RING - 1)) % RING;

        counts[x * RING + y]++;
    }
    test_matrix(counts, RING, &c);
    return c;
}

/* 2000 p-values in ten bins, false alarm rate 1e-4; of 30 pairs every one
 * stands alone at 3000 transitions, and most are pooled at 150. */
static void p_values_are_uniform_when_reversible(void **state)
{
    double level[BINS];
    uint64_t seed = 6;
    hs_chi2 c;

    (void)state;
    for (int i = 0; i < BINS; i++)
        level[i] = TESTS / (double)BINS;
    for (int steps = 3000; steps >= 150; steps /= 20) {
        int64_t bin[BINS] = {0};

        for (int t = 0; t < TESTS; t++) {
            double p = ring(0.5, steps, &seed).p;

            bin[p < 1.0 ? (int)(p * BINS) : BINS - 1]++;
        }
        assert_int_equal(hs_chi2_pooled(level, bin, BINS, &c, NULL), HISS_OK);
        if (c.p < 1e-4)
            fail_msg("%d steps: p-values not uniform, p = %g", steps, c.p);
    }
}

static void a_turning_ring_is_not_reversible(void **state)
{
    uint64_t seed = 7;

    (void)state;
    assert_true(ring(0.55, 10000, &seed).p < 1e-8);
    assert_true(ring(0.5, 10000, &seed).p > 1e-4);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(sums_by_hand),
        cmocka_unit_test(few_transitions_show_nothing),
        cmocka_unit_test(a_used_accumulator_is_empty_again),
        cmocka_unit_test(p_values_are_uniform_when_reversible),
        cmocka_unit_test(a_turning_ring_is_not_reversible),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
