/* test_expression.c - observables: their values, and what is refused. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

#include "diag/observe/expression.h"

static const double x[] = {1, -1, 0, 3};

static void values(void **state)
{
    static const struct {
        const char *text;
        double value;
    } known[] = {
        {"1", 1},
        {" 1 + 2 * 3 ", 7},
        {"(1+2)*3", 9},
        {"2^3^2", 512},
        {"-2^2", 4}, /* a sign binds closest */
        {"7/2-1", 2.5},
        {"lp", -4.5},
        {"x.1", 1},
        {"x[4]", 3},
        {"sum(x)", 3},
        {"mean(x)", 0.75},
        {"min(x) + 10*max(x)", 29},
        {"sum(x[2:3])", -1},
        {"sum(x == 1)", 1},
        {"mean(x != 0)", 0.75},
        {"sum(x > 0)", 2},
        {"sum(x >= 0)", 3},
        {"sum(x < 0) + sum(x <= 0)", 3},
        {"sum(x * x)", 11},
        {"sum(2 * x + 1)", 10},
        {"abs(sum(-x))", 3},
        {"|sum(-x)| + |lp|", 7.5},
        {"U", -4.5},
        {"m^2 + 2 * |m|", 1.25},
        {"q_link - q", 2},
        {"sqrt(x.4 + 1) * exp(0) + log(1)", 2},
        {"x.1 = 1", 1},
    };

    static const double named[HS_NAMES] = {
        [HS_NAME_M] = -0.5, [HS_NAME_Q] = 1.0, [HS_NAME_Q_LINK] = 3.0};

    (void)state;
    for (size_t n = 0; n < sizeof known / sizeof *known; n++) {
        hs_expression *e;
        hiss_error err = {0};
        double value;

        if (hs_expression_create(&e, known[n].text, 4, &err) != HISS_OK)
            fail_msg("%s: %s", known[n].text, err.message);
        value = hs_expression_value(e, x, -4.5, named);
        if (fabs(value - known[n].value) > 1e-12)
            fail_msg("%s is %g, not %g", known[n].text, value, known[n].value);
        hs_expression_destroy(e);
    }
}

static void faults_have_a_column(void **state)
{
    static const struct {
        const char *text;
        int column;
        const char *what;
    } bad[] = {
        {"", 1, "expected a number"},
        {"mean(x", 7, "expected )"},
        {"x", 2, "reduce it"},
        {"x.5", 3, "coordinate"},
        {"x.0", 3, "coordinate"},
        {"x[3:2]", 7, "empty"},
        {"median(x)", 1, "expected x, a name"},
        {"1 2", 3, "end here"},
        {"sum(x[1:2] + x[1:3])", 20, "different lengths"},
        {"1 +", 4, "expected a number"},
        {"sum x", 5, "expected ("},
    };

    (void)state;
    for (size_t n = 0; n < sizeof bad / sizeof *bad; n++) {
        hs_expression *e;
        hiss_error err = {0};
        char place[32];

        assert_int_equal(hs_expression_create(&e, bad[n].text, 4, &err),
                         HISS_EARG);
        assert_null(e);
        snprintf(place, sizeof place, "column %d:", bad[n].column);
        if (!strstr(err.message, place) || !strstr(err.message, bad[n].what))
            fail_msg("%s: %s", bad[n].text, err.message);
    }
}

/* Long and deep ones are refused, not followed. */
static void there_are_limits(void **state)
{
    static char text[4096];
    hs_expression *e;
    hiss_error err = {0};

    (void)state;
    memset(text, '(', 1000);
    assert_int_equal(hs_expression_create(&e, text, 4, &err), HISS_EARG);
    memset(text, 0, sizeof text);
    strcpy(text, "1");
    for (int n = 0; n < 600; n++)
        strcat(text, "+1");
    assert_int_equal(hs_expression_create(&e, text, 4, &err), HISS_EARG);
    assert_non_null(strstr(err.message, "too long"));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(values),
        cmocka_unit_test(faults_have_a_column),
        cmocka_unit_test(there_are_limits),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
