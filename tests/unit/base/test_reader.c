/* test_reader.c - words and numbers of text files: every kind of line end,
 * comments, numbers as strtod reads them, places in messages. */
#include "base/read/reader.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/alloc.h"
#include "unit/xorshift.h"

#include <cmocka.h>

#include "unit/text_files.h"

static const char path[] = "test_reader.tmp";

static void assert_word(hs_reader *r, const char *wanted)
{
    const char *word;
    hiss_error err;

    if (hs_reader_word(r, &word, &err) != HISS_OK)
        fail_msg("%s", err.message);
    assert_string_equal(word, wanted);
}

static void assert_place(hs_reader *r, int line, int column)
{
    hs_place p = hs_reader_place(r);

    assert_int_equal(p.line, line);
    assert_int_equal(p.column, column);
}

static void line_ends_of_all_kinds_separate(void **state)
{
    static const char *const texts[] = {
        "one two\n  3 4.5\n\nlast\n",
        "one two\r\n  3 4.5\r\n\r\nlast\r\n",
        "one two\n  3 4.5\n\nlast",
        "\xef\xbb\xbfone two\r\n  3\t4.5\r\n\r\nlast",
    };

    (void)state;
    for (size_t i = 0; i < sizeof texts / sizeof texts[0]; i++) {
        hs_reader *r = open_text(path, texts[i]);
        int whole;
        double real;

        assert_place(r, 1, 1);
        assert_word(r, "one");
        assert_false(hs_reader_at_line_end(r));
        assert_word(r, "two");
        assert_true(hs_reader_at_line_end(r));
        assert_int_equal(hs_reader_int(r, 0, 9, &whole, NULL), HISS_OK);
        assert_int_equal(whole, 3);
        assert_place(r, 2, 5);
        assert_int_equal(hs_reader_real(r, 0, 9, &real, NULL), HISS_OK);
        assert_true(real == 4.5);
        assert_false(hs_reader_at_end(r));
        assert_place(r, 4, 1);
        assert_word(r, "last");
        assert_true(hs_reader_at_line_end(r));
        assert_true(hs_reader_at_end(r));
        assert_int_equal(hs_reader_expect_end(r, NULL), HISS_OK);
        hs_reader_close(r);
    }
}

static void lines_come_whole_or_as_the_rest(void **state)
{
    hs_reader *r =
        open_text(path, "  NAME : two words \r\n\n# note\nDIM\nrest of it"
                        "  # said\n\nend");
    const char *line;

    (void)state;
    hs_reader_comments(r, NULL, "#");
    assert_int_equal(hs_reader_line(r, &line, NULL), HISS_OK);
    assert_string_equal(line, "NAME : two words");
    assert_word(r, "DIM");
    assert_int_equal(hs_reader_line(r, &line, NULL), HISS_OK);
    assert_string_equal(line, "");
    assert_word(r, "rest");
    assert_int_equal(hs_reader_line(r, &line, NULL), HISS_OK);
    assert_string_equal(line, "of it");
    assert_int_equal(hs_reader_line(r, &line, NULL), HISS_OK);
    assert_string_equal(line, "end");
    assert_true(hs_reader_at_end(r));
    assert_int_equal(hs_reader_line(r, &line, NULL), HISS_EPARSE);
    hs_reader_close(r);

    r = open_text(path, "last");
    assert_word(r, "last");
    assert_int_equal(hs_reader_line(r, &line, NULL), HISS_OK);
    assert_string_equal(line, "");
    assert_int_equal(hs_reader_line(r, &line, NULL), HISS_EPARSE);
    hs_reader_close(r);
}

static void comments_are_passed_over(void **state)
{
    hs_reader *r = open_text(path, "c first\n  c second\np c 3 % rest\nc\n7%8");

    (void)state;
    hs_reader_comments(r, "c", "%");
    assert_place(r, 3, 1);
    assert_word(r, "p");
    assert_word(r, "c");
    assert_word(r, "3");
    assert_true(hs_reader_at_line_end(r));
    assert_word(r, "7%8");
    assert_true(hs_reader_at_end(r));
    hs_reader_close(r);
}

typedef hiss_status reading(hs_reader *r, hiss_error *err);

static hiss_status read_small(hs_reader *r, hiss_error *err)
{
    int v;

    return hs_reader_int(r, 0, 4, &v, err);
}

static hiss_status read_natural(hs_reader *r, hiss_error *err)
{
    int64_t v;

    return hs_reader_int64(r, 1, INT64_MAX, &v, err);
}

static hiss_status read_any_int(hs_reader *r, hiss_error *err)
{
    int64_t v;

    return hs_reader_int64(r, INT64_MIN, INT64_MAX, &v, err);
}

static hiss_status read_real(hs_reader *r, hiss_error *err)
{
    double v;

    return hs_reader_real(r, -HUGE_VAL, HUGE_VAL, &v, err);
}

static hiss_status read_weight(hs_reader *r, hiss_error *err)
{
    double v;

    return hs_reader_real(r, 0, HUGE_VAL, &v, err);
}

