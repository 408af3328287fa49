/* test_wide.c - a function that wants many states at once draws what it draws
 * tile by tile, in fewer calls. */
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

#define COUNT(a) (sizeof(a) / sizeof *(a))

enum {
    DIM = 9,
    CHAINS = 35,
    SAMPLES = 12
};

static const char path[] = "test_wide.tmp";
static const char draws_path[] = "test_wide.tmp.draws";

/* U(x) = sum_i sin(3 i + 5 x_i) / 2 + 0.6 sum_i [x_i = x_{i+1}], x indices. */
struct function {
    hiss_kind kind;
    int states;
    int by_state;
    int has_gradient, has_change;
    int calls, most;
    int fail_at;      /* the call that fails; 0: none */
    double last;      /* of that call in place of U, if it is not 0 */
    const int16_t *x; /* of the call */
    int lanes;
};

static int at(const struct function *f, int i, int l)
{
    return f->by_state ? f->x[l * DIM + i] : f->x[i * f->lanes + l];
}

/* What coordinate i takes part in, at index v. */
static double part(const struct function *f, int i, int v, int l)
{
    return 0.5 * sin(3.0 * i + 5.0 * v) +
           0.6 * (i > 0 && at(f, i - 1, l) == v) +
           0.6 * (i + 1 < DIM && at(f, i + 1, l) == v);
}

static double u_of(const struct function *f, int l)
{
    double u = 0.0;

    for (int i = 0; i < DIM; i++)
        u += 0.5 * sin(3.0 * i + 5.0 * at(f, i, l)) +
             0.6 * (i + 1 < DIM && at(f, i, l) == at(f, i + 1, l));
    return u;
}

/* Row r: labels have one each; two values half the difference, as spins. */
static double row_of(const struct function *f, int r, int l)
{
    if (f->kind == HISS_CATEGORICAL)
        return part(f, r / f->states, r % f->states, l);
    return 0.5 * (part(f, r, 1, l) - part(f, r, 0, l));
}

static int call(struct function *f, const int16_t *x, int lanes)
{
    f->x = x;
    f->lanes = lanes;
    f->calls++;
    f->most = lanes > f->most ? lanes : f->most;
    return f->calls == f->fail_at && f->last == 0.0 ? 7 : 0;
}

static int evaluate(const void *context, const int16_t *x, int lanes, double *u,
                    float *gradient)
{
    struct function *f = *(struct function *const *)context;
    int rows = f->kind == HISS_CATEGORICAL ? DIM * f->states : DIM;
    int code = call(f, x, lanes);

    for (int l = 0; l < lanes; l++) {
        u[l] = u_of(f, l);
        for (int r = 0; gradient && r < rows; r++)
            gradient[f->by_state ? l * rows + r : r * lanes + l] =
                (float)row_of(f, r, l);
    }
    if (f->calls == f->fail_at && f->last != 0.0)
        u[lanes - 1] = f->last;
    return code;
}

static int change(const void *context, const int16_t *x, int lanes, int i,
                  double *out)
{
    struct function *f = *(struct function *const *)context;
    int code = call(f, x, lanes);

    for (int l = 0; l < lanes; l++)
        for (int v = 0; v < f->states; v++)
            out[f->by_state ? l * f->states + v : v * lanes + l] =
                part(f, i, v, l) - part(f, i, at(f, i, l), l);
    return code;
}

static hiss_model *model_of(struct function *const *f, int width)
{
    hiss_kind kind[DIM];
    int states[DIM];
    hiss_domain domain = {.size = sizeof domain, .dim = DIM};
    hiss_callback c = HISS_INIT(hiss_callback);
    hiss_error err = {0};
    hiss_model *m;

    for (int i = 0; i < DIM; i++) {
        kind[i] = (*f)->kind;
        states[i] = (*f)->states;
    }
    domain.kind = kind;
    domain.states = states;
    c.domain = &domain;
    c.evaluate = evaluate;
    c.change = (*f)->has_change ? change : NULL;
    c.has_gradient = (*f)->has_gradient;
    c.context = f;
    c.width = width;
    c.by_state = (*f)->by_state;
    if (hiss_model_callback(&m, &c, &err))
        fail_msg("%s", err.message);
    return m;
}

static void settings_of(hiss_settings *set, int threads)
{
    hiss_settings_init(set);
    set->samples = SAMPLES;
    set->warmup = 8;
    set->seed = 3;
    set->chains = CHAINS;
    set->threads = threads;
    set->marginals = 1;
}

/* The function is not called by two threads at once: its counters are plain. */
static hiss_status draw(hiss_result **out, struct function *f, int width,
                        const char *spec, const hiss_settings *set,
                        hiss_error *err)
{
    hiss_model *m = model_of(&f, width);
    hiss_sampler *s;
    hiss_status rc;

    f->calls = f->most = 0;
    assert_int_equal(hiss_sampler_create(&s, spec, NULL), HISS_OK);
    rc = hiss_sample(out, m, s, set, err);
    hiss_sampler_destroy(s);
    hiss_model_destroy(m);
    return rc;
}

