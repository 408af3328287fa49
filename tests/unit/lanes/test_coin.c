/* test_coin.c - coins of sixteen bits fall as those of 32 would. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdlib.h>

#include <cmocka.h>

#include "base/random/rng.h"
#include "lanes/lanes.h"
#include "unit/xorshift.h"

enum {
    SITES = 4096,
    CLOCKS = 64
};

static int16_t x[SITES][HS_LANES], y[SITES][HS_LANES];
static float odds[SITES][HS_LANES];

/* Half i % 2 of word i / 2 of one address. */
static uint32_t half(const hs_rng *rng, hs_purpose purpose, int i, int l)
{
    uint32_t word = hs_rng_word(rng->seed, rng->chain[l], rng->replica[l],
                                rng->clock, purpose, (uint32_t)i / 2);

    return i % 2 ? word >> 16 : word & 0xffff;
}

static void coins_fall_as_with_all_bits(void **state)
{
    hs_rng rng = {.seed = 20261115};
    hs_dlp d = {.rng = &rng};
    uint64_t seed = 5;
    int64_t ties = 0, yes = 0;

    (void)state;
    for (int l = 0; l < HS_LANES; l++)
        rng.chain[l] = (uint32_t)l;
    for (int i = 0; i < SITES; i++)
        for (int l = 0; l < HS_LANES; l++) {
            float e = (float)exp(-8.0 * (xorshift(&seed) * 0x1p-32));

            odds[i][l] = xorshift(&seed) & 1 ? e : -e;
        }
    for (rng.clock = 1; rng.clock <= CLOCKS; rng.clock++) {
        hs_lanes()->dlp_flip(&d, 0, SITES, (const float(*)[HS_LANES])odds,
                             (const int16_t(*)[HS_LANES])x, y);
        for (int i = 0; i < SITES; i++)
            for (int l = 0; l < HS_LANES; l++) {
                double e = fabs((double)odds[i][l]);
                double p = (odds[i][l] < 0.0f ? e : 1.0) / (1.0 + e);
                double high = half(&rng, HS_DRAW_PROPOSE, i, l);
                double low = 0.5, u;

                if (high <= p * 0x1p16 && p * 0x1p16 <= high + 1.0) {
                    low += half(&rng, HS_DRAW_TIE, i, l);
                    ties++;
                }
                u = (high + low * 0x1p-16) * 0x1p-16;
                yes += y[i][l];
                if (fabs(u - p) > 3e-7)
                    assert_int_equal(y[i][l], u < p);
            }
    }
    assert_true(ties > 20);
    assert_true(yes > SITES * CLOCKS);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(coins_fall_as_with_all_bits),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
