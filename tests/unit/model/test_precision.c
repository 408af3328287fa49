/* test_precision.c - which precision a model gets, and that a wide one is
 * right: changes and U against sums in long double. */
#include "model/precision.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "base/alloc.h"
#include "model/builders.h"
#include "unit/model_fixture.h"
#include "unit/xorshift.h"

static double uniform(uint64_t *seed)
{
    return xorshift(seed) * 0x1p-32 * 2.0 - 1.0;
}

static hs_precision read_all(int count, const double *value, double step)
{
    hs_precision p;
    hs_gauge g;

    assert_int_equal(hs_gauge_init(&g, 1, NULL), HISS_OK);
    for (int n = 0; n < count; n++)
        hs_gauge_add(&g, 0, value[n]);
    p = hs_gauge_read(&g, step);
    hs_gauge_clear(&g);
    return p;
}

static void sums_decide(void **state)
{
    const struct {
        double value[3], step;
        hs_precision_kind kind;
    } cases[] = {
        {{0, 0, 0}, 1, HS_PRECISION_EXACT},
        {{1, -1, 2}, 2, HS_PRECISION_EXACT},
        {{0.5, 1e6, -3}, 1, HS_PRECISION_EXACT},
        {{0x1p22, 0x1p21, 0x1p21 + 1}, 1, HS_PRECISION_DOUBLE},
        {{0x1p22, 0x1p21, 1}, 1, HS_PRECISION_EXACT},
        {{0x1p40, 0x1p41, 0x1p60}, 1, HS_PRECISION_EXACT},
        {{0.1, 0.2, 31}, 2, HS_PRECISION_ROUNDED},
        {{0.1, 0.2, 32}, 2, HS_PRECISION_DOUBLE},
        {{-1e8, -99999997, 2e8}, 1, HS_PRECISION_DOUBLE},
        {{1e5, 0.3, 0}, 1, HS_PRECISION_DOUBLE},
    };

    (void)state;
    for (size_t k = 0; k < sizeof cases / sizeof *cases; k++)
        assert_int_equal(read_all(3, cases[k].value, cases[k].step).kind,
                         cases[k].kind);
}

/* A law with penalties: a tenth of the couplings is of order 1e8. */
struct form {
    int dim;
    double *matrix, *field; /* owned; one triangle */
};

static struct form random_form(int dim, int fill, uint64_t *seed)
{
    size_t n = (size_t)dim;
    struct form f = {.dim = dim,
                     .matrix = hs_alloc_array(n * n, sizeof *f.matrix),
                     .field = hs_alloc_array(n, sizeof *f.field)};

    assert_true(f.matrix && f.field);
    for (int i = 0; i < dim; i++) {
        f.field[i] = uniform(seed) * (xorshift_below(seed, 2) ? 1e8 : 1.0);
        for (int j = 0; j < i; j++)
            if (xorshift_below(seed, 100) < fill)
                f.matrix[(size_t)i * n + (size_t)j] =
                    uniform(seed) * (xorshift_below(seed, 10) ? 1.0 : 1e8);
    }
    return f;
}

/* U, x'Mx + h'x or half of s'Ms, and h's. */
static long double energy(const struct form *f, hs_quadratic form,
                          const hs_point *p, int lane)
{
    size_t n = (size_t)f->dim;
    int low = form == HS_ISING ? -1 : 0, gap = form == HS_ISING ? 2 : 1;
    long double u = 0.0L;

    for (size_t i = 0; i < n; i++) {
        int a = low + gap * p->x[i][lane];

        u += (long double)f->field[i] * a;
        for (size_t j = 0; j < i; j++)
            u += (long double)f->matrix[i * n + j] * a *
                 (low + gap * p->x[j][lane]) * (form == HS_ISING ? 0.5L : 1.0L);
    }
    return u;
}

/* 1e8 times 1e-16 times the number of terms that meet, and a float. */
static bool is_near(long double found, long double expected, double terms)
{
    return fabsl(found - expected) <=
           2e-8L * (long double)terms + 1e-7L * fabsl(expected);
}

static void check_form(int dim, int fill, hs_quadratic form, uint64_t *seed)
{
    struct form f = random_form(dim, fill, seed);
    hs_float_row out[2];
    hs_model *m;
    hs_point p, q;

    assert_int_equal(
        hs_build_dense(&m, "wide", form, dim, f.matrix, f.field, NULL),
        HISS_OK);
    assert_true(hs_model_is_wide(m));
    assert_int_equal(hs_point_init(&p, m, NULL), HISS_OK);
    assert_int_equal(hs_point_init(&q, m, NULL), HISS_OK);
    fixture_scatter(m, &p, seed);
    assert_int_equal(hs_model_evaluate(m, &p, HS_U), HISS_OK);
    for (int l = 0; l < HS_LANES; l++)
        assert_true(fabsl((long double)p.u[l] - energy(&f, form, &p, l)) <=
                    1e-6L * dim);
    for (int n = 0; n < 20; n++) {
        int i = xorshift_below(seed, (unsigned)dim);

        assert_int_equal(hs_model_differences(m, &p, i, out, NULL), HISS_OK);
        memcpy(q.x, p.x, (size_t)dim * sizeof *p.x);
        for (int l = 0; l < HS_LANES; l++)
            q.x[i][l] = (int16_t)(1 - p.x[i][l]);
        for (int l = 0; l < HS_LANES; l++)
            assert_true(is_near(
                (long double)out[q.x[i][l]][l],
                energy(&f, form, &q, l) - energy(&f, form, &p, l), dim));
    }
    hs_point_clear(&p);
    hs_point_clear(&q);
    hs_model_destroy(m);
    hs_free(f.matrix);
    hs_free(f.field);
}

