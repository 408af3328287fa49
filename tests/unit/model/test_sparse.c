/* test_sparse.c - bonds to rows: both directions, sums, colors. */
#include "model/sparse.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "base/alloc.h"
#include "model/pair/lattice.h"
#include "unit/xorshift.h"

static void bonds_are_summed_and_mirrored(void **state)
{
    static const hs_bond bond[] = {
        {0, 2, 1.0}, {2, 0, 0.5},  {3, 1, -2.0}, {1, 1, 4.0},
        {1, 2, 1.0}, {2, 1, -1.0}, {1, 1, 0.5},
    };
    static const int64_t start[] = {0, 1, 2, 3, 4};
    static const int column[] = {2, 3, 0, 1};
    static const float value[] = {1.5f, -2.0f, 1.5f, -2.0f};
    double self[4] = {0};
    hs_sparse j;

    (void)state;
    assert_int_equal(hs_sparse_init(&j, 4, bond, 7, self, NULL), HISS_OK);
    assert_memory_equal(j.start, start, sizeof start);
    assert_memory_equal(j.column, column, sizeof column);
    assert_memory_equal(j.value, value, sizeof value);
    assert_true(j.uniform == 0.0f);
    assert_true(self[1] == 4.5 && self[0] == 0.0);
    hs_sparse_clear(&j);
    assert_null(j.start);
}

static void no_bonds_are_fine(void **state)
{
    hs_sparse j;
    int *order;

    (void)state;
    assert_int_equal(hs_sparse_init(&j, 3, NULL, 0, NULL, NULL), HISS_OK);
    assert_int_equal(j.start[3], 0);
    assert_int_equal(hs_sparse_order(&order, &j, true, NULL), HISS_OK);
    for (int i = 0; i < 3; i++)
        assert_int_equal(order[i], i);
    hs_free(order);
    hs_sparse_clear(&j);
}

static void lattices_are_uniform(void **state)
{
    static const int columns[] = {1, 3, 4, 12}; /* neighbors of site 0 */
    hs_sparse j;

    (void)state;
    assert_int_equal(hs_lattice_init(&j, 4, 2, 0.5, false, NULL), HISS_OK);
    assert_true(j.uniform == 0.5f);
    assert_null(j.value);
    assert_true(hs_sparse_coupling(&j, 5) == 0.5f);
    assert_int_equal(j.start[1], 4);
    assert_memory_equal(j.column, columns, sizeof columns);
    hs_sparse_clear(&j);
    assert_int_equal(hs_lattice_init(&j, 2, 2, 0.5, true, NULL), HISS_OK);
    assert_true(j.value[3] == 1.0f);
    assert_true(j.uniform == 1.0f); /* two bonds in one */
    assert_int_equal(j.start[1], 2);
    hs_sparse_clear(&j);
}

/* Sites counted in an int16_t: a hub of 32768 neighbors is not uniform. */
static void hubs_are_not_uniform(void **state)
{
    enum {
        SPOKES = 32768
    };
    hs_bond *bond = hs_alloc_array(SPOKES, sizeof *bond);
    hs_sparse j;

    (void)state;
    assert_non_null(bond);
    for (int k = 0; k < SPOKES; k++)
        bond[k] = (hs_bond){0, k + 1, 1.0};
    assert_int_equal(hs_sparse_init(&j, SPOKES + 1, bond, SPOKES, NULL, NULL),
                     HISS_OK);
    assert_true(j.uniform == 0.0f);
    hs_sparse_clear(&j);
    assert_int_equal(
        hs_sparse_init(&j, SPOKES + 1, bond, SPOKES - 1, NULL, NULL), HISS_OK);
    assert_true(j.uniform == 1.0f);
    hs_sparse_clear(&j);
    hs_free(bond);
}

/* The least color that no neighbor before i has. */
static int greedy_color(const hs_sparse *j, const int *color, int i)
{
    for (int c = 0;; c++) {
        bool is_free = true;

        for (int64_t e = j->start[i]; e < j->start[i + 1]; e++)
            if (j->column[e] < i && color[j->column[e]] == c)
                is_free = false;
        if (is_free)
            return c;
    }
}

static int64_t degree(const hs_sparse *j, int i)
{
    return j->start[i + 1] - j->start[i];
}

static void orders_go_color_by_color(void **state)
{
    enum {
        DIM = 40,
        BONDS = 90
    };
    hs_bond bond[BONDS];
    int color[DIM] = {0};
    uint64_t seed = 31;
    hs_sparse j;
    int *order;

    (void)state;
    for (int b = 0; b < BONDS; b++)
        bond[b] = (hs_bond){xorshift_below(&seed, DIM),
                            xorshift_below(&seed, DIM), 1.0 + b};
    assert_int_equal(hs_sparse_init(&j, DIM, bond, BONDS, NULL, NULL), HISS_OK);
    assert_int_equal(hs_sparse_order(&order, &j, true, NULL), HISS_OK);
    for (int i = 0; i < DIM; i++)
        color[i] = greedy_color(&j, color, i);
    assert_true(color[order[DIM - 1]] > 1);
    for (int k = 1; k < DIM; k++) {
        int a = order[k - 1], b = order[k];
        int64_t more = degree(&j, b) - degree(&j, a);

        assert_true(color[a] <= color[b]);
        if (color[a] == color[b])
            assert_true(more > 0 || (more == 0 && a < b));
    }
    hs_free(order);
    assert_int_equal(hs_sparse_order(&order, &j, false, NULL), HISS_OK);
    for (int k = 1; k < DIM; k++) {
        int a = order[k - 1], b = order[k];

        assert_true(color[a] < color[b] || (color[a] == color[b] && a < b));
    }
    hs_free(order);
    hs_sparse_clear(&j);
}

static void chessboards_have_two_colors(void **state)
{
    hs_sparse j;
    int *order;

    (void)state;
    assert_int_equal(hs_lattice_init(&j, 6, 2, 1.0, false, NULL), HISS_OK);
    assert_int_equal(hs_sparse_order(&order, &j, true, NULL), HISS_OK);
    for (int k = 0; k < 36; k++)
        assert_int_equal((order[k] / 6 + order[k] % 6) % 2, k >= 18);
    hs_free(order);
    hs_sparse_clear(&j);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(bonds_are_summed_and_mirrored),
        cmocka_unit_test(no_bonds_are_fine),
        cmocka_unit_test(lattices_are_uniform),
        cmocka_unit_test(hubs_are_not_uniform),
        cmocka_unit_test(orders_go_color_by_color),
        cmocka_unit_test(chessboards_have_two_colors),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
