/* test_dataset.c - rows, splits and inputs of the paper's data sets, and files
 * that cannot be used. */
#include "model/data/dataset.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <string.h>
#include <unistd.h>

#include <cmocka.h>

#include "base/alloc.h"
#include "unit/network_sets.h"
#include "unit/text_files.h"

#define FILE_NAME HISS_TEST_FOLDER "/test_dataset.csv"

static void check_rows(const struct set *s)
{
    hs_model *m = open_set(s, "");
    const hs_dataset *data = hs_network_data(m);

    assert_int_equal(data->inputs, s->inputs);
    assert_int_equal(m->domain.dim, (s->inputs + 2) * 100 + 1);
    for (int p = 0; p < HS_PARTS; p++) {
        int ones = 0;

        assert_int_equal(data->part[p].count, s->cases[p]);
        for (int n = 0; n < data->part[p].count; n++)
            ones += data->part[p].target[n] == 1.0f;
        if (s->ones[p] >= 0)
            assert_int_equal(ones, s->ones[p]);
    }
    hs_model_destroy(m);
}

/* Mean 0 and deviation 1 over the fitted cases, or 0 where nothing varies. */
static void check_inputs(const struct set *s)
{
    hs_model *m = open_set(s, ",inputs=standard");
    const hs_dataset *data = hs_network_data(m);
    const hs_cases *fitted = &data->part[HS_FITTED];

    for (int i = 0; i < data->inputs; i++) {
        double sum = 0.0, square = 0.0;

        for (int n = 0; n < fitted->count; n++) {
            double z =
                (double)fitted
                    ->input[(size_t)n * (size_t)(data->inputs + 1) + (size_t)i];

            sum += z / fitted->count;
            square += z * z / (fitted->count - 1);
        }
        assert_true(fabs(sum) < 1e-5);
        assert_true(fabs(square - 1.0) < 1e-5 || square == 0.0);
    }
    hs_model_destroy(m);
}

static void check_set(const struct set *s)
{
    check_rows(s);
    check_inputs(s);
}

static void wdbc_is_the_papers(void **state)
{
    (void)state;
    check_set(&sets[0]);
}

static void compas_is_the_papers(void **state)
{
    (void)state;
    check_set(&sets[1]);
}

static void hiv_is_the_papers(void **state)
{
    (void)state;
    check_set(&sets[2]);
}

static void blog_is_read(void **state)
{
    (void)state;
    check_set(&sets[3]);
}

/* A test and a validation part of a file: sizes, and nothing lost. */
static void a_file_is_split(void **state)
{
    hs_model *m = create("bnn(" TINY ",y,hidden=2,test=0.3,validation=0.25)");
    const hs_dataset *data = hs_network_data(m);

    (void)state;
    assert_int_equal(data->part[HS_TEST].count, 4); /* ceil 3.6 */
    assert_int_equal(data->part[HS_FITTED].count, 6);
    assert_int_equal(data->part[HS_VALIDATION].count, 2);
    hs_model_destroy(m);
}

/* --- the whole of Blog ---------------------------------------------------- */

static void write_blog(const char *name, const int *targets, int count)
{
    char path[512];
    FILE *f;

    snprintf(path, sizeof path, "%s/%s", HISS_TEST_FOLDER, name);
    f = fopen(path, "w");
    assert_non_null(f);
    for (int n = 0; n < count; n++) {
        for (int i = 0; i < 280; i++)
            fprintf(f, "%d.0,", i == 5 ? n : i);
        fprintf(f, "%d.0\n", targets[n]);
    }
    fclose(f);
}

/* Of eleven rows the largest target is above the 90th percentile, 7.2 of
 * 0 .. 8 and 30; two test files count as one part. */
