/* test_number.c - numbers from text: the same bits as strtod, in any locale,
 * and back. */
#include "base/number.h"

#include <float.h>
#include <locale.h>
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "unit/xorshift.h"

#include <cmocka.h>

static uint64_t bits(double v)
{
    uint64_t b;

    memcpy(&b, &v, sizeof b);
    return b;
}

static void assert_strtod(const char *word)
{
    double ours = 42, theirs = strtod(word, NULL);

    if (!hs_number_real(word, &ours))
        fail_msg("'%s' is refused", word);
    if (bits(ours) != bits(theirs))
        fail_msg("'%s' gives %a, strtod %a", word, ours, theirs);
    if (hs_number_quick(word, word + strlen(word), &ours) &&
        bits(ours) != bits(theirs))
        fail_msg("'%s' quickly gives %a, strtod %a", word, ours, theirs);
}

static void known_words_are_read(void **state)
{
    static const char *const words[] = {
        "0",
        "-0",
        "+0.0",
        "1",
        "-1",
        "+1",
        "1.",
        ".5",
        "-.5e1",
        "1e22",
        "1e23",
        "1e-22",
        "9007199254740993",
        "9007199254740992.5",
        "0.1000000000000000055511151231257827",
        "123456789012345678901234567890",
        "18446744073709551615",
        "9999999999999999999",
        "1e308",
        "4.9e-324",
        "1e-400",
        "2.2250738585072011e-308",
        "1.7976931348623157e308",
        "0.3333333333333333333",
        "5e-20",
        "0.00000000000000000001",
        "inf",
        "-inf",
        "infinity",
        "0x1p3",
        "1e0000000000000000000000001",
        "0.0000000000000000000000000000000000000000000000000000000001e58",
        "4503599627370496.5",
        "4503599627370497.5",
        "0.5000000000000000000",
        "1.0000000000000002220",
        "1.0000000000000001110",
        "1.0000000000000001111",
        "1.000000000000000333",
    };

    (void)state;
    for (size_t i = 0; i < sizeof words / sizeof words[0]; i++)
        assert_strtod(words[i]);
}

static void what_is_no_number_is_refused(void **state)
{
    static const char *const words[] = {
        "",    "-",   "+",    ".",      "e5",    "1e",     "1e+",  "1.2.3",
        "1,5", "nan", "-nan", "nan(1)", "1e999", "12x",    " 1",   "1 ",
        "--1", "+-1", "x",    "in",     "0x",    "-1e999", "1e5.", "1_000",
    };
    double v;

    (void)state;
    for (size_t i = 0; i < sizeof words / sizeof words[0]; i++)
        if (hs_number_real(words[i], &v))
            fail_msg("'%s' is read as %g", words[i], v);
}

/* Random doubles in all usual forms, and random digits with random points. */
static void random_words_give_the_bits_of_strtod(void **state)
{
    uint64_t seed = 99;
    char word[512];

    (void)state;
    for (int n = 0; n < 100000; n++) {
        double v = ldexp((double)xorshift(&seed) * 0x1p32 + xorshift(&seed),
                         xorshift_below(&seed, 80) - 110);
        int digits = 1 + xorshift_below(&seed, 18);

        snprintf(word, sizeof word, "%.*g", digits, v);
        assert_strtod(word);
        snprintf(word, sizeof word, "%.*f", digits, -v);
        assert_strtod(word);
        snprintf(word, sizeof word, "%.*e", digits, v);
        assert_strtod(word);
    }
    for (int n = 0; n < 300000; n++) {
        int length = 1 + xorshift_below(&seed, 20);
        int point = xorshift_below(&seed, 21);

        for (int i = 0; i < length; i++)
            word[i] = (char)('0' + xorshift_below(&seed, 10));
        if (point < length)
            word[point] = '.';
        if (length == 1)
            word[0] = '7';
        word[length] = '\0';
        if (n % 3 == 0)
            snprintf(word + length, 8, "e%d", xorshift_below(&seed, 60) - 30);
        assert_strtod(word);
    }
}

