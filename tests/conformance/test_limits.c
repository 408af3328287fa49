/* test_limits.c - numbers that are known without a sampler.
 *
 * rho(eta) is the probability that noise and denoise flip a bit,
 *     rho = int k(a|0) k(a|1) / (k(a|0) + k(a|1)) da;
 * with the noise integrated out, a jump is Metropolis with independent flips.
 * As eta grows the tilt vanishes; with one level of beta = 1 tempering does.
 *
 * DRAWS flips per eta, and jumps, within 3 standard errors: 33 tests, so with
 * fresh seeds one in 12 runs would fail; the seed is fixed, and --slow allows
 * 5 (one in 50000). */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

#include "base/alloc.h"
#include "conformance/support/matrix.h"
#include "conformance/support/suite.h"
#include "lanes/lanes.h"

#define DRAWS INT64_C(100000000)
#define WIDE  4096 /* coordinates per call */
#define QUICK 1000000

static double errors_allowed(void)
{
    return suite_replicates(1) == 1 ? 3.0 : 5.0;
}

/* Simpson, as wide as either density reaches. */
static double rho(noise_shape shape, double eta)
{
    const int n = 40000;
    double low = -45.0 * eta, high = 1.0 + 45.0 * eta, sum = 0.0;
    double h = (high - low) / n;

    for (int k = 0; k <= n; k++) {
        double a = low + h * k, z = a / (2.0 * eta);
        double y = (a - 1.0) / (2.0 * eta), at_0, at_1;

        if (shape == GAUSSIAN) {
            at_0 = exp(-2.0 * z * z) / (eta * sqrt(2.0 * acos(-1.0)));
            at_1 = exp(-2.0 * y * y) / (eta * sqrt(2.0 * acos(-1.0)));
        } else {
            at_0 = 1.0 / (4.0 * eta * cosh(z) * cosh(z));
            at_1 = 1.0 / (4.0 * eta * cosh(y) * cosh(y));
        }
        if (at_0 + at_1 > 0.0)
            sum += (k == 0 || k == n ? 1
                    : k % 2          ? 4
                                     : 2) *
                   at_0 * at_1 / (at_0 + at_1);
    }
    return sum * h / 3.0;
}

/* eta, rho and half of its last digit. */
static const double known_rho[][3] = {
    {0.005, 5.8e-44, 0.5e-45}, {0.01, 3.0e-22, 0.5e-23},
    {0.02, 2.18e-11, 0.5e-13}, {0.05, 7.13e-5, 0.5e-7},
    {0.08, 3.025e-3, 0.5e-6},  {0.1, 0.01049, 0.5e-5},
    {0.2, 0.11628, 0.5e-5},    {0.5, 0.36835, 0.5e-5},
    {0.8, 0.44103, 0.5e-5},    {1.0, 0.46093, 0.5e-5},
    {2.0, 0.48975, 0.5e-5},    {4.0, 0.49741, 0.5e-5},
    {5.0, 0.49834, 0.5e-5},    {8.0, 0.49935, 0.5e-5},
    {10.0, 0.49958, 0.5e-5},
};

enum {
    ETAS = sizeof known_rho / sizeof *known_rho
};

static void rho_by_quadrature(void **state)
{
    (void)state;
    for (int e = 0; e < ETAS; e++)
        if (fabs(rho(LOGISTIC, known_rho[e][0]) - known_rho[e][1]) >
            1.01 * known_rho[e][2])
            fail_msg("rho(%g) = %.6g, not %.6g", known_rho[e][0],
                     rho(LOGISTIC, known_rho[e][0]), known_rho[e][1]);
    assert_true(fabs(rho(GAUSSIAN, 3.0) - 0.48648) < 1e-5);
    /* small eta: (pi / 2) e^(-1 / 2 eta) */
    assert_true(fabs(rho(LOGISTIC, 0.02) / (acos(0.0) * exp(-25.0)) - 1.0) <
                1e-3);
}

/* How many of the coordinates that the noise primitive returns are flipped,
 * in units of standard errors from the expected number. */
