/* test_factor_graph.c - rows, differences, energies and starts of models made
 * of tables, against the tables themselves. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

#include "base/alloc.h"
#include "base/error.h"
#include "model/factor/factor_graph.h"
#include "model/factor/feasible.h"
#include "model/slope.h"
#include "unit/factor_fixture.h"

enum {
    MOST = 16
};

/* A copy, since models take factors over. */
static hs_model *model_of(const hs_factors *f)
{
    hs_factors copy;
    hs_model *m;

    assert_int_equal(hs_factors_slice(&copy, f, NULL, NULL), HISS_OK);
    assert_int_equal(hs_factor_graph_create(&m, "graph", &copy, NULL), HISS_OK);
    assert_null(copy.table);
    return m;
}

/* The same tables over spins, levels, labels and bits. */
static hs_model *mixed_of(const hs_factors *f, uint64_t *seed)
{
    hiss_kind kind[MOST];
    double level[128];
    int levels = 0;
    hs_domain domain;
    hs_factors copy;
    hs_model *m;

    for (int i = 0; i < f->dim; i++) {
        kind[i] = (hiss_kind)xorshift_below(seed, 4);
        if (f->states[i] != 2 && kind[i] < HISS_ORDINAL)
            kind[i] = HISS_ORDINAL;
        for (int v = 0; v < f->states[i] && kind[i] == HISS_ORDINAL; v++)
            level[levels++] = v * v + 0.5 * v - 1.0;
    }
    assert_int_equal(
        hs_domain_init_mixed(&domain, f->dim, kind, f->states, level, NULL),
        HISS_OK);
    assert_int_equal(hs_factors_slice(&copy, f, NULL, NULL), HISS_OK);
    assert_int_equal(
        hs_factor_graph_create_over(&m, "graph", &domain, &copy, NULL),
        HISS_OK);
    return m;
}

/* All lanes at random states. */
static void scatter(const hs_model *m, hs_point *p, uint64_t *seed)
{
    for (int i = 0; i < m->domain.dim; i++)
        for (int l = 0; l < HS_LANES; l++)
            p->x[i][l] = (int16_t)xorshift_below(seed, m->domain.states[i]);
    p->have = 0;
}

/* U in lane l with x_i = v, from the tables. */
static double energy_with(const hs_factors *f, const hs_point *p, int l, int i,
                          int v)
{
    int16_t x[MOST];

    for (int k = 0; k < f->dim; k++)
        x[k] = p->x[k][l];
    if (i >= 0)
        x[i] = (int16_t)v;
    return hs_factors_energy(f, x);
}

static bool is_near(double a, double b)
{
    return isinf(a) || isinf(b) ? a == b : fabs(a - b) < 2e-5;
}

static void check_differences(const hs_model *m, const hs_factors *f,
                              hs_point *p, hs_point *spare)
{
    for (int i = 0; i < f->dim; i++) {
        hs_float_row out[8];

        assert_int_equal(hs_model_differences(m, p, i, out, spare), HISS_OK);
        for (int l = 0; l < HS_LANES; l++)
            for (int v = 0; v < f->states[i]; v++) {
                double here = energy_with(f, p, l, -1, 0);
                double there = energy_with(f, p, l, i, v);

                /* only other factors may be impossible here */
                if (here == -HUGE_VAL)
                    assert_false(isnan(out[v][l]));
                else
                    assert_true(is_near((double)out[v][l], there - here));
            }
    }
}

/* What the rows of coordinate i must be in lane l, where U is finite. */
static void check_rows(const hs_model *m, const hs_factors *f,
                       const hs_point *p, int i, const hs_float_row *row)
{
    const hs_domain *d = &m->domain;
    const float *value = d->values + d->value[i];
    int states = f->states[i];

    for (int l = 0; l < HS_LANES; l++) {
        int x = p->x[i][l];
        double u[8] = {0};

        if (energy_with(f, p, l, -1, 0) == -HUGE_VAL)
            continue;
        for (int v = 0; v < states; v++)
            u[v] = energy_with(f, p, l, i, v);
        if (d->kind[i] == HISS_CATEGORICAL) {
            for (int v = 0; v < states; v++)
                assert_true(
                    is_near((double)(row[v][l] - row[x][l]), u[v] - u[x]));
        } else if (states == 2) {
            assert_true(is_near(
                (double)row[0][l],
                (double)hs_slope_pair(u[0], u[1], value[1] - value[0])));
        } else {
            assert_true(is_near(
                (double)row[0][l],
                (double)hs_slope_level(value, states, x, x > 0 ? u[x - 1] : 0.0,
                                       u[x], x + 1 < states ? u[x + 1] : 0.0)));
        }
    }
}

