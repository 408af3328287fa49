/* test_softmax.c - draws from many values: the law by its boundaries.
 *
 * The value drawn does not fall when the uniform rises.  So the uniform at
 * which it passes v is P(value <= v), and is found by bisection: no chance,
 * and every instruction set. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdlib.h>

#include <cmocka.h>

#include "base/logarithm.h"
#include "base/random/rng.h"
#include "lanes/lanes.h"
#include "unit/brief.h"

enum {
    MOST = 100000, /* rows */
    VALUES = 4000,
    ASKED = HS_LANES /* boundaries */
};

enum {
    FIRST,
    MIDDLE,
    LAST,
    GRADED,
    SHAPES
};

static float logits[MOST][HS_LANES];
static float scratch[MOST][HS_LANES];
static double upto[MOST];

/* One heavy value among light ones, whose mass is `light` in all; or weights
 * that fall by a factor of 10^12, by turns at both ends. */
static void shape(int kind, int count, double light)
{
    int heavy = kind == FIRST ? 0 : kind == LAST ? count - 1 : count / 2;
    double sum = 0.0;

    for (int v = 0; v < count; v++) {
        double w = v == heavy ? 1.0 : light / (count - 1);
        float logit = (float)log(w);

        if (kind == GRADED)
            logit = (float)((v % 2 ? v : count - v) * -27.6 / count);
        for (int l = 0; l < HS_LANES; l++)
            logits[v][l] = logit;
        sum += exp((double)logit);
        upto[v] = sum;
    }
    for (int v = 0; v < count; v++)
        upto[v] /= sum;
}

/* What the lanes draw with these 52 bits. */
typedef void draw(const hs_lane_table *t, int count, const uint64_t *bits,
                  int *value);

static void draw_site(const hs_lane_table *t, int count, const uint64_t *bits,
                      int *value)
{
    uint32_t high[HS_LANES], low[HS_LANES];
    int16_t to[HS_LANES];

    for (int l = 0; l < HS_LANES; l++) {
        high[l] = (uint32_t)(bits[l] >> 20);
        low[l] = (uint32_t)(bits[l] << 12);
    }
    t->draw_value((const float(*)[HS_LANES])logits, count, high, low, scratch,
                  to);
    for (int l = 0; l < HS_LANES; l++)
        value[l] = to[l];
}

static void draw_row(const hs_lane_table *t, int count, const uint64_t *bits,
                     int *value)
{
    float max[HS_LANES], logit[HS_LANES];
    double sum[HS_LANES], u[HS_LANES];
    int32_t row[HS_LANES];

    for (int l = 0; l < HS_LANES; l++)
        u[l] = hs_uniform_long((uint32_t)(bits[l] >> 20),
                               (uint32_t)(bits[l] << 12));
    t->softmax_sum((const float(*)[HS_LANES])logits, count, max, sum);
    t->softmax_pick((const float(*)[HS_LANES])logits, count, max, sum, u, row,
                    logit);
    for (int l = 0; l < HS_LANES; l++)
        value[l] = row[l];
}

/* P(value <= v) for a v per lane. */
static void boundary(const hs_lane_table *t, draw *by, int count, const int *v,
                     double *p)
{
    uint64_t low[HS_LANES] = {0}, high[HS_LANES], middle[HS_LANES];
    int value[HS_LANES];

    for (int l = 0; l < HS_LANES; l++)
        high[l] = UINT64_C(1) << 52; /* the first with a larger value */
    for (int bit = 0; bit < 53; bit++) {
        for (int l = 0; l < HS_LANES; l++)
            middle[l] = low[l] < high[l] ? (low[l] + high[l]) / 2 : low[l];
        for (int l = 0; l < HS_LANES; l++)
            middle[l] -= middle[l] >> 52;
        by(t, count, middle, value);
        for (int l = 0; l < HS_LANES; l++)
            if (low[l] < high[l]) {
                if (value[l] > v[l])
                    high[l] = middle[l];
                else
                    low[l] = middle[l] + 1;
            }
    }
    for (int l = 0; l < HS_LANES; l++)
        p[l] = (double)low[l] * 0x1p-52;
}

/* Boundaries within 1e-9, and from either end within a relative error that is
 * the weights' own, of single precision. */
static void check_law(const hs_lane_table *t, draw *by, int count)
{
    for (int first = 0; first < ASKED; first += HS_LANES) {
        int v[HS_LANES];
        double p[HS_LANES];

        for (int l = 0; l < HS_LANES; l++)
            v[l] = (int)((int64_t)(count - 1) * (first + l) / (ASKED - 1));
        boundary(t, by, count, v, p);
        for (int l = 0; l < HS_LANES; l++) {
            double is = upto[v[l]], rest = 1.0 - is;
            double end = is < rest ? is : rest;

            if (fabs(p[l] - is) > 4e-7 * end + 1e-12)
                fail_msg("%s: P(value <= %d) is %.12g, not %.12g", t->isa, v[l],
                         p[l], is);
        }
    }
}

