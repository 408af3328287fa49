/* test_spec.c - the grammar of specs: what is read, what is refused and how,
 * and that no text of any kind breaks it. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

#include "base/alloc.h"
#include "base/spec/spec.h"
#include "unit/xorshift.h"

/* Equal but for columns and quotes. */
static bool same(const hs_spec *a, const hs_spec *b)
{
    if (a->is_list != b->is_list || a->has_parens != b->has_parens ||
        a->count != b->count || !a->text != !b->text || !a->key != !b->key)
        return false;
    if ((a->text && strcmp(a->text, b->text) != 0) ||
        (a->key && strcmp(a->key, b->key) != 0))
        return false;
    for (int i = 0; i < a->count; i++)
        if (!same(&a->child[i], &b->child[i]))
            return false;
    return true;
}

static void assert_prints(const char *text, const char *canonical)
{
    hs_spec s, again;
    hiss_error err = {0};
    char *printed;

    if (hs_spec_parse(&s, text, &err) != HISS_OK)
        fail_msg("%s: %s", text, err.message);
    printed = hs_spec_print(&s);
    assert_string_equal(printed, canonical);
    assert_int_equal(hs_spec_parse(&again, printed, &err), HISS_OK);
    assert_true(same(&s, &again));
    hs_free(printed);
    hs_spec_clear(&s);
    hs_spec_clear(&again);
}

static void a_nested_spec_is_read(void **state)
{
    hs_spec s;
    const hs_spec *inner, *ladder;

    (void)state;
    assert_int_equal(hs_spec_parse(&s,
                                   " hiss ( eta = 4, inner=dmala(alpha=0.2) ,"
                                   "[1, 2,x(y)], \"a b\", data/grid.uai )",
                                   NULL),
                     HISS_OK);
    assert_string_equal(s.text, "hiss");
    assert_int_equal(s.column, 2);
    assert_true(s.has_parens);
    assert_int_equal(s.count, 5);
    assert_string_equal(hs_spec_find(&s, "eta")->text, "4");
    inner = hs_spec_find(&s, "inner");
    assert_string_equal(inner->text, "dmala");
    assert_int_equal(inner->column, 24);
    assert_string_equal(hs_spec_find(inner, "alpha")->text, "0.2");
    ladder = &s.child[2];
    assert_true(ladder->is_list);
    assert_null(ladder->text);
    assert_int_equal(ladder->count, 3);
    assert_string_equal(ladder->child[2].child[0].text, "y");
    assert_true(s.child[3].is_quoted);
    assert_string_equal(s.child[3].text, "a b");
    assert_string_equal(s.child[4].text, "data/grid.uai");
    assert_null(hs_spec_find(&s, "alpha"));
    hs_spec_clear(&s);
    assert_null(s.child);
}

static void canonical_text_is_tight(void **state)
{
    (void)state;
    assert_prints("gwg", "gwg");
    assert_prints("gwg()", "gwg()");
    assert_prints(" a ( b = \"c\" , \"d,e\" )\n", "a(b=c,\"d,e\")");
    assert_prints("a(\"\",\"say \\\"hi\\\"\",\"c:\\dir\")",
                  "a(\"\",\"say \\\"hi\\\"\",c:\\dir)");
    assert_prints("a(\"c:\\my dir\\\\\")", "a(\"c:\\\\my dir\\\\\")");
    assert_prints("a([1,[2,3]],-1e-3,+inf,x=[b(c)])",
                  "a([1,[2,3]],-1e-3,+inf,x=[b(c)])");
    assert_prints("t(\xc3\xa9t\xc3\xa9.uai)", "t(\xc3\xa9t\xc3\xa9.uai)");
    assert_prints("a(\"tab\there\")", "a(\"tab\there\")");
}

static void any_value_is_read_where_wanted(void **state)
{
    hs_spec s;
    hiss_error err;

    (void)state;
    assert_int_equal(hs_spec_parse_value(&s, "[1,2]", "x", &err), HISS_OK);
    assert_int_equal(s.count, 2);
    hs_spec_clear(&s);
    assert_int_equal(hs_spec_parse_value(&s, "0.5", "x", &err), HISS_OK);
    assert_string_equal(s.text, "0.5");
    hs_spec_clear(&s);
    assert_int_equal(hs_spec_parse_value(&s, " ", "x", &err), HISS_EARG);
    assert_string_equal(err.message, "x: empty, expected a value");
}