static hiss_status read_probability(hs_reader *r, hiss_error *err)
{
    double v;

    return hs_reader_real(r, 0, 1, &v, err);
}

static hiss_status read_below(hs_reader *r, hiss_error *err)
{
    double v;

    return hs_reader_real(r, -HUGE_VAL, 0.5, &v, err);
}

static hiss_status read_count(hs_reader *r, hiss_error *err)
{
    int64_t v;

    return hs_reader_count(r, 0, INT64_MAX, 2, &v, err);
}

static hiss_status read_a_word(hs_reader *r, hiss_error *err)
{
    const char *word;

    return hs_reader_word(r, &word, err);
}

static hiss_status read_end(hs_reader *r, hiss_error *err)
{
    return hs_reader_expect_end(r, err);
}

static const struct {
    const char *text;
    reading *read;
    const char *message;
} messages[] = {
    {"2 0 1 five\n", read_small,
     "1:7: found 'five', expected a whole number from 0 to 4\n"
     "  2 0 1 five\n        ^"},
    {"1 2\r\n\t3\t5 6\r\n", read_small,
     "2:4: found '5', expected a whole number from 0 to 4\n"
     "  \t3\t5 6\n  \t \t^"},
    {"1 -2", read_natural,
     "1:3: found '-2', expected a whole number of at least 1\n"
     "  1 -2\n    ^"},
    {"1.5", read_any_int,
     "1:1: found '1.5', expected a whole number\n  1.5\n  ^"},
    {"1\n2\n", read_small,
     "3:1: the file ends here, expected a whole number from 0 to 4"},
    {"1\n2", read_small,
     "2:2: the file ends here, expected a whole number from 0 to 4\n"
     "  2\n   ^"},
    {"1e3 1e999", read_real, "1:5: found '1e999', expected a finite number\n"},
    {"nan", read_real, "1:1: found 'nan', expected a finite number\n"},
    {"inf", read_real, "1:1: found 'inf', expected a finite number\n"},
    {"-1e-9", read_weight,
     "1:1: found '-1e-9', expected a finite number of at least 0\n"},
    {"0.5 1.01", read_probability,
     "1:5: found '1.01', expected a number from 0 to 1\n"},
    {"0.51", read_below,
     "1:1: found '0.51', expected a finite number of at most 0.5\n"},
    {"1000000 1 2", read_count,
     "1:1: 1000000 are announced, but the rest of the file has room for "
     "1 at most\n  1000000 1 2\n  ^"},
    {"", read_a_word, "1:1: the file ends here, expected a word"},
    {"x", read_end, "1:1: found 'x', expected the end of the file\n  x\n  ^"},
    {"\xef\xbb\xbf"
     "ab",
     read_small,
     "1:1: found 'ab', expected a whole number from 0 to 4\n  ab\n  ^"},
    {"\xc3\xa9 \x1b[1m", read_end,
     "1:1: found '\xc3\xa9', expected the end of the file\n"
     "  \xc3\xa9 ?[1m\n  ^"},
};

static void messages_show_the_place(void **state)
{
    (void)state;
    for (size_t i = 0; i < sizeof messages / sizeof messages[0]; i++) {
        hs_reader *r = open_text(path, messages[i].text);
        hiss_error err = {0};
        char wanted[512];

        while (messages[i].read(r, &err) == HISS_OK)
            ;
        assert_int_equal(err.status, HISS_EPARSE);
        snprintf(wanted, sizeof wanted, "%s:%s", path, messages[i].message);
        if (strchr(messages[i].message, '^')) {
            assert_string_equal(err.message, wanted);
        } else if (strncmp(err.message, wanted, strcspn(wanted, "\n")) != 0) {
            fail_msg("%s\ninstead of\n%s", err.message, wanted);
        }
        hs_reader_close(r);
    }
}

static void long_lines_are_shown_in_part(void **state)
{
    enum {
        LENGTH = 400000
    };
    char *text = hs_alloc_array(LENGTH + 1, 1);
    hs_reader *r;
    hiss_error err = {0};

    (void)state;
    for (int i = 0; i < LENGTH; i++)
        text[i] = i % 2 ? ' ' : '1';
    memcpy(text + 300000, "x", 1);
    r = open_text(path, text);
    while (read_small(r, &err) == HISS_OK)
        ;
    assert_string_equal(
        err.message,
        "test_reader.tmp:1:300001: found 'x', expected a whole number from 0 "
        "to 4\n"
        "  ...1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 x 1 1 1 1 1 1 1 1 1 1 1 "
        "1 1 1 1 ...\n"
        "                                             ^");
    hs_reader_close(r);
    hs_free(text);
}

