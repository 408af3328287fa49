/* test_table.c - laws from files: their gradient, zeros, notes and faults. */
#include "model/model.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "unit/model_fixture.h"

static char path[] = "hiss_law_XXXXXX";

static int make_path(void **state)
{
    FILE *f;
    int descriptor = mkstemp(path);

    (void)state;
    f = descriptor >= 0 ? fdopen(descriptor, "w") : NULL;
    return f ? fclose(f) : -1;
}

static int remove_path(void **state)
{
    (void)state;
    fixture_remove();
    return remove(path);
}

static hiss_status make(hs_model **m, const char *text, hiss_error *err)
{
    char spec[64];
    FILE *f = fopen(path, "w");

    assert_non_null(f);
    assert_true(fputs(text, f) >= 0);
    assert_int_equal(fclose(f), 0);
    snprintf(spec, sizeof spec, "table(%s)", path);
    return hs_model_create(m, spec, err);
}

static hs_model *read_law(const char *text)
{
    hiss_error err = {0};
    hs_model *m;

    if (make(&m, text, &err) != HISS_OK)
        fail_msg("%s", err.message);
    return m;
}

static double energy(const hs_model *m, int a, int b)
{
    double u;
    int16_t x[2] = {(int16_t)a, (int16_t)b};

    assert_int_equal(hs_model_energy(m, x, &u, NULL), HISS_OK);
    return u;
}

static void assert_near(double a, double b)
{
    if (!(fabs(a - b) <= 1e-6))
        fail_msg("%.9g, expected %.9g", a, b);
}

static void coordinate_0_comes_first(void **state)
{
    hs_model *m = read_law("binary binary\n"
                           "0 0 0.1\n"
                           "1 0 0.3\n"
                           "0 1 0.2\n"
                           "1 1 0.4\n");

    (void)state;
    assert_null(m->note);
    assert_true(m->domain.is_pair);
    assert_near(energy(m, 0, 1), log(0.2));
    assert_near(energy(m, 1, 0), log(0.3));
    hs_model_destroy(m);
}

static void sums_other_than_1_are_normalized(void **state)
{
    hs_model *m = read_law("# weights\n"
                           "binary categorical:3\n"
                           "\n"
                           "0 0 1   # one\n"
                           "0 1 2\n"
                           "1 2 5e0\n"
                           "1 0 0\n");

    (void)state;
    assert_string_equal(m->note,
                        "the probabilities sum to 8 and were normalized");
    assert_near(energy(m, 1, 2), log(5.0 / 8.0));
    assert_true(isinf(energy(m, 1, 0)));
    assert_true(isinf(energy(m, 1, 1))); /* missing */
    hs_model_destroy(m);
}

/* Towards an impossible value a slope is infinite, levels skip it, and
 * between impossible states everything is 0. */
static void zeros_are_legal(void **state)
{
    hs_model *m = read_law("spin ordinal:0,1,3\n"
                           "-1 0 0.25\n"
                           "-1 1 0.5\n"
                           "+1 1 0.125\n"
                           "+1 3 0.125\n");
    hs_float_row row[2], out[3];
    hs_point p;

    (void)state;
    assert_int_equal(hs_point_init(&p, m, NULL), HISS_OK);
    for (int l = 0; l < 6; l++) {
        p.x[0][l] = (int16_t)(l / 3);
        p.x[1][l] = (int16_t)(l % 3);
    }
    hs_model_rows(m, &p, 0, 2, row, NULL);
    assert_true(isinf(row[0][0]) && row[0][0] < 0.0f); /* (-1, 0) */
    assert_near((double)row[0][1], 0.5 * log(0.125 / 0.5));
    assert_true(isinf(row[0][5]) && row[0][5] > 0.0f); /* (+1, 3) */
    assert_near((double)row[1][0], log(2.0));
    assert_near((double)row[1][1], log(2.0)); /* 3 is impossible at -1 */
    assert_near((double)row[1][2], 0.0);      /* stands on the impossible */
    assert_near((double)row[1][4], 0.0);
    hs_model_differences(m, &p, 1, out, NULL);
    assert_near((double)out[1][0], log(2.0));
    assert_true(isinf(out[2][0]) && out[2][0] < 0.0f);
    assert_true(isinf(out[0][2]) && out[0][2] > 0.0f);
    assert_true(out[2][2] == 0.0f);
    hs_model_differences(m, &p, 0, out, NULL);
    assert_true(isinf(out[1][0]) && out[1][0] < 0.0f);
    hs_point_clear(&p);
    hs_model_destroy(m);
}

