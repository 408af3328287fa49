/* test_model.c - what every built-in model owes, over the whole registry. */
#include "model/model.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "base/alloc.h"
#include "unit/model_fixture.h"
#include "unit/xorshift.h"

#define ROWS_MAX 64

static bool is_near(double a, double b, double tolerance)
{
    return a == b || fabs(a - b) <= tolerance * (1.0 + fabs(a) + fabs(b));
}

static void open_point(hs_point *p, const hs_model *m)
{
    assert_int_equal(hs_point_init(p, m, NULL), HISS_OK);
    assert_true(m->domain.rows <= ROWS_MAX);
}

static double lane_energy(const hs_model *m, const hs_point *p, int l)
{
    int16_t state[ROWS_MAX];
    double u;

    for (int i = 0; i < m->domain.dim; i++)
        state[i] = p->x[i][l];
    assert_int_equal(hs_model_energy(m, state, &u, NULL), HISS_OK);
    return u;
}

static void every_type_has_an_instance(void **state)
{
    (void)state;
    for (const hs_model_type *const *t = hs_model_types; *t; t++) {
        bool is_there = false;

        for (const instance *i = instances; i->spec; i++) {
            size_t length = strcspn(i->spec, "(");

            is_there |= strlen((*t)->name) == length &&
                        strncmp((*t)->name, i->spec, length) == 0;
        }
        if (!is_there)
            fail_msg("no instance of %s", (*t)->name);
        assert_non_null((*t)->summary);
    }
}

/* Lane by lane, U of a tile is U of the state, and the relaxation's. */
static void u_is_that_of_the_relaxation(void **state)
{
    uint64_t seed = 11;

    (void)state;
    for (const instance *t = instances; t->spec; t++) {
        hs_model *m = fixture_model(t->spec);
        double rows[ROWS_MAX];
        hs_point p;

        open_point(&p, m);
        for (int trial = 0; trial < 8; trial++) {
            fixture_scatter(m, &p, &seed);
            assert_int_equal(hs_model_evaluate(m, &p, HS_U), HISS_OK);
            assert_true(p.have & HS_U);
            for (int l = 0; l < HS_LANES; l++) {
                assert_true(is_near(p.u[l], lane_energy(m, &p, l), 1e-12));
                fixture_rows(m, &p, l, rows);
                if (t->relaxed && !is_near(p.u[l], t->relaxed(rows), 2e-6))
                    fail_msg("%s: U %.9g, expected %.9g", t->spec, p.u[l],
                             t->relaxed(rows));
            }
        }
        hs_point_clear(&p);
        hs_model_destroy(m);
    }
}

/* Central differences with a step of 2^-12: exact for quadratics, 1e-6 for
 * the others here. */
static double finite_difference(relaxed_function f, const double *rows,
                                int count, int r)
{
    double moved[ROWS_MAX], up;

    memcpy(moved, rows, (size_t)count * sizeof *rows);
    moved[r] = rows[r] + 0x1p-12;
    up = f(moved);
    moved[r] = rows[r] - 0x1p-12;
    return (up - f(moved)) * 0x1p11;
}

static void gradient_is_that_of_the_relaxation(void **state)
{
    uint64_t seed = 12;

    (void)state;
    for (const instance *t = instances; t->spec; t++) {
        hs_model *m = fixture_model(t->spec);
        hs_float_row buffer[ROWS_MAX];
        const hs_float_row *g;
        hs_point p;

        open_point(&p, m);
        fixture_scatter(m, &p, &seed);
        assert_int_equal(hs_model_evaluate(m, &p, HS_GRAD), HISS_OK);
        assert_true(p.have & HS_GRAD);
        g = hs_model_rows(m, &p, 0, m->domain.dim, buffer, NULL);
        for (int l = 0; t->relaxed && l < HS_LANES; l++) {
            double rows[ROWS_MAX];

            fixture_rows(m, &p, l, rows);
            for (int r = 0; r < m->domain.rows; r++) {
                double slope =
                    finite_difference(t->relaxed, rows, m->domain.rows, r);

                if (!is_near((double)g[r][l], slope, 2e-6))
                    fail_msg("%s: row %d is %.9g, expected %.9g", t->spec, r,
                             (double)g[r][l], slope);
            }
        }
        hs_point_clear(&p);
        hs_model_destroy(m);
    }
}