static void many_values_have_their_law(void **state)
{
    static const double lights[] = {2.4e-4, 1e-6};
    const hs_lane_table *const *all = hs_lanes_all();

    (void)state;
    for (int i = 0; all[i]; i++)
        for (int kind = 0; kind < SHAPES; kind += test_is_brief() ? SHAPES : 1)
            for (size_t n = 0; n < sizeof lights / sizeof *lights; n++) {
                shape(kind, VALUES, lights[n]);
                check_law(all[i], draw_site, VALUES);
                check_law(all[i], draw_row, VALUES);
                shape(kind, HS_FEW + 1, lights[n]);
                check_law(all[i], draw_site, HS_FEW + 1);
            }
}

static void most_rows_have_their_law(void **state)
{
    (void)state;
    for (int kind = 0; kind < SHAPES; kind += test_is_brief() ? SHAPES : 1) {
        shape(kind, MOST, 1e-5);
        check_law(hs_lanes(), draw_row, MOST);
    }
}

/* What draw_value leaves for the marginals: the terms. */
static void light_terms_are_left(void **state)
{
    uint64_t bits[HS_LANES] = {0};
    int value[HS_LANES];

    (void)state;
    shape(FIRST, VALUES, 2.4e-4);
    draw_site(hs_lanes(), VALUES, bits, value);
    for (int l = 0; l < HS_LANES; l++) {
        assert_int_equal(value[l], 0);
        assert_true(fabs((double)scratch[VALUES - 1][l] * VALUES / 2.4e-4 -
                         1.0) < 1e-3);
    }
}

/* An impossible value is never drawn, at either end of the uniforms. */
static void impossible_values_stay_so(void **state)
{
    uint64_t ends[HS_LANES];
    int value[HS_LANES];

    (void)state;
    for (int l = 0; l < HS_LANES; l++)
        ends[l] = l % 2 ? (UINT64_C(1) << 52) - 1 : 0;
    for (int v = 0; v < VALUES; v++)
        for (int l = 0; l < HS_LANES; l++)
            logits[v][l] =
                v < 10 || v > VALUES - 20 ? -INFINITY : (float)(v % 7);
    draw_site(hs_lanes(), VALUES, ends, value);
    for (int l = 0; l < HS_LANES; l++)
        assert_int_equal(value[l], l % 2 ? VALUES - 20 : 10);
}

/* Of the other values each is proposed as often as the next: proposals by
 * evenly spaced words, all of them accepted. */
static void other_values_are_alike(void **state)
{
    enum {
        COUNT = 1000
    };
    static int seen[COUNT];
    static uint32_t more[4][HS_LANES];
    uint32_t word[HS_LANES], accept[HS_LANES] = {0};
    int16_t x[HS_LANES], to[HS_LANES];

    (void)state;
    for (int v = 0; v < COUNT; v++)
        for (int l = 0; l < HS_LANES; l++)
            logits[v][l] = 0.0f;
    for (int n = 0; n < 100 * (COUNT - 1); n++) {
        for (int l = 0; l < HS_LANES; l++) {
            x[l] = 400;
            word[l] =
                (uint32_t)(((double)n + 0.5) / (100.0 * (COUNT - 1)) * 0x1p32);
        }
        hs_lanes()->metropolis_value(
            (const float(*)[HS_LANES])logits, COUNT, x, word, accept,
            (const uint32_t(*)[HS_LANES])more, 1.0f, to);
        seen[to[0]]++;
    }
    for (int v = 0; v < COUNT; v++)
        assert_int_equal(seen[v], v == 400 ? 0 : 100);
}

/* A move that is taken once in 10^11 times is: u goes below 2^-32. */
static void rare_moves_are_made(void **state)
{
    static uint32_t more[4][HS_LANES];
    uint32_t word[HS_LANES] = {0}, accept[HS_LANES] = {0};
    int16_t x[HS_LANES], to[HS_LANES];

    (void)state;
    for (int l = 0; l < HS_LANES; l++) {
        x[l] = 7;
        more[1][l] = (uint32_t)l << 28; /* u = l 2^-36 */
        for (int v = 0; v < HS_FEW + 1; v++)
            logits[v][l] = v == 0 ? (float)log(4.5 * 0x1p-36) : 0.0f;
    }
    hs_lanes()->metropolis_value((const float(*)[HS_LANES])logits, HS_FEW + 1,
                                 x, word, accept,
                                 (const uint32_t(*)[HS_LANES])more, 1.0f, to);
    for (int l = 0; l < HS_LANES; l++)
        assert_int_equal(to[l], l < 5 ? 0 : 7);
}

static void logarithms_have_their_digits(void **state)
{
    (void)state;
    for (double x = 1e-300; x < 1e300; x *= 1.37) {
        double is = log(x);

        assert_true(fabs(hs_logarithm(x) - is) <= 1e-15 * fabs(is) + 1e-16);
    }
    for (double x = 0.5; x < 2.0; x += 0.00137)
        assert_true(fabs(hs_logarithm(x) - log(x)) <= 3e-16);
    assert_true(hs_logarithm(1.0) == 0.0);
    assert_true(hs_logarithm(0.0) == -HUGE_VAL);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(many_values_have_their_law),
        cmocka_unit_test(most_rows_have_their_law),
        cmocka_unit_test(light_terms_are_left),
        cmocka_unit_test(impossible_values_stay_so),
        cmocka_unit_test(other_values_are_alike),
        cmocka_unit_test(rare_moves_are_made),
        cmocka_unit_test(logarithms_have_their_digits),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
