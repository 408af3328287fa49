/* test_metrics.c - the metrics of the paper, by hand. */
#include "paper/support/metrics.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

static const double law[4] = {0.4, 0.3, 0.2, 0.1};

static int is_near(double a, double b)
{
    return fabs(a - b) < 1e-13;
}

static void distances_by_hand(void **state)
{
    static const int visited[10] = {0, 1, 0, 3, 0, 1, 0, 3, 0, 1};
    paper_trace trace;

    (void)state;
    paper_trace_init(&trace, 10, 1, 1, 1);
    paper_trace_add(&trace, 0, visited, law, 4);
    /* |.5-.4| + 0 + .2 + .1 = .4 */
    assert_true(is_near(paper_trace_at(&trace, PAPER_TVD, -1).mean, 0.2));
    assert_true(
        is_near(paper_trace_at(&trace, PAPER_LOG_MAE, -1).mean, log(0.1)));
    assert_true(paper_trace_at(&trace, PAPER_COVERAGE, -1).mean == 0.75);
    paper_trace_clear(&trace);
}

static void means_have_errors_of_n_minus_one(void **state)
{
    const double values[4] = {1, 2, 3, 6};
    paper_mean mean = paper_mean_of(values, 4);

    (void)state;
    assert_true(is_near(mean.mean, 3));
    assert_true(is_near(mean.std, sqrt(14.0 / 3)));
    assert_true(is_near(mean.se, sqrt(14.0 / 12)));
    assert_int_equal(mean.count, 4);
    assert_true(isnan(paper_mean_of(values, 1).se));
    assert_true(isnan(paper_mean_of(values, 0).mean));
}

static void points_rise_from_one_to_all_draws(void **state)
{
    static const int draws[] = {1, 2, 7, 100, 2500};
    static const int points[] = {1, 2, 5, 70, 5000};

    (void)state;
    for (int d = 0; d < 5; d++)
        for (int p = 0; p < 5; p++) {
            paper_trace trace;

            paper_trace_init(&trace, draws[d], points[p], 1, 1);
            assert_true(trace.points >= 1 && trace.points <= draws[d]);
            assert_int_equal(trace.at[trace.points - 1], draws[d]);
            for (int i = 1; i < trace.points; i++)
                assert_true(trace.at[i] > trace.at[i - 1]);
            if (points[p] >= draws[d])
                assert_int_equal(trace.points, draws[d]);
            paper_trace_clear(&trace);
        }
}

/* Two repetitions of two chains each; the last point is the whole chain. */
static void chains_are_averaged_within_repetitions(void **state)
{
    static const int chains[4][4] = {
        {0, 0, 1, 1}, {0, 1, 2, 3}, {3, 3, 3, 3}, {0, 0, 0, 1}};
    static const double tvd[4] = {0.3, 0.2, 0.9, 0.35};
    paper_trace trace;
    paper_mean mean;

    (void)state;
    paper_trace_init(&trace, 4, 4, 2, 2);
    for (int c = 0; c < 4; c++)
        paper_trace_add(&trace, c / 2, chains[c], law, 4);
    mean = paper_trace_at(&trace, PAPER_TVD, -1);
    assert_true(is_near(mean.mean, (tvd[0] + tvd[1] + tvd[2] + tvd[3]) / 4));
    assert_true(is_near(mean.std,
                        fabs(tvd[0] + tvd[1] - tvd[2] - tvd[3]) / 2 / sqrt(2)));
    mean = paper_trace_at(&trace, PAPER_COVERAGE, 0);
    assert_true(is_near(mean.mean, 0.25));
    mean = paper_trace_at(&trace, PAPER_COVERAGE, -1);
    assert_true(is_near(mean.mean, (0.5 + 1 + 0.25 + 0.5) / 4));
    paper_trace_clear(&trace);
}

static void curves_are_summed_up_along_the_run(void **state)
{
    static const int chain[4] = {0, 1, 2, 3};
    paper_trace trace;

    (void)state;
    paper_trace_init(&trace, 4, 4, 1, 1);
    paper_trace_add(&trace, 0, chain, law, 4);
    /* coverage 1/4, 2/4, 3/4, 1 */
    assert_true(
        is_near(paper_trace_average(&trace, PAPER_COVERAGE).mean, 0.625));
    assert_true(is_near(paper_trace_spread(&trace, PAPER_COVERAGE).mean,
                        sqrt(5.0 / 64)));
    paper_trace_clear(&trace);
}

static void arrivals_are_averaged_over_repetitions(void **state)
{
    static const int chains[2][4] = {{0, 1, 2, 3}, {0, 0, 1, 2}};
    paper_trace trace;
    paper_mean mean;

    (void)state;
    paper_trace_init(&trace, 4, 4, 2, 1);
    for (int r = 0; r < 2; r++)
        paper_trace_add(&trace, r, chains[r], law, 4);
    /* half of the states after 2 and 3 draws, three quarters after 3 and 4 */
    mean = paper_trace_arrival(&trace, PAPER_COVERAGE, 0.5);
    assert_true(is_near(mean.mean, 2.5) && is_near(mean.se, 0.5));
    mean = paper_trace_arrival(&trace, PAPER_COVERAGE, 0.75);
    assert_true(is_near(mean.mean, 3.5));
    mean = paper_trace_arrival(&trace, PAPER_COVERAGE, 0.1);
    assert_true(is_near(mean.mean, 1) && is_near(mean.se, 0));
    /* the second one never has them all */
    assert_true(isnan(paper_trace_arrival(&trace, PAPER_COVERAGE, 1).mean));
    paper_trace_clear(&trace);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(distances_by_hand),
        cmocka_unit_test(means_have_errors_of_n_minus_one),
        cmocka_unit_test(points_rise_from_one_to_all_draws),
        cmocka_unit_test(chains_are_averaged_within_repetitions),
        cmocka_unit_test(curves_are_summed_up_along_the_run),
        cmocka_unit_test(arrivals_are_averaged_over_repetitions),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