static hiss_result *drawn(struct function *f, int width, const char *spec,
                          const hiss_settings *set)
{
    hiss_error err = {0};
    hiss_result *r;

    if (draw(&r, f, width, spec, set, &err))
        fail_msg("%s: %s", spec, err.message);
    return r;
}

static void assert_same(const hiss_result *a, const hiss_result *b,
                        const char *what)
{
    hiss_run_info info = HISS_INIT(hiss_run_info), other = info;

    hiss_result_info(a, &info);
    hiss_result_info(b, &other);
    assert_int_equal(info.samples, other.samples);
    if (memcmp(hiss_result_lp(a), hiss_result_lp(b),
               (size_t)(info.samples * CHAINS) * sizeof(double)))
        fail_msg("%s: other draws", what);
    for (int c = 0; c < CHAINS; c++)
        for (int64_t n = 0; n < info.samples; n++) {
            double x[DIM], y[DIM];

            hiss_result_draw(a, c, n, x);
            hiss_result_draw(b, c, n, y);
            if (memcmp(x, y, sizeof x))
                fail_msg("%s: chain %d differs at draw %d", what, c, (int)n);
        }
}

static const char *const specs[] = {
    "gibbs",
    "metropolis",
    "dmala(alpha=auto)",
    "gwg",
    "acs",
    "hiss(eta=auto,steps=2,inner=dmala(alpha=auto))",
    "pt(base=dmala(alpha=auto),levels=3)",
    "pt(base=gibbs,ladder=[1,2],swap_every=2)",
    "replicas(base=gwg,count=3)",
    "pt(levels=auto)",
    "auto",
};

static const struct function functions[] = {
    {.kind = HISS_SPIN, .states = 2, .has_gradient = 1},
    {.kind = HISS_CATEGORICAL, .states = 3, .has_gradient = 1, .by_state = 1},
    {.kind = HISS_ORDINAL, .states = 4},
    {.kind = HISS_BINARY, .states = 2, .has_change = 1, .by_state = 1},
    {.kind = HISS_CATEGORICAL, .states = 3, .by_state = 1},
};

static void draws_are_those_of_tiles(void **state)
{
    (void)state;
    for (size_t k = 0; k < COUNT(specs); k++)
        for (size_t n = 0; n < COUNT(functions); n++) {
            struct function f = functions[n];
            hiss_settings one, three;
            hiss_result *narrow, *wide, *threads, *tight;
            int calls;

            settings_of(&one, 1);
            settings_of(&three, 3);
            narrow = drawn(&f, 0, specs[k], &one);
            calls = f.calls;
            tight = drawn(&f, 20, specs[k], &one);
            wide = drawn(&f, 1 << 20, specs[k], &one);
            assert_true(f.calls < calls);
            assert_true(f.most >= CHAINS);
            calls = f.calls;
            threads = drawn(&f, 1 << 20, specs[k], &three);
            assert_int_equal(f.calls, calls);
            assert_same(wide, narrow, specs[k]);
            assert_same(threads, narrow, specs[k]);
            assert_same(tight, narrow, specs[k]);
            hiss_result_destroy(narrow);
            hiss_result_destroy(wide);
            hiss_result_destroy(threads);
            hiss_result_destroy(tight);
        }
}

/* One call per step for all chains and replicas, and none for what is not
 * there. */
static void a_step_is_one_call(void **state)
{
    struct function f = functions[0];
    hiss_settings set;

    (void)state;
    settings_of(&set, 2);
    hiss_result_destroy(drawn(&f, 1 << 20, "dmala(alpha=0.3)", &set));
    assert_int_equal(f.most, CHAINS);
    /* three more see whether it is a function */
    assert_in_range(f.calls, SAMPLES + 8 + 3, SAMPLES + 8 + 3 + 4);
    hiss_result_destroy(
        drawn(&f, 1 << 20, "pt(base=dmala(alpha=0.3),ladder=[1,2,4])", &set));
    assert_int_equal(f.most, 3 * CHAINS);
    assert_in_range(f.calls, SAMPLES + 8 + 3, SAMPLES + 8 + 3 + 8);
}

/* A gradient is not asked for with other states than the width allows. */
static void width_bounds_a_call(void **state)
{
    struct function f = functions[0];
    hiss_settings set;

    (void)state;
    settings_of(&set, 1);
    hiss_result_destroy(drawn(&f, 32, "dmala(alpha=0.3)", &set));
    assert_int_equal(f.most, 32);
    hiss_result_destroy(drawn(&f, 1, "dmala(alpha=0.3)", &set));
    assert_int_equal(f.most, 16); /* a tile is not divided */
}

static void assert_fails(struct function *f, const char *spec,
                         hiss_status status, const char *word)
{
    hiss_settings set;
    hiss_error err = {0};
    hiss_result *r = NULL;

    settings_of(&set, 2);
    assert_int_equal(draw(&r, f, 1 << 20, spec, &set, &err), status);
    assert_null(r);
    if (!strstr(err.message, word))
        fail_msg("'%s' does not say '%s'", err.message, word);
}

