/* test_regression.c - formulas, data, and single changes of a regression that
 * are exact after any number of moves. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <cmocka.h>

#include "base/alloc.h"
#include "model/model.h"
#include "model/regress/design.h"
#include "unit/xorshift.h"

#define FILE_NAME HISS_TEST_FOLDER "/test_regression.csv"
#define COLUMNS   24
#define ROWS      40

static void write_text(const char *text)
{
    FILE *f = fopen(FILE_NAME, "w");

    assert_non_null(f);
    fputs(text, f);
    fclose(f);
}

static double noise(uint64_t *seed)
{
    double sum = -6.0;

    for (int n = 0; n < 12; n++)
        sum += xorshift(seed) / 4294967296.0;
    return sum;
}

/* Neighboring columns go together; the last is a copy of the first if asked. */
static void write_data(bool has_copy)
{
    uint64_t seed = 17;
    FILE *f = fopen(FILE_NAME, "w");

    assert_non_null(f);
    fprintf(f, "y");
    for (int c = 0; c < COLUMNS; c++)
        fprintf(f, ",v%d", c);
    for (int r = 0; r < ROWS; r++) {
        double x[COLUMNS], before = 0.0;

        for (int c = 0; c < COLUMNS; c++)
            before = x[c] = 0.8 * before + 0.6 * noise(&seed);
        if (has_copy)
            x[COLUMNS - 1] = x[0];
        fprintf(f, "\n%.6f", x[0] - x[5] + 0.5 * x[9] + noise(&seed));
        for (int c = 0; c < COLUMNS; c++)
            fprintf(f, ",%.6f", x[c]);
    }
    fprintf(f, "\n");
    fclose(f);
}

static hs_model *open_model(const char *options)
{
    char spec[512];
    hiss_error err = {0};
    hs_model *m;

    snprintf(spec, sizeof spec, "regression(" FILE_NAME ",\"y ~ .\"%s)",
             options);
    if (hs_model_create(&m, spec, &err) != HISS_OK)
        fail_msg("%s: %s", spec, err.message);
    return m;
}

static void check_names(const char *formula, const char *expected)
{
    char names[256] = "";
    hiss_error err = {0};
    hs_design d;

    if (hs_design_read(&d, FILE_NAME, formula, &err) != HISS_OK)
        fail_msg("%s: %s", formula, err.message);
    for (int n = 0; n < d.terms; n++) {
        strcat(names, n ? " " : "");
        strcat(names, d.name[n]);
    }
    assert_string_equal(names, expected);
    hs_design_clear(&d);
}

static void formulas_name_columns(void **state)
{
    (void)state;
    write_text("\"\",y,a,b,c d\n1,1,2,3,4\n2,5,1,2,0\n3,0,1,0,1\n4,2,2,5,3\n");
    check_names("y ~ a + b", "a b");
    check_names("y~.", "a b c d");
    check_names("y ~ . - a", "b c d");
    check_names(" y ~ 1 + b + a + b", "b a");
    check_names("y ~ a:b + `c d`", "a:b c d");
    check_names("y ~ b * a", "b a a:b");
    check_names("y ~ a*b*`c d`", "a b a:b c d a:c d b:c d a:b:c d");
    check_names("y ~ .^2 - a:b", "a b c d a:c d b:c d");
    check_names("a ~ . - y + b:b", "b c d b:b");
}

static void check_fault(const char *formula, const char *message)
{
    hiss_error err = {0};
    hs_design d;

    assert_int_not_equal(hs_design_read(&d, FILE_NAME, formula, &err), HISS_OK);
    if (!strstr(err.message, message))
        fail_msg("%s: %s", formula, err.message);
}

static void faults_have_a_place(void **state)
{
    (void)state;
    write_text("y,aa,b,t\n1,2,3,x\n2,3,4,z\n3,4,NA,z\n2,1,1,z\n");
    check_fault("y ~ a", "formula, column 5: ");
    check_fault("y ~ a", "no column 'a'; did you mean 'aa'?");
    check_fault("y ~ aa +", "formula, column 9: it ends here");
    check_fault("y = aa", "expected ~ behind the response");
    check_fault("y ~ y", "another column than the response");
    check_fault("y ~ aa - aa", "at least one term");
    check_fault("y ~ aa + t", FILE_NAME ":2:7: found 'x' in column 't'");
    check_fault("y ~ b", FILE_NAME ":4:5: a value is missing in column 'b'");
    check_fault("y ~ aa - 1", "every model has an intercept");
    check_fault("y ~ aa^2", "expected +, -, : or *");
    check_fault("y ~ `aa", "expected a second `");
    write_text("y;a\n1;2\n");
    check_fault("y ~ a", "no comma in the header");
    write_text("1,2\n3,4\n5,6\n7,9\n");
    check_fault("1 ~ .", "the first line must name the columns");
    write_text("y,a\n1,2\n2,3\n");
    check_fault("y ~ a", "expected at least 3");
    write_text("y,a,a\n1,2,1\n2,3,1\n3,1,1\n");
    check_fault("y ~ a", "two columns 'a'");
}

static void lane_state(const hs_point *p, int lane, int dim, int16_t *out)
{
    for (int i = 0; i < dim; i++)
        out[i] = p->x[i][lane];
}

