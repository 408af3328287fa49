/* test_option.c - option tables: every type, every refusal and its words. */
#include "base/spec/option.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include "base/alloc.h"
#include "unit/xorshift.h"

#include <cmocka.h>

struct all {
    double eta, scale;
    int sweeps, kernel;
    uint64_t seed;
    bool adjust;
    char *file;
    hs_reals ladder;
    hs_spec *inner;
};

#define AT(field) offsetof(struct all, field)

static const hs_option all_options[] = {
    {"eta", HS_AUTO, AT(eta), "auto", "(0,inf)", "scale of the noise"},
    {"sweeps", HS_INTEGER, AT(sweeps), "1", "[1,100]", "jumps per sample"},
    {"inner", HS_CHILD, AT(inner), "dmala(alpha=0.2)", NULL, "refinement"},
    {"scale", HS_REAL, AT(scale), "1", "[0,1]", "a factor"},
    {"kernel", HS_CHOICE, AT(kernel), "logistic", "logistic|gaussian|none",
     "law of the noise"},
    {"seed", HS_SEED, AT(seed), "1", NULL, "of the pilot"},
    {"adjust", HS_BOOL, AT(adjust), "yes", NULL, "accept or reject"},
    {"file", HS_TEXT, AT(file), "", NULL, "a file"},
    {"ladder", HS_REALS, AT(ladder), "", "[1,inf)", "temperatures"},
    {0},
};

struct mixed {
    hs_reals weights;
    hs_children parts;
    int every;
};

static const hs_option mix_options[] = {
    {"weights", HS_REALS, offsetof(struct mixed, weights), "[1]", "[0,inf)",
     "how often each"},
    {"parts", HS_CHILDREN, offsetof(struct mixed, parts), NULL, NULL,
     "samplers"},
    {"every", HS_INTEGER, offsetof(struct mixed, every), "1", NULL, "steps"},
    {0},
};

struct needy {
    int side;
    double beta;
    double level;
};

static const hs_option needy_options[] = {
    {"side", HS_INTEGER, offsetof(struct needy, side), NULL, "[2,inf)",
     "sites in a row"},
    {"beta", HS_REAL, offsetof(struct needy, beta), "0.5", NULL, "coupling"},
    {"level", HS_REAL, offsetof(struct needy, level), "0", "[-inf,inf]",
     "may be infinite"},
    {0},
};

static hiss_status parse(const hs_option *options, const char *text,
                         void *target, size_t size, hiss_error *err)
{
    hs_spec s;
    hiss_status rc;
    char what[64];

    memset(target, 0, size);
    assert_int_equal(hs_spec_parse(&s, text, NULL), HISS_OK);
    snprintf(what, sizeof what, "sampler %.40s", s.text);
    rc = hs_options_parse(options, &s, what, target, err);
    hs_spec_clear(&s); /* the target must not need it */
    return rc;
}

static void defaults_fill_every_row(void **state)
{
    struct all a;

    (void)state;
    assert_int_equal(parse(all_options, "hiss", &a, sizeof a, NULL), HISS_OK);
    assert_true(isnan(a.eta));
    assert_int_equal(a.sweeps, 1);
    assert_string_equal(a.inner->text, "dmala");
    assert_string_equal(hs_spec_find(a.inner, "alpha")->text, "0.2");
    assert_true(a.scale == 1.0);
    assert_int_equal(a.kernel, 0);
    assert_true(a.seed == 1);
    assert_true(a.adjust);
    assert_null(a.file);
    assert_int_equal(a.ladder.count, 0);
    hs_options_clear(all_options, &a);
    assert_null(a.inner);
}

