/* test_data.c - data files: the user's folder first, then those of hiss. */
#include "base/read/data.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cmocka.h>

#include "base/alloc.h"

#define FOLDER HISS_TEST_FOLDER "/test_data.tmp"

/* Whether the file is found where that ends in `end`; NULL: nowhere. */
static void expect(const char *name, const char *end)
{
    char *path = NULL;

    assert_int_equal(hs_data_find(&path, name, NULL), HISS_OK);
    if (!end) {
        assert_null(path);
        return;
    }
    if (!path || strlen(path) < strlen(end) ||
        strcmp(path + strlen(path) - strlen(end), end) != 0)
        fail_msg("%s is found at %s, expected ...%s", name,
                 path ? path : "no place", end);
    hs_free(path);
}

static void touch(const char *path)
{
    FILE *file = fopen(path, "w");

    assert_non_null(file);
    fclose(file);
}

/* The build tree has a link to the data of the sources. */
static void data_come_along(void **state)
{
    (void)state;
    setenv("HISS_DATA", "no/such/folder", 1);
    expect("tsp/eil14.tsp", "/share/hiss/data/tsp/eil14.tsp");
    expect("maxcut/G1.txt", "/share/hiss/data/maxcut/G1.txt.gz");
    expect("maxcut/G2.txt", NULL);
    assert_string_equal(hs_data_folder(), "no/such/folder");
    unsetenv("HISS_DATA");
    expect("tsp/eil14.tsp", "tsp/eil14.tsp");
    assert_string_equal(hs_data_folder(), "data");
    setenv("HISS_DATA", "", 1);
    assert_string_equal(hs_data_folder(), "data");
}

static void the_users_folder_comes_first(void **state)
{
    (void)state;
    mkdir(FOLDER, 0777);
    mkdir(FOLDER "/tsp", 0777);
    setenv("HISS_DATA", FOLDER, 1);
    touch(FOLDER "/tsp/eil14.tsp.gz");
    expect("tsp/eil14.tsp", "test_data.tmp/tsp/eil14.tsp.gz");
    touch(FOLDER "/tsp/eil14.tsp");
    expect("tsp/eil14.tsp", "test_data.tmp/tsp/eil14.tsp");
    expect("tsp/eil51.tsp", "/share/hiss/data/tsp/eil51.tsp");
    unlink(FOLDER "/tsp/eil14.tsp");
    unlink(FOLDER "/tsp/eil14.tsp.gz");
    rmdir(FOLDER "/tsp");
    rmdir(FOLDER);
}

/* ./data counts where HISS_DATA is not set. */
static void the_working_folder(void **state)
{
    char before[4096];

    (void)state;
    assert_non_null(getcwd(before, sizeof before));
    mkdir(FOLDER, 0777);
    assert_int_equal(chdir(FOLDER), 0);
    mkdir("data", 0777);
    touch("data/mine");
    unsetenv("HISS_DATA");
    expect("mine", "data/mine");
    setenv("HISS_DATA", "elsewhere", 1);
    expect("mine", NULL);
    unlink("data/mine");
    rmdir("data");
    assert_int_equal(chdir(before), 0);
    rmdir(FOLDER);
}

static void lack_of_memory_is_told(void **state)
{
    hiss_status rc;
    char *path;
    int n = 0;

    (void)state;
    setenv("HISS_DATA", "elsewhere", 1);
    do {
        hs_alloc_fail_after(++n);
        rc = hs_data_find(&path, "tsp/eil14.tsp", NULL);
        hs_alloc_fail_after(0);
        assert_true(rc == HISS_OK || (rc == HISS_ENOMEM && !path));
    } while (rc != HISS_OK);
    assert_true(n > 3);
    hs_free(path);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(data_come_along),
        cmocka_unit_test(the_users_folder_comes_first),
        cmocka_unit_test(the_working_folder),
        cmocka_unit_test(lack_of_memory_is_told),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
