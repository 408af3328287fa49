/* test_lanes.c - the primitives: random numbers against Random123, elementary
 * functions against libm, and every instruction set against every other. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "base/random/rng.h"
#include "lanes/lanes.h"
#include "unit/xorshift.h"

#define DIM 37 /* not a multiple of anything */

static hs_rng some_rng(uint64_t clock)
{
    hs_rng r = {.seed = 0x123456789abcdef0u, .clock = clock};

    for (int l = 0; l < HS_LANES; l++) {
        r.chain[l] = (uint32_t)(1000 + 7 * l);
        r.replica[l] = (uint32_t)(l % 5);
    }
    return r;
}

/* A clock past 32 bits, so that its high word is seen too. */
static void philox_agrees_with_random123(void **state)
{
    hs_rng r = some_rng((UINT64_C(77) << 32) + 5);
    uint32_t out[12][HS_LANES];

    (void)state;
    for (const hs_lane_table *const *t = hs_lanes_all(); *t; t++) {
        (*t)->philox(&r, HS_DRAW_NOISE, 9, 3, out);
        for (int i = 0; i < 12; i++)
            for (int l = 0; l < HS_LANES; l++)
                assert_int_equal(out[i][l],
                                 hs_rng_word(r.seed, r.chain[l], r.replica[l],
                                             r.clock, HS_DRAW_NOISE,
                                             (uint32_t)(4 * 9 + i)));
    }
}

/* The layout of rng.h, written out once more. */
static void a_draw_has_the_documented_address(void **state)
{
    uint32_t a[4], b[4];

    (void)state;
    hs_rng_block(0, 0, 0, 0, HS_DRAW_INIT, 0, a);
    /* Random123's known answer for philox4x32-10 of zeros */
    assert_int_equal(a[0], 0x6627e8d5);
    assert_int_equal(a[1], 0xe169c58d);
    assert_int_equal(a[2], 0xbc57ac4c);
    assert_int_equal(a[3], 0x9b00dbd8);
    hs_rng_block(1, 2, 3, 4, HS_DRAW_SWAP, 5, a);
    hs_rng_block(1, 2, 3, 4 + (UINT64_C(1) << 32), HS_DRAW_SWAP, 5, b);
    assert_memory_not_equal(a, b, sizeof a);
}

/* Distance in units of the last place of the exact value. */
static double ulps(float got, double want)
{
    float near = (float)want;
    double unit =
        (double)nextafterf(fabsf(near), INFINITY) - (double)fabsf(near);

    return fabs((double)got - want) / unit;
}

typedef void (*lane_function)(const float *x, float *out);

static double worst(lane_function f, double (*exact)(double), double low,
                    double high)
{
    double most = 0.0;

    for (int n = 0; n < 200000; n += HS_LANES) {
        float x[HS_LANES], y[HS_LANES];

        for (int l = 0; l < HS_LANES; l++)
            x[l] = (float)(low + (high - low) * (n + l) / 200000.0);
        f(x, y);
        for (int l = 0; l < HS_LANES; l++) {
            double u = ulps(y[l], exact((double)x[l]));

            most = u > most ? u : most;
        }
    }
    return most;
}

/* The promise of docs/performance: at most 2 ulp. */
static void functions_are_within_two_ulp(void **state)
{
    (void)state;
    for (const hs_lane_table *const *t = hs_lanes_all(); *t; t++) {
        assert_true(worst((*t)->exp, exp, -87.0, 88.0) < 2.0);
        assert_true(worst((*t)->exp, exp, -1.0, 1.0) < 2.0);
        assert_true(worst((*t)->log, log, 1e-10, 4.0) < 2.0);
        assert_true(worst((*t)->log, log, 1.0, 1e9) < 2.0);
        assert_true(worst((*t)->tanh, tanh, -12.0, 12.0) < 2.0);
        assert_true(worst((*t)->tanh, tanh, -0.7, 0.7) < 2.0);
    }
}

static void functions_know_their_limits(void **state)
{
    float x[HS_LANES] = {-INFINITY, INFINITY, NAN,   -100.0f, 89.0f, 0.0f,
                         -0.0f,     1.0f,     -1.0f, -87.0f,  88.0f};
    float y[HS_LANES];

    (void)state;
    for (const hs_lane_table *const *t = hs_lanes_all(); *t; t++) {
        (*t)->exp(x, y);
        assert_true(y[0] == 0.0f && y[1] == INFINITY && isnan(y[2]));
        assert_true(y[3] == 0.0f && y[4] == INFINITY && y[5] == 1.0f);
        (*t)->log(x, y);
        assert_true(isnan(y[0]) && y[1] == INFINITY && isnan(y[2]));
        assert_true(isnan(y[3]) && y[5] == -INFINITY && y[7] == 0.0f);
        (*t)->tanh(x, y);
        assert_true(y[0] == -1.0f && y[1] == 1.0f && y[5] == 0.0f);
    }
}

/* Quantiles of the normal law against erfc. */
static void normal_quantiles_invert_the_normal_law(void **state)
{
    (void)state;
    for (int n = 1; n < 2000; n++) {
        float p[HS_LANES], z[HS_LANES];

        for (int l = 0; l < HS_LANES; l++)
            p[l] = (float)((n - 0.5) / 2000.0);
        hs_lanes()->normal_quantile(p, z);
        assert_true(fabs(0.5 * erfc(-(double)z[3] / sqrt(2.0)) - (double)p[3]) <
                    2e-7);
    }
}