static void given_values_win(void **state)
{
    struct all a;

    (void)state;
    assert_int_equal(
        parse(all_options,
              "hiss(4,100,gwg,adjust=no,kernel=gaussian,ladder=[1,2.5,4],"
              "seed=18446744073709551615,file=\"a b.txt\",scale=0)",
              &a, sizeof a, NULL),
        HISS_OK);
    assert_true(a.eta == 4.0);
    assert_int_equal(a.sweeps, 100);
    assert_string_equal(a.inner->text, "gwg");
    assert_null(a.inner->key);
    assert_false(a.adjust);
    assert_int_equal(a.kernel, 1);
    assert_int_equal(a.ladder.count, 3);
    assert_true(a.ladder.at[1] == 2.5);
    assert_true(a.seed == UINT64_MAX);
    assert_string_equal(a.file, "a b.txt");
    assert_true(a.scale == 0.0);
    hs_options_clear(all_options, &a);
}

static void children_are_the_positional_arguments(void **state)
{
    struct mixed m;
    char *printed;
    hiss_error err;

    (void)state;
    assert_int_equal(parse(mix_options, "mix(gwg,weights=[1,2],hiss(steps=0))",
                           &m, sizeof m, NULL),
                     HISS_OK);
    assert_int_equal(m.parts.count, 2);
    assert_string_equal(m.parts.at[0].text, "gwg");
    assert_string_equal(m.parts.at[1].text, "hiss");
    assert_int_equal(m.weights.count, 2);
    printed = hs_options_print(mix_options, "mix", &m);
    assert_string_equal(printed,
                        "mix(gwg,hiss(steps=0),weights=[1,2],every=1)");
    hs_free(printed);
    hs_options_clear(mix_options, &m);
    assert_null(m.parts.at);

    assert_int_equal(parse(mix_options, "mix", &m, sizeof m, &err), HISS_EARG);
    assert_string_equal(err.message,
                        "sampler mix: parts must be given (samplers)");
    assert_int_equal(parse(mix_options, "mix(gwg,2)", &m, sizeof m, &err),
                     HISS_EARG);
    assert_string_equal(err.message,
                        "sampler mix: argument 2 must be a name with "
                        "arguments, such as name(key=value)");
    assert_int_equal(parse(mix_options, "mix(parts=gwg)", &m, sizeof m, &err),
                     HISS_EARG);
    assert_string_equal(err.message, "sampler mix: parts are given without a "
                                     "key, one after the other");
}

static const struct {
    const char *text, *message;
} refusals[] = {
    {"etta=1", "unknown option 'etta'; it takes eta, sweeps, inner, scale, "
               "kernel, seed, adjust, file, ladder; did you mean 'eta'?"},
    {"zzzzz=1", "unknown option 'zzzzz'; it takes eta, sweeps, inner, "
                "scale, kernel, seed, adjust, file, ladder"},
    {"eta=-1", "eta must be in (0,inf) or auto, not -1"},
    {"eta=0", "eta must be in (0,inf) or auto, not 0"},
    {"eta=inf", "eta must be in (0,inf) or auto, not inf"},
    {"eta=nan", "eta must be a number in (0,inf) or auto, not 'nan'"},
    {"eta=1e999", "eta must be a number in (0,inf) or auto, not '1e999'"},
    {"eta=big", "eta must be a number in (0,inf) or auto, not 'big'"},
    {"eta=[1]", "eta must be a number in (0,inf) or auto, not a list"},
    {"eta=dmala(alpha=1)",
     "eta must be a number in (0,inf) or auto, not dmala(...)"},
    {"eta=1,eta=2", "eta is given twice"},
    {"1,eta=2", "eta is given twice"},
    {"scale=1.5", "scale must be in [0,1], not 1.5"},
    {"scale=auto", "scale must be a number in [0,1], not 'auto'"},
    {"sweeps=0", "sweeps must be a whole number in [1,100], not 0"},
    {"sweeps=101", "sweeps must be a whole number in [1,100], not 101"},
    {"sweeps=2.5", "sweeps must be a whole number in [1,100], not 2.5"},
    {"sweeps=99999999999",
     "sweeps must be a whole number in [1,100], not 99999999999"},
    {"kernel=gausian", "kernel must be logistic, gaussian or none, not "
                       "'gausian'; did you mean 'gaussian'?"},
    {"kernel=[a]", "kernel must be logistic, gaussian or none, not a list"},
    {"adjust=maybe", "adjust must be yes or no, not 'maybe'"},
    {"seed=-1",
     "seed must be a whole number from 0 to 18446744073709551615, not -1"},
    {"file=[a]", "file must be a word or \"quoted text\", not a list"},
    {"ladder=3", "ladder must be a list of numbers in [1,inf), as in "
                 "ladder=[...], not 3"},
    {"ladder=[1,x]", "entry 2 of ladder must be a number in [1,inf), not 'x'"},
    {"ladder=[1,0.5]", "entry 2 of ladder must be in [1,inf), not 0.5"},
    {"inner=3", "inner must be a name with arguments, such as "
                "name(key=value), not 3"},
    {"inner=[gwg]", "inner must be a name with arguments, such as "
                    "name(key=value), not a list"},
    {"1,2,gwg,1,none,1,yes,f,[1],2",
     "too many values without a key, it takes 9, the last is ladder"},
};