static double flip_error(hiss_kind kind, noise_shape shape, double eta,
                         double expected, uint64_t seed)
{
    int64_t draws = suite_replicates(DRAWS), flips = 0, made = 0;
    float scale[HS_LANES];
    hs_rng rng = {.seed = seed};
    hs_domain d;
    hs_index_row *x = hs_alloc_array(2 * WIDE, sizeof *x);
    hs_float_row *phi = hs_alloc_array(WIDE, sizeof *phi);
    hs_noise n = {.domain = &d,
                  .rng = &rng,
                  .eta = scale,
                  .x = (const hs_index_row *)x,
                  .y = x + WIDE,
                  .phi = phi,
                  .shape = shape == GAUSSIAN ? HS_GAUSSIAN : HS_LOGISTIC};

    assert_true(x && phi);
    assert_int_equal(hs_domain_init(&d, kind, WIDE, 2, NULL), HISS_OK);
    for (int l = 0; l < HS_LANES; l++) {
        scale[l] = (float)eta;
        rng.chain[l] = (uint32_t)l;
    }
    for (int i = 0; i < WIDE; i++)
        for (int l = 0; l < HS_LANES; l++)
            x[i][l] = (int16_t)((i + l) % 2);
    for (; made < draws; made += WIDE * HS_LANES) {
        rng.clock++;
        hs_lanes()->noise(&n);
        for (int i = 0; i < WIDE; i++)
            for (int l = 0; l < HS_LANES; l++)
                flips += x[i][l] != x[WIDE + i][l];
    }
    hs_domain_clear(&d);
    hs_free(x);
    hs_free(phi);
    return ((double)flips - (double)made * expected) /
           sqrt((double)made * expected * (1.0 - expected) + 1e-3);
}

static void noise_flips_with_rho(void **state)
{
    uint64_t seed = suite_seed(80000);
    int wrong = 0;

    (void)state;
    for (int e = 0; e < ETAS + 4; e++) {
        noise_shape shape = e < ETAS + 2 ? LOGISTIC : GAUSSIAN;
        hiss_kind kind = e < ETAS || e == ETAS + 2 ? HISS_BINARY : HISS_SPIN;
        double eta = e < ETAS       ? known_rho[e][0]
                     : e == ETAS    ? 0.2
                     : e < ETAS + 2 ? 1.0
                                    : 3.0;
        /* spins are two apart: twice the noise does what it does to bits */
        double scale = kind == HISS_SPIN ? 2.0 : 1.0;
        double off = flip_error(kind, shape, scale * eta, rho(shape, eta),
                                seed + (uint64_t)e);

        printf("       %s %s eta %g: rho %.5g, %.2f standard errors off\n",
               kind == HISS_SPIN ? "spin" : "binary",
               shape == GAUSSIAN ? "gaussian" : "logistic", scale * eta,
               rho(shape, eta), off);
        wrong += !(fabs(off) < errors_allowed());
    }
    assert_int_equal(wrong, 0);
}

/* Acceptance (a proposal equal to the state is accepted) and share moved of a
 * jump on the paper's Bernoulli, from rho alone. */
static void jump_rates(noise_shape shape, double eta, double *accepted,
                       double *moved)
{
    double law[16], r = rho(shape, eta), sum = 0.0;

    for (int x = 0; x < 16; x++)
        sum += law[x] = x == 0    ? 0.588204
                        : x == 14 ? 0.294102
                        : x == 15 ? 0.117641
                                  : 5.882e-6;
    *accepted = *moved = 0.0;
    for (int x = 0; x < 16; x++)
        for (int y = 0; y < 16; y++) {
            int flips = __builtin_popcount((unsigned)(x ^ y));
            double q = pow(r, flips) * pow(1.0 - r, 4 - flips);
            double rate = q * fmin(law[x], law[y]) / sum;

            *accepted += rate;
            *moved += x == y ? 0.0 : rate;
        }
}

