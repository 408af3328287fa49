/* test_bridge.c - flip probabilities and acceptances against known values. */
#include "paper/experiments/bridge.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "paper/support/random.h"

/* eta, flip probability, stationary acceptance on the paper's Bernoulli: from
 * an independent computation. */
static const double KNOWN[][3] = {
    {0.05, 7.13e-5, 0.99973}, {0.08, 3.025e-3, 0.98866},
    {0.1, 0.01049, 0.96108},  {0.2, 0.11628, 0.62969},
    {0.5, 0.36835, 0.20400},  {0.8, 0.44103, 0.15294},
    {1, 0.46093, 0.14319},    {2, 0.48975, 0.13197},
    {4, 0.49741, 0.12953},    {5, 0.49834, 0.12925},
    {8, 0.49935, 0.12895},    {10, 0.49958, 0.12888},
};

static void fill_law(double law[16])
{
    double sum = 0;

    for (int s = 0; s < 16; s++)
        law[s] = 5.882e-6;
    law[0] = 0.588204;
    law[14] = 0.294102;
    law[15] = 0.117641;
    for (int s = 0; s < 16; s++)
        sum += law[s];
    for (int s = 0; s < 16; s++)
        law[s] /= sum;
}

static void flips_and_acceptances_are_the_known_ones(void **state)
{
    double law[16];

    (void)state;
    fill_law(law);
    for (size_t i = 0; i < sizeof KNOWN / sizeof *KNOWN; i++) {
        double rho = paper_bridge_rho(PAPER_LOGISTIC, KNOWN[i][0]);

        assert_true(fabs(rho / KNOWN[i][1] - 1) < 1e-3);
        assert_true(fabs(paper_bridge_acceptance(law, 4, rho) - KNOWN[i][2]) <
                    1e-5);
    }
    assert_true(fabs(paper_bridge_rho(PAPER_GAUSSIAN, 3) - 0.48648) < 1e-5);
}

/* Small eta: (pi/2) exp(-1 / 2 eta). */
static void flips_are_rare_at_small_scales(void **state)
{
    (void)state;
    assert_true(fabs(paper_bridge_rho(PAPER_LOGISTIC, 0.01) / 3.0297e-22 - 1) <
                1e-3);
    assert_true(
        fabs(paper_bridge_rho(PAPER_LOGISTIC, 0.005) / (M_PI / 2 * exp(-100)) -
             1) < 0.01);
}

static void scales_invert_flips(void **state)
{
    (void)state;
    for (int k = PAPER_LOGISTIC; k <= PAPER_GAUSSIAN; k++)
        for (int i = 1; i < 5; i++) {
            double scale = paper_bridge_scale((paper_bridge)k, 0.09 * i);

            assert_true(fabs(paper_bridge_rho((paper_bridge)k, scale) -
                             0.09 * i) < 1e-10);
        }
}

static void densities_belong_to_their_distributions(void **state)
{
    (void)state;
    for (int k = PAPER_LOGISTIC; k <= PAPER_GAUSSIAN; k++)
        for (double z = -8; z < 8; z += 0.37) {
            double h = 1e-5;
            double slope = (paper_bridge_cdf((paper_bridge)k, z + h, 1.3) -
                            paper_bridge_cdf((paper_bridge)k, z - h, 1.3)) /
                           (2 * h);

            assert_true(fabs(slope - paper_bridge_density((paper_bridge)k, z,
                                                          1.3)) < 1e-9);
        }
}

/* Total mass, and the cdf of the two asymmetric kernels, which have none of
 * their own here: exp(-exp(-t)) and the logistic one to the power 4. */
static void asymmetric_densities_belong_to_their_distributions(void **state)
{
    const double step = 1e-3;
    double gumbel = 0, skewed = 0;

    (void)state;
    for (double z = -30; z < 60; z += step) {
        double middle = z + step / 2, end = z + step;

        gumbel += step * paper_bridge_density(PAPER_GUMBEL, middle, 1.3);
        skewed += step * paper_bridge_density(PAPER_SKEWED, middle, 1.3);
        assert_true(fabs(gumbel - exp(-exp(-end / 1.3))) < 1e-6);
        assert_true(fabs(skewed - pow(1 + exp(-end / 1.3), -4)) < 1e-6);
    }
}