static void words_and_lines_have_a_longest(void **state)
{
    char *text = hs_alloc_array(300001, 1);
    const char *line;
    hs_reader *r;
    hiss_error err;

    (void)state;
    memset(text, '7', 300000);
    text[HS_READER_TEXT_MAX] = '\n';
    r = open_text(path, text);
    assert_int_equal(hs_reader_word(r, &line, &err), HISS_OK);
    assert_int_equal(strlen(line), HS_READER_TEXT_MAX);
    assert_int_equal(hs_reader_word(r, &line, &err), HISS_EPARSE);
    assert_non_null(strstr(err.message, ":2:1: found a word of more than 65535 "
                                        "bytes, expected a word\n"));
    hs_reader_close(r);
    r = open_text(path, text);
    assert_int_equal(hs_reader_line(r, &line, &err), HISS_OK);
    assert_int_equal(strlen(line), HS_READER_TEXT_MAX);
    assert_int_equal(hs_reader_line(r, &line, &err), HISS_EPARSE);
    assert_non_null(strstr(err.message, "found a line of more than 65535"));
    hs_reader_close(r);
    hs_free(text);
}

/* Every number of a long file, across all borders of the buffer, is the one
 * that strtod gives; plain and packed. */
static void numbers_equal_those_of_strtod(void **state)
{
    enum {
        NUMBERS = 60000,
        WIDTH = 26
    };
    char *text = hs_alloc_array((size_t)NUMBERS * WIDTH + 1, 1);
    double *wanted = hs_alloc_array(NUMBERS, sizeof *wanted);
    uint64_t seed = 17;
    size_t length = 0;

    (void)state;
    for (int i = 0; i < NUMBERS; i++) {
        double v = ldexp((double)(int32_t)xorshift(&seed) * 0x1p21 +
                             (double)xorshift(&seed),
                         xorshift_below(&seed, 60) - 80);
        char *word = text + length;

        length +=
            (size_t)sprintf(word, "%.*g", 1 + xorshift_below(&seed, 17), v);
        wanted[i] = strtod(word, NULL);
        text[length++] = "\n \t\r"[xorshift_below(&seed, 4)];
    }
    for (int packed = 0; packed < 2; packed++) {
        hs_reader *r;
        double v;

        if (packed)
            write_gzip(path, text, length);
        else
            write_file(path, text, length);
        assert_int_equal(hs_reader_open(&r, path, NULL), HISS_OK);
        for (int i = 0; i < NUMBERS; i++) {
            assert_int_equal(hs_reader_real(r, -HUGE_VAL, HUGE_VAL, &v, NULL),
                             HISS_OK);
            assert_memory_equal(&v, &wanted[i], sizeof v);
        }
        assert_true(hs_reader_at_end(r));
        hs_reader_close(r);
    }
    hs_free(text);
    hs_free(wanted);
}

static void a_count_may_fill_the_file(void **state)
{
    hs_reader *r = open_text(path, "3 1 2 3 4 5 6");
    int64_t v;

    (void)state;
    assert_int_equal(hs_reader_count(r, 0, 9, 2, &v, NULL), HISS_OK);
    assert_int_equal(v, 3);
    hs_reader_close(r);
    r = open_text(path, "4 1 2 3 4 5 6");
    assert_int_equal(hs_reader_count(r, 0, 9, 2, &v, NULL), HISS_EPARSE);
    assert_int_equal(v, 0);
    hs_reader_close(r);
}

static void no_bytes_break_the_reader(void **state)
{
    static const char usual[] = "0123456789.-+e \t\r\n\n#cx\xc3\xa9\xff";
    static reading *const readings[] = {
        read_small, read_natural, read_real,        read_weight,
        read_count, read_a_word,  read_probability, read_any_int,
    };
    uint64_t seed = 23;
    char bytes[200];

    (void)state;
    for (int n = 0; n < 4000; n++) {
        int length = xorshift_below(&seed, (int)sizeof bytes);
        hiss_error err = {0};
        hs_reader *r;
        const char *line;

        for (int i = 0; i < length; i++)
            bytes[i] = xorshift_below(&seed, 60)
                           ? usual[xorshift_below(&seed, sizeof usual - 1)]
                           : (char)xorshift(&seed);
        r = open_bytes(path, bytes, (size_t)length);
        hs_reader_comments(r, n % 2 ? "c" : NULL, n % 3 ? "#" : NULL);
        for (int k = 0; k < 300 && err.status == HISS_OK; k++) {
            if (xorshift_below(&seed, 10) == 0)
                hs_reader_line(r, &line, &err);
            else
                readings[xorshift_below(&seed, 8)](r, &err);
            if (xorshift_below(&seed, 4) == 0)
                hs_reader_at_line_end(r);
        }
        if (err.status != HISS_OK)
            assert_memory_equal(err.message, path, sizeof path - 1);
        hs_reader_close(r);
    }
}

static int remove_file(void **state)
{
    (void)state;
    unlink(path);
    return 0;
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(line_ends_of_all_kinds_separate),
        cmocka_unit_test(lines_come_whole_or_as_the_rest),
        cmocka_unit_test(comments_are_passed_over),
        cmocka_unit_test(messages_show_the_place),
        cmocka_unit_test(long_lines_are_shown_in_part),
        cmocka_unit_test(words_and_lines_have_a_longest),
        cmocka_unit_test(numbers_equal_those_of_strtod),
        cmocka_unit_test(a_count_may_fill_the_file),
        cmocka_unit_test(no_bytes_break_the_reader),
    };

    return cmocka_run_group_tests(tests, NULL, remove_file);
}