static void a_copy_stands_alone(void **state)
{
    hs_spec s, copy;
    char *printed;

    (void)state;
    assert_int_equal(hs_spec_parse(&s, "a(k=b(1,[2]),\"c d\")", NULL), HISS_OK);
    assert_int_equal(hs_spec_copy(&copy, &s.child[0], NULL), HISS_OK);
    hs_spec_clear(&s);
    assert_null(copy.key);
    printed = hs_spec_print(&copy);
    assert_string_equal(printed, "b(1,[2])");
    hs_free(printed);
    hs_spec_clear(&copy);
}

static const struct {
    const char *text, *message;
} faults[] = {
    {"hiss(inner=dmala(alpha=0.2)",
     "sampler spec, column 5: '(' is never closed\n"
     "  hiss(inner=dmala(alpha=0.2)\n"
     "      ^"},
    {"a(b,", "sampler spec, column 2: '(' is never closed\n  a(b,\n   ^"},
    {"a([1,2)", "sampler spec, column 7: expected ',' or ']', found ')'\n"
                "  a([1,2)\n        ^"},
    {"a([])", "sampler spec, column 4: expected a value, found ']'\n"
              "  a([])\n     ^"},
    {"a(,)", "sampler spec, column 3: expected a value, found ','\n"
             "  a(,)\n    ^"},
    {"a(b,)", "sampler spec, column 5: expected a value, found ')'\n"
              "  a(b,)\n      ^"},
    {"a(b=)", "sampler spec, column 5: expected a value, found ')'\n"
              "  a(b=)\n      ^"},
    {"a(b==1)", "sampler spec, column 5: expected a value, found '='\n"
                "  a(b==1)\n      ^"},
    {"a(eta 4)", "sampler spec, column 7: expected ',' or ')', found '4'\n"
                 "  a(eta 4)\n        ^"},
    {"a(2x(3))",
     "sampler spec, column 3: '2x' is not a name and takes no arguments\n"
     "  a(2x(3))\n    ^"},
    {"a(2=3)", "sampler spec, column 3: '2' is not a key: a key has "
               "letters, digits, '_' and '-' and does not start with a "
               "digit\n  a(2=3)\n    ^"},
    {"a(\"b)", "sampler spec, column 3: '\"' is never closed\n"
               "  a(\"b)\n    ^"},
    {"a('b')", "sampler spec, column 3: expected a value, found a single "
               "quote; text is quoted as \"...\"\n  a('b')\n    ^"},
    {"a(b))", "sampler spec, column 5: ')' without '('\n  a(b))\n      ^"},
    {"a b", "sampler spec, column 3: expected '(' or the end, found 'b'\n"
            "  a b\n    ^"},
    {"4d", "sampler spec, column 1: expected a name, found '4d'\n"
           "  4d\n  ^"},
    {"a.b", "sampler spec, column 1: expected a name of letters, digits, "
            "'_' and '-'\n  a.b\n  ^"},
    {"(a)", "sampler spec, column 1: expected a name, found '('\n"
            "  (a)\n  ^"},
    {"", "sampler spec: empty, expected a name"},
    {" \n", "sampler spec: empty, expected a name"},
    {"a(\x1b[0m)", "sampler spec, column 3: expected a value, found '?'\n"
                   "  a(?[0m)\n    ^"},
    {"a(\xc3\xa9,(", "sampler spec, column 6: expected a value, found '('\n"
                     "  a(\xc3\xa9,(\n      ^"},
    {"a(\xff,(", "sampler spec, column 5: expected a value, found '('\n"
                 "  a(?,(\n      ^"},
    {"\ta(\t,)", "sampler spec, column 5: expected a value, found ','\n"
                 "  \ta(\t,)\n  \t  \t^"},
};

static void faults_name_the_column(void **state)
{
    (void)state;
    for (size_t i = 0; i < sizeof faults / sizeof faults[0]; i++) {
        hs_spec s;
        hiss_error err = {0};

        assert_int_equal(
            hs_spec_parse_as(&s, faults[i].text, "sampler spec", &err),
            HISS_EARG);
        assert_int_equal(err.status, HISS_EARG);
        assert_string_equal(err.message, faults[i].message);
        assert_null(s.text);
        assert_null(s.child);
        assert_int_equal(hs_spec_parse(&s, faults[i].text, NULL), HISS_EARG);
    }
}

