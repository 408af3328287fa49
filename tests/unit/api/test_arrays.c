/* test_arrays.c - models of <hiss/arrays.h>: from arrays and a function. */
#include <hiss/hiss.h>

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <string.h>

#include <cmocka.h>

#include "api/object/objects.h"
#include "base/alloc.h"
#include "unit/model_fixture.h"

/* Two values, a spin, three levels and four labels. */
static const hiss_kind kinds[] = {HISS_BINARY, HISS_SPIN, HISS_ORDINAL,
                                  HISS_CATEGORICAL};
static const int counts[] = {2, 2, 3, 4};
static const double levels[] = {0.0, 1.0, 3.0};
static const hiss_domain mixed = {.size = sizeof mixed,
                                  .dim = 4,
                                  .kind = kinds,
                                  .states = counts,
                                  .levels = levels};

enum {
    STATES = 2 * 2 * 3 * 4
};

/* U of state n, the last coordinate fastest; one state is impossible. */
static double u_of(int n)
{
    return n == 7 ? -HUGE_VAL : 0.37 * (n % 5) - 0.21 * (n % 7);
}

static void values_of(int n, double *values)
{
    values[3] = n % 4;
    values[2] = levels[n / 4 % 3];
    values[1] = 2 * (n / 12 % 2) - 1;
    values[0] = n / 24;
}

struct counter {
    int calls, most, fail_at;
};

/* The same law, as a function. */
static int evaluate(const void *context, const int16_t *x, int lanes, double *u,
                    float *gradient)
{
    struct counter *c = *(struct counter *const *)context;

    (void)gradient;
    c->most = lanes > c->most ? lanes : c->most;
    for (int l = 0; l < lanes; l++)
        u[l] = u_of(((x[l] * 2 + x[lanes + l]) * 3 + x[2 * lanes + l]) * 4 +
                    x[3 * lanes + l]);
    return ++c->calls == c->fail_at ? 5 : 0;
}

static hiss_status make_table(hiss_model **out, hiss_error *err)
{
    double u[STATES];

    for (int n = 0; n < STATES; n++)
        u[n] = u_of(n);
    return hiss_model_table(out, &mixed, u, err);
}

/* One factor over everything, and one that is a constant. */
static hiss_status make_factors(hiss_model **out, hiss_error *err)
{
    static const int size[] = {4, 0}, scope[] = {0, 1, 2, 3};
    double u[STATES + 1];

    for (int n = 0; n < STATES; n++)
        u[n] = u_of(n) - 2.0;
    u[STATES] = 2.0;
    return hiss_model_factors(out, &mixed, 2, size, scope, u, err);
}

static struct counter counter;
static struct counter *const context = &counter;

static hiss_status make_callback(hiss_model **out, hiss_error *err)
{
    hiss_callback c = {.size = sizeof c,
                       .name = "function",
                       .domain = &mixed,
                       .evaluate = evaluate,
                       .context = &context};

    counter = (struct counter){0};
    return hiss_model_callback(out, &c, err);
}

static hiss_status make_qubo(hiss_model **out, hiss_error *err)
{
    static const int row[] = {0, 1, 2, 0}, column[] = {1, 0, 2, 2};
    static const double value[] = {1.0, 0.5, 2.0, -1.0}, linear[] = {0, 0, 3};

    return hiss_model_qubo_sparse(out, 3, 4, row, column, value, linear, err);
}

static hiss_status make_rbm(hiss_model **out, hiss_error *err)
{
    static const double weight[] = {1.0, -1.0, 0.5, 2.0}, b[] = {0.1, 0.2};

    return hiss_model_rbm(out, 2, 2, weight, b, NULL, err);
}

static hiss_status make_rbm_floats(hiss_model **out, hiss_error *err)
{
    static const float weight[] = {1.0f, -1.0f, 0.5f, 2.0f}, b[] = {0.1f, 0.2f};

    return hiss_model_rbm_floats(out, 2, 2, weight, b, NULL, err);
}

typedef hiss_status (*maker)(hiss_model **out, hiss_error *err);
static const maker makers[] = {make_table, make_factors, make_callback,
                               make_qubo,  make_rbm,     make_rbm_floats};

enum {
    MAKERS = sizeof makers / sizeof *makers
};

static hiss_model *made(maker make)
{
    hiss_error err = {0};
    hiss_model *model;

    if (make(&model, &err) != HISS_OK)
        fail_msg("%s", err.message);
    return model;
}

