/* test_builders.c - pair models and networks from arrays: conventions, and
 * dense against sparse. */
#include "model/builders.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "base/alloc.h"
#include "model/gemm.h"
#include "model/pair/ising_dense.h"
#include "model/pair/ising_sparse.h"
#include "model/sparse.h"
#include "unit/model_fixture.h"
#include "unit/xorshift.h"

static bool is_near(double a, double b, double tolerance)
{
    return fabs(a - b) <= tolerance * (1.0 + fabs(a) + fabs(b));
}

static double uniform(uint64_t *seed)
{
    return xorshift(seed) * 0x1p-32 * 2.0 - 1.0;
}

/* s'Ms and h's of a state in double. */
static double quadratic(const double *matrix, const double *field, int dim,
                        const int16_t *index, hs_quadratic form)
{
    double u = 0.0;

    for (int i = 0; i < dim; i++) {
        double x = form == HS_ISING ? 2 * index[i] - 1 : index[i];

        u += field ? field[i] * x : 0.0;
        for (int j = 0; j < dim; j++) {
            double y = form == HS_ISING ? 2 * index[j] - 1 : index[j];

            u += matrix[i * dim + j] * x * y * (form == HS_ISING ? 0.5 : 1.0);
        }
    }
    return u;
}

/* An asymmetric matrix with a diagonal; `fill` percent of it is not 0.  Small
 * enough for floats (precision.h). */
static void random_matrix(double *matrix, double *field, int dim, int fill,
                          uint64_t *seed)
{
    for (int e = 0; e < dim * dim; e++)
        matrix[e] =
            xorshift_below(seed, 100) < fill ? uniform(seed) / 4.0 : 0.0;
    for (int i = 0; i < dim; i++)
        field[i] = uniform(seed);
}

static hs_model *from_csr(hs_quadratic form, int dim, const double *matrix,
                          const double *field)
{
    int64_t *start = hs_alloc_array((size_t)dim + 1, sizeof *start);
    int *column = hs_alloc_array((size_t)(dim * dim), sizeof *column);
    double *value = hs_alloc_array((size_t)(dim * dim), sizeof *value);
    hs_model *m;

    assert_true(start && column && value);
    for (int i = 0; i < dim; i++) {
        start[i + 1] = start[i];
        for (int j = dim - 1; j >= 0; j--) /* of any order */
            if (matrix[i * dim + j] != 0.0) {
                column[start[i + 1]] = j;
                value[start[i + 1]++] = matrix[i * dim + j];
            }
    }
    assert_int_equal(
        hs_build_csr(&m, "csr", form, dim, start, column, value, field, NULL),
        HISS_OK);
    hs_free(start);
    hs_free(column);
    hs_free(value);
    return m;
}

static void check_states(const hs_model *m, const double *matrix,
                         const double *field, hs_quadratic form, uint64_t *seed)
{
    int dim = m->domain.dim;
    int16_t *x = hs_alloc_array((size_t)dim, sizeof *x);

    assert_non_null(x);
    for (int trial = 0; trial < 10; trial++) {
        double u;

        for (int i = 0; i < dim; i++)
            x[i] = (int16_t)xorshift_below(seed, 2);
        assert_int_equal(hs_model_energy(m, x, &u, NULL), HISS_OK);
        if (!is_near(u, quadratic(matrix, field, dim, x, form), 1e-5))
            fail_msg("%s: %.9g, expected %.9g", m->name, u,
                     quadratic(matrix, field, dim, x, form));
    }
    hs_free(x);
}

/* Whole and compressed, spins and bits, thin and full, below and above the
 * size from which matrices stay dense. */
static void matrices_mean_what_they_say(void **state)
{
    static double matrix[80 * 80], field[80];
    uint64_t seed = 51;

    (void)state;
    for (int k = 0; k < 16; k++) {
        hs_quadratic form = k & 1 ? HS_QUBO : HS_ISING;
        int dim = k & 2 ? 80 : 9, fill = k & 4 ? 90 : 10;
        const double *h = k & 8 ? field : NULL;
        bool is_dense = dim >= HS_DENSE_DIM && fill == 90;
        hs_model *whole, *csr;

        random_matrix(matrix, field, dim, fill, &seed);
        assert_int_equal(
            hs_build_dense(&whole, "whole", form, dim, matrix, h, NULL),
            HISS_OK);
        csr = from_csr(form, dim, matrix, h);
        assert_string_equal(whole->name, "whole");
        assert_int_equal(whole->ops->rows == NULL, is_dense);
        assert_int_equal(csr->ops->rows == NULL, is_dense);
        assert_true(whole->domain.kind[0] ==
                    (form == HS_QUBO ? HISS_BINARY : HISS_SPIN));
        check_states(whole, matrix, h, form, &seed);
        check_states(csr, matrix, h, form, &seed);
        hs_model_destroy(whole);
        hs_model_destroy(csr);
    }
}

