/* test_extending.c - the programs of docs/extending.md do what the page
 * says. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include <cmocka.h>

#include <hiss/hiss.h>

static hiss_model *open_model(const char *text)
{
    hiss_error err = {0};
    hiss_model *m;

    if (hiss_model_open(&m, text, NULL, &err) != HISS_OK)
        fail_msg("%s", err.message);
    return m;
}

static double log_z(const hiss_model *m)
{
    hiss_error err = {0};
    hiss_exact *exact;
    double value;

    if (hiss_exact_create(&exact, m, 1, &err) != HISS_OK)
        fail_msg("%s", err.message);
    value = hiss_exact_log_z(exact);
    hiss_exact_destroy(exact);
    return value;
}

/* The law is kept, and it moves. */
static void assert_kept(const char *model, const char *sampler)
{
    hiss_verify_result result = HISS_INIT(hiss_verify_result);
    hiss_verify_settings set;
    hiss_model *m = open_model(model);
    hiss_sampler *s;
    hiss_verdict *v;
    hiss_error err = {0};

    if (hiss_sampler_create(&s, sampler, &err) != HISS_OK)
        fail_msg("%s", err.message);
    hiss_verify_settings_init(&set);
    set.replicates = 100000;
    if (hiss_verify(&v, m, s, &set, &err) != HISS_OK)
        fail_msg("%s", err.message);
    hiss_verdict_result(v, &result);
    assert_int_equal(result.verdict, HISS_KEPT);
    assert_true(result.moved > 0.01);
    hiss_verdict_destroy(v);
    hiss_sampler_destroy(s);
    hiss_model_destroy(m);
}

static void a_kernel_keeps_its_law(void **state)
{
    (void)state;
    assert_kept("bernoulli4", "uniform");
    assert_kept("star(d=4)", "pt(base=uniform(tries=2),ladder=[1,3])");
    assert_kept("potts(side=2,states=3,beta=.3)", "hiss(eta=2,inner=uniform)");
}

/* Z = 2 (2 cosh beta)^(d-1). */
static void a_model_has_its_law(void **state)
{
    hiss_model *m = open_model("star(d=9,beta=0.7)");

    (void)state;
    assert_true(fabs(log_z(m) - log(2.0) - 8.0 * log(2.0 * cosh(0.7))) < 1e-6);
    hiss_model_destroy(m);
    assert_kept("star(d=6)", "dmala(alpha=1)");
    assert_kept("star(d=6)", "gibbs");
}

static void write_text(const char *path, const char *text)
{
    FILE *f = fopen(path, "w");

    assert_non_null(f);
    assert_true(fputs(text, f) >= 0);
    assert_int_equal(fclose(f), 0);
}

/* A chain of three spins, and a complaint with its place. */
static void a_format_is_read(void **state)
{
    static const char path[] = "extending_test.bonds";
    hiss_error err = {0};
    hiss_model *m;

    (void)state;
    write_text(path, "bonds 3\n0 1 0.5\n1 2 -0.25\n");
    m = open_model(path);
    assert_true(fabs(log_z(m) - log(2.0) - log(2.0 * cosh(0.5)) -
                     log(2.0 * cosh(0.25))) < 1e-6);
    hiss_model_destroy(m);
    write_text(path, "bonds 3\n0 1 0.5\n1 3 -0.25\n");
    assert_int_not_equal(hiss_model_open(&m, path, NULL, &err), HISS_OK);
    assert_non_null(strstr(err.message, ":3:3:"));
    assert_int_equal(unlink(path), 0);
}

/* Where it applies it is taken, and keeps the law. */
static void a_path_is_taken(void **state)
{
    static const struct {
        const char *model, *paths;
    } rows[] = {
        {"star(d=6)", "dmala: whole\n"},
        {"star(d=65)", "dmala: rows\n"},
        {"ising(side=3,beta=.3)", "dmala: regular\n"},
    };

    (void)state;
    for (size_t r = 0; r < sizeof rows / sizeof *rows; r++) {
        hiss_model *m = open_model(rows[r].model);
        hiss_sampler *s;
        char *paths;

        assert_int_equal(hiss_sampler_create(&s, "dmala", NULL), HISS_OK);
        assert_int_equal(hiss_sampler_paths(s, m, &paths, NULL), HISS_OK);
        assert_string_equal(paths, rows[r].paths);
        hiss_free(paths);
        hiss_sampler_destroy(s);
        hiss_model_destroy(m);
    }
    assert_kept("star(d=6)", "hiss(eta=2,inner=dmala(alpha=1))");
    assert_kept("potts(side=2,states=3,beta=.3)", "dmala(alpha=1)");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_kernel_keeps_its_law),
        cmocka_unit_test(a_model_has_its_law),
        cmocka_unit_test(a_format_is_read),
        cmocka_unit_test(a_path_is_taken),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
