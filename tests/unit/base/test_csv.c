/* test_csv.c - rows of comma-separated fields, and what is wrong with them. */
#include "base/read/csv.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <string.h>
#include <unistd.h>

#include <cmocka.h>

#include "base/alloc.h"
#include "unit/text_files.h"

#define FILE_NAME HISS_TEST_FOLDER "/test_csv.csv"

static hs_csv *open_csv(const char *text)
{
    hiss_error err = {0};
    hs_csv *c;

    write_file(FILE_NAME, text, strlen(text));
    if (hs_csv_open(&c, FILE_NAME, &err) != HISS_OK)
        fail_msg("%s", err.message);
    return c;
}

static void expect_row(hs_csv *c, int count, const char *const *fields)
{
    int found;

    assert_int_equal(hs_csv_row(c, &found, NULL), HISS_OK);
    assert_int_equal(found, count);
    for (int f = 0; f < count; f++)
        assert_string_equal(hs_csv_text(c, f), fields[f]);
}

static void fields_are_split_and_unquoted(void **state)
{
    hs_csv *c = open_csv("\xef\xbb\xbf"
                         "a, b ,\"c,d\",\"e\"\"f\",\r\n"
                         "\n   \n"
                         ",,\"\" , x y\n"
                         "last");

    (void)state;
    expect_row(c, 5, (const char *const[]){"a", "b", "c,d", "e\"f", ""});
    assert_int_equal(hs_csv_line(c), 1);
    assert_int_equal(hs_csv_column(c, 2), 7);
    expect_row(c, 4, (const char *const[]){"", "", "", "x y"});
    assert_int_equal(hs_csv_line(c), 4);
    expect_row(c, 1, (const char *const[]){"last"});
    expect_row(c, 0, NULL);
    hs_csv_close(c);
}

static void gzip_is_read(void **state)
{
    hs_csv *c;

    (void)state;
    write_gzip(FILE_NAME, "1,2\n", 4);
    assert_int_equal(hs_csv_open(&c, FILE_NAME, NULL), HISS_OK);
    expect_row(c, 2, (const char *const[]){"1", "2"});
    hs_csv_close(c);
}

static void many_fields_are_kept(void **state)
{
    static char text[4002];
    hs_csv *c;
    int found;

    (void)state;
    for (int f = 0; f < 2000; f++)
        memcpy(text + 2 * f, "7,", 2);
    text[3999] = '\n';
    text[4000] = '\0';
    c = open_csv(text);
    assert_int_equal(hs_csv_row(c, &found, NULL), HISS_OK);
    assert_int_equal(found, 2000);
    assert_string_equal(hs_csv_text(c, 1999), "7");
    hs_csv_close(c);
}

static void faults_have_a_place(void **state)
{
    static const char *const cases[][2] = {
        {"a,\"b\n", "csv:1:3: this quote is not closed"},
        {"a,\"b\" c,d\n", "csv:1:7: found text after a closing quote"},
        {"a,b\"c\n", "csv:1:4: found a quote inside a field"},
    };

    (void)state;
    for (size_t k = 0; k < sizeof cases / sizeof *cases; k++) {
        hs_csv *c = open_csv(cases[k][0]);
        hiss_error err = {0};
        int found;

        assert_int_equal(hs_csv_row(c, &found, &err), HISS_EPARSE);
        if (!strstr(err.message, cases[k][1]))
            fail_msg("'%s' does not say '%s'", err.message, cases[k][1]);
        assert_non_null(strstr(err.message, "^"));
        hs_csv_close(c);
    }
}

static void ragged_rows_are_refused(void **state)
{
    hs_csv *c = open_csv("1,2,3\n1,2\n1,2,3,4\n");
    hiss_error err = {0};
    bool is_there;

    (void)state;
    assert_int_equal(hs_csv_row_of(c, 3, "the header has", &is_there, &err),
                     HISS_OK);
    assert_true(is_there);
    assert_int_equal(hs_csv_row_of(c, 3, "the header has", &is_there, &err),
                     HISS_EPARSE);
    assert_non_null(
        strstr(err.message, "csv:2:3: the row has 2 fields, the header has 3"));
    assert_int_equal(hs_csv_row_of(c, 3, "the header has", &is_there, &err),
                     HISS_EPARSE);
    assert_non_null(
        strstr(err.message, "csv:3:7: the row has 4 fields, the header has 3"));
    hs_csv_close(c);
}

static void numbers_are_finite(void **state)
{
    static const char *const bad[] = {"nan", "inf", "-inf", "1e999",
                                      "x",   "1x",  "",     "1 2"};
    double value;
    int found;

    (void)state;
    for (size_t k = 0; k < sizeof bad / sizeof *bad; k++) {
        char text[64];
        hiss_error err = {0};
        hs_csv *c;

        snprintf(text, sizeof text, "0.5,%s,\n", bad[k]);
        c = open_csv(text);
        assert_int_equal(hs_csv_row(c, &found, NULL), HISS_OK);
        assert_int_equal(hs_csv_real(c, 0, &value, NULL), HISS_OK);
        assert_true(value == 0.5);
        assert_int_equal(hs_csv_real(c, 1, &value, &err), HISS_EPARSE);
        assert_non_null(strstr(err.message, "csv:1:5: "));
        hs_csv_close(c);
    }
}

static void a_missing_file_is_told(void **state)
{
    hiss_error err = {0};
    hs_csv *c;

    (void)state;
    assert_int_equal(hs_csv_open(&c, "no/such/file.csv", &err), HISS_EPARSE);
    assert_null(c);
    assert_non_null(strstr(err.message, "no/such/file.csv"));
}

static void lack_of_memory_is_told(void **state)
{
    hs_csv *c;
    int found, n = 0;
    hiss_status rc;

    (void)state;
    write_file(FILE_NAME, "a,b\n", 4);
    do {
        hs_alloc_fail_after(++n);
        rc = hs_csv_open(&c, FILE_NAME, NULL);
        if (rc == HISS_OK)
            rc = hs_csv_row(c, &found, NULL);
        hs_alloc_fail_after(0);
        hs_csv_close(c);
    } while (rc == HISS_ENOMEM && n < 100);
    assert_int_equal(rc, HISS_OK);
    assert_true(n > 3);
}

static int clean(void **state)
{
    (void)state;
    unlink(FILE_NAME);
    return 0;
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(fields_are_split_and_unquoted),
        cmocka_unit_test(gzip_is_read),
        cmocka_unit_test(many_fields_are_kept),
        cmocka_unit_test(faults_have_a_place),
        cmocka_unit_test(ragged_rows_are_refused),
        cmocka_unit_test(numbers_are_finite),
        cmocka_unit_test(a_missing_file_is_told),
        cmocka_unit_test(lack_of_memory_is_told),
    };

    return cmocka_run_group_tests(tests, NULL, clean);
}