/* out[v] against U(x with x_i = v) - U(x), each from scratch. */
static void check_differences(const char *spec, const hs_model *m, hs_point *p,
                              hs_point *spare, int i)
{
    hs_float_row out[ROWS_MAX];
    int16_t keep[HS_LANES];

    assert_int_equal(hs_model_differences(m, p, i, out, spare), HISS_OK);
    memcpy(keep, p->x[i], sizeof keep);
    for (int l = 0; l < HS_LANES; l++) {
        double here = lane_energy(m, p, l);

        for (int v = 0; v < m->domain.states[i]; v++) {
            double change;

            p->x[i][l] = (int16_t)v;
            change = lane_energy(m, p, l) - here;
            p->x[i][l] = keep[l];
            if (isinf(here)) /* between impossible states: 0 by contract */
                change = isnan(change) ? 0.0 : change;
            if (!is_near((double)out[v][l], change, 3e-6))
                fail_msg("%s: coordinate %d to %d: %.9g, expected %.9g", spec,
                         i, v, (double)out[v][l], change);
            if (v == keep[l])
                assert_true(out[v][l] == 0.0f);
        }
    }
}

static void differences_are_exact(void **state)
{
    uint64_t seed = 13;

    (void)state;
    for (const instance *t = instances; t->spec; t++) {
        hs_model *m = fixture_model(t->spec);
        hs_point p, spare;

        open_point(&p, m);
        open_point(&spare, m);
        for (int trial = 0; trial < 3; trial++) {
            fixture_scatter(m, &p, &seed);
            for (int i = 0; i < m->domain.dim; i++)
                check_differences(t->spec, m, &p, &spare, i);
        }
        hs_point_clear(&p);
        hs_point_clear(&spare);
        hs_model_destroy(m);
    }
}

/* Tables have exact rows but for levels. */
static bool is_exact(const char *spec, const hs_model *m, int i)
{
    bool has_two = m->domain.states[i] == 2;

    return m->exact_rows ||
           (strcmp(spec, "table") == 0 &&
            (has_two || m->domain.kind[i] == HISS_CATEGORICAL));
}

/* A model that says so has exact rows: (v - x) row, or row_v - row_x. */
static void exact_rows_are_exact(void **state)
{
    uint64_t seed = 14;

    (void)state;
    for (const instance *t = instances; t->spec; t++) {
        hs_model *m = fixture_model(t->spec);
        const hs_domain *d = &m->domain;
        hs_float_row out[ROWS_MAX], buffer[ROWS_MAX];
        hs_point p, spare;

        open_point(&p, m);
        open_point(&spare, m);
        fixture_scatter(m, &p, &seed);
        for (int i = 0; i < d->dim; i++) {
            const float *value = d->values + d->value[i];
            const hs_float_row *g;

            assert_int_equal(hs_model_differences(m, &p, i, out, &spare),
                             HISS_OK);
            assert_int_equal(hs_model_evaluate(m, &p, HS_U | HS_GRAD), HISS_OK);
            g = hs_model_rows(m, &p, i, i + 1, buffer, NULL);
            for (int l = 0; l < HS_LANES && is_exact(t->spec, m, i); l++)
                for (int v = 0; v < d->states[i]; v++) {
                    int x = p.x[i][l];
                    float rise = d->kind[i] == HISS_CATEGORICAL
                                     ? g[v][l] - g[x][l]
                                     : (value[v] - value[x]) * g[0][l];

                    if (v != x)
                        assert_true(
                            is_near((double)rise, (double)out[v][l], 1e-5));
                }
        }
        hs_point_clear(&p);
        hs_point_clear(&spare);
        hs_model_destroy(m);
    }
}

static void assert_fresh(const char *spec, const hs_model *m, hs_point *p,
                         hs_point *fresh)
{
    size_t states = (size_t)m->domain.dim * sizeof *p->x;

    memcpy(fresh->x, p->x, states);
    fresh->have = 0;
    assert_int_equal(hs_model_evaluate(m, fresh, HS_U | HS_GRAD), HISS_OK);
    assert_int_equal(hs_model_evaluate(m, p, HS_U | HS_GRAD), HISS_OK);
    for (int l = 0; l < HS_LANES; l++) {
        if (!is_near(p->u[l], fresh->u[l], 1e-5))
            fail_msg("%s: U %.9g after moves, expected %.9g", spec, p->u[l],
                     fresh->u[l]);
        for (int r = 0; p->grad && r < m->domain.rows; r++)
            if (!is_near((double)p->grad[r][l], (double)fresh->grad[r][l],
                         1e-5))
                fail_msg("%s: row %d is %.9g after moves, expected %.9g", spec,
                         r, (double)p->grad[r][l], (double)fresh->grad[r][l]);
    }
}

