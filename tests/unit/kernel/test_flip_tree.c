/* Flip trees against gains and sums that are made afresh. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "kernel/informed/flip_tree.h"
#include "lanes/lanes.h"
#include "unit/xorshift.h"

#define FLIPS 2000

static void square_root(const void *context, hs_float_row *row)
{
    (void)context;
    hs_lanes()->balance_logits(HS_BALANCE_SQRT, 1, row);
}

static hs_tile make_tile(const hs_model *m, int lanes)
{
    uint64_t seed = 11;
    hs_tile x;

    assert_int_equal(hs_tile_init(&x, m, 5, NULL), HISS_OK);
    x.lanes = lanes;
    for (int i = 0; i < m->domain.dim; i++)
        for (int l = 0; l < HS_LANES; l++)
            x.at.x[i][l] = (int16_t)xorshift_below(&seed, 2);
    for (int l = 0; l < HS_LANES; l++)
        x.tilt.beta[l] = 1.0f - 0.05f * (float)l;
    return x;
}

static void begin(hs_flip_tree *f, const hs_model *m, hs_tile *x)
{
    x->rng.clock++;
    assert_int_equal(hs_flip_tree_begin(f, m, &x->tilt, x, 1), HISS_OK);
}

/* The same bits as a tree of the same states that has seen no flip, U, and
 * weights as differences of U say. */
static void check(const hs_flip_tree *f, const hs_model *m, hs_tile *x)
{
    hs_flip_tree fresh;
    double u[HS_LANES];
    hs_float_row change[2];

    memcpy(u, x->at.u, sizeof u);
    assert_int_equal(hs_flip_tree_init(&fresh, m, square_root, NULL, NULL),
                     HISS_OK);
    x->at.have = 0;
    begin(&fresh, m, x);
    for (int l = 0; l < x->lanes; l++) {
        size_t nodes = (size_t)f->nodes, leaves = (size_t)f->leaves;

        assert_true(fabs(u[l] - x->at.u[l]) < 1e-5);
        assert_memory_equal(f->sum + (size_t)l * nodes,
                            fresh.sum + (size_t)l * nodes,
                            nodes * sizeof *f->sum);
        assert_memory_equal(f->weight + (size_t)l * leaves,
                            fresh.weight + (size_t)l * leaves,
                            leaves * sizeof *f->weight);
    }
    for (int i = 0; i < m->domain.dim; i++) {
        assert_int_equal(hs_model_differences(m, &x->at, i, change, NULL),
                         HISS_OK);
        for (int l = 0; l < x->lanes; l++) {
            double gain = (double)change[1 - x->at.x[i][l]][l];
            double w = exp(0.5 * (double)x->tilt.beta[l] * gain);
            double own =
                (double)fresh.weight[(size_t)l * (size_t)f->leaves + (size_t)i];

            assert_true(fabs(own - w) < 1e-4 * w);
        }
    }
    hs_flip_tree_clear(&fresh);
}

static void trees_are_functions_of_states(void **state)
{
    static const char *const specs[] = {
        "ising(side=3,beta=0.4)", "ising(side=17,beta=0.3,field=0.2)",
        "ising(side=7,dims=3,beta=0.2)", "ising(side=70,beta=-0.5)"};

    (void)state;
    for (size_t n = 0; n < sizeof specs / sizeof *specs; n++) {
        uint64_t seed = 3;
        hs_flip_tree f;
        hs_model *m;
        hs_tile x;

        assert_int_equal(hs_model_create(&m, specs[n], NULL), HISS_OK);
        x = make_tile(m, 5);
        assert_int_equal(hs_flip_tree_init(&f, m, square_root, NULL, NULL),
                         HISS_OK);
        assert_non_null(f.j);
        begin(&f, m, &x);
        for (int k = 0; k < FLIPS; k++) {
            int i = xorshift_below(&seed, m->domain.dim);

            hs_flip_tree_make(&f, &x, k % 5, i);
        }
        check(&f, m, &x);
        hs_flip_tree_clear(&f);
        hs_tile_clear(&x);
        hs_model_destroy(m);
    }
}

/* Every part of the sum leads to the coordinate in whose share it lies. */
static void parts_lead_to_coordinates(void **state)
{
    double u[HS_LANES] = {0}, before = 0.0;
    int at[HS_LANES];
    hs_flip_tree f;
    hs_model *m;
    hs_tile x;

    (void)state;
    assert_int_equal(hs_model_create(&m, "ising(side=19,beta=0.4)", NULL),
                     HISS_OK);
    x = make_tile(m, 1);
    assert_int_equal(hs_flip_tree_init(&f, m, square_root, NULL, NULL),
                     HISS_OK);
    begin(&f, m, &x);
    for (int i = 0; i < m->domain.dim; i++) {
        double w = (double)f.weight[i], total = hs_flip_tree_total(&f, 0);

        u[0] = (before + 1e-6 * w) / total;
        hs_flip_tree_pick(&f, &x, u, NULL, at);
        assert_int_equal(at[0], i);
        u[0] = (before + (1.0 - 1e-6) * w) / total;
        hs_flip_tree_pick(&f, &x, u, NULL, at);
        assert_int_equal(at[0], i);
        before += w;
    }
    u[0] = 1.0 - 0x1p-53;
    hs_flip_tree_pick(&f, &x, u, NULL, at);
    assert_int_equal(at[0], m->domain.dim - 1);
    hs_flip_tree_clear(&f);
    hs_tile_clear(&x);
    hs_model_destroy(m);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(trees_are_functions_of_states),
        cmocka_unit_test(parts_lead_to_coordinates),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