/* Noise by inversion, denoised by chance: bits flip as often from 0 as from 1,
 * and as often as rho says.  10^6 flips each, 5 standard errors: fixed seed. */
static void asymmetric_noise_flips_both_bits_alike(void **state)
{
    enum {
        DRAWS = 1000000
    };
    paper_random random;

    (void)state;
    paper_random_init(&random, 5, 6);
    for (int k = PAPER_GUMBEL; k <= PAPER_SKEWED; k++) {
        paper_bridge kernel = (paper_bridge)k;
        double rho = paper_bridge_rho(kernel, 0.4);

        for (int x = 0; x < 2; x++) {
            int flips = 0;

            for (int t = 0; t < DRAWS; t++) {
                double u = paper_random_uniform(&random);
                double z =
                    k == PAPER_GUMBEL ? -log(-log(u)) : -log(pow(u, -0.25) - 1);
                double a = x + 0.4 * z;
                double stay = paper_bridge_density(kernel, a - x, 0.4);
                double leave = paper_bridge_density(kernel, a - (1 - x), 0.4);

                flips += paper_random_uniform(&random) * (stay + leave) < leave;
            }
            assert_true(fabs((double)flips / DRAWS - rho) < 2.5e-3);
        }
    }
}

/* On a flat law every jump is taken: |x' - x| is binomial. */
static void distances_of_free_jumps_are_binomial(void **state)
{
    double law[16];

    (void)state;
    for (int s = 0; s < 16; s++)
        law[s] = 1.0 / 16;
    assert_true(fabs(paper_bridge_acceptance(law, 4, 0.3) - 1) < 1e-12);
    assert_true(fabs(paper_bridge_distance(law, 4, 0.3) -
                     (4 * 0.3 * 0.7 + 1.2 * 1.2)) < 1e-12);
}

/* Means and variances of 10^6 draws, 5 standard errors: fixed seed. */
static void random_numbers_have_their_laws(void **state)
{
    enum {
        DRAWS = 1000000
    };
    double sum[3] = {0}, squares[3] = {0};
    /* mean and variance; standard errors of both times 1000 */
    const double mean[3] = {0.5, 0, 0};
    const double variance[3] = {1.0 / 12, M_PI * M_PI / 3, 1};
    const double error[3] = {0.075, 5.9, 1.4};
    paper_random random;

    (void)state;
    paper_random_init(&random, 1, 2);
    for (int t = 0; t < DRAWS; t++) {
        double x[3] = {paper_random_uniform(&random),
                       paper_random_logistic(&random),
                       paper_random_normal(&random)};

        assert_true(x[0] > 0 && x[0] < 1);
        for (int k = 0; k < 3; k++) {
            sum[k] += x[k] / DRAWS;
            squares[k] += (x[k] - mean[k]) * (x[k] - mean[k]) / DRAWS;
        }
    }
    for (int k = 0; k < 3; k++) {
        assert_true(fabs(sum[k] - mean[k]) < 5e-3 * sqrt(variance[k]));
        assert_true(fabs(squares[k] - variance[k]) < 5e-3 * error[k]);
    }
}

static void states_are_drawn_with_their_probabilities(void **state)
{
    enum {
        DRAWS = 200000
    };
    const double law[3] = {0.2, 0.5, 0.3};
    int counts[3] = {0};
    paper_random random;

    (void)state;
    paper_random_init(&random, 3, 4);
    for (int t = 0; t < DRAWS; t++)
        counts[paper_random_state(&random, law, 3)]++;
    for (int s = 0; s < 3; s++)
        assert_true(fabs((double)counts[s] / DRAWS - law[s]) < 0.006);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(flips_and_acceptances_are_the_known_ones),
        cmocka_unit_test(flips_are_rare_at_small_scales),
        cmocka_unit_test(scales_invert_flips),
        cmocka_unit_test(densities_belong_to_their_distributions),
        cmocka_unit_test(asymmetric_densities_belong_to_their_distributions),
        cmocka_unit_test(asymmetric_noise_flips_both_bits_alike),
        cmocka_unit_test(distances_of_free_jumps_are_binomial),
        cmocka_unit_test(random_numbers_have_their_laws),
        cmocka_unit_test(states_are_drawn_with_their_probabilities),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
