/* test_pseudo.c - the inverse temperature of draws by pseudo-likelihood.
 *
 * An open chain of spins with couplings is drawn exactly, spin by spin.  Seeds
 * are fixed; the chance that the right code fails is below 1e-4 in each test of
 * errors. */
#include "diag/tests/pseudo.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "unit/xorshift.h"

#define SPINS 10
#define DRAWS 240
#define SETS  400

static const double coupling[SPINS - 1] = {1.0, -0.5, 0.8,  -1.2, 0.3,
                                           0.9, -1.0, 0.25, 0.6};
static const int others[SPINS] = {1, 1, 1, 1, 1, 1, 1, 1, 1, 1};
static float change[DRAWS * SPINS];

static double uniform(uint64_t *seed)
{
    return ((double)xorshift(seed) + 0.5) / 4294967296.0;
}

/* What a flip of each spin changes log p by, at beta = 1. */
static void draw(double beta, float *to, uint64_t *seed)
{
    double s[SPINS];

    s[0] = uniform(seed) < 0.5 ? 1.0 : -1.0;
    for (int i = 1; i < SPINS; i++) {
        double same = 1.0 / (1.0 + exp(-2.0 * beta * coupling[i - 1]));

        s[i] = uniform(seed) < same ? s[i - 1] : -s[i - 1];
    }
    for (int i = 0; i < SPINS; i++) {
        double field = (i > 0 ? coupling[i - 1] * s[i - 1] : 0.0) +
                       (i + 1 < SPINS ? coupling[i] * s[i + 1] : 0.0);

        to[i] = (float)(-2.0 * s[i] * field);
    }
}

static hs_pseudo fit(const hs_conditionals *c)
{
    hs_pseudo p;

    assert_int_equal(hs_pseudo_fit(&p, c, NULL), HISS_OK);
    return p;
}

static hs_pseudo fit_chain(double beta, int repeated, uint64_t *seed)
{
    hs_conditionals c = {.change = change,
                         .others = others,
                         .sites = SPINS,
                         .chains = 4,
                         .draws = DRAWS / 4,
                         .width = SPINS};

    for (int n = 0; n < DRAWS; n++) {
        if (n % repeated == 0)
            draw(beta, change + n * SPINS, seed);
        else
            for (int i = 0; i < SPINS; i++)
                change[n * SPINS + i] = change[(n - 1) * SPINS + i];
    }
    return fit(&c);
}

/* Errors are those of many data sets: the sd of z from 400 of them is known to
 * 3.5 %.  Every draw twice makes a chain whose draws are correlated. */
static void errors_are_right(void **state)
{
    static const double betas[] = {-0.7, 0.5, 1.0};
    uint64_t seed = 20260501;

    (void)state;
    for (int k = 0; k < 3; k++)
        for (int repeated = 1; repeated <= 2; repeated++) {
            double mean = 0.0, square = 0.0, sigmas = 0.0;

            for (int r = 0; r < SETS; r++) {
                hs_pseudo p = fit_chain(betas[k], repeated, &seed);
                double z = (p.beta - betas[k]) / p.error;

                mean += z / SETS;
                square += z * z / SETS;
                sigmas += p.sigmas * p.sigmas / SETS;
            }
            assert_true(fabs(mean) < 4.0 / sqrt(SETS) + 0.1); /* O(1/draws) */
            assert_true(sqrt(square) > 0.85 && sqrt(square) < 1.18);
            /* of the model itself the test is never far off, of others it is */
            assert_true(betas[k] == 1.0 ? sigmas < 1.4 : sigmas > 9.0);
        }
}

/* One site of three values, others at +1 and -2: the score is 0 where the mean
 * change is that of the draws. */
static void several_values_by_hand(void **state)
{
    static const float seen[6][2] = {{1, -2}, {1, -2},  {1, -2},
                                     {1, -2}, {-1, -3}, {2, 3}};
    static const int two[] = {2};
    hs_conditionals c = {.change = &seen[0][0],
                         .others = two,
                         .sites = 1,
                         .chains = 1,
                         .draws = 6,
                         .width = 2};
    double beta = fit(&c).beta, e = exp(beta), f = exp(-2.0 * beta);
    double b = exp(-beta), g = exp(-3.0 * beta), h = exp(2.0 * beta),
           k = exp(3.0 * beta);

    (void)state;
    assert_true(fabs(4.0 * (e - 2.0 * f) / (1.0 + e + f) +
                     (-b - 3.0 * g) / (1.0 + b + g) +
                     (2.0 * h + 3.0 * k) / (1.0 + h + k)) < 1e-8);
}

/* The scale of log p does not matter, and impossible values do not count. */
static void scales_and_constraints(void **state)
{
    float plain[40], scaled[40], forced[80];
    static const int one[] = {1}, two[] = {2};
    hs_conditionals c = {
        .others = one, .sites = 1, .chains = 1, .draws = 40, .width = 1};
    hs_pseudo a, b;

    (void)state;
    for (int n = 0; n < 40; n++) {
        plain[n] = n % 4 ? -1.5f : 1.5f; /* three of four times the better */
        scaled[n] = 1e6f * plain[n];
        forced[2 * n + n % 2] = plain[n];
        forced[2 * n + 1 - n % 2] = -HUGE_VALF;
    }
    c.change = plain;
    a = fit(&c);
    assert_true(fabs(a.beta - log(3.0) / 1.5) < 1e-8);
    c.change = scaled;
    b = fit(&c);
    assert_true(fabs(1e6 * b.beta - a.beta) < 1e-8);
    assert_true(fabs(1e6 * b.error - a.error) < 1e-8);
    c = (hs_conditionals){.change = forced,
                          .others = two,
                          .sites = 1,
                          .chains = 1,
                          .draws = 40,
                          .width = 2};
    b = fit(&c);
    assert_true(fabs(b.beta - a.beta) < 1e-12);
    assert_true(fabs(b.error - a.error) < 1e-12);
}

static void no_answer(void **state)
{
    static const float none[] = {0.0f, -HUGE_VALF, 0.0f, 0.0f};
    static const float low[] = {-1.0f, 0.0f, -2.0f, -HUGE_VALF};
    static const float high[] = {1.0f, 0.0f, 2.0f, -HUGE_VALF};
    static const int one[] = {1};
    hs_conditionals c = {
        .others = one, .sites = 1, .chains = 1, .draws = 4, .width = 1};
    hs_pseudo p;

    (void)state;
    c.change = none;
    p = fit(&c);
    assert_true(isnan(p.beta) && isnan(p.error));
    c.change = low;
    p = fit(&c);
    assert_true(p.beta == HUGE_VAL && isnan(p.error));
    c.change = high;
    p = fit(&c);
    assert_true(p.beta == -HUGE_VAL && isnan(p.error));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(errors_are_right),
        cmocka_unit_test(several_values_by_hand),
        cmocka_unit_test(scales_and_constraints),
        cmocka_unit_test(no_answer),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
