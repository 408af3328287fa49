/* test_truth.c - exact laws and verdicts through the public interface. */
#include <hiss/hiss.h>

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <cmocka.h>

static hiss_model *model_of(const char *spec)
{
    hiss_model *m;

    assert_int_equal(hiss_model_create(&m, spec, NULL), HISS_OK);
    return m;
}

static hiss_sampler *sampler_of(const char *spec)
{
    hiss_sampler *s;

    assert_int_equal(hiss_sampler_create(&s, spec, NULL), HISS_OK);
    return s;
}

static void an_exact_law_can_be_read(void **state)
{
    hiss_model *m = model_of("bernoulli4");
    hiss_exact *e;
    double x[4], p, sum = 0.0;
    int n = 0;

    (void)state;
    assert_int_equal(hiss_exact_create(&e, m, 0, NULL), HISS_OK);
    hiss_model_destroy(m); /* is not needed any more */
    assert_true(fabs(hiss_exact_log_z(e) - log(1.000023466)) < 1e-12);
    assert_true(hiss_exact_states(e) == 16.0);
    assert_true(fabs(hiss_exact_max_u(e) - log(0.588204)) < 1e-15);
    assert_true(isfinite(hiss_exact_mean_u(e)));
    assert_true(hiss_exact_seconds(e) >= 0.0);
    assert_string_equal(hiss_exact_method(e), "enumeration");
    for (; hiss_exact_top(e, n, x, &p); n++)
        sum += p;
    assert_true(n == 16 && fabs(sum - 1.0) < 1e-12);
    assert_true(hiss_exact_top(e, 1, x, NULL) && x[0] == 1.0 && x[3] == 0.0);
    assert_true(hiss_exact_top(e, 1, NULL, &p));
    assert_true(fabs(p - 0.294102 / 1.000023466) < 1e-12);
    assert_false(hiss_exact_top(e, -1, x, &p));
    assert_true(fabs(hiss_exact_marginal(e, 3)[1] -
                     (0.117641 + 7 * 5.882e-6) / 1.000023466) < 1e-12);
    assert_null(hiss_exact_marginal(e, 4));
    assert_null(hiss_exact_marginal(e, -1));
    hiss_exact_destroy(e);
    hiss_exact_destroy(NULL);
}

static void bad_arguments_are_told(void **state)
{
    hiss_model *m = model_of("bernoulli4");
    hiss_sampler *s = sampler_of("gwg");
    hiss_verify_settings set;
    hiss_verdict *v;
    hiss_exact *e;

    (void)state;
    hiss_verify_settings_init(&set);
    assert_true(set.replicates == 1000000 && set.seed == 1);
    assert_int_equal(hiss_exact_create(&e, NULL, 0, NULL), HISS_EARG);
    assert_int_equal(hiss_exact_create(&e, m, -1, NULL), HISS_EARG);
    assert_int_equal(hiss_exact_create(NULL, m, 0, NULL), HISS_EARG);
    assert_int_equal(hiss_verify(&v, m, NULL, &set, NULL), HISS_EARG);
    set.replicates = 0;
    assert_int_equal(hiss_verify(&v, m, s, &set, NULL), HISS_EARG);
    set.replicates = INT64_C(1) << 32;
    assert_int_equal(hiss_verify(&v, m, s, &set, NULL), HISS_EARG);
    set.replicates = 100;
    set.threads = -2;
    assert_int_equal(hiss_verify(&v, m, s, &set, NULL), HISS_EARG);
    assert_null(v);
    set.threads = 1;
    set.pairs = "";
    assert_int_equal(hiss_verify(&v, m, s, &set, NULL), HISS_EARG);
    set.pairs = "no/such/folder/pairs.csv";
    assert_int_equal(hiss_verify(&v, m, s, &set, NULL), HISS_EIO);
    hiss_verdict_destroy(NULL);
    hiss_sampler_destroy(s);
    hiss_model_destroy(m);
}