/* Differences are those of fresh states, wherever a walk has led. */
static void check_walk(const char *options, bool has_copy)
{
    hs_model *m;
    hs_point p;
    uint64_t seed = 5;
    hs_rng rng = {.seed = 3, .lanes = HS_LANES};

    write_data(has_copy);
    m = open_model(options);
    assert_int_equal(hs_point_init(&p, m, NULL), HISS_OK);
    for (int l = 0; l < HS_LANES; l++)
        rng.chain[l] = (uint32_t)l;
    assert_int_equal(m->ops->start(m, &p, &rng, HS_LANES, NULL), HISS_OK);
    assert_int_equal(hs_model_evaluate(m, &p, HS_U), HISS_OK);
    for (int step = 0; step < 400; step++) {
        int i = xorshift_below(&seed, COLUMNS);
        hs_float_row change[2];
        float made[HS_LANES];
        int16_t to[HS_LANES], state[COLUMNS];

        assert_int_equal(hs_model_differences(m, &p, i, change, NULL), HISS_OK);
        for (int l = 0; l < HS_LANES; l++) {
            double here, there;

            lane_state(&p, l, COLUMNS, state);
            assert_int_equal(hs_model_energy(m, state, &here, NULL), HISS_OK);
            assert_true(fabs(here - p.u[l]) < 1e-8);
            state[i] = (int16_t)(1 - state[i]);
            assert_int_equal(hs_model_energy(m, state, &there, NULL), HISS_OK);
            if (isinf(there))
                assert_true(isinf(change[state[i]][l]));
            else
                assert_true(fabs(there - here - (double)change[state[i]][l]) <
                            2e-6 * (1.0 + fabs(there - here)));
            to[l] = isinf(there) || xorshift_below(&seed, 3) == 0 ? p.x[i][l]
                                                                  : state[i];
            made[l] = change[to[l]][l];
        }
        hs_model_move(m, &p, i, to, made);
    }
    hs_point_clear(&p);
    hs_model_destroy(m);
}

static void changes_are_exact(void **state)
{
    (void)state;
    check_walk("", false);
    check_walk(",prior=bic,models=uniform", false);
    check_walk(",prior=spikeslab,slab=0.3,size=4", false);
    check_walk(",most=6,models=binomial,size=3,g=100", false);
}

/* A column and its copy are never in one model, but with a ridge. */
static void copies_exclude_each_other(void **state)
{
    int16_t both[COLUMNS] = {1};
    hs_model *m;
    double u;

    (void)state;
    check_walk("", true);
    check_walk(",prior=spikeslab", true);
    both[COLUMNS - 1] = 1;
    write_data(true);
    m = open_model("");
    assert_int_equal(hs_model_energy(m, both, &u, NULL), HISS_OK);
    assert_true(isinf(u));
    hs_model_destroy(m);
}

static void constants_are_left_out(void **state)
{
    hs_model *m;

    (void)state;
    write_text("y,a,b\n1,2,1\n2,1,1\n3,7,1\n4,2,1\n5,1,1\n");
    m = open_model("");
    assert_int_equal(m->domain.dim, 1);
    assert_string_equal(m->domain.names[0], "a");
    assert_non_null(strstr(m->note, "column 'b' is the same in all rows"));
    hs_model_destroy(m);
}

/* More columns than a line of other files may have bytes. */
static void wide_tables_are_read(void **state)
{
    enum {
        WIDE = 20000
    };
    FILE *f = fopen(FILE_NAME, "w");
    uint64_t seed = 9;
    hs_model *m;

    (void)state;
    assert_non_null(f);
    fprintf(f, "y");
    for (int c = 1; c < WIDE; c++)
        fprintf(f, ",v%d", c);
    for (int r = 0; r < 8; r++) {
        fprintf(f, "\n%d", xorshift_below(&seed, 1000));
        for (int c = 1; c < WIDE; c++)
            fprintf(f, ",%d", xorshift_below(&seed, 1000));
    }
    fclose(f);
    m = open_model("");
    assert_int_equal(m->domain.dim, WIDE - 1);
    assert_string_equal(m->domain.names[WIDE - 2], "v19999");
    hs_model_destroy(m);
}

/* Whatever cannot be allocated, nothing is left behind. */
static void memory_may_run_out(void **state)
{
    hiss_status rc = HISS_ENOMEM;

    (void)state;
    write_data(false);
    for (int n = 1; rc != HISS_OK; n++) {
        hs_model *m;

        hs_alloc_fail_after(n);
        rc = hs_model_create(&m, "regression(" FILE_NAME ",\"y ~ . + v1:v2\")",
                             NULL);
        hs_alloc_fail_after(0);
        assert_true(rc == HISS_OK || rc == HISS_ENOMEM);
        assert_true((m != NULL) == (rc == HISS_OK));
        hs_model_destroy(m);
    }
}

static int remove_file(void **state)
{
    (void)state;
    return remove(FILE_NAME);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(formulas_name_columns),
        cmocka_unit_test(faults_have_a_place),
        cmocka_unit_test(changes_are_exact),
        cmocka_unit_test(copies_exclude_each_other),
        cmocka_unit_test(constants_are_left_out),
        cmocka_unit_test(wide_tables_are_read),
        cmocka_unit_test(memory_may_run_out),
    };

    return cmocka_run_group_tests(tests, NULL, remove_file);
}