static void faults_end_the_run(void **state)
{
    struct function f = functions[0];

    (void)state;
    f.fail_at = 9;
    assert_fails(&f, "dmala(alpha=0.3)", HISS_EPLUGIN, "code 7 in chain 0");
    assert_fails(&f, "pt(base=gibbs,ladder=[1,2])", HISS_EPLUGIN, "code 7");
    assert_fails(&f, "auto", HISS_EPLUGIN, "code 7");
    f.last = NAN;
    assert_fails(&f, "dmala(alpha=0.3)", HISS_ENUMERIC,
                 "U is NaN or +infinity in chain 34");
    f.last = HUGE_VAL;
    assert_fails(&f, "gwg", HISS_ENUMERIC, "U is NaN or +infinity in chain 34");
}

static int stop_soon(void *context, const hiss_progress *now)
{
    return !now->is_pilot && ++*(int *)context > 3;
}

static void a_run_goes_on(void **state)
{
    static const char *const some[] = {
        "dmala(alpha=auto)", "pt(base=dmala(alpha=auto),levels=3)", "gibbs"};

    (void)state;
    for (size_t k = 0; k < COUNT(some); k++) {
        struct function f = functions[0];
        hiss_run_info info = HISS_INIT(hiss_run_info);
        hiss_result *whole, *first, *second;
        hiss_settings set;
        int calls = 0;

        settings_of(&set, 1);
        whole = drawn(&f, 0, some[k], &set);
        set.threads = 2;
        set.checkpoint = path;
        set.progress = stop_soon;
        set.context = &calls;
        first = drawn(&f, 1 << 20, some[k], &set);
        hiss_result_info(first, &info);
        assert_int_equal(info.ended, HISS_ENDED_STOPPED);
        set.checkpoint = NULL;
        set.progress = NULL;
        set.resume = path;
        second = drawn(&f, 1 << 20, some[k], &set);
        assert_same(second, whole, some[k]);
        hiss_result_destroy(whole);
        hiss_result_destroy(first);
        hiss_result_destroy(second);
        unlink(path);
        unlink(draws_path);
    }
}

/* A function may use the library itself. */
static int evaluate_nested(const void *context, const int16_t *x, int lanes,
                           double *u, float *gradient)
{
    struct function own = functions[0], *f = &own;
    hiss_settings set;

    settings_of(&set, 1);
    set.samples = 1;
    set.warmup = 0;
    set.chains = 1;
    hiss_result_destroy(drawn(f, 64, "gwg", &set));
    return evaluate(context, x, lanes, u, gradient);
}

static void runs_nest(void **state)
{
    struct function f = functions[0], *to = &f;
    hiss_callback c = HISS_INIT(hiss_callback);
    hiss_domain domain = {.size = sizeof domain, .dim = DIM};
    hiss_kind kind[DIM];
    hiss_settings set;
    hiss_result *plain, *nested;
    hiss_sampler *s;
    hiss_model *m;

    (void)state;
    for (int i = 0; i < DIM; i++)
        kind[i] = HISS_SPIN;
    domain.kind = kind;
    c.domain = &domain;
    c.evaluate = evaluate_nested;
    c.has_gradient = 1;
    c.context = &to;
    c.width = 64;
    settings_of(&set, 2);
    set.samples = 3;
    plain = drawn(&f, 64, "gwg", &set);
    assert_int_equal(hiss_model_callback(&m, &c, NULL), HISS_OK);
    assert_int_equal(hiss_sampler_create(&s, "gwg", NULL), HISS_OK);
    assert_int_equal(hiss_sample(&nested, m, s, &set, NULL), HISS_OK);
    assert_same(nested, plain, "nested");
    hiss_sampler_destroy(s);
    hiss_model_destroy(m);
    hiss_result_destroy(plain);
    hiss_result_destroy(nested);
}

static void odd_widths_are_refused(void **state)
{
    struct function f = functions[0], *to = &f;
    hiss_callback c = HISS_INIT(hiss_callback);
    hiss_domain domain = {.size = sizeof domain, .dim = DIM};
    hiss_error err = {0};
    hiss_model *m;

    (void)state;
    c.domain = &domain;
    c.evaluate = evaluate;
    c.context = &to;
    c.width = -1;
    assert_int_equal(hiss_model_callback(&m, &c, &err), HISS_EARG);
    assert_non_null(strstr(err.message, "width is -1, expected 0 to"));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(draws_are_those_of_tiles),
        cmocka_unit_test(a_step_is_one_call),
        cmocka_unit_test(width_bounds_a_call),
        cmocka_unit_test(faults_end_the_run),
        cmocka_unit_test(a_run_goes_on),
        cmocka_unit_test(runs_nest),
        cmocka_unit_test(odd_widths_are_refused),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