/* Halfway cases: m / 2^k for odd m of 54 bits has a finite decimal. */
static void ties_go_to_even(void **state)
{
    uint64_t seed = 5;
    char word[64];

    (void)state;
    for (int n = 0; n < 100000; n++) {
        uint64_t m = (UINT64_C(1) << 53) | xorshift(&seed) | 1;
        uint64_t half = m >> 1; /* m / 2 = half + 0.5 */

        snprintf(word, sizeof word, "%llu.5", (unsigned long long)half);
        assert_strtod(word);
        snprintf(word, sizeof word, "%llu.50", (unsigned long long)half);
        assert_strtod(word);
        snprintf(word, sizeof word, "%llu.51", (unsigned long long)half);
        assert_strtod(word);
    }
}

static bool whole(const char *word, int64_t *v)
{
    return hs_number_whole(word, word + strlen(word), v);
}

static void whole_numbers_fit_or_fail(void **state)
{
    static const char *const bad[] = {
        "",
        "-",
        "+",
        "1.0",
        "1e3",
        "9223372036854775808",
        "0x10",
        " 1",
        "1 ",
        "a",
        "-9223372036854775809",
        "99999999999999999999",
        "12/3",
        "1:",
    };
    int64_t v;
    uint64_t u;

    (void)state;
    assert_true(whole("9223372036854775807", &v) && v == INT64_MAX);
    assert_true(whole("-9223372036854775808", &v) && v == INT64_MIN);
    assert_true(whole("+007", &v) && v == 7);
    assert_true(whole("-0", &v) && v == 0);
    for (size_t i = 0; i < sizeof bad / sizeof bad[0]; i++)
        if (whole(bad[i], &v))
            fail_msg("'%s' is read as %lld", bad[i], (long long)v);
    assert_true(hs_number_seed("18446744073709551615", &u) && u == UINT64_MAX);
    assert_true(hs_number_seed("0", &u) && u == 0);
    assert_false(hs_number_seed("18446744073709551616", &u));
    assert_false(hs_number_seed("-1", &u));
    assert_false(hs_number_seed("+1", &u));
    assert_false(hs_number_seed("", &u));
}

static void printed_numbers_read_back(void **state)
{
    static const double values[] = {0.0,    -0.0,    0.1,      1.0 / 3,   1e300,
                                    5e-324, DBL_MAX, -DBL_MIN, 123456789, 1e15};
    uint64_t seed = 3;
    char word[HS_NUMBER_MAX];
    double back;

    (void)state;
    for (size_t i = 0; i < sizeof values / sizeof values[0]; i++) {
        hs_number_print(word, values[i]);
        assert_true(hs_number_real(word, &back));
        assert_true(bits(back) == bits(values[i]));
    }
    for (int n = 0; n < 100000; n++) {
        uint64_t b = (uint64_t)xorshift(&seed) << 32 | xorshift(&seed);
        double v;

        memcpy(&v, &b, sizeof v);
        if (isnan(v))
            continue;
        hs_number_print(word, v);
        assert_true(hs_number_real(word, &back));
        assert_true(bits(back) == b);
    }
    hs_number_print(word, 0.2);
    assert_string_equal(word, "0.2");
    hs_number_print(word, HUGE_VAL);
    assert_string_equal(word, "inf");
}

/* A program that uses hiss may have set a locale with a decimal comma. */
static void the_locale_does_not_matter(void **state)
{
    static const char *const names[] = {"de_DE.UTF-8", "de_DE.utf8", "fr_FR",
                                        "de_DE", "fr_FR.UTF-8"};
    char word[HS_NUMBER_MAX];
    double v = 0;
    bool have = false;

    (void)state;
    for (size_t i = 0; i < sizeof names / sizeof names[0] && !have; i++)
        have = setlocale(LC_ALL, names[i]) != NULL;
    assert_true(hs_number_real("0.12345678901234567890123", &v));
    assert_true(fabs(v - 0.123456789) < 1e-8);
    assert_false(hs_number_real("0,5", &v));
    hs_number_print(word, 0.5);
    assert_string_equal(word, "0.5");
    setlocale(LC_ALL, "C");
    if (!have)
        skip();
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(known_words_are_read),
        cmocka_unit_test(what_is_no_number_is_refused),
        cmocka_unit_test(random_words_give_the_bits_of_strtod),
        cmocka_unit_test(ties_go_to_even),
        cmocka_unit_test(whole_numbers_fit_or_fail),
        cmocka_unit_test(printed_numbers_read_back),
        cmocka_unit_test(the_locale_does_not_matter),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
