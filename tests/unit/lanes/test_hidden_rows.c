/* test_hidden_rows.c - hidden units beside one visible unit: changes against
 * softplus in double, for weights of every size, and the same bits under every
 * instruction set. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <string.h>

#include <cmocka.h>

#include "lanes/lanes.h"
#include "model/model.h"
#include "unit/xorshift.h"

#define UNITS 37 /* two blocks and a part */

struct layer {
    float w[UNITS], step[HS_LANES];
    int16_t x[HS_LANES];
    hs_float_row a[UNITS], on[UNITS], off[UNITS];
    double sum[HS_LANES];
};

static float between(uint64_t *seed, float most)
{
    return most * ((float)xorshift(seed) * 0x1p-31f - 1.0f);
}

static void fill(struct layer *n, uint64_t *seed, float weights, float most)
{
    memset(n, 0, sizeof *n);
    for (int l = 0; l < HS_LANES; l++) {
        n->x[l] = (int16_t)xorshift_below(seed, 2);
        n->step[l] = n->x[l] ? -1.0f : 1.0f;
    }
    for (int j = 0; j < UNITS; j++) {
        n->w[j] = between(seed, weights);
        for (int l = 0; l < HS_LANES; l++)
            n->a[j][l] = between(seed, most);
    }
}

static void change(const hs_lane_table *t, struct layer *n)
{
    t->hidden_odds(UNITS, (const hs_float_row *)n->a, n->on, n->off);
    t->hidden_change(UNITS, n->w, n->x, (const hs_float_row *)n->a,
                     (const hs_float_row *)n->on, (const hs_float_row *)n->off,
                     n->sum);
}

static double softplus(double a)
{
    return fmax(a, 0.0) + log1p(exp(-fabs(a)));
}

/* Weights up to 4 are multiplied, those up to 100 are not. */
static void changes_are_those_of_softplus(void **state)
{
    static const float sizes[] = {0.01f, 1.0f, 4.0f, 20.0f, 100.0f};
    uint64_t seed = 31;
    struct layer n;

    (void)state;
    for (int s = 0; s < 5; s++)
        for (int round = 0; round < 20; round++) {
            fill(&n, &seed, sizes[s], round % 2 ? 3.0f : 60.0f);
            change(hs_lanes(), &n);
            for (int l = 0; l < HS_LANES; l++) {
                double sum = 0.0, size = 1.0;

                for (int j = 0; j < UNITS; j++) {
                    double a = (double)n.a[j][l];

                    sum += softplus(a + (double)(n.w[j] * n.step[l])) -
                           softplus(a);
                    size += fabs(a) + fabs((double)n.w[j]);
                }
                assert_true(fabs(n.sum[l] - sum) < 2e-7 * size);
            }
        }
}

static void a_move_is_made_of_changes(void **state)
{
    uint64_t seed = 32;
    struct layer n, there;

    (void)state;
    fill(&n, &seed, 3.0f, 5.0f);
    change(hs_lanes(), &n);
    there = n;
    hs_lanes()->hidden_move(UNITS, n.w, n.step, there.a, there.on, there.off);
    for (int l = 0; l < HS_LANES; l++) {
        there.x[l] = (int16_t)(1 - n.x[l]);
        there.sum[l] = 0.0;
    }
    change(hs_lanes(), &there); /* and back again */
    for (int l = 0; l < HS_LANES; l++)
        assert_true(fabs(n.sum[l] + there.sum[l]) < 2e-5);
}

static void every_table_gives_the_same_bits(void **state)
{
    (void)state;
    for (int s = 0; s < 2; s++) {
        static struct layer first, other;

        for (const hs_lane_table *const *t = hs_lanes_all(); *t; t++) {
            struct layer *n = t == hs_lanes_all() ? &first : &other;
            uint64_t seed = 33;

            fill(n, &seed, s ? 50.0f : 2.0f, 9.0f);
            change(*t, n);
            (*t)->hidden_move(UNITS, n->w, n->step, n->a, n->on, n->off);
            assert_memory_equal(&first, n, sizeof first);
        }
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(changes_are_those_of_softplus),
        cmocka_unit_test(a_move_is_made_of_changes),
        cmocka_unit_test(every_table_gives_the_same_bits),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
