/* test_unit_rows.c - layers of units that are on or off: sums and energies
 * against double, draws against their probabilities, and the same bits under
 * every instruction set. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <string.h>

#include <cmocka.h>

#include "lanes/lanes.h"
#include "model/model.h"
#include "unit/xorshift.h"

#define ROWS   37 /* two blocks and a part */
#define INNER  70 /* two parts of the inputs and a rest */
#define ROUNDS 20000

struct layer {
    float w[ROWS * INNER], turned[ROWS * INNER], bias[ROWS];
    hs_float_row x[INNER], out[ROWS], out_turned[ROWS], on[ROWS];
    uint32_t words[ROWS][HS_LANES];
    double energy[HS_LANES];
};

static float between(uint64_t *seed, float most)
{
    return most * ((float)xorshift(seed) * 0x1p-31f - 1.0f);
}

static void fill(struct layer *n, uint64_t *seed)
{
    memset(n, 0, sizeof *n);
    for (int r = 0; r < ROWS; r++) {
        n->bias[r] = between(seed, 1.0f);
        for (int k = 0; k < INNER; k++) {
            n->w[r * INNER + k] = between(seed, 2.0f);
            n->turned[k * ROWS + r] = n->w[r * INNER + k];
        }
        for (int l = 0; l < HS_LANES; l++)
            n->words[r][l] = (uint32_t)xorshift(seed);
    }
    for (int k = 0; k < INNER; k++)
        for (int l = 0; l < HS_LANES; l++)
            n->x[k][l] = (float)xorshift_below(seed, 2);
}

static void compute(const hs_lane_table *t, struct layer *n)
{
    t->units_sum(ROWS, INNER, n->w, n->bias, (const hs_float_row *)n->x,
                 n->out);
    t->units_sum_transposed(ROWS, INNER, n->turned, n->bias,
                            (const hs_float_row *)n->x, n->out_turned);
    t->units_energy(ROWS, (const hs_float_row *)n->out, n->energy);
    t->units_draw(ROWS, (const hs_float_row *)n->out,
                  (const uint32_t(*)[HS_LANES])n->words, n->on);
}

static void sums_and_energies(void **state)
{
    static struct layer n;
    uint64_t seed = 41;

    (void)state;
    fill(&n, &seed);
    compute(hs_lanes(), &n);
    assert_memory_equal(n.out, n.out_turned, sizeof n.out);
    for (int l = 0; l < HS_LANES; l++) {
        double energy = 0.0;

        for (int r = 0; r < ROWS; r++) {
            double sum = (double)n.bias[r], a = (double)n.out[r][l];

            for (int k = 0; k < INNER; k++)
                sum += (double)(n.w[r * INNER + k] * n.x[k][l]);
            assert_true(fabs(a - sum) < 1e-5);
            energy += fmax(a, 0.0) + log1p(exp(-fabs(a)));
        }
        assert_true(fabs(n.energy[l] - energy) < 1e-5);
    }
}

/* On for u < sigma(odds), as exactly as a word can say. */
static void draws_follow_their_words(void **state)
{
    static const float odds[] = {-40.0f, -18.0f, -3.0f, -0.5f, 0.0f,
                                 0.5f,   3.0f,   18.0f, 40.0f};
    uint64_t seed = 42;

    (void)state;
    for (size_t o = 0; o < sizeof odds / sizeof *odds; o++) {
        double p = 1.0 / (1.0 + exp(-(double)odds[o]));

        for (int n = 0; n < ROUNDS; n++) {
            hs_float_row at, on;
            uint32_t words[HS_LANES];

            for (int l = 0; l < HS_LANES; l++) {
                at[l] = odds[o];
                words[l] = (uint32_t)xorshift(&seed);
                if (n % 4 == 0) /* words near where it changes */
                    words[l] = (uint32_t)fmin(p * 0x1p32, 0x1p32 - 1) +
                               words[l] % 64 - 32;
            }
            hs_lanes()->units_draw(1, (const hs_float_row *)&at,
                                   (const uint32_t(*)[HS_LANES]) & words, &on);
            for (int l = 0; l < HS_LANES; l++) {
                double u = (words[l] + 0.5) * 0x1p-32;
                double rare = fmin(p, 1.0 - p);

                assert_true(on[l] == 0.0f || on[l] == 1.0f);
                if (fabs(u - p) > 1e-6 * rare)
                    assert_true((on[l] == 1.0f) == (u < p));
            }
        }
    }
}

static void every_table_gives_the_same_bits(void **state)
{
    static struct layer first, other;

    (void)state;
    for (const hs_lane_table *const *t = hs_lanes_all(); *t; t++) {
        struct layer *n = t == hs_lanes_all() ? &first : &other;
        uint64_t seed = 43;

        fill(n, &seed);
        compute(*t, n);
        assert_memory_equal(&first, n, sizeof first);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(sums_and_energies),
        cmocka_unit_test(draws_follow_their_words),
        cmocka_unit_test(every_table_gives_the_same_bits),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
