/* A reader in a process of its own: one file, and limits. */
#include <errno.h>
#include <fcntl.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <cmocka.h>

#include "base/error.h"
#include "sink/apart.h"

/* Opens what it was given and then what it was not, as a file of HDF5 can have
 * its library do. */
static hiss_status read_two(hs_loaded *in, const char *path, hiss_error *err)
{
    int own = open(path, O_RDONLY), other;

    (void)in;
    if (own < 0)
        return hs_fail(err, HISS_EIO, "not even its own file");
    close(own); /* opened twice, one after the other, as netCDF does */
    own = open(path, O_RDONLY);
    if (own < 0)
        return hs_fail(err, HISS_EIO, "its own file only once");
    other = open("/dev/null", O_RDONLY);
    return hs_fail(err, HISS_EPARSE, "%s",
                   other < 0 && errno == EMFILE ? "one file" : "two files");
}

static hiss_status crash(hs_loaded *in, const char *path, hiss_error *err)
{
    (void)in;
    (void)path;
    (void)err;
    abort();
}

static void a_reader_opens_one_file(void **state)
{
    static const hs_sink sink = {.name = "two", .read = read_two};
    hs_loaded in;
    hiss_error err;

    (void)state;
    assert_int_equal(hs_apart_read(&in, &sink, "/dev/null", &err), HISS_EPARSE);
    assert_string_equal(err.message, "one file");
}

static void a_crash_is_a_message(void **state)
{
    static const hs_sink sink = {.name = "odd", .read = crash};
    hs_loaded in;
    hiss_error err;

    (void)state;
    assert_int_equal(hs_apart_read(&in, &sink, "/dev/null", &err), HISS_EPARSE);
    assert_non_null(strstr(err.message, "crashed"));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_reader_opens_one_file),
        cmocka_unit_test(a_crash_is_a_message),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