/* The same couplings through lanes/rows/ising.c and through a matrix
 * product. */
static void make_both(hs_model **dense, hs_model **sparse, int dim,
                      hiss_kind kind, uint64_t *seed)
{
    size_t n = (size_t)dim;
    hs_bond *bond = hs_alloc_array(n * n, sizeof *bond);
    float *j = hs_alloc_array(n * n, sizeof *j);
    float *h = hs_alloc_array(n, sizeof *h);
    hs_sparse rows;
    int64_t count = 0;

    assert_true(bond && j && h);
    for (int a = 0; a < dim; a++)
        for (int b = 0; b < a; b++) {
            double value = (double)(float)uniform(seed);

            bond[count++] = (hs_bond){a, b, value};
            j[(size_t)a * n + (size_t)b] = (float)value;
            j[(size_t)b * n + (size_t)a] = (float)value;
        }
    assert_int_equal(hs_sparse_init(&rows, dim, bond, count, NULL, NULL),
                     HISS_OK);
    rows.field = hs_alloc_array(n, sizeof *rows.field);
    assert_non_null(rows.field);
    for (int i = 0; i < dim; i++)
        rows.field[i] = h[i] = (float)uniform(seed);
    assert_int_equal(hs_ising_create(sparse,
                                     &(hs_ising){.kind = kind, .offset = 2.5},
                                     &rows, NULL),
                     HISS_OK);
    assert_int_equal(hs_ising_dense_create(dense, kind, dim, j, h, 2.5, NULL),
                     HISS_OK);
    hs_free(bond);
}

static void dense_is_sparse(void **state)
{
    enum {
        DIM = 37
    };
    uint64_t seed = 52;

    (void)state;
    for (int k = 0; k < 2; k++) {
        hs_model *dense, *sparse;
        hs_float_row rows[DIM], out[2];
        hs_point p, q;

        make_both(&dense, &sparse, DIM, k ? HISS_BINARY : HISS_SPIN, &seed);
        assert_int_equal(hs_point_init(&p, dense, NULL), HISS_OK);
        assert_int_equal(hs_point_init(&q, sparse, NULL), HISS_OK);
        fixture_scatter(dense, &p, &seed);
        assert_int_equal(hs_model_evaluate(dense, &p, HS_U), HISS_OK);
        for (int step = 0; step < 100; step++) { /* moves mend the gradient */
            int i = xorshift_below(&seed, DIM);
            int16_t to[HS_LANES];
            float change[HS_LANES];

            assert_int_equal(hs_model_differences(dense, &p, i, out, NULL),
                             HISS_OK);
            for (int l = 0; l < HS_LANES; l++) {
                to[l] = (int16_t)xorshift_below(&seed, 2);
                change[l] = out[to[l]][l];
            }
            hs_model_move(dense, &p, i, to, change);
            assert_int_equal(p.have, HS_U | HS_GRAD);
        }
        memcpy(q.x, p.x, DIM * sizeof *p.x);
        assert_int_equal(hs_model_evaluate(sparse, &q, HS_U), HISS_OK);
        hs_model_rows(sparse, &q, 0, DIM, rows, NULL);
        for (int l = 0; l < HS_LANES; l++) {
            assert_true(is_near(p.u[l], q.u[l], 1e-5));
            for (int i = 0; i < DIM; i++)
                assert_true(fabsf(p.grad[i][l] - rows[i][l]) < 1e-4f);
        }
        hs_point_clear(&p);
        hs_point_clear(&q);
        hs_model_destroy(dense);
        hs_model_destroy(sparse);
    }
}