static void long_texts_are_shown_in_part(void **state)
{
    char text[512];
    hs_spec s;
    hiss_error err = {0};

    (void)state;
    memset(text, 'a', sizeof text);
    memcpy(text + 300, "(=", 2);
    text[500] = '\0';
    assert_int_equal(hs_spec_parse(&s, text, &err), HISS_EARG);
    assert_string_equal(err.message,
                        "spec, column 302: expected a value, found '='\n"
                        "  ...aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa(="
                        "aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa...\n"
                        "                                             ^");
}

/* n pairs of brackets inside a( ). */
static hiss_status parse_nested(int n, hiss_error *err)
{
    char text[256] = "a(";
    hs_spec s;
    hiss_status rc;

    for (int i = 0; i < n; i++)
        strcat(text, "[");
    strcat(text, "1");
    for (int i = 0; i < n; i++)
        strcat(text, "]");
    strcat(text, ")");
    rc = hs_spec_parse(&s, text, err);
    hs_spec_clear(&s);
    return rc;
}

static void depth_and_length_are_bounded(void **state)
{
    hiss_error err = {0};
    hs_spec s;
    char *text = hs_alloc_array(HS_SPEC_LENGTH_MAX + 2, 1);

    (void)state;
    assert_int_equal(parse_nested(HS_SPEC_DEPTH_MAX - 1, &err), HISS_OK);
    assert_int_equal(parse_nested(HS_SPEC_DEPTH_MAX, &err), HISS_EARG);
    assert_non_null(strstr(err.message, "nested more than 16 deep"));

    memset(text, 'a', HS_SPEC_LENGTH_MAX + 1);
    assert_int_equal(hs_spec_parse(&s, text, &err), HISS_EARG);
    assert_string_equal(err.message,
                        "spec: 65537 characters, at most 65536 are allowed");
    text[HS_SPEC_LENGTH_MAX] = '\0';
    assert_int_equal(hs_spec_parse(&s, text, &err), HISS_OK);
    hs_spec_clear(&s);
    for (int i = 1; i < HS_SPEC_LENGTH_MAX - 2; i++)
        text[i] = i % 2 ? ',' : '1';
    text[1] = '(';
    memcpy(text + HS_SPEC_LENGTH_MAX - 2, "1)", 3);
    assert_int_equal(hs_spec_parse(&s, text, &err), HISS_OK);
    assert_int_equal(s.count, (HS_SPEC_LENGTH_MAX - 2) / 2);
    hs_spec_clear(&s);
    hs_free(text);
}

static char *random_string(uint64_t *seed, bool is_name)
{
    static const char name_bytes[] = "abcXYZ_019-";
    static const char other_bytes[] = "a1.+-/\\\"' \t()[],=\xc3\xa9\x01#";
    int length = xorshift_below(seed, 6) + is_name;
    char *text = hs_alloc_array((size_t)length + 1, 1);

    for (int i = 0; i < length; i++)
        text[i] = is_name && i == 0 ? name_bytes[xorshift_below(seed, 7)]
                  : is_name         ? name_bytes[xorshift_below(seed, 11)]
                                    : other_bytes[xorshift_below(
                                          seed, (int)sizeof other_bytes - 1)];
    return text;
}

/* Any spec that the grammar can express. */
static void random_value(hs_spec *s, uint64_t *seed, int depth)
{
    int form = xorshift_below(seed, depth > 0 ? 4 : 2);

    s->is_list = form == 2;
    s->has_parens = form == 3;
    if (form != 2)
        s->text = random_string(seed, form != 0);
    if (form < 2)
        return;
    s->count = xorshift_below(seed, 5) + (form == 2);
    s->child = hs_alloc_array(s->count, sizeof *s->child);
    for (int i = 0; i < s->count; i++) {
        random_value(&s->child[i], seed, depth - 1);
        if (form == 3 && xorshift_below(seed, 2))
            s->child[i].key = random_string(seed, true);
    }
}

static void parse_undoes_print(void **state)
{
    uint64_t seed = 20240601;

    (void)state;
    for (int n = 0; n < 20000; n++) {
        hs_spec s = {0}, again;
        hiss_error err = {0};
        char *printed;

        random_value(&s, &seed, 4);
        printed = hs_spec_print(&s);
        if (hs_spec_parse_value(&again, printed, "value", &err) != HISS_OK)
            fail_msg("%s: %s", printed, err.message);
        if (!same(&s, &again))
            fail_msg("%s is read differently", printed);
        hs_free(printed);
        hs_spec_clear(&s);
        hs_spec_clear(&again);
    }
}

