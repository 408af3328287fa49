/* The default number of chains, and that a chain is the same whatever their
 * number. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include <hiss/hiss.h>

enum {
    SIDE = 10,
    SITES = SIDE * SIDE * SIDE,
    DIM = 6
};

static int ones(const void *context, const int16_t *x, int lanes, double *u,
                float *gradient)
{
    (void)context;
    (void)gradient;
    for (int l = 0; l < lanes; l++) {
        u[l] = 0.0;
        for (int i = 0; i < DIM; i++)
            u[l] += 0.3 * x[i * lanes + l];
    }
    return 0;
}

static hiss_model *make_function(void)
{
    hiss_domain domain = HISS_INIT(hiss_domain);
    hiss_callback callback = HISS_INIT(hiss_callback);
    hiss_model *m;

    domain.dim = DIM;
    callback.name = "ones";
    callback.domain = &domain;
    callback.evaluate = ones;
    assert_int_equal(hiss_model_callback(&m, &callback, NULL), HISS_OK);
    return m;
}

static hiss_model *make(const char *spec)
{
    hiss_model *m;

    assert_int_equal(hiss_model_create(&m, spec, NULL), HISS_OK);
    return m;
}

static void expect(hiss_model *m, int chains)
{
    assert_int_equal(hiss_default_chains(m), chains);
    hiss_model_destroy(m);
}

static void sixteen_unless_a_state_is_expensive(void **state)
{
    hiss_model *m = make_function();

    (void)state;
    assert_int_equal(hiss_default_chains(NULL), 0);
    expect(make("bernoulli4"), 16);
    expect(make("ising(side=64,beta=0.4)"), 16);
    expect(make("ising(side=120,beta=0.4)"), 16);
    expect(make("ising(side=128,beta=0.4)"), 4); /* 16 kB a draw */
    expect(make("plugin(" HISS_TEST_PLUGINS "/ring.so)"), 4);
    assert_int_equal(hiss_model_fix(m, "1=1", NULL), HISS_OK);
    expect(m, 4);
}

static hiss_result *run(const hiss_model *m, const char *spec,
                        const hiss_settings *set)
{
    hiss_sampler *s;
    hiss_result *r;
    hiss_error err = {0};

    assert_int_equal(hiss_sampler_create(&s, spec, NULL), HISS_OK);
    if (hiss_sample(&r, m, s, set, &err))
        fail_msg("%s: %s", spec, err.message);
    hiss_sampler_destroy(s);
    return r;
}

static void zero_is_the_default(void **state)
{
    hiss_model *models[] = {make("bernoulli4"), make_function()};
    hiss_settings set;

    (void)state;
    hiss_settings_init(&set);
    assert_int_equal(set.chains, 0);
    set.samples = 10;
    for (int n = 0; n < 2; n++) {
        hiss_run_info info = HISS_INIT(hiss_run_info);
        hiss_result *r = run(models[n], "gibbs", &set);

        assert_true(hiss_result_info(r, &info));
        assert_int_equal(info.chains, hiss_default_chains(models[n]));
        hiss_result_destroy(r);
        hiss_model_destroy(models[n]);
    }
}

/* Couplings of 1 and -1 on a cubic lattice. */
static hiss_model *make_glass(void)
{
    static int row[3 * SITES], column[3 * SITES];
    static double value[3 * SITES], field[SITES];
    uint32_t hash = 12345;
    int edges = 0;
    hiss_model *m;

    for (int i = 0; i < SITES; i++) {
        int z = i % SIDE, y = i / SIDE % SIDE, x = i / SIDE / SIDE;
        int next[3] = {(x * SIDE + y) * SIDE + (z + 1) % SIDE,
                       (x * SIDE + (y + 1) % SIDE) * SIDE + z,
                       ((x + 1) % SIDE * SIDE + y) * SIDE + z};

        for (int k = 0; k < 3; k++) {
            hash = hash * 1664525u + 1013904223u;
            row[edges] = i;
            column[edges] = next[k];
            value[edges++] = hash >> 31 ? 1.0 : -1.0;
        }
    }
    assert_int_equal(hiss_model_ising_sparse(&m, SITES, edges, row, column,
                                             value, field, NULL),
                     HISS_OK);
    return m;
}

/* The pilot of a glass takes hot levels off.  It put levels in between where
 * few chains would have left lanes idle, so that chain 0 of four was another
 * one than that of sixteen. */
static void auto_gives_the_same_chain(void **state)
{
    hiss_model *m = make_glass();
    hiss_settings set;
    hiss_result *one, *four;
    size_t draws;

    (void)state;
    hiss_settings_init(&set);
    set.samples = 600;
    set.chains = 1;
    one = run(m, "auto", &set);
    set.chains = 4;
    four = run(m, "auto", &set);
    draws = (size_t)set.samples * SITES;
    assert_string_equal(hiss_result_resolved(one), hiss_result_resolved(four));
    assert_non_null(strstr(hiss_result_resolved(one), "pt("));
    assert_memory_equal(hiss_result_draws(one), hiss_result_draws(four), draws);
    hiss_result_destroy(one);
    hiss_result_destroy(four);
    hiss_model_destroy(m);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(sixteen_unless_a_state_is_expensive),
        cmocka_unit_test(zero_is_the_default),
        cmocka_unit_test(auto_gives_the_same_chain),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