static void refusals_say_what_was_expected(void **state)
{
    (void)state;
    for (size_t i = 0; i < sizeof refusals / sizeof refusals[0]; i++) {
        struct all a, zero = {0};
        hiss_error err = {0};
        char text[256], wanted[512];

        snprintf(text, sizeof text, "hiss(%s)", refusals[i].text);
        snprintf(wanted, sizeof wanted, "sampler hiss: %s",
                 refusals[i].message);
        assert_int_equal(parse(all_options, text, &a, sizeof a, &err),
                         HISS_EARG);
        assert_string_equal(err.message, wanted);
        assert_null(a.file);
        assert_null(a.inner);
        assert_memory_equal(&a.ladder, &zero.ladder, sizeof a.ladder);
        assert_int_equal(parse(all_options, text, &a, sizeof a, NULL),
                         HISS_EARG);
    }
}

static void a_value_without_default_must_be_given(void **state)
{
    struct needy n;
    hiss_error err;

    (void)state;
    assert_int_equal(parse(needy_options, "ising", &n, sizeof n, &err),
                     HISS_EARG);
    assert_string_equal(err.message,
                        "sampler ising: side must be given (sites in a row)");
    assert_int_equal(
        parse(needy_options, "ising(3000000000)", &n, sizeof n, &err),
        HISS_EARG);
    assert_string_equal(
        err.message,
        "sampler ising: side must be at most 2147483647, not 3000000000");
    assert_int_equal(
        parse(needy_options, "ising(beta=x,side=2)", &n, sizeof n, &err),
        HISS_EARG);
    assert_string_equal(err.message,
                        "sampler ising: beta must be a number, not 'x'");
    assert_int_equal(
        parse(needy_options, "ising(beta=inf,side=2)", &n, sizeof n, &err),
        HISS_EARG);
    assert_string_equal(err.message,
                        "sampler ising: beta must be a number, not inf");
    assert_int_equal(
        parse(needy_options, "ising(beta=-3,6,level=-inf)", &n, sizeof n, &err),
        HISS_OK);
    assert_int_equal(n.side, 6);
    assert_true(n.beta == -3.0);
    assert_true(isinf(n.level));
}

static void an_empty_table_takes_nothing(void **state)
{
    static const hs_option none[] = {{0}};
    hiss_error err;
    int target;
    char *printed;

    (void)state;
    assert_int_equal(parse(none, "gwg()", &target, sizeof target, &err),
                     HISS_OK);
    printed = hs_options_print(none, "gwg", &target);
    assert_string_equal(printed, "gwg");
    hs_free(printed);
    assert_int_equal(parse(none, "gwg(1)", &target, sizeof target, &err),
                     HISS_EARG);
    assert_string_equal(err.message, "sampler gwg: takes no arguments");
    assert_int_equal(parse(none, "gwg(a=1)", &target, sizeof target, &err),
                     HISS_EARG);
    assert_string_equal(err.message,
                        "sampler gwg: unknown option 'a'; it takes no options");
}