/* Levels 0, 1, 3 with U = 2 x^2 - x + const: the parabola is exact in the
 * middle, the ends have the slope of their line. */
static void levels_have_the_slope_of_a_parabola(void **state)
{
    char text[256];
    hs_float_row row[1];
    hs_point p;
    hs_model *m;

    (void)state;
    snprintf(text, sizeof text, "ordinal:0,1,3\n0 %.17g\n1 %.17g\n3 %.17g\n",
             exp(-16.0), exp(-15.0), exp(-1.0));
    m = read_law(text);
    assert_int_equal(hs_point_init(&p, m, NULL), HISS_OK);
    for (int l = 0; l < 3; l++)
        p.x[0][l] = (int16_t)l;
    hs_model_rows(m, &p, 0, 1, row, NULL);
    assert_near((double)row[0][0], 1.0);
    assert_near((double)row[0][1], 3.0); /* 4 x - 1 */
    assert_near((double)row[0][2], 7.0);
    assert_false(m->exact_rows);
    hs_point_clear(&p);
    hs_model_destroy(m);
}

static void faults_name_their_place(void **state)
{
    static const char *const cases[][2] = {
        {"", ":1:1: "},
        {"binary trinary\n", ":1:8: found 'trinary', expected binary, spin"},
        {"ordinal:0,2,1\n0 1\n", ":1:1: found 'ordinal:0,2,1', expected asc"},
        {"ordinal:0\n", "expected ascending numbers"},
        {"ordinal:0,,1\n", "expected ascending numbers"},
        {"ordinal:0,nan\n", "expected ascending numbers"},
        {"categorical:1\n", "expected categorical:2 to"},
        {"categorical:x\n", "expected categorical:2 to"},
        {"binary\n0 0.5\n2 0.5\n",
         ":3:1: coordinate 1, counted from 1, cannot"},
        {"spin\n0 0.5\n", "is spin with 2 values from -1 to 1"},
        {"binary\n0 -0.5\n1 1.5\n", ":2:3: "},
        {"binary\n0 nan\n", ":2:3: "},
        {"binary\n0 inf\n", ":2:3: "},
        {"binary\n0 half\n", ":2:3: "},
        {"binary\n0 0.5\n1 0.25\n0 0.25\n", ":4:1: this state was given"},
        {"binary binary\n0 0.5\n", "coordinate 2, counted from 1, cannot be"},
        {"binary binary\n0 1\n", "the line ends after 2 of 2 values"},
        {"binary binary\n0\n1 0.5\n", "the line ends after 1 of 2 values"},
        {"binary\n0 0.5 7\n", ":2:7: found '7', expected the end of the line"},
        {"binary\n0 0\n1 0\n", "the probabilities sum to 0, expected 1"},
        {"binary\n", "the probabilities sum to 0, expected 1"},
        {"binary\n0 1e308\n1 1e308\n", "the probabilities sum to inf"},
        {"binary binary binary binary binary binary binary binary binary "
         "binary binary binary binary binary binary binary binary binary "
         "binary binary binary\n",
         "a table has at most 20 coordinates"},
        {"categorical:3000 categorical:3000\n", "at most 4194304 states"},
    };

    (void)state;
    for (size_t k = 0; k < sizeof cases / sizeof cases[0]; k++) {
        hiss_error err = {0};
        hs_model *m;

        assert_int_equal(make(&m, cases[k][0], &err), HISS_EPARSE);
        assert_null(m);
        if (!strstr(err.message, cases[k][1]) || !strstr(err.message, path))
            fail_msg("case %zu: '%s' does not say '%s'", k, err.message,
                     cases[k][1]);
    }
}

static void a_missing_file_is_named(void **state)
{
    hiss_error err = {0};
    hs_model *m;

    (void)state;
    assert_int_not_equal(hs_model_create(&m, "table(no-such.table)", &err),
                         HISS_OK);
    assert_non_null(strstr(err.message, "no-such.table"));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(coordinate_0_comes_first),
        cmocka_unit_test(sums_other_than_1_are_normalized),
        cmocka_unit_test(zeros_are_legal),
        cmocka_unit_test(levels_have_the_slope_of_a_parabola),
        cmocka_unit_test(faults_name_their_place),
        cmocka_unit_test(a_missing_file_is_named),
    };

    return cmocka_run_group_tests(tests, make_path, remove_path);
}
