/* test_mixture_rows.c - sums over the sites of a mixture, against sums that are
 * made one by one, and the same bits under every instruction set. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <string.h>

#include <cmocka.h>

#include "lanes/lanes.h"
#include "model/model.h"
#include "unit/xorshift.h"

#define DIM        33
#define COMPONENTS 7 /* a block of four, and three more */

struct mixture {
    float field[DIM * COMPONENTS];
    hs_index_row x[DIM];
    int16_t component[HS_LANES];
    hs_float_row weight[COMPONENTS], factor, grad[DIM], odds[DIM];
    double sum[COMPONENTS][HS_LANES];
};

static float between(uint64_t *seed)
{
    return (float)xorshift(seed) * 0x1p-31f - 1.0f;
}

static void fill(struct mixture *m)
{
    uint64_t seed = 41;

    memset(m, 0, sizeof *m);
    for (int n = 0; n < DIM * COMPONENTS; n++)
        m->field[n] = between(&seed);
    for (int l = 0; l < HS_LANES; l++) {
        m->component[l] = (int16_t)xorshift_below(&seed, COMPONENTS);
        m->factor[l] = between(&seed);
        for (int i = 0; i < DIM; i++)
            m->x[i][l] = (int16_t)xorshift_below(&seed, 2);
        for (int k = 0; k < COMPONENTS; k++) {
            m->weight[k][l] = between(&seed);
            m->sum[k][l] = (double)between(&seed);
        }
    }
}

static void run(const hs_lane_table *t, struct mixture *m, int lanes)
{
    t->mixture_sums(DIM, COMPONENTS, m->field, (const hs_index_row *)m->x,
                    lanes, m->sum);
    t->mixture_gradient(DIM, COMPONENTS, m->field,
                        (const hs_float_row *)m->weight, m->grad);
    t->mixture_odds(DIM, COMPONENTS, m->field, m->component, m->factor,
                    m->odds);
}

static void sums_are_those_of_single_terms(void **state)
{
    struct mixture m, before;

    (void)state;
    fill(&before);
    m = before;
    run(hs_lanes(), &m, HS_LANES);
    for (int l = 0; l < HS_LANES; l++) {
        for (int k = 0; k < COMPONENTS; k++) {
            double sum = before.sum[k][l];

            for (int i = 0; i < DIM; i++)
                sum += (double)m.field[i * COMPONENTS + k] *
                       (m.x[i][l] ? 1.0 : -1.0);
            assert_true(m.sum[k][l] == sum); /* in the same order */
        }
        for (int i = 0; i < DIM; i++) {
            float sum = 0.0f;

            for (int k = 0; k < COMPONENTS; k++)
                sum += m.weight[k][l] * m.field[i * COMPONENTS + k];
            assert_true(m.grad[i][l] == sum);
            assert_true(m.odds[i][l] ==
                        m.factor[l] * m.field[i * COMPONENTS + m.component[l]]);
        }
    }
}

/* Lanes that are not in use may be left out, no others. */
static void few_lanes_are_enough(void **state)
{
    struct mixture all, few;

    (void)state;
    for (int lanes = 1; lanes <= HS_LANES; lanes++) {
        fill(&all);
        fill(&few);
        run(hs_lanes(), &all, HS_LANES);
        run(hs_lanes(), &few, lanes);
        for (int k = 0; k < COMPONENTS; k++)
            assert_memory_equal(all.sum[k], few.sum[k],
                                (size_t)lanes * sizeof **few.sum);
    }
}

static void every_table_gives_the_same_bits(void **state)
{
    static struct mixture first, other;

    (void)state;
    for (const hs_lane_table *const *t = hs_lanes_all(); *t; t++) {
        struct mixture *m = t == hs_lanes_all() ? &first : &other;

        fill(m);
        run(*t, m, HS_LANES);
        assert_memory_equal(&first, m, sizeof first);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(sums_are_those_of_single_terms),
        cmocka_unit_test(few_lanes_are_enough),
        cmocka_unit_test(every_table_gives_the_same_bits),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
