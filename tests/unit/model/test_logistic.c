/* test_logistic.c - log p of logistic regressions against numbers from another
 * program (numpy 2, Newton's method in its own code), and single changes. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

#include "model/model.h"
#include "unit/text_files.h"
#include "unit/xorshift.h"

#define FILE_NAME HISS_TEST_FOLDER "/test_logistic.csv"

static const char twelve[] =
    "a,b,y\n0.5,1,3\n1.5,-1,3\n2.5,0.5,7\n0.25,2,3\n3,-0.5,7\n1,1.5,7\n"
    "2,-2,3\n3.5,0,7\n0.75,-1.5,3\n2.25,1.25,7\n1.25,0.25,3\n1.75,-0.25,7\n";

static hs_model *open_model(const char *text, const char *options)
{
    char spec[512];
    hiss_error err = {0};
    hs_model *m;

    write_file(FILE_NAME, text, strlen(text));
    snprintf(spec, sizeof spec, "regression(" FILE_NAME ",\"y ~ .\"%s)",
             options);
    if (hs_model_create(&m, spec, &err) != HISS_OK)
        fail_msg("%s: %s", spec, err.message);
    return m;
}

static double log_p(const hs_model *m, int first, int second)
{
    int16_t state[3] = {(int16_t)first, (int16_t)second, 0};
    double u;

    assert_int_equal(hs_model_energy(m, state, &u, NULL), HISS_OK);
    return u;
}

/* Of the sets a, b and both, over the empty set. */
static void log_p_of_another_program(void **state)
{
    static const struct {
        const char *options;
        double set[3];
    } known[] = {
        {",prior=g,g=7", {2.174343165106, -0.584383941769, 3.346260580631}},
        {",prior=bic", {2.106915477778, -0.806938368511, 5.832746818738}},
        {",prior=spikeslab,slab=3",
         {2.242488672790, -0.678195164684, 3.116713101667}},
    };

    (void)state;
    for (int k = 0; k < 3; k++) {
        char options[128];
        hs_model *m;

        snprintf(options, sizeof options, "%s,models=uniform",
                 known[k].options);
        m = open_model(twelve, options);
        assert_non_null(strstr(m->reads_as, "logistic regression"));
        for (int n = 0; n < 3; n++)
            assert_true(fabs(log_p(m, n != 1, n != 0) - log_p(m, 0, 0) -
                             known[k].set[n]) < 1e-10);
        hs_model_destroy(m);
    }
}

/* 30 rows and 6 columns, of which the last two are the same. */
static const char *many(char *text)
{
    uint64_t seed = 4;
    char *to = text + sprintf(text, "u,v,w,x,c,d,y\n");

    for (int r = 0; r < 30; r++) {
        double value[5];

        for (int k = 0; k < 5; k++) {
            value[k] = xorshift(&seed) / 4294967296.0;
            to += sprintf(to, "%.6f,", value[k]);
        }
        to +=
            sprintf(to, "%.6f,%d\n", value[4],
                    value[0] - value[1] + xorshift(&seed) / 8589934592.0 > 0.3);
    }
    return text;
}

static void changes_are_exact(void **state)
{
    char text[4096];
    hs_model *m = open_model(many(text), "");
    hs_float_row change[2];
    hs_point p, spare;
    uint64_t seed = 8;

    (void)state;
    assert_int_equal(hs_point_init(&p, m, NULL), HISS_OK);
    assert_int_equal(hs_point_init(&spare, m, NULL), HISS_OK);
    for (int i = 0; i < m->domain.dim; i++)
        for (int l = 0; l < HS_LANES; l++)
            p.x[i][l] = (int16_t)(xorshift_below(&seed, 2));
    p.have = 0;
    assert_int_equal(hs_model_evaluate(m, &p, HS_U | HS_GRAD), HISS_OK);
    for (int i = 0; i < m->domain.dim; i++) {
        assert_int_equal(hs_model_differences(m, &p, i, change, &spare),
                         HISS_OK);
        for (int l = 0; l < HS_LANES; l++) {
            int16_t x[6];
            double u, step;

            for (int k = 0; k < m->domain.dim; k++)
                x[k] = p.x[k][l];
            assert_int_equal(hs_model_energy(m, x, &u, NULL), HISS_OK);
            assert_true(u == p.u[l]);
            x[i] = (int16_t)!x[i];
            assert_int_equal(hs_model_energy(m, x, &u, NULL), HISS_OK);
            assert_int_equal(isinf(u) != 0, x[4] && x[5]); /* columns c and d */
            step = isinf(u) && isinf(p.u[l]) ? 0.0 : u - p.u[l];
            assert_true(change[x[i]][l] == (float)step);
            assert_true(p.grad[i][l] == (float)(x[i] ? step : -step));
        }
    }
    hs_point_clear(&spare);
    hs_point_clear(&p);
    hs_model_destroy(m);
}

/* A column that separates the two values has finite coefficients. */
static void separation_is_finite(void **state)
{
    static const char text[] = "a,y\n1,0\n2,0\n3,0\n4,1\n5,1\n6,1\n";
    static const char *const options[] = {"", ",prior=bic", ",prior=spikeslab"};

    (void)state;
    for (int k = 0; k < 3; k++) {
        hs_model *m = open_model(text, options[k]);
        double u = log_p(m, 1, 0);

        assert_true(isfinite(u) && u > log_p(m, 0, 0));
        /* the likelihood is 1 at most; prior: half for each of two models */
        if (k == 1)
            assert_true(fabs(u - (6.0 - 0.5) * log(2.0) + 0.5 * log(6.0) +
                             0.5 * log(2.0)) < 0.01);
        hs_model_destroy(m);
    }
}

static void families(void **state)
{
    hiss_error err;
    hs_model *m = open_model(twelve, ",family=linear");

    (void)state;
    assert_non_null(strstr(m->reads_as, "linear regression"));
    hs_model_destroy(m);
    m = open_model("a,y\n1,0\n2,1\n3,2\n5,1\n6,0\n", "");
    assert_non_null(strstr(m->reads_as, "linear regression"));
    hs_model_destroy(m);
    assert_int_equal(
        hs_model_create(
            &m, "regression(" FILE_NAME ",\"y ~ .\",family=logistic)", &err),
        HISS_EARG);
    assert_non_null(strstr(err.message, "more than two values"));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(log_p_of_another_program),
        cmocka_unit_test(changes_are_exact),
        cmocka_unit_test(separation_is_finite),
        cmocka_unit_test(families),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
