/* What differences of modes fall apart into, where that is known; and what a
 * library says about modes that are easily told apart. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <string.h>

#include <cmocka.h>

#include "base/alloc.h"
#include "kernel/library.h"
#include "unit/model_fixture.h"
#include "unit/xorshift.h"

/* Whether a piece has these sites and no others. */
static bool is_of(const hs_pieces *p, int piece, const int *site, int sites)
{
    if (p->at[piece + 1] - p->at[piece] != sites)
        return false;
    for (int n = 0; n < sites; n++)
        if (p->site[p->at[piece] + n] != site[n])
            return false;
    return true;
}

/* Of 2^10 modes, ten choices between 2 i and 2 i + 1, twelve are enough: the
 * model has no tables, and four coordinates are the same in all. */
static void choices_are_found_by_columns(void **state)
{
    enum {
        MODES = 12,
        PAIRS = 10,
        DIM = 2 * PAIRS + 4
    };
    hs_model *m = fixture_model("mixture(k=2,d=24)");
    int16_t top[MODES][DIM] = {{0}};
    uint64_t seed = 5;
    hs_pieces p;
    bool is_found[PAIRS] = {false};

    (void)state;
    for (int k = 0; k < MODES; k++)
        for (int i = 0; i < PAIRS; i++)
            top[k][2 * i + xorshift_below(&seed, 2)] = 1;
    assert_int_equal(hs_pieces_find(&p, m, top[0], MODES, NULL), HISS_OK);
    assert_null(p.table);
    for (int n = 0; n < PAIRS; n++) /* the most frequent ones come first */
        for (int i = 0; i < PAIRS; i++)
            is_found[i] |= is_of(&p, n, (int[]){2 * i, 2 * i + 1}, 2);
    for (int i = 0; i < PAIRS; i++)
        assert_true(is_found[i]);
    for (int64_t k = 0; k < p.at[p.count]; k++)
        assert_true(p.one[k] == 0 && p.two[k] == 1);
    hs_pieces_clear(&p);
    hs_model_destroy(m);
}

/* Of 40 modes ten have both of a pair, each of another one. */
static void choices_are_found_in_noise(void **state)
{
    enum {
        MODES = 40,
        PAIRS = 10
    };
    hs_model *m = fixture_model("mixture(k=2,d=20)");
    int16_t top[MODES][2 * PAIRS] = {{0}};
    uint64_t seed = 9;
    hs_pieces p;

    (void)state;
    for (int k = 0; k < MODES; k++) {
        for (int i = 0; i < PAIRS; i++)
            top[k][2 * i + xorshift_below(&seed, 2)] = 1;
        if (k % 4 == 3)
            top[k][k / 2 & ~1] = top[k][k / 2 | 1] = 1;
    }
    assert_int_equal(hs_pieces_find(&p, m, top[0], MODES, NULL), HISS_OK);
    assert_int_equal(p.count, PAIRS);
    for (int i = 0; i < PAIRS; i++) {
        bool is_found = false;

        for (int n = 0; n < p.count; n++)
            is_found |= is_of(&p, n, (int[]){2 * i, 2 * i + 1}, 2);
        assert_true(is_found);
    }
    hs_pieces_clear(&p);
    hs_model_destroy(m);
}

/* Two islands and a single site on a square of 36: the single is no piece. */
static void islands_are_found_by_tables(void **state)
{
    hs_model *m = fixture_model("ising(side=6,beta=0.3)");
    static const int one[] = {0, 1, 6, 7}, two[] = {14, 20};
    int16_t top[2][36] = {{0}};
    hs_pieces p;
    int seen = 0;

    (void)state;
    for (int n = 0; n < 4; n++)
        top[1][one[n]] = 1;
    for (int n = 0; n < 2; n++)
        top[1][two[n]] = 1;
    top[1][28] = 1;
    assert_int_equal(hs_pieces_find(&p, m, top[0], 2, NULL), HISS_OK);
    for (int n = 0; n < p.count; n++)
        seen += is_of(&p, n, one, 4) + is_of(&p, n, two, 2);
    assert_int_equal(seen, 2);
    assert_int_equal(p.count, 3); /* and all that differs */
    /* sides: 12 bonds touch the square, 7 the pair, 23 all seven sites */
    assert_int_equal(p.table_at[3], 12 + 7 + 12 + 7 + 4);
    assert_true(hs_pieces_rounds(&p, 36) == 3);
    hs_pieces_clear(&p);
    hs_model_destroy(m);
}

