/* test_plugin.c - models from shared libraries, good and bad. */
#include <hiss/plugin.h>

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "model/model.h"
#include "unit/model_fixture.h"

#define ODD HISS_TEST_PLUGINS "/odd.so"

static void assert_refused(const char *spec, const char *expected)
{
    hiss_error err = {0};
    hs_model *m;

    assert_int_equal(hs_model_create(&m, spec, &err), HISS_EPLUGIN);
    assert_null(m);
    assert_int_equal(err.status, HISS_EPLUGIN);
    if (!strstr(err.message, expected))
        fail_msg("%s: '%s' does not say '%s'", spec, err.message, expected);
}

static void bad_libraries_are_refused(void **state)
{
    static const char *const faults[][2] = {
        {"null", "returned NULL"},
        {"abi", "has ABI 99, expected 1"},
        {"size", "has a table of 8 bytes"},
        {"odd size", "expected sizeof(hiss_plugin_table)"},
        {"no size", "expected sizeof(hiss_plugin_table)"},
        {"newer wants", "compiled for a newer one"},
        {"function", "lacks create, destroy, dim or evaluate"},
    };

    (void)state;
    assert_refused("plugin(./no-such-plugin.so)", "cannot be loaded");
    assert_refused("plugin(no-such-plugin.so)",
                   "./no-such-plugin.so: cannot open");
    assert_refused("plugin(" HISS_TEST_PLUGINS ")", "cannot be loaded");
    assert_refused("plugin(" HISS_TEST_PLUGINS "/empty.so)",
                   "does not export hiss_plugin");
    for (size_t k = 0; k < sizeof faults / sizeof faults[0]; k++) {
        setenv("HISS_TEST_FAULT", faults[k][0], 1);
        assert_refused("plugin(" ODD ")", faults[k][1]);
    }
    unsetenv("HISS_TEST_FAULT");
}

/* What hiss does not know of is not used. */
static void a_newer_table_is_read(void **state)
{
    hs_model *m;

    (void)state;
    setenv("HISS_TEST_FAULT", "newer", 1);
    m = fixture_model("plugin(" ODD ")");
    unsetenv("HISS_TEST_FAULT");
    assert_int_equal(m->domain.dim, 4);
    hs_model_destroy(m);
}

static void bad_instances_are_refused(void **state)
{
    (void)state;
    assert_refused("plugin(" ODD ",create)", "the moon is not full");
    assert_refused("plugin(" ODD ",silent)", "create failed without a reason");
    assert_refused("plugin(" ODD ",dim)", "has 0 coordinates, expected 1");
    assert_refused("plugin(" ODD ",kind)", "unknown kind 9");
    assert_refused("plugin(" ODD ",states)", "has -5 states");
    assert_refused("plugin(" ODD ",level)", "expected ascending numbers");
    assert_refused("plugin(" HISS_TEST_PLUGINS "/ring.so,arguments=2)",
                   "n at least 3");
}

static void faults_while_running_are_reported(void **state)
{
    int16_t zero[4] = {0};
    hiss_error err = {0};
    hs_model *m = fixture_model("plugin(" ODD ",code)");
    hs_point p;
    double u;

    (void)state;
    assert_int_equal(hs_model_energy(m, zero, &u, &err), HISS_EPLUGIN);
    assert_non_null(strstr(err.message, "odd.so"));
    hs_model_destroy(m);

    m = fixture_model("plugin(" ODD ",nan)");
    assert_int_equal(hs_model_energy(m, zero, &u, &err), HISS_ENUMERIC);
    hs_model_destroy(m);

    setenv("HISS_TEST_FAULT", "gradient", 1);
    m = fixture_model("plugin(" ODD ")");
    unsetenv("HISS_TEST_FAULT");
    assert_int_equal(hs_point_init(&p, m, NULL), HISS_OK);
    assert_int_equal(hs_model_evaluate(m, &p, HS_U), HISS_OK);
    assert_int_equal(hs_model_evaluate(m, &p, HS_GRAD), HISS_ENUMERIC);
    hs_point_clear(&p);
    hs_model_destroy(m);
}