/* Moves in every lane, with and without a gradient to mend, and lanes taken
 * from another point as a kernel takes them. */
static void moves_keep_a_point_valid(void **state)
{
    uint64_t seed = 15;

    (void)state;
    for (const instance *t = instances; t->spec; t++) {
        hs_model *m = fixture_model(t->spec);
        hs_point p, y;

        open_point(&p, m);
        open_point(&y, m);
        fixture_scatter(m, &p, &seed);
        for (int step = 0; step < 60; step++) {
            int i = xorshift_below(&seed, m->domain.dim);
            hs_float_row out[ROWS_MAX];
            int16_t to[HS_LANES];
            float change[HS_LANES];

            if (step % 7 == 3)
                assert_int_equal(hs_model_evaluate(m, &p, HS_GRAD), HISS_OK);
            assert_int_equal(hs_model_evaluate(m, &p, HS_U), HISS_OK);
            assert_int_equal(hs_model_differences(m, &p, i, out, &y), HISS_OK);
            for (int l = 0; l < HS_LANES; l++) {
                to[l] = (int16_t)xorshift_below(&seed, m->domain.states[i]);
                change[l] = out[to[l]][l];
            }
            hs_model_move(m, &p, i, to, change);
            assert_memory_equal(p.x[i], to, sizeof to);
            if (step % 10 == 9)
                assert_fresh(t->spec, m, &p, &y);
        }
        hs_point_clear(&p);
        hs_point_clear(&y);
        hs_model_destroy(m);
    }
}

/* Lanes 0, 3, 6, ... of x become those of y: states, U, gradient, cache. */
static void take_lanes(const hs_model *m, hs_point *x, const hs_point *y)
{
    const hs_float_row *from = y->cache;
    hs_float_row *to = x->cache;
    size_t kept = m->cache_bytes / sizeof *to;

    for (int l = 0; l < HS_LANES; l += 3) {
        for (int i = 0; i < m->domain.dim; i++)
            x->x[i][l] = y->x[i][l];
        for (int r = 0; x->grad && r < m->domain.rows; r++)
            x->grad[r][l] = y->grad[r][l];
        for (size_t r = 0; r < kept; r++)
            to[r][l] = from[r][l];
        x->u[l] = y->u[l];
    }
}

static void lanes_of_two_points_mix(void **state)
{
    uint64_t seed = 16;

    (void)state;
    for (const instance *t = instances; t->spec; t++) {
        hs_model *m = fixture_model(t->spec);
        hs_point x, y, fresh;

        assert_int_equal(m->cache_bytes % sizeof(hs_float_row), 0);
        open_point(&x, m);
        open_point(&y, m);
        open_point(&fresh, m);
        fixture_scatter(m, &x, &seed);
        fixture_scatter(m, &y, &seed);
        assert_int_equal(hs_model_evaluate(m, &x, HS_U | HS_GRAD), HISS_OK);
        assert_int_equal(hs_model_evaluate(m, &y, HS_U | HS_GRAD), HISS_OK);
        take_lanes(m, &x, &y);
        for (int i = 0; i < m->domain.dim; i++)
            check_differences(t->spec, m, &x, &fresh, i);
        assert_fresh(t->spec, m, &x, &fresh);
        hs_point_clear(&x);
        hs_point_clear(&y);
        hs_point_clear(&fresh);
        hs_model_destroy(m);
    }
}

/* Blocks of any size give the same rows, and U in parts. */
static void rows_come_in_any_blocks(void **state)
{
    uint64_t seed = 17;

    (void)state;
    for (const instance *t = instances; t->spec; t++) {
        hs_model *m = fixture_model(t->spec);
        hs_float_row whole[ROWS_MAX], part[ROWS_MAX];
        int dim = m->domain.dim;
        hs_point p;

        open_point(&p, m);
        fixture_scatter(m, &p, &seed);
        assert_int_equal(hs_model_evaluate(m, &p, HS_U | HS_GRAD), HISS_OK);
        for (int size = 1; m->ops->rows && size <= dim; size++) {
            double u[HS_LANES];

            for (int l = 0; l < HS_LANES; l++)
                u[l] = m->offset;
            hs_model_rows(m, &p, 0, dim, whole, NULL);
            for (int i = 0; i < dim; i += size) {
                int end = i + size < dim ? i + size : dim;
                int row = m->domain.row[i], rows = m->domain.row[end] - row;

                hs_model_rows(m, &p, i, end, part, u);
                assert_memory_equal(part, whole + row,
                                    (size_t)rows * sizeof *part);
            }
            for (int l = 0; l < HS_LANES; l++)
                assert_true(is_near(u[l], p.u[l], 1e-12));
        }
        hs_point_clear(&p);
        hs_model_destroy(m);
    }
}