/* A lane's numbers do not depend on its neighbors. */
static void lanes_do_not_meet(void **state)
{
    enum {
        DIM = 90
    };
    hs_model *dense, *sparse;
    uint64_t seed = 53;
    hs_point p, q;

    (void)state;
    make_both(&dense, &sparse, DIM, HISS_SPIN, &seed);
    assert_int_equal(hs_point_init(&p, dense, NULL), HISS_OK);
    assert_int_equal(hs_point_init(&q, dense, NULL), HISS_OK);
    fixture_scatter(dense, &p, &seed);
    fixture_scatter(dense, &q, &seed);
    for (int i = 0; i < DIM; i++)
        q.x[i][5] = p.x[i][5];
    assert_int_equal(hs_model_evaluate(dense, &p, HS_U), HISS_OK);
    assert_int_equal(hs_model_evaluate(dense, &q, HS_U), HISS_OK);
    assert_memory_equal(&p.u[5], &q.u[5], sizeof p.u[5]);
    for (int i = 0; i < DIM; i++)
        assert_memory_equal(&p.grad[i][5], &q.grad[i][5], sizeof(float));
    hs_point_clear(&p);
    hs_point_clear(&q);
    hs_model_destroy(dense);
    hs_model_destroy(sparse);
}

static void products_are_products(void **state)
{
    enum {
        ROWS = 19,
        INNER = 33
    };
    static float a[ROWS * INNER];
    static hs_float_row x[INNER], out[ROWS];
    uint64_t seed = 54;

    (void)state;
    for (int r = 0; r < ROWS; r++)
        for (int k = 0; k < INNER; k++)
            a[r * INNER + k] = (float)uniform(&seed);
    for (int k = 0; k < INNER; k++)
        for (int l = 0; l < HS_LANES; l++)
            x[k][l] = (float)uniform(&seed);
    hs_gemm(ROWS, INNER, a, (const hs_float_row *)x, out);
    for (int r = 0; r < ROWS; r++)
        for (int l = 0; l < HS_LANES; l++) {
            double sum = 0.0;

            for (int k = 0; k < INNER; k++)
                sum += (double)a[r * INNER + k] * (double)x[k][l];
            assert_true(fabs((double)out[r][l] - sum) < 1e-5);
        }
}

/* Hidden units summed out by hand: sum_h exp(b.v + h.(c + W'v)). */
static void rbms_sum_out_their_hidden_units(void **state)
{
    static const float weight[] = {0.5f, -1.0f, 2.0f, 0.25f, 1.5f, -0.75f};
    static const float b[] = {0.1f, -0.4f, 0.3f}, c[] = {-1.0f, 0.5f};
    hs_model *m;

    (void)state;
    assert_int_equal(hs_build_rbm(&m, "mine", 3, 2, weight, b, c, NULL),
                     HISS_OK);
    assert_string_equal(m->name, "mine");
    for (int n = 0; n < 8; n++) {
        int16_t v[3] = {(int16_t)(n >> 2), (int16_t)(n >> 1 & 1),
                        (int16_t)(n & 1)};
        double sum = 0.0, u;

        for (int h = 0; h < 4; h++) {
            double e = 0.0;

            for (int i = 0; i < 3; i++)
                e += (double)b[i] * v[i];
            for (int j = 0; j < 2; j++) {
                double a = (double)c[j];

                for (int i = 0; i < 3; i++)
                    a += (double)weight[2 * i + j] * v[i];
                e += (h >> j & 1) * a;
            }
            sum += exp(e);
        }
        assert_int_equal(hs_model_energy(m, v, &u, NULL), HISS_OK);
        assert_true(is_near(u, log(sum), 1e-6));
    }
    hs_model_destroy(m);
}

static void allocation_failures_leave_nothing(void **state)
{
    static double matrix[70 * 70], field[70];
    static const float zero[4];
    uint64_t seed = 55;

    (void)state;
    random_matrix(matrix, field, 70, 80, &seed);
    for (int kind = 0; kind < 3; kind++) {
        hiss_status rc = HISS_ENOMEM;

        for (int n = 1; rc == HISS_ENOMEM; n++) {
            hs_model *m = NULL;

            hs_alloc_fail_after(n);
            if (kind < 2)
                rc = hs_build_dense(&m, "m", HS_ISING, kind ? 70 : 9, matrix,
                                    field, NULL);
            else
                rc = hs_build_rbm(&m, "m", 2, 2, zero, zero, zero, NULL);
            hs_alloc_fail_after(0);
            assert_int_equal(m == NULL, rc != HISS_OK);
            hs_model_destroy(m);
        }
        assert_int_equal(rc, HISS_OK);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(matrices_mean_what_they_say),
        cmocka_unit_test(dense_is_sparse),
        cmocka_unit_test(lanes_do_not_meet),
        cmocka_unit_test(products_are_products),
        cmocka_unit_test(rbms_sum_out_their_hidden_units),
        cmocka_unit_test(allocation_failures_leave_nothing),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