static void a_bad_table_is_a_fault_of_hiss(void **state)
{
    static const char *const ranges[] = {"0,1",    "(0,1", "(0;1)", "(a,1)",
                                         "(0,1) ", "",     "{0,1}"};
    hs_option table[] = {{"x", HS_REAL, 0, "1", NULL, NULL}, {0}};
    double x;
    hiss_error err;

    (void)state;
    for (size_t i = 0; i < sizeof ranges / sizeof ranges[0]; i++) {
        table[0].range = ranges[i];
        assert_int_equal(parse(table, "a", &x, sizeof x, &err), HISS_EINTERNAL);
    }
    table[0].type = HS_CHOICE;
    table[0].range = NULL;
    assert_int_equal(parse(table, "a", &x, sizeof x, &err), HISS_EINTERNAL);
}

static void what_is_printed_reads_back(void **state)
{
    static const char *const texts[] = {
        "hiss",
        "hiss(eta=0.1,sweeps=7,inner=hiss(a=[1,2],\"x y\"),kernel=none)",
        "hiss(scale=0.30000000000000004,ladder=[1,1e300,3],file=\"\\\" \")",
        "hiss(seed=18446744073709551615,adjust=0,file=x/y.z)",
    };

    (void)state;
    for (size_t i = 0; i < sizeof texts / sizeof texts[0]; i++) {
        struct all a, b;
        char *first, *second;

        assert_int_equal(parse(all_options, texts[i], &a, sizeof a, NULL),
                         HISS_OK);
        first = hs_options_print(all_options, "hiss", &a);
        assert_int_equal(parse(all_options, first, &b, sizeof b, NULL),
                         HISS_OK);
        second = hs_options_print(all_options, "hiss", &b);
        assert_string_equal(first, second);
        assert_true(a.scale == b.scale);
        assert_int_equal(a.kernel, b.kernel);
        if (i == 0)
            assert_string_equal(
                first, "hiss(eta=auto,sweeps=1,inner=dmala(alpha=0.2),scale=1,"
                       "kernel=logistic,seed=1,adjust=yes)");
        hs_free(first);
        hs_free(second);
        hs_options_clear(all_options, &a);
        hs_options_clear(all_options, &b);
    }
}

/* Any spec that parses is either taken or refused with a message. */
static void no_spec_breaks_a_table(void **state)
{
    static const char *const keys[] = {"eta",    "sweeps", "inner",  "scale",
                                       "kernel", "seed",   "adjust", "file",
                                       "ladder", "etta"};
    static const char *const values[] = {"1",
                                         "-1",
                                         "auto",
                                         "nan",
                                         "inf",
                                         "yes",
                                         "none",
                                         "[1,2]",
                                         "[x]",
                                         "\"\"",
                                         "a(b)",
                                         "1e5",
                                         "99999999999999999999",
                                         "x",
                                         "[[1]]",
                                         "0.5"};
    uint64_t seed = 11;
    int taken = 0;

    (void)state;
    for (int n = 0; n < 30000; n++) {
        char text[256] = "hiss(";
        struct all a;
        hiss_error err = {0};

        for (int k = xorshift_below(&seed, 4); k >= 0; k--) {
            if (xorshift_below(&seed, 4)) {
                strcat(text, keys[xorshift_below(&seed, 10)]);
                strcat(text, "=");
            }
            strcat(text, values[xorshift_below(&seed, 16)]);
            strcat(text, k ? "," : ")");
        }
        if (parse(all_options, text, &a, sizeof a, &err) == HISS_OK) {
            taken++;
            hs_options_clear(all_options, &a);
        } else {
            assert_int_equal(err.status, HISS_EARG);
            assert_memory_equal(err.message, "sampler hiss: ", 14);
        }
    }
    assert_true(taken > 1000);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(defaults_fill_every_row),
        cmocka_unit_test(given_values_win),
        cmocka_unit_test(children_are_the_positional_arguments),
        cmocka_unit_test(refusals_say_what_was_expected),
        cmocka_unit_test(a_value_without_default_must_be_given),
        cmocka_unit_test(an_empty_table_takes_nothing),
        cmocka_unit_test(a_bad_table_is_a_fault_of_hiss),
        cmocka_unit_test(what_is_printed_reads_back),
        cmocka_unit_test(no_spec_breaks_a_table),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