static void the_same_law_in_three_ways(void **state)
{
    (void)state;
    for (int k = 0; k < 3; k++) {
        hiss_model *model = made(makers[k]);

        for (int n = 0; n < STATES; n++) {
            double values[4], u;

            values_of(n, values);
            assert_int_equal(hiss_model_energy(model, values, &u, NULL),
                             HISS_OK);
            if (isinf(u_of(n)))
                assert_true(u == -HUGE_VAL);
            else
                assert_true(fabs(u - u_of(n)) < 1e-6);
        }
        hiss_model_destroy(model);
    }
}

static void energies_of_pairs_and_networks(void **state)
{
    static const double x[] = {1, 1, 1};
    hiss_model *model = made(make_qubo);
    double u;

    (void)state;
    assert_int_equal(hiss_model_energy(model, x, &u, NULL), HISS_OK);
    assert_true(fabs(u - (1.0 + 0.5 + 2.0 - 1.0 + 3.0)) < 1e-6);
    hiss_model_destroy(model);
    model = made(make_rbm);
    assert_int_equal(hiss_model_energy(model, x, &u, NULL), HISS_OK);
    assert_true(fabs(u - (0.3 + log1p(exp(1.5)) + log1p(exp(1.0)))) < 1e-6);
    hiss_model_destroy(model);
}

/* Differences of the function are the rows of the table, in few calls. */
static void a_gradient_by_differences(void **state)
{
    hiss_model *table = made(make_table), *function = made(make_callback);
    const hs_model *a = table->model, *b = function->model;
    hs_point p, q;
    uint64_t seed = 5;

    (void)state;
    assert_int_equal(hs_point_init(&p, a, NULL), HISS_OK);
    assert_int_equal(hs_point_init(&q, b, NULL), HISS_OK);
    for (int round = 0; round < 20; round++) {
        hs_float_row rows[2 + 1 + 4];

        fixture_scatter(a, &p, &seed);
        memcpy(q.x, p.x, 4 * sizeof *p.x);
        q.have = 0;
        counter = (struct counter){0};
        assert_int_equal(hs_model_evaluate(a, &p, HS_U), HISS_OK);
        assert_int_equal(hs_model_evaluate(b, &q, HS_U | HS_GRAD), HISS_OK);
        assert_int_equal(counter.calls, 2);
        assert_int_equal(counter.most, (1 + 1 + 2 + 3) * HS_LANES);
        hs_model_rows(a, &p, 0, 4, rows, NULL);
        for (int l = 0; l < HS_LANES; l++)
            for (int r = 0; r < 7 && isfinite(p.u[l]); r++) {
                double label =
                    r < 3 ? 0.0 : (double)(rows[3][l] - q.grad[3][l]);
                double gap = (double)(rows[r][l] - q.grad[r][l]) - label;

                assert_true(rows[r][l] == q.grad[r][l] || fabs(gap) < 1e-5);
            }
    }
    hs_point_clear(&p);
    hs_point_clear(&q);
    hiss_model_destroy(table);
    hiss_model_destroy(function);
}

static void a_code_of_the_function_ends_the_run(void **state)
{
    hiss_model *model = made(make_callback);
    hiss_sampler *sampler;
    hiss_settings settings;
    hiss_result *result;
    hiss_error err = {0};

    (void)state;
    hiss_settings_init(&settings);
    assert_int_equal(hiss_sampler_create(&sampler, "dmala(alpha=1)", NULL),
                     HISS_OK);
    for (int at = 1; at < 20; at += 6) {
        counter = (struct counter){.fail_at = at};
        assert_int_equal(hiss_sample(&result, model, sampler, &settings, &err),
                         HISS_EPLUGIN);
        assert_null(result);
        assert_int_equal(counter.calls, at);
    }
    counter = (struct counter){0};
    assert_int_equal(hiss_sample(&result, model, sampler, &settings, &err),
                     HISS_OK);
    hiss_result_destroy(result);
    hiss_sampler_destroy(sampler);
    hiss_model_destroy(model);
}