static void whole_blog_files_are_read(void **state)
{
    static const int train[] = {0, 1, 2, 30, 4, 3, 8}, first[] = {5, 6};
    static const int second[] = {7, 0};
    hs_model *m;
    const hs_dataset *data;
    double most = 0.0;

    (void)state;
    write_blog("blogData_train.csv", train, 7);
    write_blog("blogData_test-2012.02.01.00_00.csv", first, 2);
    write_blog("blogData_test-2012.02.02.00_00.csv", second, 2);
    m = create("bnn(blog,folder=\"" HISS_TEST_FOLDER "\",validation=0)");
    data = hs_network_data(m);
    assert_int_equal(data->part[HS_FITTED].count, 6);
    assert_int_equal(data->part[HS_TEST].count, 4);
    assert_true(data->part[HS_TEST].target[2] == 7.0f / 8.0f);
    for (int n = 0; n < 6; n++)
        most = fmax(most, (double)data->part[HS_FITTED].target[n]);
    assert_true(most == 1.0);
    assert_null(m->note);
    hs_model_destroy(m);
    unlink(HISS_TEST_FOLDER "/blogData_test-2012.02.01.00_00.csv");
    unlink(HISS_TEST_FOLDER "/blogData_test-2012.02.02.00_00.csv");
    unlink(HISS_TEST_FOLDER "/blogData_train.csv");
}

/* --- what cannot be used ------------------------------------------------- */

static void expect_refusal(const char *spec, const char *phrase)
{
    hiss_error err = {0};
    hs_model *m;
    hiss_status rc = hs_model_create(&m, spec, &err);

    assert_null(m);
    assert_true(rc == HISS_EPARSE || rc == HISS_EARG);
    if (!strstr(err.message, phrase))
        fail_msg("%s: '%s' does not say '%s'", spec, err.message, phrase);
}

static void bad_files_are_refused(void **state)
{
    static const char *const cases[][2] = {
        {"", "csv:1:1: the file is empty"},
        {"a,b\n1,2\n", "csv:1:1: there is no column 'y'"},
        {"a,Y\n1,2\n", "did you mean 'Y'?"},
        {"a,y,y\n1,2,3\n", "csv:1:5: this is the second column 'y'"},
        {"y\n1\n", "csv:1:1: the target is the only column"},
        {"a,,y\n1,2,1\n", "csv:1:3: column 2 of the header has no name"},
        {"a,y\n", "no row follows the header"},
        {"a,y\n1,0\n2\n", "csv:3:1: the row has 1 field, the header has 2"},
        {"a,y\n1,0\n2,1,3\n", "csv:3:5: the row has 3 fields"},
        {"a,y\n1,0\n2,\"1\n", "csv:3:3: this quote is not closed"},
        {"a,y\n1,0\nfoo,1\n", "csv:3:1: found 'foo', expected a finite number"},
        {"a,y\n1,0\nNaN,1\n", "csv:3:1: found 'NaN', expected a finite number"},
        {"a,y\n1,0\n,1\n", "csv:3:1: the field is empty, expected a number"},
        {"a,y\n1,0\n2,inf\n", "csv:3:3: found 'inf'"},
        {"a,y\n1,0\n2e30,1\n", "csv:3:1: found 2e+30, expected a number from"},
        {"a,y\n1e-300,0\n2e-300,1\n", "csv:1:1: column 'a' is 1.5e-300"},
        {"a,y\n1,0\n2,3\n", "csv:3:3: the target is 3, expected 0 to 1"},
        {"a,b,y\n1,4,0\n2,4,1\n", "csv:1:3: column 'b' is 4 in all 2 rows"},
    };

    (void)state;
    for (size_t k = 0; k < sizeof cases / sizeof *cases; k++) {
        write_file(FILE_NAME, cases[k][0], strlen(cases[k][0]));
        expect_refusal("bnn(" FILE_NAME ",y)", cases[k][1]);
    }
    write_file(FILE_NAME, "a,y\n1,5\n2,5\n", 12);
    expect_refusal("bnn(" FILE_NAME ",y,scale=yes)",
                   "the target is 5 in all 2 rows");
    expect_refusal("bnn(" FILE_NAME ",y,scale=yes,test=0.9)",
                   "the target is 5");
    write_file(FILE_NAME, "a,b,y\n1,4,0\n2,4,9\n", 18);
    hs_model_destroy(create("bnn(" FILE_NAME ",y,inputs=raw,scale=yes)"));
}