/* Sparse and full, spins and bits. */
static void wide_forms_are_right(void **state)
{
    uint64_t seed = 61;

    (void)state;
    for (int k = 0; k < 8; k++)
        check_form(k & 1 ? 80 : 12, k & 2 ? 90 : 15, k & 4 ? HS_ISING : HS_QUBO,
                   &seed);
}

/* A large change leaves no rounded U behind. */
static void moves_keep_u(void **state)
{
    const int64_t start[] = {0, 2, 3};
    const int column[] = {0, 1, 1};
    const double value[] = {1e8, -2e8, 99999997};
    const float change[HS_LANES] = {1e8f, 1e8f, 1e8f, 1e8f, 1e8f, 1e8f,
                                    1e8f, 1e8f, 1e8f, 1e8f, 1e8f, 1e8f,
                                    1e8f, 1e8f, 1e8f, 1e8f};
    int16_t to[HS_LANES];
    hs_model *m;
    hs_point p;

    (void)state;
    assert_int_equal(
        hs_build_csr(&m, "two", HS_QUBO, 2, start, column, value, NULL, NULL),
        HISS_OK);
    assert_int_equal(hs_point_init(&p, m, NULL), HISS_OK);
    assert_int_equal(hs_model_evaluate(m, &p, HS_U), HISS_OK);
    for (int l = 0; l < HS_LANES; l++)
        to[l] = 1;
    hs_model_move(m, &p, 1, to, change);
    assert_int_equal(hs_model_evaluate(m, &p, HS_U), HISS_OK);
    assert_true(p.u[0] == 99999997.0);
    hs_point_clear(&p);
    hs_model_destroy(m);
}

/* Hidden units summed out by hand, in long double. */
static long double machine(const hs_machine *m, const int16_t *v)
{
    long double u = 0.0L;

    for (int i = 0; i < m->visible; i++)
        u += (long double)(v[i] * m->b[i]);
    for (int j = 0; j < m->hidden; j++) {
        long double a = (long double)m->c[j];

        for (int i = 0; i < m->visible; i++)
            a += (long double)(v[i] * m->weight[i * m->hidden + j]);
        u += fmaxl(a, 0.0L) + log1pl(expl(-fabsl(a)));
    }
    return u;
}

static void machines_are_right(void **state)
{
    static const double weight[] = {1e8, -0.5, -1e8, 0.25, 1e8, 0.75};
    static const double b[] = {0.1, 1e8 + 0.5, -1e8 - 1.25}, c[] = {0.3, -0.2};
    const hs_machine from = {3, 2, weight, b, c};
    hs_float_row out[2];
    hs_model *m;
    hs_point p;

    (void)state;
    assert_int_equal(hs_build_machine(&m, "machine", &from, NULL), HISS_OK);
    assert_true(hs_model_is_wide(m));
    assert_int_equal(hs_point_init(&p, m, NULL), HISS_OK);
    for (int i = 0; i < 3; i++)
        for (int l = 0; l < HS_LANES; l++)
            p.x[i][l] = (int16_t)(l >> i & 1);
    for (int round = 0; round < 12; round++) {
        int i = round % 3;
        int16_t to[HS_LANES];
        float change[HS_LANES];

        assert_int_equal(hs_model_differences(m, &p, i, out, NULL), HISS_OK);
        for (int l = 0; l < HS_LANES; l++) {
            int16_t x[3] = {p.x[0][l], p.x[1][l], p.x[2][l]};
            long double here = machine(&from, x), there;

            assert_true(fabsl((long double)p.u[l] - here) < 1e-5L);
            x[i] = (int16_t)(1 - x[i]);
            there = machine(&from, x);
            assert_true(fabsl((long double)out[x[i]][l] - (there - here)) <=
                        1e-5L + 1e-7L * fabsl(there - here));
            to[l] = x[i];
            change[l] = out[x[i]][l];
        }
        hs_model_move(m, &p, i, to, change);
    }
    hs_point_clear(&p);
    hs_model_destroy(m);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(sums_decide),
        cmocka_unit_test(wide_forms_are_right),
        cmocka_unit_test(moves_keep_u),
        cmocka_unit_test(machines_are_right),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