/* Rows and U in blocks that do not end where anything ends. */
static void check_blocks(const hs_model *m, const hs_factors *f,
                         const hs_point *p, uint64_t *seed)
{
    double u[HS_LANES];
    hs_float_row rows[64];

    for (int l = 0; l < HS_LANES; l++)
        u[l] = m->offset;
    for (int first = 0, last; first < f->dim; first = last) {
        last = first + 1 + xorshift_below(seed, f->dim - first);
        m->ops->rows(m, p, first, last, rows, u);
        for (int i = first; i < last; i++)
            check_rows(m, f, p, i,
                       rows + (m->domain.row[i] - m->domain.row[first]));
    }
    for (int l = 0; l < HS_LANES; l++) {
        double truly = energy_with(f, p, l, -1, 0);

        assert_true(isinf(truly) ? u[l] == truly : fabs(u[l] - truly) < 1e-12);
    }
}

static void check_model(hs_model *m, const hs_factors *f, uint64_t *seed)
{
    hs_point p, spare;

    assert_int_equal(hs_point_init(&p, m, NULL), HISS_OK);
    assert_int_equal(hs_point_init(&spare, m, NULL), HISS_OK);
    for (int n = 0; n < 5; n++) {
        scatter(m, &p, seed);
        assert_int_equal(hs_model_evaluate(m, &p, HS_U), HISS_OK);
        check_blocks(m, f, &p, seed);
        check_differences(m, f, &p, &spare);
    }
    hs_point_clear(&p);
    hs_point_clear(&spare);
    hs_model_destroy(m);
}

static void rows_and_differences_are_those_of_the_tables(void **state)
{
    uint64_t seed = 3;

    (void)state;
    for (int n = 0; n < 300; n++) {
        int dim = 1 + xorshift_below(&seed, 8);
        int most = n % 3 ? 4 : 2;
        hs_factors f;

        random_factors(&f, &seed, dim, most, 2 * dim, n % 2 ? 4 : 2,
                       n % 4 < 2 ? 0 : 25);
        check_model(model_of(&f), &f, &seed);
        check_model(mixed_of(&f, &seed), &f, &seed);
        hs_factors_clear(&f);
    }
}

/* Tables with one entry that is not 0 are counted where all of a coordinate
 * have the same; a third of these have another one, and a fifth are followed
 * by a table of any entries. */
static void clauses_are_those_of_the_tables(void **state)
{
    static const double entries[] = {-HUGE_VAL, -64.0, 0.5, -3.0};
    uint64_t seed = 5;

    (void)state;
    for (int n = 0; n < 200; n++) {
        int dim = 3 + xorshift_below(&seed, 8), states[MOST];
        hs_factors f;

        for (int i = 0; i < dim; i++)
            states[i] = n % 4 == 3 && i == 0 ? 3 : 2;
        assert_int_equal(hs_factors_init(&f, dim, states, NULL), HISS_OK);
        for (int k = 0; k < 3 * dim; k++) {
            int first = xorshift_below(&seed, dim);
            int scope[] = {first, (first + 1) % dim, (first + 2) % dim};
            int kind = n % 3 == 2 && k == 0 ? 3 : n % 2, lone;
            double *table;

            assert_int_equal(hs_factors_add(&f, 3, scope, NULL, &table, NULL),
                             HISS_OK);
            lone = xorshift_below(&seed, (int)hs_factors_entries(&f, 3, scope));
            table[lone] = entries[n % 5 == 4 ? 2 : kind];
            if (n % 5 == 3 && k == 1)
                table[lone ^ 1] = 0.25;
        }
        check_model(model_of(&f), &f, &seed);
        hs_factors_clear(&f);
    }
}

/* That colors are colors is tested with hs_sparse_order. */
static void the_order_visits_every_coordinate(void **state)
{
    uint64_t seed = 9;
    bool seen[12] = {0};
    hs_factors f;
    hs_model *m;

    (void)state;
    random_factors(&f, &seed, 12, 3, 20, 3, 0);
    m = model_of(&f);
    for (int k = 0; k < 12; k++) {
        assert_false(seen[m->order[k]]);
        seen[m->order[k]] = true;
    }
    hs_model_destroy(m);
    hs_factors_clear(&f);
}

static hs_rng test_rng(uint64_t seed)
{
    hs_rng rng = {.seed = seed};

    for (uint32_t l = 0; l < HS_LANES; l++)
        rng.chain[l] = l;
    return rng;
}

/* Random states of these are hopeless; the search finds one in every lane,
 * and what a lane finds does not depend on the other lanes. */
static void starts_are_possible(void **state)
{
    uint64_t seed = 21;

    (void)state;
    for (int n = 0; n < 100; n++) {
        hs_rng rng = test_rng(n), other = rng;
        int16_t x[20][HS_LANES], alone[20][HS_LANES];
        hs_factors f;

        random_factors(&f, &seed, 20, 4, 40, 3, 60);
        assert_int_equal(hs_feasible_states(&f, &rng, HS_LANES, x, NULL),
                         HISS_OK);
        other.chain[0] = rng.chain[7];
        assert_int_equal(hs_feasible_states(&f, &other, 1, alone, NULL),
                         HISS_OK);
        for (int l = 0; l < HS_LANES; l++) {
            int16_t lane[20];

            for (int i = 0; i < 20; i++) {
                lane[i] = x[i][l];
                assert_int_equal(alone[i][l], x[i][7]);
            }
            assert_true(hs_factors_energy(&f, lane) > -HUGE_VAL);
        }
        hs_factors_clear(&f);
    }
}

