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

#include "kernel/kernel.h"
#include "kernel/sampler.h"
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
        {"abi", "has ABI 99, expected 1 to 2"},
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

/* The plug-in, with changes of single coordinates. */
static hs_model *with_changes(const char *spec)
{
    hs_model *m;

    setenv("HISS_TEST_FAULT", "change", 1);
    m = fixture_model(spec);
    unsetenv("HISS_TEST_FAULT");
    return m;
}

static void check_changes(const hs_model *m, hs_point *p, hs_point *spare)
{
    for (int i = 0; i < 4; i++) {
        hs_float_row out[4];

        assert_int_equal(hs_model_differences(m, p, i, out, spare), HISS_OK);
        for (int l = 0; l < HS_LANES; l++) {
            int16_t x[4] = {p->x[0][l], p->x[1][l], p->x[2][l], p->x[3][l]};

            for (int v = 0; v < m->domain.states[i]; v++) {
                double change = odd_change(x, i, v), is = (double)out[v][l];

                if (isfinite(odd_u(x)))
                    assert_true(is == change || fabs(is - change) < 1e-6);
                else
                    assert_false(isnan(is));
            }
        }
    }
}

/* By differences of U, and by changes that the plug-in gives. */
static void check_all(hs_model *m)
{
    hs_point p, spare;

    assert_int_equal(hs_point_init(&spare, m, NULL), HISS_OK);
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
        check_changes(m, &p, &spare);
    }
    hs_point_clear(&p);
    hs_point_clear(&spare);
    hs_model_destroy(m);
}

static void a_gradient_is_made_where_there_is_none(void **state)
{
    (void)state;
    check_all(fixture_model("plugin(" ODD ")"));
    check_all(with_changes("plugin(" ODD ")"));
}

/* State after state. */
static void layouts_are_alike(void **state)
{
    hs_model *m;

    (void)state;
    setenv("HISS_TEST_FAULT", "states", 1);
    m = fixture_model("plugin(" ODD ")");
    check_all(m);
    setenv("HISS_TEST_FAULT", "states change", 1);
    m = fixture_model("plugin(" ODD ")");
    unsetenv("HISS_TEST_FAULT");
    check_all(m);
}

static void a_width_is_read(void **state)
{
    hs_model *m;

    (void)state;
    setenv("HISS_TEST_FAULT", "wide", 1);
    m = fixture_model("plugin(" ODD ")");
    assert_int_equal(m->width, 100);
    check_all(m);
    assert_refused("plugin(" ODD ",width)",
                   "wants -1 states at once, expected 0 to");
    setenv("HISS_TEST_FAULT", "wide first", 1); /* not in ABI 1 */
    m = fixture_model("plugin(" ODD ")");
    unsetenv("HISS_TEST_FAULT");
    assert_int_equal(m->width, 0);
    check_all(m);
}

/* One that was compiled for ABI 1. */
static void the_first_abi_is_read(void **state)
{
    hs_model *m = fixture_model("plugin(" HISS_TEST_PLUGINS "/first.so)");
    int16_t x[3] = {1, 0, 1};
    double u;

    (void)state;
    assert_int_equal(m->domain.dim, 3);
    assert_int_equal(m->width, 0);
    assert_int_equal(hs_model_energy(m, x, &u, NULL), HISS_OK);
    assert_true(u == 2.0);
    hs_model_destroy(m);
}

static void faults_of_changes_are_reported(void **state)
{
    hs_float_row out[4];
    hs_model *m = with_changes("plugin(" ODD ",\"change code\")");
    hs_point p;

    (void)state;
    assert_int_equal(hs_point_init(&p, m, NULL), HISS_OK);
    assert_int_equal(hs_model_differences(m, &p, 3, out, NULL), HISS_EPLUGIN);
    assert_int_equal(p.fault.code, 8);
    hs_point_clear(&p);
    hs_model_destroy(m);

    m = with_changes("plugin(" ODD ",\"change nan\")");
    assert_int_equal(hs_point_init(&p, m, NULL), HISS_OK);
    assert_int_equal(hs_model_differences(m, &p, 3, out, NULL), HISS_ENUMERIC);
    hs_point_clear(&p);
    hs_model_destroy(m);
}

/* Evaluations that steps of a sampler say they made, after the first one. */
static double counted(const hs_model *m, const char *spec)
{
    hs_sampler *tree;
    hs_kernel *k;
    hs_tile x;
    double evals;

    assert_int_equal(hs_sampler_parse(&tree, spec, NULL), HISS_OK);
    assert_int_equal(hs_kernel_create(&k, tree, NULL), HISS_OK);
    assert_int_equal(hs_kernel_setup(k, m, NULL), HISS_OK);
    assert_int_equal(hs_tile_init(&x, m, 1, NULL), HISS_OK);
    x.lanes = HS_LANES;
    assert_int_equal(hs_kernel_step(k, m, &x.tilt, &x), HISS_OK);
    x.energy_evals = x.gradient_evals = 0.0;
    for (int n = 0; n < 10; n++)
        assert_int_equal(hs_kernel_step(k, m, &x.tilt, &x), HISS_OK);
    evals = x.energy_evals + x.gradient_evals;
    hs_tile_clear(&x);
    hs_kernel_destroy(k);
    hs_sampler_release(tree);
    return evals / 10.0;
}

/* Seven states differ from one in a coordinate by a value. */
static void states_of_differences_are_counted(void **state)
{
    hs_model *m = fixture_model("plugin(" ODD ")");

    (void)state;
    assert_true(!hs_model_has_cheap_sites(m));
    assert_true(counted(m, "gibbs") == 7.0);
    assert_true(counted(m, "dmala(alpha=0.2)") == 1.0 + 7.0);
    hs_model_destroy(m);
    m = with_changes("plugin(" ODD ")");
    assert_true(hs_model_has_cheap_sites(m));
    assert_true(counted(m, "gibbs") == 1.0);
    assert_true(counted(m, "dmala(alpha=0.2)") == 2.0);
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
        cmocka_unit_test(layouts_are_alike),
        cmocka_unit_test(a_width_is_read),
        cmocka_unit_test(the_first_abi_is_read),
        cmocka_unit_test(faults_of_changes_are_reported),
        cmocka_unit_test(states_of_differences_are_counted),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