static char *slurp(const char *path)
{
    FILE *f = fopen(path, "rb");
    char *text = calloc(1, 65536);

    assert_true(f && text);
    assert_true(fread(text, 1, 65535, f) < 65535);
    fclose(f);
    return text;
}

/* Sums the counts of "values,values,count" lines; checks their shape. */
static long sum_of(const char *text, const char *first)
{
    long sum = 0;

    assert_true(strncmp(text, "from,to,count\n", 14) == 0);
    text += 14;
    assert_true(strncmp(text, first, strlen(first)) == 0);
    while (*text) {
        const char *end = strchr(text, '\n'), *last;

        assert_non_null(end);
        last = end;
        while (*last != ',')
            last--;
        sum += strtol(last + 1, NULL, 10);
        text = end + 1;
    }
    return sum;
}

static void pairs_are_written_whole_or_not_at_all(void **state)
{
    hiss_model *m = model_of("ladder(d=2,levels=3,beta=0.3)");
    hiss_sampler *s = sampler_of("gwg");
    char path[] = "truth-XXXXXX";
    hiss_verify_settings set;
    hiss_verify_result r = HISS_INIT(hiss_verify_result);
    hiss_verify_test t = HISS_INIT(hiss_verify_test);
    hiss_verdict *v;
    hiss_error err;
    int tests = 0;
    char *text;

    (void)state;
    close(mkstemp(path));
    hiss_verify_settings_init(&set);
    set.replicates = 5000;
    set.pairs = path;
    assert_int_equal(hiss_verify(&v, m, s, &set, &err), HISS_EARG);
    assert_non_null(strstr(err.message, path));
    text = slurp(path);
    assert_string_equal(text, ""); /* as it was */
    free(text);
    set.replace = 1;
    assert_int_equal(hiss_verify(&v, m, s, &set, &err), HISS_OK);
    text = slurp(path);
    assert_int_equal(sum_of(text, "0 0,0 "), 5000);
    free(text);
    hiss_verdict_result(v, &r);
    assert_true(r.replicates == 5000 && r.states == 9.0 && r.is_invariant);
    assert_true(r.claims_exact && r.claims_reversible && !r.tuning);
    assert_int_equal(r.verdict, HISS_KEPT);
    assert_true(hiss_verdict_test(v, 0, &t) && !strcmp(t.name, "law"));
    assert_true(t.steps == 1 && t.members == 1 && !*t.worst);
    assert_true(hiss_verdict_test(v, r.worst, &t));
    assert_true(t.statistic == r.statistic && t.freedom == r.freedom);
    while (hiss_verdict_test(v, tests, &t))
        tests++; /* the last one stays in t */
    assert_string_equal(t.name, "reversibility");
    assert_true(t.p_value == r.reversible_p_value);
    assert_false(hiss_verdict_test(v, -1, &t));
    hiss_verdict_destroy(v);
    remove(path);
    hiss_sampler_destroy(s);
    hiss_model_destroy(m);
}

static int stop(void *context, const hiss_progress *p)
{
    (void)context, (void)p;
    return 1;
}

static void a_stopped_verdict_leaves_nothing(void **state)
{
    hiss_model *m = model_of("bernoulli4");
    hiss_sampler *s = sampler_of("gwg");
    hiss_verify_settings set;
    hiss_verdict *v;

    (void)state;
    hiss_verify_settings_init(&set);
    set.progress = stop;
    set.pairs = "truth-stopped.csv";
    assert_int_equal(hiss_verify(&v, m, s, &set, NULL), HISS_ESTOP);
    assert_null(v);
    assert_int_not_equal(access(set.pairs, F_OK), 0);
    hiss_sampler_destroy(s);
    hiss_model_destroy(m);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(an_exact_law_can_be_read),
        cmocka_unit_test(bad_arguments_are_told),
        cmocka_unit_test(pairs_are_written_whole_or_not_at_all),
        cmocka_unit_test(a_stopped_verdict_leaves_nothing),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
