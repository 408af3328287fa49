/* test_file.c - outputs that appear whole, under their own name, once. */
#include "sink/file.h"

#include <errno.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cmocka.h>

#include <hiss/hiss.h>

static char folder[] = "/tmp/hiss-file-XXXXXX";

static const char *path_of(const char *name)
{
    static char path[512];

    snprintf(path, sizeof path, "%s/%s", folder, name);
    return path;
}

static void expect(const char *name, const char *text)
{
    char found[64] = "";
    FILE *in = fopen(path_of(name), "r");

    if (!in)
        fail_msg("%s is not there", name);
    (void)!fgets(found, sizeof found, in);
    fclose(in);
    assert_string_equal(found, text);
}

/* Files in the folder, which is emptied. */
static int count_files(void)
{
    char command[300];
    FILE *list;
    int count = 0;

    snprintf(command, sizeof command,
             "ls -A '%s' | wc -l; rm -rf '%s'/* '%s'/.??*", folder, folder,
             folder);
    list = popen(command, "r");
    assert_non_null(list);
    assert_int_equal(fscanf(list, "%d", &count), 1);
    pclose(list);
    return count;
}

static void open_with(hs_file *f, const char *name, bool replace,
                      const char *text)
{
    hiss_error err = {0};

    if (hs_file_open(f, path_of(name), replace, &err) != HISS_OK)
        fail_msg("%s", err.message);
    fputs(text, f->stream);
}

/* Both were told that the name is free; one of them is told that it lost. */
static void two_writers_one_name(void **state)
{
    hs_file a, b;
    hiss_error err = {0};

    (void)state;
    open_with(&a, "x.csv", false, "first");
    open_with(&b, "x.csv", false, "second");
    assert_int_equal(hs_file_commit(&b, &err), HISS_OK);
    assert_int_equal(hs_file_commit(&a, &err), HISS_EIO);
    assert_non_null(strstr(err.message, "x.csv"));
    expect("x.csv", "second");
    assert_int_equal(count_files(), 1);
}

static void the_last_one_replaces(void **state)
{
    hs_file a, b;

    (void)state;
    open_with(&a, "x.csv", true, "first");
    open_with(&b, "x.csv", true, "second");
    assert_int_equal(hs_file_commit(&b, NULL), HISS_OK);
    assert_int_equal(hs_file_commit(&a, NULL), HISS_OK);
    expect("x.csv", "first");
    assert_int_equal(count_files(), 1);
}

/* A file that stands there is refused before anything is written, and so is a
 * link that leads nowhere. */
static void what_is_there_is_kept(void **state)
{
    hs_file a;

    (void)state;
    open_with(&a, "x.csv", false, "first");
    assert_int_equal(hs_file_commit(&a, NULL), HISS_OK);
    assert_int_equal(hs_file_open(&a, path_of("x.csv"), false, NULL),
                     HISS_EARG);
    expect("x.csv", "first");
    assert_int_equal(symlink("nowhere", path_of("y.csv")), 0);
    assert_int_equal(hs_file_open(&a, path_of("y.csv"), false, NULL),
                     HISS_EARG);
    assert_int_equal(count_files(), 2);
}

/* The longest names that the system knows, and no longer ones. */
static void long_names(void **state)
{
    char name[300];
    hs_file a;

    (void)state;
    for (int length = 200; length <= 255; length++) {
        memset(name, 'n', sizeof name);
        strcpy(name + length - 4, ".csv");
        open_with(&a, name, false, "long");
        assert_int_equal(hs_file_commit(&a, NULL), HISS_OK);
        expect(name, "long");
    }
    assert_int_equal(count_files(), 56);
    memset(name, 'n', sizeof name);
    strcpy(name + 256 - 4, ".csv");
    assert_int_equal(hs_file_open(&a, path_of(name), false, NULL), HISS_EIO);
    assert_int_equal(count_files(), 0);
}

/* Stan CSV is many files: those of one run, or none. */
static void many_files_are_of_one_run(void **state)
{
    hiss_settings set;
    hiss_model *m;
    hiss_sampler *s;
    hiss_result *r;
    hs_file late;
    hiss_error err = {0};

    (void)state;
    hiss_settings_init(&set);
    set.chains = 3;
    set.samples = 5;
    assert_int_equal(hiss_model_create(&m, "bernoulli4", NULL), HISS_OK);
    assert_int_equal(hiss_sampler_create(&s, "gibbs", NULL), HISS_OK);
    assert_int_equal(hiss_sample(&r, m, s, &set, NULL), HISS_OK);
    open_with(&late, "r-3.csv", false, "mine");
    assert_int_equal(hs_file_commit(&late, NULL), HISS_OK);
    assert_int_equal(hiss_result_write(r, path_of("r.stan"), 0, &err),
                     HISS_EARG);
    expect("r-3.csv", "mine");
    assert_int_equal(count_files(), 1);
    hiss_result_destroy(r);
    hiss_sampler_destroy(s);
    hiss_model_destroy(m);
}

static int leave(void **state)
{
    (void)state;
    return rmdir(folder);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(two_writers_one_name),
        cmocka_unit_test(the_last_one_replaces),
        cmocka_unit_test(what_is_there_is_kept),
        cmocka_unit_test(long_names),
        cmocka_unit_test(many_files_are_of_one_run),
    };

    if (!mkdtemp(folder))
        return 1;
    return cmocka_run_group_tests(tests, NULL, leave);
}
