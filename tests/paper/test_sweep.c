/* test_sweep.c - exact matrices of one sweep: they keep the law, and only some
 * are reversible. */
#include "paper/experiments/sweep.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "paper/experiments/bridge.h"

static const double TWO_MODES[4] = {0.5, 0.03, 0.07, 0.4};

static void make(int refine, bool is_palindrome, paper_target *target,
                 paper_matrix p)
{
    paper_sweep sweep = {1, 0.5, refine, is_palindrome, 0.0625};

    paper_target_table(target, 2, TWO_MODES);
    paper_sweep_matrix(target, &sweep, p);
}

static void every_order_keeps_the_law(void **state)
{
    paper_target target;
    paper_matrix p;

    (void)state;
    for (int refine = 0; refine < 3; refine++)
        for (int palindrome = 0; palindrome < 2; palindrome++) {
            make(refine, palindrome, &target, p);
            assert_true(paper_sweep_invariance(&target, p) < 1e-11);
            for (int x = 0; x < 4; x++) {
                double sum = 0;

                for (int y = 0; y < 4; y++)
                    sum += p[x][y];
                assert_true(fabs(sum - 1) < 1e-11);
            }
        }
}

/* Violations 1.1e-3 and 1.5e-3 for L = 1, 2: an independent computation. */
static void the_papers_order_is_not_reversible(void **state)
{
    paper_target target;
    paper_matrix p;
    double relative;

    (void)state;
    make(0, false, &target, p);
    assert_true(paper_sweep_balance(&target, p, &relative) < 1e-12);
    make(1, true, &target, p);
    assert_true(paper_sweep_balance(&target, p, &relative) < 1e-12);
    make(1, false, &target, p);
    assert_true(fabs(paper_sweep_balance(&target, p, &relative) - 1.1e-3) <
                0.1e-3);
    assert_true(fabs(relative - 0.038) < 0.002);
    make(2, false, &target, p);
    assert_true(fabs(paper_sweep_balance(&target, p, &relative) - 1.5e-3) <
                0.1e-3);
}

/* Without refinement: flip each bit with rho, accept with min(1, pi'/pi). */
static void the_jump_is_a_flip_of_every_bit(void **state)
{
    double rho = paper_bridge_rho(PAPER_LOGISTIC, 1);
    paper_target target;
    paper_matrix p;

    (void)state;
    make(0, false, &target, p);
    for (int x = 0; x < 4; x++)
        for (int y = 0; y < 4; y++) {
            int flips = __builtin_popcount((unsigned)(x ^ y));
            double q = pow(rho, flips) * pow(1 - rho, 2 - flips);

            if (x != y)
                assert_true(
                    fabs(p[x][y] - q * fmin(1, target.law[y] / target.law[x])) <
                    1e-11);
        }
}

static void distances_fall_and_start_below_the_minorisation(void **state)
{
    paper_target target;
    paper_matrix p;
    double tv[50];

    (void)state;
    make(1, false, &target, p);
    paper_sweep_decay(&target, p, 50, tv);
    assert_true(tv[0] <= 1 - paper_sweep_doeblin(&target, p) + 1e-12);
    for (int k = 1; k < 50; k++)
        assert_true(tv[k] <= tv[k - 1] + 1e-12);
    assert_true(tv[49] < 1e-3);
}

/* U = -1/2 (x-b)' A (x-b): gradient and law at a corner by hand. */
static void quadratics_have_their_slopes(void **state)
{
    static const double a[4] = {1.5, 0.5, 0.5, 1.5}, b[2] = {0.5, 0.5};
    paper_target target;

    (void)state;
    paper_target_quadratic(&target, 2, a, b);
    assert_true(fabs(target.gradient[0][0] - 1) < 1e-15);
    assert_true(fabs(target.gradient[2][0] + 0.5) < 1e-15); /* x = (1,0) */
    assert_true(fabs(target.u[0] + 0.5) < 1e-15);
    assert_true(fabs(target.u[2] + 0.25) < 1e-15);
    assert_true(fabs(target.law[0] + target.law[1] + target.law[2] +
                     target.law[3] - 1) < 1e-15);
}

/* Two states with flips a and b: var f (1 + r) / (1 - r), r = 1 - a - b. */
static void variances_of_two_states_are_known(void **state)
{
    const double a = 0.1, b = 0.3, f[4] = {0, 0, 1, 1};
    double zero = b / (a + b), r = 1 - a - b;
    paper_target target;
    paper_matrix p = {{0}};

    (void)state;
    paper_target_table(
        &target, 2,
        (const double[]){zero / 2, zero / 2, (1 - zero) / 2, (1 - zero) / 2});
    for (int x = 0; x < 4; x++)
        for (int y = 0; y < 4; y++) {
            double flip = x < 2 ? a : b;

            p[x][y] = (x < 2) == (y < 2) ? (1 - flip) / 2 : flip / 2;
        }
    assert_true(fabs(paper_sweep_variance(&target, p, f) -
                     zero * (1 - zero) * (1 + r) / (1 - r)) < 1e-12);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_order_keeps_the_law),
        cmocka_unit_test(the_papers_order_is_not_reversible),
        cmocka_unit_test(the_jump_is_a_flip_of_every_bit),
        cmocka_unit_test(distances_fall_and_start_below_the_minorisation),
        cmocka_unit_test(quadratics_have_their_slopes),
        cmocka_unit_test(variances_of_two_states_are_known),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