/* From all states of every model that has tables. */
static void tables_give_the_change_of_u(void **state)
{
    static const char *const specs[] = {
        "ising(side=4,beta=0.3,field=0.2)", "potts(side=3,states=4,beta=0.7)",
        "ladder(d=6,levels=4,beta=0.6)", "bernoulli4"};
    uint64_t seed = 7;

    (void)state;
    for (size_t n = 0; n < sizeof specs / sizeof *specs; n++) {
        hs_model *m = fixture_model(specs[n]);
        int dim = m->domain.dim;
        int16_t *top = hs_alloc_array(3 * (size_t)dim, sizeof *top);
        hs_point x;
        hs_pieces p;

        assert_int_equal(hs_point_init(&x, m, NULL), HISS_OK);
        for (int i = 0; i < 3 * dim; i++)
            top[i] = (int16_t)xorshift_below(&seed, m->domain.states[i % dim]);
        assert_int_equal(hs_pieces_find(&p, m, top, 3, NULL), HISS_OK);
        assert_true(p.count > 0 && p.table != NULL);
        for (int k = 0; k < p.count; k++) {
            double u[HS_LANES], part[HS_LANES];

            fixture_scatter(m, &x, &seed);
            assert_int_equal(hs_model_evaluate(m, &x, HS_U), HISS_OK);
            memcpy(u, x.u, sizeof u);
            for (int l = 0; l < HS_LANES; l++) {
                const hs_index_row *now = (const hs_index_row *)x.x;

                part[l] = hs_pieces_energy(&p, k, now, l);
                hs_pieces_exchange(&p, k, x.x, l);
                part[l] = hs_pieces_energy(&p, k, now, l) - part[l];
            }
            x.have = 0;
            assert_int_equal(hs_model_evaluate(m, &x, HS_U), HISS_OK);
            for (int l = 0; l < HS_LANES; l++)
                assert_true(fabs(x.u[l] - u[l] - part[l]) < 1e-5);
        }
        hs_pieces_clear(&p);
        hs_point_clear(&x);
        hs_free(top);
        hs_model_destroy(m);
    }
}

static void every_failed_allocation_is_reported(void **state)
{
    hs_model *m = fixture_model("ising(side=6,beta=0.3)");
    int16_t top[2][36] = {{0}};
    hiss_status rc = HISS_ENOMEM;
    hs_pieces p;

    (void)state;
    for (int i = 0; i < 9; i++)
        top[1][i] = 1;
    for (int n = 1; rc != HISS_OK; n++) {
        hs_alloc_fail_after(n);
        rc = hs_pieces_find(&p, m, top[0], 2, NULL);
        hs_alloc_fail_after(0);
        if (rc != HISS_OK) {
            assert_int_equal(rc, HISS_ENOMEM);
            assert_null(p.at);
        }
        assert_true(n < 100);
    }
    hs_pieces_clear(&p);
    hs_model_destroy(m);
}

/* --- libraries ------------------------------------------------------------ */

/* 300 modes of 200 coordinates, of which only the last 100 differ. */
static hs_library *many_modes(const hs_model *m)
{
    uint64_t seed = 11;
    int16_t top[200] = {0};
    double mass[300];
    hs_library *b;

    assert_int_equal(hs_library_create(&b, &m->domain, 300, NULL), HISS_OK);
    for (int k = 0; k < b->modes; k++) {
        mass[k] = 0.01 * k;
        for (int i = 100; i < 200; i++)
            top[i] = (int16_t)xorshift_below(&seed, 2);
        assert_int_equal(hs_library_state(b, &m->domain, k, top, NULL),
                         HISS_OK);
    }
    hs_library_weigh(b, mass);
    return b;
}

static void few_coordinates_tell_many_modes_apart(void **state)
{
    hs_model *m = fixture_model("pairs(d=200)");
    hs_library *b = many_modes(m);
    hs_float_row *log_q = hs_alloc_array(300, sizeof *log_q);
    hs_point x;

    (void)state;
    assert_int_equal(hs_point_init(&x, m, NULL), HISS_OK);
    assert_int_equal(b->sites, HS_LIBRARY_SITES);
    for (int n = 0; n < b->sites; n++) {
        assert_true(b->site[n] >= 100);
        for (int o = 0; o < n; o++)
            assert_int_not_equal(b->site[n], b->site[o]);
    }
    for (int k = 0; k < b->modes; k++) {
        const int16_t *top = b->top + (size_t)k * 200;

        for (int i = 0; i < 200; i++)
            for (int l = 0; l < HS_LANES; l++)
                x.x[i][l] = top[i];
        hs_library_log_sites(b, &m->domain, (const hs_index_row *)x.x, b->sites,
                             log_q);
        for (int o = 0; o < b->modes; o++)
            assert_true(o == k || log_q[o][3] < log_q[k][3] - 10.0f);
        assert_int_equal(hs_library_mode(b, &m->domain, top), k);
    }
    hs_free(log_q);
    hs_point_clear(&x);
    hs_library_destroy(b);
    hs_model_destroy(m);
}

/* Frequencies over a grid of uniforms are the weights. */
static void modes_are_drawn_by_weight(void **state)
{
    hs_model *m = fixture_model("pairs(d=200)");
    hs_library *b = many_modes(m);
    double seen[300] = {0};

    (void)state;
    for (int u = 0; u < 300000; u++)
        seen[hs_library_draw(b, (u + 0.5) / 300000)] += 1.0;
    for (int k = 0; k < 300; k++)
        assert_true(fabs(seen[k] - 300000 * b->weight[k]) < 2.0);
    hs_library_destroy(b);
    hs_model_destroy(m);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(choices_are_found_by_columns),
        cmocka_unit_test(choices_are_found_in_noise),
        cmocka_unit_test(islands_are_found_by_tables),
        cmocka_unit_test(tables_give_the_change_of_u),
        cmocka_unit_test(every_failed_allocation_is_reported),
        cmocka_unit_test(few_coordinates_tell_many_modes_apart),
        cmocka_unit_test(modes_are_drawn_by_weight),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