/* Reads the text; what is accepted must survive print and parse. */
static bool survives(const char *text)
{
    hs_spec s, again;
    hiss_error err = {0};
    char *printed;

    if (hs_spec_parse(&s, text, &err) != HISS_OK) {
        assert_true(strlen(err.message) > 0);
        assert_null(s.text);
        return false;
    }
    printed = hs_spec_print(&s);
    assert_int_equal(hs_spec_parse(&again, printed, &err), HISS_OK);
    assert_true(same(&s, &again));
    hs_free(printed);
    hs_spec_clear(&s);
    hs_spec_clear(&again);
    return true;
}

static void no_text_breaks_the_parser(void **state)
{
    static const char *const seeds[] = {
        "hiss(eta=4,sweeps=5,inner=dmala(alpha=0.2),steps=2)",
        "pt(base=hiss(eta=4,inner=acs),ladder=[1,2,4,8])",
        "mix(gwg,hiss(steps=0),weights=[1,2])",
        "table(\"a \\\"b\\\" c.txt\")",
        "bnn(data=x/y.csv,hidden=[8,8])",
    };
    static const char syntax[] = "()[],=\"\\' \t\nab1.-_'";
    uint64_t seed = 7;
    int accepted = 0;
    char text[128];

    (void)state;
    for (int n = 0; n < 60000; n++) {
        int length;

        if (n % 3 == 0) { /* syntax at random, after a name */
            length = 1 + xorshift_below(&seed, 40);
            for (int i = 0; i < length; i++)
                text[i] = syntax[xorshift_below(&seed, sizeof syntax - 1)];
            text[0] = 'a';
            text[length] = '\0';
        } else { /* a good text with a few bytes changed */
            strcpy(text, seeds[xorshift_below(&seed, 5)]);
            length = (int)strlen(text);
            for (int k = xorshift_below(&seed, 4); k >= 0; k--)
                text[xorshift_below(&seed, length)] =
                    n % 3 == 1
                        ? syntax[xorshift_below(&seed, sizeof syntax - 1)]
                        : (char)xorshift(&seed);
        }
        accepted += survives(text);
    }
    assert_true(accepted > 1000); /* the test is not vacuous */
}

static void near_names_are_suggested(void **state)
{
    static const char *const names[] = {
        "hiss",
        "dmala",
        "dula",
        "gwg",
        "acs",
        "pt",
        "gibbs",
        "metropolis",
        "sampler",
        "samples",
        "sequence",
        "mix",
        "max_temperature",
        NULL,
    };
    static const char *const cases[][2] = {
        {"dmla", "<dmala> or <dula>"},
        {"dmlaa", "<dmala>"},
        {"HISS", "<hiss>"},
        {"his", "<hiss>"},
        {"gibs", "<gibbs>"},
        {"gigbs", "<gibbs>"},
        {"metro", "<metropolis>"},
        {"sequnce", "<sequence>"},
        {"max-temperature", "<max_temperature>"},
        {"max_temp", "<max_temperature>"},
        {"tp", "<pt>"},
        {"sam", "<sampler> or <samples>"},
        {"sample", "<sampler> or <samples>"},
        {"sampels", "<samples>"},
        {"m", NULL},
        {"x", NULL},
        {"", NULL},
        {"wolff", NULL},
        {"nuts", NULL},
    };
    char longest[200], found[HISS_SUGGESTION_MAX], wanted[100];

    (void)state;
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        const char *near = cases[i][1];

        snprintf(wanted, sizeof wanted, "%s%s%s", near ? "; did you mean " : "",
                 near ? near : "", near ? "?" : "");
        assert_ptr_equal(hiss_suggestion(found, cases[i][0], names, "<", ">"),
                         found);
        if (strcmp(found, wanted) != 0)
            fail_msg("'%s' suggests '%s'", cases[i][0], found);
    }
    memset(longest, 'a', sizeof longest - 1);
    longest[sizeof longest - 1] = '\0';
    assert_string_equal(hiss_suggestion(found, longest, names, "", ""), "");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_nested_spec_is_read),
        cmocka_unit_test(canonical_text_is_tight),
        cmocka_unit_test(any_value_is_read_where_wanted),
        cmocka_unit_test(a_copy_stands_alone),
        cmocka_unit_test(faults_name_the_column),
        cmocka_unit_test(long_texts_are_shown_in_part),
        cmocka_unit_test(depth_and_length_are_bounded),
        cmocka_unit_test(parse_undoes_print),
        cmocka_unit_test(no_text_breaks_the_parser),
        cmocka_unit_test(near_names_are_suggested),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