/* Queens: one per row, none under attack.  Coordinate i is the column. */
static void queens(hs_factors *f, int n)
{
    int states[64] = {0};

    for (int i = 0; i < n; i++)
        states[i] = n;
    assert_int_equal(hs_factors_init(f, n, states, NULL), HISS_OK);
    for (int i = 0; i < n; i++)
        for (int j = 0; j < i; j++) {
            int scope[2] = {i, j};
            double *t;

            assert_int_equal(hs_factors_add(f, 2, scope, NULL, &t, NULL),
                             HISS_OK);
            for (int a = 0; a < n; a++)
                for (int b = 0; b < n; b++)
                    if (a == b || abs(a - b) == i - j)
                        t[a * n + b] = -HUGE_VAL;
        }
}

static void hard_constraints_are_met_or_refuted(void **state)
{
    hs_rng rng = test_rng(1);
    int16_t x[32][HS_LANES];
    hiss_error err = {0};
    hs_factors f;

    (void)state;
    queens(&f, 32);
    assert_int_equal(hs_feasible_states(&f, &rng, HS_LANES, x, &err), HISS_OK);
    for (int l = 0; l < HS_LANES; l++) {
        int16_t lane[32];

        for (int i = 0; i < 32; i++)
            lane[i] = x[i][l];
        assert_true(hs_factors_energy(&f, lane) == 0.0);
    }
    hs_factors_clear(&f);
    queens(&f, 3);
    assert_int_equal(hs_feasible_states(&f, &rng, HS_LANES, x, &err),
                     HISS_EINFEASIBLE);
    assert_string_equal(err.message, "every state has probability 0");
    hs_factors_clear(&f);
}

/* x_0 = 1 by a field, and each coordinate differs from the next. */
static void forced_values_are_found(void **state)
{
    int states[] = {2, 2, 2, 3}, at[4];
    double one[] = {-HUGE_VAL, 0.5}, differ[] = {-HUGE_VAL, 1, 2, -HUGE_VAL};
    hiss_error err = {0};
    hs_factors f;

    (void)state;
    assert_int_equal(hs_factors_init(&f, 4, states, NULL), HISS_OK);
    hs_factors_add(&f, 1, (int[]){0}, one, NULL, NULL);
    hs_factors_add(&f, 2, (int[]){1, 0}, differ, NULL, NULL);
    hs_factors_add(&f, 2, (int[]){1, 2}, differ, NULL, NULL);
    assert_int_equal(hs_feasible_forced(&f, at, &err), HISS_OK);
    assert_int_equal(at[0], 1);
    assert_int_equal(at[1], 0);
    assert_int_equal(at[2], 1);
    assert_int_equal(at[3], -1);
    hs_factors_add(&f, 2, (int[]){2, 0}, differ, NULL, NULL);
    assert_int_equal(hs_feasible_forced(&f, at, &err), HISS_EINFEASIBLE);
    hs_factors_clear(&f);
}

static void creation_fails_without_memory(void **state)
{
    uint64_t seed = 5;
    hiss_status rc = HISS_ENOMEM;
    hs_factors f, copy;
    hs_model *m;

    (void)state;
    random_factors(&f, &seed, 6, 3, 12, 3, 20);
    for (int n = 1; rc == HISS_ENOMEM; n++) {
        assert_int_equal(hs_factors_slice(&copy, &f, NULL, NULL), HISS_OK);
        hs_alloc_fail_after(n);
        rc = hs_factor_graph_create(&m, "graph", &copy, NULL);
        hs_alloc_fail_after(0);
        assert_null(copy.table);
        assert_true(rc == HISS_OK ? m != NULL : m == NULL);
    }
    assert_int_equal(rc, HISS_OK);
    hs_model_destroy(m);
    hs_factors_clear(&f);
}

static void starts_fail_without_memory(void **state)
{
    uint64_t seed = 6;
    hs_rng rng = test_rng(2);
    hiss_status rc = HISS_ENOMEM;
    int16_t x[6][HS_LANES];
    hs_factors f;

    (void)state;
    random_factors(&f, &seed, 6, 3, 12, 3, 30);
    for (int n = 1; rc == HISS_ENOMEM; n++) {
        hs_alloc_fail_after(n);
        rc = hs_feasible_states(&f, &rng, HS_LANES, x, NULL);
        hs_alloc_fail_after(0);
    }
    assert_int_equal(rc, HISS_OK);
    hs_factors_clear(&f);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(rows_and_differences_are_those_of_the_tables),
        cmocka_unit_test(clauses_are_those_of_the_tables),
        cmocka_unit_test(the_order_visits_every_coordinate),
        cmocka_unit_test(starts_are_possible),
        cmocka_unit_test(hard_constraints_are_met_or_refuted),
        cmocka_unit_test(forced_values_are_found),
        cmocka_unit_test(creation_fails_without_memory),
        cmocka_unit_test(starts_fail_without_memory),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