/* Everything that the primitives take, filled at random. */
struct fixture {
    hs_domain domain;
    hs_rng rng;
    float beta[HS_LANES], balance[HS_LANES], stiffness[HS_LANES];
    float eta[HS_LANES];
    int16_t x[DIM][HS_LANES], y[DIM][HS_LANES];
    float grad[DIM * 5][HS_LANES], phi[DIM * 5][HS_LANES];
    float slope[DIM * 10][HS_LANES], scratch[32][HS_LANES];
    float logits[DIM * 5][HS_LANES];
    double log_q[HS_LANES];
};

static float random_float(uint64_t *seed)
{
    return (float)((double)xorshift(seed) * 0x1p-30 - 2.0);
}

static void fill(struct fixture *f, hiss_kind kind, int states)
{
    uint64_t seed = 99;

    memset(f, 0, sizeof *f);
    assert_int_equal(hs_domain_init(&f->domain, kind, DIM, states, NULL),
                     HISS_OK);
    f->rng = some_rng(12);
    for (int l = 0; l < HS_LANES; l++) {
        f->beta[l] = l == 3 ? 0.0f : 0.5f + 0.1f * (float)l;
        f->balance[l] = 0.5f;
        f->stiffness[l] = 0.3f + 0.05f * (float)l;
        f->eta[l] = 0.2f + 0.3f * (float)l;
    }
    for (int i = 0; i < DIM; i++)
        for (int l = 0; l < HS_LANES; l++)
            f->x[i][l] = (int16_t)xorshift_below(&seed, states);
    for (int r = 0; r < DIM * 5; r++)
        for (int l = 0; l < HS_LANES; l++)
            f->grad[r][l] = random_float(&seed);
}

#define ROWS(a)  ((const float(*)[HS_LANES])(a))
#define INDEX(a) ((const int16_t(*)[HS_LANES])(a))

/* One of each, in an order in which one feeds the next. */
static void run_all(struct fixture *f, const hs_lane_table *t,
                    hs_noise_shape shape)
{
    hs_noise n = {.domain = &f->domain,
                  .rng = &f->rng,
                  .eta = f->eta,
                  .x = INDEX(f->x),
                  .y = f->y,
                  .phi = f->phi,
                  .slope = f->slope,
                  .scratch = f->scratch,
                  .shape = shape};
    hs_dlp d = {.domain = &f->domain,
                .rng = &f->rng,
                .beta = f->beta,
                .balance = f->balance,
                .stiffness = f->stiffness,
                .phi = ROWS(f->phi),
                .scratch = f->scratch};

    t->noise(&n);
    t->tilt_difference(&f->domain, ROWS(f->phi), INDEX(f->x), INDEX(f->y),
                       f->log_q);
    t->dlp_propose(&d, 0, DIM, ROWS(f->grad), INDEX(f->x), f->y, f->log_q);
    t->dlp_log_q(&d, 0, DIM, ROWS(f->grad), INDEX(f->y), INDEX(f->x), f->log_q);
    d.slope = ROWS(f->slope);
    t->informed_logits(&d, 0, DIM, ROWS(f->grad), INDEX(f->x), f->logits);
}

static void every_instruction_set_gives_the_same_bits(void **state)
{
    static const struct {
        hiss_kind kind;
        int states;
    } kinds[] = {{HISS_BINARY, 2},
                 {HISS_SPIN, 2},
                 {HISS_ORDINAL, 4},
                 {HISS_CATEGORICAL, 5}};

    (void)state;
    for (size_t k = 0; k < sizeof kinds / sizeof *kinds; k++)
        for (int shape = HS_LOGISTIC; shape <= HS_GAUSSIAN; shape++) {
            const hs_lane_table *const *t = hs_lanes_all();
            struct fixture *a = malloc(sizeof *a), *b = malloc(sizeof *b);

            fill(a, kinds[k].kind, kinds[k].states);
            run_all(a, *t, (hs_noise_shape)shape);
            while (*++t) {
                fill(b, kinds[k].kind, kinds[k].states);
                run_all(b, *t, (hs_noise_shape)shape);
                assert_memory_equal(a->phi, b->phi, sizeof a->phi);
                assert_memory_equal(a->y, b->y, sizeof a->y);
                assert_memory_equal(a->slope, b->slope, sizeof a->slope);
                assert_memory_equal(a->logits, b->logits, sizeof a->logits);
                assert_memory_equal(a->log_q, b->log_q, sizeof a->log_q);
                hs_domain_clear(&b->domain);
            }
            hs_domain_clear(&a->domain);
            free(a);
            free(b);
        }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(philox_agrees_with_random123),
        cmocka_unit_test(a_draw_has_the_documented_address),
        cmocka_unit_test(functions_are_within_two_ulp),
        cmocka_unit_test(functions_know_their_limits),
        cmocka_unit_test(normal_quantiles_invert_the_normal_law),
        cmocka_unit_test(every_instruction_set_gives_the_same_bits),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