/* U of plugin_odd.c */
static double odd_u(const int16_t *x)
{
    static const double levels[] = {0, 1, 3};
    double s = 2 * x[1] - 1, v = levels[x[2]] - 1.0;

    if (x[0] == 1 && x[3] == 3)
        return -(double)INFINITY;
    return 0.3 * x[0] * s - 0.2 * v * v * s + 0.5 * (x[3] == 2) * x[0] +
           0.1 * x[3];
}

static double odd_change(const int16_t *x, int i, int v)
{
    int16_t y[4];

    memcpy(y, x, sizeof y);
    y[i] = (int16_t)v;
    return odd_u(y) - odd_u(x);
}

/* Binary and spin: the slope to the other value; levels 0, 1, 3: parabola in
 * the middle, line at the ends; labels: U of each. */
static void check_gradient(const int16_t *x, const hs_float_row *g, int l)
{
    double up = odd_change(x, 2, x[2] < 2 ? x[2] + 1 : 2);
    double down = -odd_change(x, 2, x[2] > 0 ? x[2] - 1 : 0);
    double level = x[2] == 0   ? up
                   : x[2] == 2 ? down / 2.0
                               : (down * 2.0 + up / 2.0 * 1.0) / 3.0;

    if (x[3] == 3) /* x0 = 1 is impossible */
        assert_true(isinf(g[0][l]) && g[0][l] < 0.0f);
    else
        assert_true(fabs((double)g[0][l] - odd_change(x, 0, 1) +
                         odd_change(x, 0, 0)) < 1e-6);
    assert_true(fabs((double)g[1][l] -
                     0.5 * (odd_change(x, 1, 1) - odd_change(x, 1, 0))) < 1e-6);
    assert_true(fabs((double)g[2][l] - level) < 1e-6);
    for (int v = 0; v < 4; v++) {
        double rise = (double)(g[3 + v][l] - g[3 + x[3]][l]);

        if (x[0] == 1 && v == 3)
            assert_true(isinf(rise) && rise < 0.0);
        else
            assert_true(fabs(rise - odd_change(x, 3, v)) < 1e-6);
    }
}

static void a_gradient_is_made_where_there_is_none(void **state)
{
    hs_model *m = fixture_model("plugin(" ODD ")");
    hs_point p;

    (void)state;
    assert_int_equal(hs_point_init(&p, m, NULL), HISS_OK);
    for (int first = 0; first < 48; first += HS_LANES) {
        for (int l = 0; l < HS_LANES; l++) {
            int n = first + l;

            p.x[0][l] = (int16_t)(n / 24);
            p.x[1][l] = (int16_t)(n / 12 % 2);
            p.x[2][l] = (int16_t)(n / 4 % 3);
            p.x[3][l] = (int16_t)(n % 4);
        }
        p.have = 0;
        assert_int_equal(hs_model_evaluate(m, &p, HS_GRAD), HISS_OK);
        for (int l = 0; l < HS_LANES; l++) {
            int16_t x[4] = {p.x[0][l], p.x[1][l], p.x[2][l], p.x[3][l]};

            assert_true(p.u[l] == odd_u(x) || fabs(p.u[l] - odd_u(x)) < 1e-12);
            if (isfinite(odd_u(x)))
                check_gradient(x, (const hs_float_row *)p.grad, l);
        }
    }
    hs_point_clear(&p);
    hs_model_destroy(m);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(bad_libraries_are_refused),
        cmocka_unit_test(a_newer_table_is_read),
        cmocka_unit_test(bad_instances_are_refused),
        cmocka_unit_test(faults_while_running_are_reported),
        cmocka_unit_test(a_gradient_is_made_where_there_is_none),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