static void jump_acceptance_is_known(void **state)
{
    static const double known[][2] = {
        {0.05, 0.99973}, {0.08, 0.98866}, {0.1, 0.96108}, {0.2, 0.62969},
        {0.5, 0.20400},  {0.8, 0.15294},  {1, 0.14319},   {2, 0.13197},
        {4, 0.12953},    {5, 0.12925},    {8, 0.12895},   {10, 0.12888},
        {1000, 0.12876},
    };
    int64_t n = suite_replicates(QUICK);
    hs_model *m;
    int wrong = 0;

    (void)state;
    assert_int_equal(hs_model_create(&m, "bernoulli4", NULL), HISS_OK);
    for (size_t e = 0; e <= sizeof known / sizeof *known; e++) {
        bool is_last = e == sizeof known / sizeof *known;
        noise_shape shape = is_last ? GAUSSIAN : LOGISTIC;
        double eta = is_last ? 3.0 : known[e][0], accepted, moved, off;
        char sampler[80];
        hs_verdict v;

        jump_rates(shape, eta, &accepted, &moved);
        wrong += fabs(accepted - (is_last ? 0.13308 : known[e][1])) > 0.6e-5;
        snprintf(sampler, sizeof sampler, "hiss(eta=%g,steps=0,kernel=%s)", eta,
                 is_last ? "gaussian" : "logistic");
        suite_verify(&v, m, sampler, n, suite_seed(81000 + e));
        off =
            (v.result.moved - moved) / sqrt(moved * (1.0 - moved) / (double)n);
        printf("       %s: accepts %.5f, moves %.5f, %.2f standard errors "
               "off\n",
               sampler, accepted, moved, off);
        wrong += !(fabs(off) < errors_allowed());
        hs_verdict_clear(&v);
    }
    hs_model_destroy(m);
    assert_int_equal(wrong, 0);
}

/* Much noise: the jump proposes any state, and refinement forgets the tilt. */
static void a_wide_tilt_is_none(void **state)
{
    static matrix jump, refine, both;
    int wrong = 0;

    (void)state;
    for (suite_model which = BINARY; which <= MIXED; which++) {
        hs_model *m = suite_create(which);
        hs_verdict v;
        double chance;
        space s;

        space_init(&s, m);
        matrix_jump(&s, LOGISTIC, 1e4, jump);
        matrix_dmala(&s, 1.5, refine);
        matrix_multiply(s.n, jump, refine, both);
        suite_verify(&v, m, "hiss(eta=1e4,steps=1,inner=dmala(alpha=1.5))",
                     suite_replicates(QUICK), suite_seed(82000 + which));
        chance = matrix_p_value(s.n, both, &v);
        printf("       %s: p = %.3g\n", suite_names[which], chance);
        wrong += chance < 1e-5;
        hs_verdict_clear(&v);
        hs_model_destroy(m);
    }
    assert_int_equal(wrong, 0);
}

/* At beta = 1 tempering changes no transition: the same draws. */
static void one_level_is_the_base(void **state)
{
    static const char *const bases[] = {"dmala(alpha=2)", "gwg", "gibbs",
                                        "hiss(eta=0.7,steps=1,inner=gwg)"};

    (void)state;
    for (suite_model which = BINARY; which < SUITE_MODELS; which++) {
        hs_model *m = suite_create(which);

        for (size_t b = 0; b < sizeof bases / sizeof *bases; b++) {
            hs_verdict plain, tempered;
            char sampler[96];

            snprintf(sampler, sizeof sampler, "pt(base=%s,levels=1)", bases[b]);
            suite_verify(&plain, m, bases[b], 10000, 3);
            suite_verify(&tempered, m, sampler, 10000, 3);
            assert_int_equal(plain.pairs, tempered.pairs);
            assert_memory_equal(plain.pair, tempered.pair,
                                (size_t)plain.pairs * sizeof *plain.pair);
            hs_verdict_clear(&plain);
            hs_verdict_clear(&tempered);
        }
        hs_model_destroy(m);
    }
}

int main(int argc, char **argv)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(rho_by_quadrature),
        cmocka_unit_test(noise_flips_with_rho),
        cmocka_unit_test(jump_acceptance_is_known),
        cmocka_unit_test(a_wide_tilt_is_none),
        cmocka_unit_test(one_level_is_the_base),
    };

    suite_begin(argc, argv);
    return cmocka_run_group_tests_name("limits", tests, NULL, NULL);
}
