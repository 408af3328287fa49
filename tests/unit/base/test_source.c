/* test_source.c - where text comes from: gzip, pipes, and files that are not
 * what they seem. */
#include "base/read/source.h"

#include <pthread.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/alloc.h"
#include "base/read/reader.h"

#include <cmocka.h>

#include "unit/text_files.h"

static const char path[] = "test_source.tmp";

static hiss_status read_any_int(hs_reader *r, hiss_error *err)
{
    int64_t v;

    return hs_reader_int64(r, INT64_MIN, INT64_MAX, &v, err);
}

static hiss_status read_a_word(hs_reader *r, hiss_error *err)
{
    const char *word;

    return hs_reader_word(r, &word, err);
}

/* A place that has left the buffer long ago is shown all the same. */
static void a_remembered_place_is_read_again(void **state)
{
    enum {
        LENGTH = 1000000
    };
    char *text = hs_alloc_array(LENGTH, 1);

    (void)state;
    memset(text, '1', LENGTH);
    for (int i = 0; i < LENGTH; i += 50)
        text[i] = '\n';
    memcpy(text + 51, "count 17 here", 13);
    text[64] = ' ';
    for (int packed = 0; packed < 2; packed++) {
        hs_reader *r;
        hiss_error err;
        hs_place where;

        if (packed)
            write_gzip(path, text, LENGTH);
        else
            write_file(path, text, LENGTH);
        assert_int_equal(hs_reader_open(&r, path, NULL), HISS_OK);
        assert_true(hs_reader_size(r) >= LENGTH);
        assert_string_equal(hs_reader_name(r), path);
        read_a_word(r, NULL);
        read_a_word(r, NULL);
        where = hs_reader_place(r);
        for (int i = 0; i < 15000; i++)
            assert_int_equal(read_a_word(r, NULL), HISS_OK);
        assert_int_equal(hs_reader_fail(r, &where, &err, "%d is odd", 17),
                         HISS_EPARSE);
        assert_string_equal(err.message,
                            "test_source.tmp:3:7: 17 is odd\n"
                            "  count 17 here 111111111111111111111111111111111"
                            "11\n        ^");
        hs_reader_close(r);
    }
    hs_free(text);
}

static void binary_files_are_told(void **state)
{
    static const char bytes[] = "12 34\n5\0 6";
    static const char elf[] = "\177ELF\2\1\1\0\0\0";
    hs_reader *r = open_bytes(path, bytes, sizeof bytes - 1);
    hiss_error err = {0};
    const char *line;

    (void)state;
    while (read_any_int(r, &err) == HISS_OK)
        ;
    assert_string_equal(err.message, "test_source.tmp:2:2: found a zero byte, "
                                     "expected text: this is a binary file");
    hs_reader_close(r);

    r = open_bytes(path, elf, sizeof elf - 1);
    assert_false(hs_reader_at_end(r));
    assert_int_equal(hs_reader_line(r, &line, &err), HISS_EPARSE);
    assert_non_null(strstr(err.message, "this is a binary file"));
    hs_reader_close(r);

    r = open_bytes(path, "\0", 1);
    assert_false(hs_reader_at_end(r));
    assert_false(hs_reader_at_line_end(r));
    assert_int_equal(hs_reader_expect_end(r, &err), HISS_EPARSE);
    assert_non_null(strstr(err.message, ":1:1: found a zero byte"));
    hs_reader_close(r);
}

static void files_that_cannot_be_read_are_told(void **state)
{
    char packed[4096];
    hs_reader *r;
    hiss_error err = {0};
    size_t length;
    FILE *f;

    (void)state;
    assert_int_equal(hs_reader_open(&r, "no-such-file.uai", &err), HISS_EPARSE);
    assert_string_equal(
        err.message,
        "no-such-file.uai: cannot be opened: No such file or directory");
    assert_null(r);
    assert_int_equal(hs_reader_open(&r, ".", &err), HISS_EPARSE);
    assert_string_equal(err.message,
                        ".: cannot be opened: it is a folder, expected a file");

    write_gzip(path, "1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 16", 38);
    f = fopen(path, "rb");
    length = fread(packed, 1, sizeof packed, f);
    fclose(f);
    write_file(path, packed, length - 9); /* cut off */
    assert_int_equal(hs_reader_open(&r, path, &err), HISS_OK);
    while (read_any_int(r, &err) == HISS_OK)
        ;
    assert_string_equal(
        err.message,
        "test_source.tmp: cannot be read: the gzip data end too early");
    hs_reader_close(r);

    packed[length - 6] ^= 1; /* the check sum */
    write_file(path, packed, length);
    assert_int_equal(hs_reader_open(&r, path, &err), HISS_OK);
    while (read_any_int(r, &err) == HISS_OK)
        ;
    assert_int_equal(err.status, HISS_EPARSE);
    assert_non_null(strstr(err.message, ": cannot be read: "));
    hs_reader_close(r);
    hs_reader_close(NULL);
}

static void *feed_pipe(void *argument)
{
    FILE *f = fdopen(*(int *)argument, "w");

    for (int i = 0; f && i < 100000; i++)
        fprintf(f, "%d\n", i);
    if (f) {
        fprintf(f, "oops 3\n");
        fclose(f);
    }
    return NULL;
}

static void a_pipe_is_read_too(void **state)
{
    char name[64], expected[160];
    int ends[2];
    pthread_t feeder;
    hs_reader *r;
    hiss_error err = {0};
    int64_t sum = 0, v;

    (void)state;
    assert_int_equal(pipe(ends), 0);
    snprintf(name, sizeof name, "/dev/fd/%d", ends[0]);
    assert_int_equal(pthread_create(&feeder, NULL, feed_pipe, &ends[1]), 0);
    assert_int_equal(hs_reader_open(&r, name, &err), HISS_OK);
    assert_true(hs_reader_size(r) == INT64_MAX);
    while (hs_reader_int64(r, 0, INT64_MAX, &v, &err) == HISS_OK)
        sum += v;
    assert_true(sum == INT64_C(100000) * 99999 / 2);
    snprintf(expected, sizeof expected,
             "%s:100001:1: found 'oops', expected a whole number of at least "
             "0\n  oops 3\n  ^",
             name);
    assert_string_equal(err.message, expected);
    hs_reader_close(r);
    pthread_join(feeder, NULL);
    close(ends[0]);
}

/* No process writes to it: opening it for reading would wait. */
static void a_fifo_is_not_opened(void **state)
{
    char fifo[] = "test_source.fifo";
    hs_reader *r;
    hiss_error err = {0};

    (void)state;
    unlink(fifo);
    assert_int_equal(mkfifo(fifo, 0600), 0);
    assert_int_equal(hs_reader_open(&r, fifo, &err), HISS_EPARSE);
    assert_non_null(strstr(err.message, "it is a FIFO"));
    unlink(fifo);
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
        cmocka_unit_test(a_remembered_place_is_read_again),
        cmocka_unit_test(binary_files_are_told),
        cmocka_unit_test(files_that_cannot_be_read_are_told),
        cmocka_unit_test(a_pipe_is_read_too),
        cmocka_unit_test(a_fifo_is_not_opened),
    };

    return cmocka_run_group_tests(tests, NULL, remove_file);
}
