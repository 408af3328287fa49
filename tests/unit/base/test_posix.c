/* test_posix.c - what this operating system gives. */
#include <limits.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <cmocka.h>

#include "base/platform/platform.h"

struct one {
    int key, place;
};

static int by_key(const void *a, const void *b, void *sign)
{
    const struct one *p = a, *q = b;

    return *(const int *)sign * (p->key - q->key);
}

static void equal_elements_keep_their_order(void **state)
{
    struct one list[200];
    int down = -1;

    (void)state;
    for (int n = 0; n < 200; n++)
        list[n] = (struct one){.key = n * 7 % 5, .place = n};
    hs_platform_sort(list, 200, sizeof *list, by_key, &down);
    for (int n = 1; n < 200; n++) {
        assert_true(list[n - 1].key >= list[n].key);
        if (list[n - 1].key == list[n].key)
            assert_true(list[n - 1].place < list[n].place);
    }
}

static void an_unnamed_file_can_be_opened_again(void **state)
{
    char path[64], text[8] = "";
    int made = hs_platform_unnamed_file("some text");
    FILE *again;

    (void)state;
    assert_true(made >= 0);
    assert_int_equal(write(made, "here", 4), 4);
    snprintf(path, sizeof path, "/proc/self/fd/%d", made);
    again = fopen(path, "r");
    assert_non_null(again);
    assert_non_null(fgets(text, sizeof text, again));
    assert_string_equal(text, "here");
    fclose(again);
    close(made);
}

static void the_machine_is_known(void **state)
{
    char path[PATH_MAX];

    (void)state;
    assert_true(hs_platform_processors() >= 1);
    assert_true(hs_platform_bound_processors() >= 1);
    assert_true(hs_platform_has_threads());
    assert_true(hs_platform_has_disk());
    assert_true(hs_platform_memory() > 1e6);
    assert_true(hs_platform_own_file(path));
    assert_true(strstr(path, "test_posix") || strstr(path, "libhiss_whole"));
}

static void a_library_that_is_not_there_has_a_reason(void **state)
{
    const char *reason = NULL;

    (void)state;
    assert_null(hs_platform_library_open("./no-such.so", &reason));
    assert_non_null(strstr(reason, "no-such"));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(equal_elements_keep_their_order),
        cmocka_unit_test(an_unnamed_file_can_be_opened_again),
        cmocka_unit_test(the_machine_is_known),
        cmocka_unit_test(a_library_that_is_not_there_has_a_reason),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