static void bad_specs_are_refused(void **state)
{
    (void)state;
    expect_refusal("bnn(" TINY ")", "target must be given");
    expect_refusal("bnn", "data must be given");
    expect_refusal("bnn(no/such.csv,y)", "no/such.csv");
    expect_refusal("bnn(" TINY ",y,hidden=0)", "hidden");
    expect_refusal("bnn(" TINY ",y,energy=mean)", "mean100");
    expect_refusal("bnn(" TINY ",y,test=1)", "test");
    expect_refusal("bnn(hiv,y)", "target is given, but data=hiv has its own");
    expect_refusal("bnn(hiv,test=0.5)", "test is given");
    expect_refusal("bnn(hiv,folder=no/such)",
                   "there is no file bnn/hiv-1625.txt");
    expect_refusal("bnn(hiv,folder=no/such)",
                   "c7b962810e927bf4874d596bfccbdaa89c9fb199cb9a00f844cb75a8a"
                   "442b8ea");
    expect_refusal("bnn(blog,folder=no/such)",
                   "https://archive.ics.uci.edu/dataset/304");
}

static void bad_sets_are_refused(void **state)
{
    static const char *const cases[][3] = {
        {"hiv-1625.txt", "ACDEFGHI,1\nACDEFGHX,1\n",
         "txt:2:1: found 'ACDEFGHX', expected 8 letters"},
        {"hiv-1625.txt", "ACDEFGHI,2\n", "txt:1:10: found '2', expected 1"},
        {"hiv-1625.txt", "ACDEFGHI\n", "txt:1:1: the row has 1 field"},
        {"wdbc.data", "1,M,2\n", "data:1:5: the row has 3 fields"},
        {"compas-scores-two-years.csv", "a,b\n1,2\n",
         "csv:1:1: there is no column 'days_b_screening_arrest'"},
    };

    (void)state;
    for (size_t k = 0; k < sizeof cases / sizeof *cases; k++) {
        char path[512], spec[640];

        snprintf(path, sizeof path, "%s/%s", HISS_TEST_FOLDER, cases[k][0]);
        snprintf(spec, sizeof spec, "bnn(%s,folder=\"%s\")",
                 k < 3    ? "hiv"
                 : k == 3 ? "wdbc"
                          : "compas",
                 HISS_TEST_FOLDER);
        write_file(path, cases[k][1], strlen(cases[k][1]));
        expect_refusal(spec, cases[k][2]);
        unlink(path);
    }
}

static void lack_of_memory_is_told(void **state)
{
    hiss_status rc;
    hs_model *m;
    int n = 0;

    (void)state;
    do {
        hs_alloc_fail_after(++n);
        rc = hs_model_create(&m, "bnn(" TINY ",y,hidden=2,test=0.2)", NULL);
        hs_alloc_fail_after(0);
        hs_model_destroy(m);
    } while (rc == HISS_ENOMEM && n < 1000);
    assert_int_equal(rc, HISS_OK);
    assert_true(n > 20);
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
        cmocka_unit_test(wdbc_is_the_papers),
        cmocka_unit_test(compas_is_the_papers),
        cmocka_unit_test(hiv_is_the_papers),
        cmocka_unit_test(blog_is_read),
        cmocka_unit_test(a_file_is_split),
        cmocka_unit_test(whole_blog_files_are_read),
        cmocka_unit_test(bad_files_are_refused),
        cmocka_unit_test(bad_sets_are_refused),
        cmocka_unit_test(bad_specs_are_refused),
        cmocka_unit_test(lack_of_memory_is_told),
    };

    return cmocka_run_group_tests(tests, NULL, clean);
}