static void bad_arguments(void **state)
{
    static const double bad[] = {NAN, 0}, good[] = {0, 0};
    static const float odd[] = {0, INFINITY}, even[] = {0, 0};
    static const int two[] = {2, 2}, twice[] = {0, 0}, far[] = {0, 9};
    static const hiss_domain pair = {.size = sizeof pair, .dim = 2};
    static const hiss_domain none = {.size = sizeof none};
    hiss_callback silent = {.size = sizeof silent, .domain = &pair};
    double many[4] = {0};
    hiss_model *model;
    hiss_error err;

    (void)state;
#define REFUSED(call) assert_int_equal(call, HISS_EARG)
    REFUSED(hiss_model_table(&model, &none, good, &err));
    REFUSED(hiss_model_table(&model, &pair, bad, &err));
    REFUSED(hiss_model_factors(&model, &pair, 1, two, twice, many, &err));
    REFUSED(hiss_model_factors(&model, &pair, 1, two, far, many, &err));
    REFUSED(hiss_model_callback(&model, &silent, &err));
    REFUSED(hiss_model_rbm(&model, 1, 2, bad, NULL, NULL, &err));
    REFUSED(hiss_model_rbm(&model, 1, 0, good, NULL, NULL, &err));
    REFUSED(hiss_model_rbm_floats(&model, 1, 2, odd, NULL, NULL, &err));
    REFUSED(hiss_model_rbm_floats(&model, 1, 2, even, odd + 1, NULL, &err));
    REFUSED(hiss_model_rbm_floats(&model, 1, 0, even, NULL, NULL, &err));
    REFUSED(hiss_model_rbm_floats(&model, 1, 2, NULL, NULL, NULL, &err));
    REFUSED(
        hiss_model_qubo_sparse(&model, 2, 1, far, far + 1, good, NULL, &err));
    REFUSED(
        hiss_model_qubo_sparse(&model, 2, 1, twice, twice, bad, NULL, &err));
#undef REFUSED
    assert_null(model);
}

/* Machines of the same numbers have the same U, bit for bit, and are computed
 * alike: in single precision, and in double where weights are large. */
static void floats_are_doubles(void **state)
{
    enum {
        VISIBLE = 5,
        HIDDEN = 11
    };
    float weight[VISIBLE * HIDDEN], b[VISIBLE], c[HIDDEN];
    double wide[VISIBLE * HIDDEN], wide_b[VISIBLE], wide_c[HIDDEN];

    (void)state;
    for (int large = 0; large < 2; large++) {
        hiss_model *one, *other;
        char *words[2];

        for (int e = 0; e < VISIBLE * HIDDEN; e++) {
            weight[e] = (large ? 500.0f : 1.0f) * sinf((float)e);
            wide[e] = (double)weight[e];
        }
        for (int i = 0; i < VISIBLE; i++)
            wide_b[i] = (double)(b[i] = cosf((float)i));
        for (int j = 0; j < HIDDEN; j++)
            wide_c[j] = (double)(c[j] = 0.1f * (float)j);
        assert_int_equal(hiss_model_rbm_floats(&one, VISIBLE, HIDDEN, weight, b,
                                               large ? c : NULL, NULL),
                         HISS_OK);
        assert_int_equal(hiss_model_rbm(&other, VISIBLE, HIDDEN, wide, wide_b,
                                        large ? wide_c : NULL, NULL),
                         HISS_OK);
        for (int bits = 0; bits < 1 << VISIBLE; bits++) {
            double x[VISIBLE], u[2];

            for (int i = 0; i < VISIBLE; i++)
                x[i] = bits >> i & 1;
            assert_int_equal(hiss_model_energy(one, x, &u[0], NULL), HISS_OK);
            assert_int_equal(hiss_model_energy(other, x, &u[1], NULL), HISS_OK);
            assert_memory_equal(&u[0], &u[1], sizeof u[0]);
        }
        words[0] = hiss_model_precision(one);
        words[1] = hiss_model_precision(other);
        assert_string_equal(words[0], words[1]);
        assert_non_null(strstr(words[0], large ? "double" : "single"));
        hiss_free(words[0]);
        hiss_free(words[1]);
        hiss_model_destroy(one);
        hiss_model_destroy(other);
    }
}

static void without_memory(void **state)
{
    (void)state;
    for (int k = 0; k < MAKERS; k++)
        for (int n = 1;; n++) {
            hiss_model *model;
            hiss_status rc;

            hs_alloc_fail_after(n);
            rc = makers[k](&model, NULL);
            hs_alloc_fail_after(0);
            hiss_model_destroy(model);
            if (rc == HISS_OK)
                break;
            assert_int_equal(rc, HISS_ENOMEM);
        }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_same_law_in_three_ways),
        cmocka_unit_test(energies_of_pairs_and_networks),
        cmocka_unit_test(a_gradient_by_differences),
        cmocka_unit_test(a_code_of_the_function_ends_the_run),
        cmocka_unit_test(bad_arguments),
        cmocka_unit_test(floats_are_doubles),
        cmocka_unit_test(without_memory),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
