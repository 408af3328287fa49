/* test_kaufman.c - the exact Ising torus against enumeration and limits. */
#include "unit/kaufman.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

/* Sum of s_i s_j over the bonds to the right and below; a side of 2 has each
 * of them twice. */
static int bonds(uint32_t state, int rows, int cols)
{
    int sum = 0;

    for (int r = 0; r < rows; r++) {
        for (int c = 0; c < cols; c++) {
            int right = r * cols + (c + 1) % cols;
            int lower = (r + 1) % rows * cols + c;
            int here = state >> (r * cols + c) & 1;

            sum += here == (int)(state >> right & 1) ? 1 : -1;
            sum += here == (int)(state >> lower & 1) ? 1 : -1;
        }
    }
    return sum;
}

static void check_against_enumeration(int rows, int cols, double beta)
{
    double z = 0.0;
    double weighted = 0.0;
    double log_z = kaufman_log_z(rows, cols, beta);
    double energy = kaufman_energy(rows, cols, beta);

    for (uint32_t x = 0; x < 1u << (rows * cols); x++) {
        int sum = bonds(x, rows, cols);
        double w = exp(beta * sum);

        z += w;
        weighted += w * sum;
    }
    weighted /= -z * rows * cols;
    if (fabs(log_z - log(z)) > 1e-11 * fabs(log(z)))
        fail_msg("%dx%d at %g: log Z %.15g, not %.15g", rows, cols, beta, log_z,
                 log(z));
    if (fabs(energy - weighted) > 1e-11)
        fail_msg("%dx%d at %g: energy %.15g, not %.15g", rows, cols, beta,
                 energy, weighted);
}

static void small_tori_equal_enumeration(void **state)
{
    static const int sides[][2] = {{2, 2}, {2, 3}, {3, 2}, {3, 3}, {2, 4},
                                   {3, 4}, {4, 3}, {4, 4}, {2, 7}, {5, 3}};
    /* the critical point itself among them, where g_0 is 0 up to rounding */
    const double betas[] = {1e-3, 0.1,    0.3, 0.4407, 0.5 * log1p(sqrt(2.0)),
                            0.5,  0.8813, 1.5, 3.0};

    (void)state;
    for (int i = 0; i < 10; i++)
        for (int b = 0; b < 9; b++)
            check_against_enumeration(sides[i][0], sides[i][1], betas[b]);
}

/* The value the paper prints as -1.4402, and the one at the critical point. */
static void energy_of_the_24_torus(void **state)
{
    double critical = 0.5 * log1p(sqrt(2.0));

    (void)state;
    assert_true(fabs(kaufman_energy(24, 24, 0.4407) + 1.440249) < 5e-7);
    assert_true(fabs(kaufman_energy(24, 24, critical) + 1.440133) < 5e-7);
}

static void sides_may_be_exchanged(void **state)
{
    (void)state;
    for (int k = 1; k < 12; k++) {
        double beta = 0.08 * k;

        assert_true(
            fabs(kaufman_log_z(7, 40, beta) / kaufman_log_z(40, 7, beta) -
                 1.0) < 1e-13);
        assert_true(fabs(kaufman_energy(7, 40, beta) -
                         kaufman_energy(40, 7, beta)) < 1e-11);
    }
}

#define SIDE  128
#define SITES (SIDE * SIDE)

/* Large tori do not overflow; energy is the derivative of log Z; the limits
 * are 2^N states when hot, two ground states when cold. */
static void large_tori_have_their_limits(void **state)
{
    static const double betas[] = {0.2, 0.4, 0.44, 0.4407, 0.45, 0.7, 2.0};
    const double h = 1e-5;

    (void)state;
    for (int b = 0; b < 7; b++) {
        double up = kaufman_log_z(SIDE, SIDE, betas[b] + h);
        double down = kaufman_log_z(SIDE, SIDE, betas[b] - h);
        double slope = (up - down) / (2 * h) / SITES;

        if (!(fabs(kaufman_energy(SIDE, SIDE, betas[b]) + slope) < 1e-6))
            fail_msg("beta %g: energy is not the derivative", betas[b]);
    }
    assert_true(kaufman_log_z(SIDE, SIDE, 0.0) == SITES * log(2.0));
    assert_true(kaufman_energy(SIDE, SIDE, 0.0) == 0.0);
    assert_true(fabs(kaufman_log_z(SIDE, SIDE, 10.0) -
                     (20.0 * SITES + log(2.0))) < 1e-8);
    assert_true(fabs(kaufman_energy(SIDE, SIDE, 10.0) + 2.0) < 1e-12);
    assert_true(fabs(kaufman_energy(SIDE, SIDE, 300.0) + 2.0) < 1e-12);
    /* the infinite lattice at the critical point: -sqrt 2 (1 + O(1/L)) */
    assert_true(fabs(kaufman_energy(512, 512, 0.5 * log1p(sqrt(2.0))) +
                     sqrt(2.0)) < 2e-3);
}

static void other_arguments_give_nan(void **state)
{
    (void)state;
    assert_true(isnan(kaufman_log_z(1, 4, 0.4)));
    assert_true(isnan(kaufman_energy(4, 0, 0.4)));
    assert_true(isnan(kaufman_energy(4, 4, -0.4)));
    assert_true(isnan(kaufman_energy(4, 4, 301.0)));
    assert_true(isnan(kaufman_energy(4, 4, NAN)));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(small_tori_equal_enumeration),
        cmocka_unit_test(energy_of_the_24_torus),
        cmocka_unit_test(sides_may_be_exchanged),
        cmocka_unit_test(large_tori_have_their_limits),
        cmocka_unit_test(other_arguments_give_nan),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
