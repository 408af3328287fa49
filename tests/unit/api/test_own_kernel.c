/* test_own_kernel.c - hiss_verify_kernel: functions of the caller, judged. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <string.h>

#include <cmocka.h>

#include <hiss/hiss.h>

#include "unit/xorshift.h"

#define MODEL "ising(side=2,beta=0.3)"

/* What a kernel is to do wrong. */
struct fault {
    double power; /* of the acceptance ratio, 1: right */
    int status;   /* to fail with in the second call */
    double value; /* to write in the second call, NaN: none */
    int calls;
    int64_t most; /* states of a call */
    bool adapts;  /* proposes less where much was accepted before */
    double rate;  /* of proposals that are made, if it adapts */
};

/* 2 x 2 on a torus: each of its two neighbors twice. */
static double field(const double *x, int i)
{
    return 2.0 * (x[i ^ 1] + x[i ^ 2]);
}

static hiss_status flip(void *context, int64_t n, int dim, uint32_t seed,
                        const double *from, double *to, hiss_error *err)
{
    struct fault *f = context;
    int64_t moved = 0;
    uint64_t random = seed * UINT64_C(0x9e3779b97f4a7c15) + 1;

    assert_int_equal(dim, 4);
    f->most = n > f->most ? n : f->most;
    if (f->calls++ == 1 && f->status) {
        strcpy(err->message, "it is tired");
        return f->status;
    }
    memcpy(to, from, (size_t)n * 4 * sizeof *to);
    for (int64_t r = 0; r < n; r++, to += 4) {
        int i = xorshift_below(&random, 4);
        double u = ((double)xorshift(&random) + 0.5) * 0x1p-32;

        if (f->adapts && ((double)xorshift(&random) * 0x1p-32) > f->rate)
            continue;
        if (u < pow(exp(-0.6 * to[i] * field(to, i)), f->power))
            to[i] = -to[i];
        if (f->calls == 2 && !isnan(f->value))
            to[3] = f->value;
        moved += to[i] != from[4 * r + i];
    }
    if (f->adapts)
        f->rate = fmin(
            1.0, fmax(0.1, f->rate - 0.3 * ((double)moved / (double)n - 0.3)));
    return HISS_OK;
}

static hiss_status judge(hiss_verdict **out, struct fault *f,
                         const char *sampler, hiss_error *err)
{
    hiss_kernel kernel = {
        .size = sizeof kernel, .name = "flip", .apply = flip, .context = f};
    hiss_verify_settings set;
    hiss_sampler *same = NULL;
    hiss_model *model;
    hiss_status rc;

    hiss_verify_settings_init(&set);
    set.replicates = 100000;
    set.calls = 2000;
    set.batch = 9000;
    assert_int_equal(hiss_model_create(&model, MODEL, err), HISS_OK);
    if (sampler)
        assert_int_equal(hiss_sampler_create(&same, sampler, err), HISS_OK);
    rc = hiss_verify_kernel(out, model, &kernel, same, &set, err);
    hiss_sampler_destroy(same);
    hiss_model_destroy(model);
    return rc;
}

static void a_right_kernel_is_kept(void **state)
{
    struct fault f = {.power = 1.0, .value = NAN};
    hiss_verify_result r = HISS_INIT(hiss_verify_result);
    hiss_verify_flow flow = HISS_INIT(hiss_verify_flow);
    hiss_verdict *v;
    hiss_error err = {0};

    (void)state;
    assert_int_equal(judge(&v, &f, "metropolis(updates=1)", &err), HISS_OK);
    assert_true(hiss_verdict_result(v, &r));
    assert_int_equal(r.verdict, HISS_KEPT);
    assert_null(hiss_verdict_reason(v));
    assert_false(hiss_verdict_flow(v, 0, &flow));
    assert_true(r.twin_p_value > 1e-4);
    assert_int_equal(f.most, 9000);
    assert_int_equal(r.calls, f.calls);
    assert_true(r.singles > 10);
    hiss_verdict_destroy(v);
}

/* With the ratio to the power 1.2 it settles at e^(1.2 U). */
static void a_wrong_kernel_is_named(void **state)
{
    struct fault f = {.power = 1.2, .value = NAN};
    hiss_verify_result r = HISS_INIT(hiss_verify_result);
    hiss_verify_flow flow = HISS_INIT(hiss_verify_flow);
    hiss_verdict *v;
    hiss_error err = {0};

    (void)state;
    assert_int_equal(judge(&v, &f, NULL, &err), HISS_OK);
    assert_true(hiss_verdict_result(v, &r));
    assert_int_equal(r.verdict, HISS_BROKEN);
    assert_true(isnan(r.twin_p_value));
    assert_false(r.has_memory);
    assert_non_null(strstr(hiss_verdict_reason(v), "higher U"));
    assert_non_null(strstr(hiss_verdict_reason(v), "converges to about e^(1."));
    assert_true(hiss_verdict_flow(v, 0, &flow));
    assert_true(flow.z > 5.0 && flow.entered > flow.left);
    for (int i = 1; i < 4; i++) /* one of the two aligned states */
        assert_true(flow.values[i] == flow.values[0]);
    hiss_verdict_destroy(v);
}

/* Every call keeps the law; which call it is depends on the states before. */
static void adaptation_is_found(void **state)
{
    struct fault f = {.power = 1.0, .value = NAN, .adapts = true, .rate = 0.5};
    hiss_verify_result r = HISS_INIT(hiss_verify_result);
    hiss_verdict *v;
    hiss_error err = {0};

    (void)state;
    assert_int_equal(judge(&v, &f, NULL, &err), HISS_OK);
    assert_true(hiss_verdict_result(v, &r));
    assert_int_equal(r.verdict, HISS_BROKEN);
    assert_true(r.has_memory);
    assert_non_null(strstr(hiss_verdict_reason(v), "states of earlier calls"));
    hiss_verdict_destroy(v);
}

static void faults_of_a_kernel(void **state)
{
    struct fault tired = {.power = 1.0, .status = HISS_EARG, .value = NAN};
    struct fault odd = {.power = 1.0, .value = 0.5};
    struct fault wild = {.power = 1.0, .value = 1e300};
    hiss_kernel none = {.size = sizeof none};
    hiss_verify_settings set;
    hiss_model *model;
    hiss_verdict *v;
    hiss_error err = {0};

    (void)state;
    assert_int_equal(judge(&v, &tired, NULL, &err), HISS_EPLUGIN);
    assert_string_equal(err.message, "flip: it is tired");
    assert_null(v);
    assert_int_equal(judge(&v, &odd, NULL, &err), HISS_EPLUGIN);
    assert_string_equal(err.message, "flip: call 2 gave 0.5 for x.4 of state "
                                     "1, its values are -1 and 1");
    assert_int_equal(judge(&v, &wild, NULL, &err), HISS_EPLUGIN);
    assert_int_equal(hiss_model_create(&model, MODEL, &err), HISS_OK);
    hiss_verify_settings_init(&set);
    assert_int_equal(hiss_verify_kernel(&v, model, &none, NULL, &set, &err),
                     HISS_EARG);
    assert_string_equal(err.message, "hiss_kernel: apply is NULL");
    set.calls = -1;
    none.apply = flip;
    assert_int_equal(hiss_verify_kernel(&v, model, &none, NULL, &set, &err),
                     HISS_EARG);
    hiss_model_destroy(model);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_right_kernel_is_kept),
        cmocka_unit_test(a_wrong_kernel_is_named),
        cmocka_unit_test(adaptation_is_found),
        cmocka_unit_test(faults_of_a_kernel),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