static void names_make_the_same_model(void **state)
{
    uint64_t seed = 18;

    (void)state;
    for (const instance *t = instances; t->spec; t++) {
        hs_model *m = fixture_model(t->spec);
        hs_model *again = fixture_model(m->name);
        hs_point p, q;

        assert_string_equal(again->name, m->name);
        open_point(&p, m);
        open_point(&q, again);
        fixture_scatter(m, &p, &seed);
        memcpy(q.x, p.x, (size_t)m->domain.dim * sizeof *p.x);
        assert_int_equal(hs_model_evaluate(m, &p, HS_U), HISS_OK);
        assert_int_equal(hs_model_evaluate(again, &q, HS_U), HISS_OK);
        assert_memory_equal(p.u, q.u, sizeof p.u);
        hs_point_clear(&p);
        hs_point_clear(&q);
        hs_model_destroy(m);
        hs_model_destroy(again);
    }
}

static void orders_are_permutations(void **state)
{
    (void)state;
    for (const instance *t = instances; t->spec; t++) {
        hs_model *m = fixture_model(t->spec);
        int seen[ROWS_MAX] = {0};

        for (int i = 0; m->order && i < m->domain.dim; i++)
            seen[m->order[i]]++;
        for (int i = 0; m->order && i < m->domain.dim; i++)
            assert_int_equal(seen[i], 1);
        hs_model_destroy(m);
    }
}

/* Every allocation of create and of a point fails once. */
static void allocation_failures_leave_nothing(void **state)
{
    (void)state;
    for (const instance *t = instances; t->spec; t++) {
        const char *spec = strcmp(t->spec, "table") ? t->spec : fixture_table();
        hiss_status rc = HISS_ENOMEM;

        for (int n = 1; rc == HISS_ENOMEM; n++) {
            hs_model *m;
            hs_point p = {0};

            hs_alloc_fail_after(n);
            rc = hs_model_create(&m, spec, NULL);
            if (rc == HISS_OK)
                rc = hs_point_init(&p, m, NULL);
            else
                assert_null(m);
            hs_alloc_fail_after(0);
            hs_point_clear(&p);
            hs_model_destroy(m);
        }
        if (rc != HISS_OK)
            fail_msg("%s: %s", spec, hiss_status_text(rc));
    }
}

static void evaluating_allocates_nothing(void **state)
{
    uint64_t seed = 19;

    (void)state;
    for (const instance *t = instances; t->spec; t++) {
        hs_model *m = fixture_model(t->spec);
        hs_float_row out[ROWS_MAX];
        hs_point p, spare;
        int64_t before;

        open_point(&p, m);
        open_point(&spare, m);
        fixture_scatter(m, &p, &seed);
        before = hs_alloc_count();
        hs_model_evaluate(m, &p, HS_U | HS_GRAD);
        for (int i = 0; i < m->domain.dim; i++)
            hs_model_differences(m, &p, i, out, &spare);
        assert_int_equal(hs_alloc_count(), before);
        hs_point_clear(&p);
        hs_point_clear(&spare);
        hs_model_destroy(m);
    }
}

static int remove_files(void **state)
{
    (void)state;
    fixture_remove();
    return 0;
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_type_has_an_instance),
        cmocka_unit_test(u_is_that_of_the_relaxation),
        cmocka_unit_test(gradient_is_that_of_the_relaxation),
        cmocka_unit_test(differences_are_exact),
        cmocka_unit_test(exact_rows_are_exact),
        cmocka_unit_test(moves_keep_a_point_valid),
        cmocka_unit_test(lanes_of_two_points_mix),
        cmocka_unit_test(rows_come_in_any_blocks),
        cmocka_unit_test(names_make_the_same_model),
        cmocka_unit_test(orders_are_permutations),
        cmocka_unit_test(allocation_failures_leave_nothing),
        cmocka_unit_test(evaluating_allocates_nothing),
    };

    return cmocka_run_group_tests(tests, NULL, remove_files);
}
