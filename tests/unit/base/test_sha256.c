/* test_sha256.c - the digests of FIPS 180-4, whatever the pieces. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <cmocka.h>

#include "base/read/sha256.h"

static void digest(const char *text, size_t count, size_t piece, char *out)
{
    hs_sha256 s;

    hs_sha256_init(&s);
    for (size_t at = 0; at < count; at += piece)
        hs_sha256_add(&s, text + at, count - at < piece ? count - at : piece);
    hs_sha256_finish(&s, out);
}

/* Vectors of the standard, and the empty text. */
static void known_answers(void **state)
{
    static const struct {
        const char *text, *digest;
    } known[] = {
        {"", "e3b0c44298fc1c149afbf4c8996fb924"
             "27ae41e4649b934ca495991b7852b855"},
        {"abc", "ba7816bf8f01cfea414140de5dae2223"
                "b00361a396177a9cb410ff61f20015ad"},
        {"abcdbcdecdefdefgefghfghighijhijkijkljklmklmnlmnomnopnopq",
         "248d6a61d20638b8e5c026930c3e6039"
         "a33ce45964ff2167f6ecedd419db06c1"},
    };
    char text[HS_SHA256_TEXT];

    (void)state;
    for (size_t n = 0; n < sizeof known / sizeof *known; n++) {
        digest(known[n].text, strlen(known[n].text), 64, text);
        assert_string_equal(text, known[n].digest);
    }
}

/* A million times "a", in pieces that do not fit the blocks. */
static void pieces_do_not_matter(void **state)
{
    static const size_t sizes[] = {1, 63, 64, 65, 1000};
    static char a[1000000];
    char text[HS_SHA256_TEXT];

    (void)state;
    memset(a, 'a', sizeof a);
    for (size_t n = 0; n < sizeof sizes / sizeof *sizes; n++) {
        digest(a, sizeof a, sizes[n], text);
        assert_string_equal(text, "cdc76e5c9914fb9281a1c7e284d73e67"
                                  "f1809a48a497200e046d39ccc7112cd0");
    }
}

static void files(void **state)
{
    char path[] = "/tmp/hiss-sha256-XXXXXX", text[HS_SHA256_TEXT];
    int64_t bytes;
    hiss_error err = {0};
    int fd = mkstemp(path);

    (void)state;
    assert_true(fd >= 0);
    assert_int_equal(write(fd, "abc", 3), 3);
    close(fd);
    assert_int_equal(hs_sha256_file(path, text, &bytes, &err), HISS_OK);
    assert_int_equal(bytes, 3);
    assert_memory_equal(text, "ba7816bf", 8);
    unlink(path);
    assert_int_equal(hs_sha256_file(path, text, &bytes, &err), HISS_EIO);
    assert_non_null(strstr(err.message, path));
    assert_string_equal(text, "");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(known_answers),
        cmocka_unit_test(pieces_do_not_matter),
        cmocka_unit_test(files),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
