/* Draws at many temperatures from one run, against enumeration. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include <hiss/hiss.h>

#define COUNT  5
#define ERRORS 5.0 /* standard errors: false alarms of 1e-6 for each number */

static const double beta[COUNT] = {0.3, 1.4, 0.7, 2.5, 1.0};

/* Mean of log p at a temperature, and its variance per coordinate. */
static void truth(const char *spec, double at, double *mean, double *var)
{
    double h = 1e-4 * at, e[3], dim = 1.0;

    for (int k = 0; k < 3; k++) {
        hiss_model *model;
        hiss_exact *exact;
        double own = at + (k - 1) * h;

        assert_int_equal(hiss_model_create(&model, spec, NULL), HISS_OK);
        assert_int_equal(hiss_model_temper(model, own, NULL), HISS_OK);
        assert_int_equal(hiss_exact_create(&exact, model, 1, NULL), HISS_OK);
        e[k] = hiss_exact_mean_u(exact) / own;
        if (k == 1)
            dim = hiss_model_dim(model);
        hiss_exact_destroy(exact);
        hiss_model_destroy(model);
    }
    *mean = at * e[1];
    *var = at * at / dim * (e[2] - e[0]) / (2.0 * h);
}

static void check(const hiss_result *result, const hiss_model *model,
                  const char *name, double true_value)
{
    hiss_run_info info = HISS_INIT(hiss_run_info);
    hiss_column column = HISS_INIT(hiss_column);
    int chains;
    double *series;

    assert_true(hiss_result_info(result, &info));
    series =
        malloc((size_t)info.chains * (size_t)info.samples * sizeof *series);
    assert_non_null(series);
    assert_int_equal(
        hiss_result_series(result, model, name, series, &chains, NULL),
        HISS_OK);
    assert_int_equal(hiss_describe(series, chains, info.samples, &column, NULL),
                     HISS_OK);
    free(series);
    assert_true(fabs(column.mean - true_value) < ERRORS * column.mcse);
}

static void test_means(void **state)
{
    static const char *const specs[] = {"ising(side=3,beta=0.3,field=0.1)",
                                        "bernoulli4",
                                        "mixture(k=3,d=6,seed=1)"};
    hiss_settings settings;

    (void)state;
    hiss_settings_init(&settings);
    settings.samples = 1000;
    settings.chains = 8;
    settings.threads = 1;
    for (size_t s = 0; s < sizeof specs / sizeof *specs; s++) {
        hiss_result *results[COUNT];
        hiss_model *model;
        double scale = (double)NAN;

        assert_int_equal(hiss_model_create(&model, specs[s], NULL), HISS_OK);
        assert_int_equal(
            hiss_scan(results, model, NULL, beta, COUNT, &settings, NULL),
            HISS_OK);
        assert_true(hiss_model_beta(model) == 1.0); /* it stays as it was */
        for (int k = 0; k < COUNT; k++) {
            double mean, var;

            truth(specs[s], beta[k], &mean, &var);
            check(results[k], model, "U", mean);
            check(results[k], model, "C", var);
            assert_true(fabs(hiss_result_beta(results[k]) - beta[k]) < 1e-6);
            if (hiss_result_objective(results[k], &scale, NULL))
                assert_true(isfinite(scale));
            hiss_result_destroy(results[k]);
        }
        hiss_model_destroy(model);
    }
}

static void test_the_same_again(void **state)
{
    hiss_result *a[COUNT], *b[COUNT];
    hiss_settings settings;
    hiss_model *model;

    (void)state;
    hiss_settings_init(&settings);
    settings.samples = 50;
    settings.chains = 18;
    settings.threads = 1;
    assert_int_equal(hiss_model_create(&model, "ising(side=4,beta=0.4)", NULL),
                     HISS_OK);
    assert_int_equal(hiss_scan(a, model, NULL, beta, COUNT, &settings, NULL),
                     HISS_OK);
    settings.threads = 3;
    assert_int_equal(hiss_scan(b, model, NULL, beta, COUNT, &settings, NULL),
                     HISS_OK);
    for (int k = 0; k < COUNT; k++) {
        assert_memory_equal(hiss_result_draws(a[k]), hiss_result_draws(b[k]),
                            (size_t)18 * 50 * 16);
        for (int n = 0; n < 18 * 50; n++) { /* log p is that of the state */
            double x[16], u;

            hiss_result_draw(a[k], n / 50, n % 50, x);
            assert_int_equal(hiss_model_energy(model, x, &u, NULL), HISS_OK);
            assert_true(fabs(hiss_result_lp(a[k])[n] - beta[k] * u) < 1e-4);
        }
        hiss_result_destroy(a[k]);
        hiss_result_destroy(b[k]);
    }
    hiss_model_destroy(model);
}

static void test_mistakes(void **state)
{
    static const double twice[] = {0.5, 0.5}, zero[] = {0.0, 1.0};
    hiss_result *results[2];
    hiss_settings settings;
    hiss_model *model;

    (void)state;
    hiss_settings_init(&settings);
    assert_int_equal(hiss_model_create(&model, "bernoulli4", NULL), HISS_OK);
    assert_int_equal(hiss_scan(results, model, NULL, twice, 2, &settings, NULL),
                     HISS_EARG);
    assert_int_equal(hiss_scan(results, model, NULL, zero, 2, &settings, NULL),
                     HISS_EARG);
    assert_int_equal(hiss_scan(results, model, NULL, zero, 0, &settings, NULL),
                     HISS_EARG);
    assert_int_not_equal(
        hiss_scan(results, model, "pt", beta, 2, &settings, NULL), HISS_OK);
    assert_null(results[0]);
    settings.samples = 0;
    settings.evals = 1e4;
    assert_int_equal(hiss_scan(results, model, NULL, beta, 2, &settings, NULL),
                     HISS_EARG);
    hiss_model_destroy(model);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_means),
        cmocka_unit_test(test_the_same_again),
        cmocka_unit_test(test_mistakes),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
