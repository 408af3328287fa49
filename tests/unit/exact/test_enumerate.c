/* test_enumerate.c - every state visited once: against plain sums, known
 * partition functions, and any number of threads. */
#include "exact/enumerate.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

#include "base/alloc.h"
#include "base/random/rng.h"
#include "model/law/lookup.h"
#include "unit/kaufman.h"
#include "unit/xorshift.h"

#define DIM_MAX 8

static const hs_exact_options whole = {.threads = 2,
                                       .tops = 50,
                                       .has_u = true,
                                       .limit = HS_ENUMERATE_MAX,
                                       .what = "enumeration"};

static bool is_near(double a, double b)
{
    return fabs(a - b) <= 1e-12 * (1.0 + fabs(a) + fabs(b));
}

static hs_model *model_of(const char *spec)
{
    hiss_error err = {0};
    hs_model *m;

    if (hs_model_create(&m, spec, &err) != HISS_OK)
        fail_msg("%s", err.message);
    return m;
}

/* A table over levels 0, 1, ... with U uniform in [-3, 3]; every `holes`-th
 * state impossible. */
static hs_model *table_of(int dim, const int *states, int holes)
{
    hiss_kind kind[DIM_MAX];
    uint64_t seed = 1;
    hs_domain domain;
    hs_model *m;
    double *u;
    int size = 1;

    for (int i = 0; i < dim; i++) {
        kind[i] = i % 2 ? HISS_CATEGORICAL : HISS_ORDINAL;
        size *= states[i];
    }
    u = hs_alloc_array((size_t)size, sizeof *u);
    assert_non_null(u);
    for (int n = 0; n < size; n++) {
        u[n] = 6.0 * hs_uniform(xorshift(&seed)) - 3.0;
        if (holes && n % holes == 0)
            u[n] = -HUGE_VAL;
    }
    assert_int_equal(
        hs_domain_init_mixed(&domain, dim, kind, states, NULL, NULL), HISS_OK);
    assert_int_equal(hs_lookup_create(&m, &domain, u, NULL), HISS_OK);
    m->name = hs_strdup("odd");
    return m;
}

/* The same by one loop over states, U of each asked for by itself. */
static void compare(const hs_model *m)
{
    hs_exact e;
    double z = 0.0, mean = 0.0, max = -HUGE_VAL;
    double *marginal =
        hs_alloc_array((size_t)m->domain.value_count, sizeof *marginal);

    assert_non_null(marginal);
    assert_int_equal(hs_exact_init(&e, m, &whole, NULL), HISS_OK);
    assert_true((double)e.states == hs_domain_size(&m->domain));
    for (int64_t n = 0; n < e.states; n++) {
        int16_t x[64];
        double values[64], u, p;

        hs_exact_state(&e, n, x);
        hs_exact_values(&e, n, values);
        assert_int_equal(hs_model_energy(m, x, &u, NULL), HISS_OK);
        assert_true(u == e.u[n]);
        p = exp(u);
        z += p;
        mean += p > 0.0 ? p * u : 0.0;
        max = fmax(max, u);
        for (int i = 0; i < e.dim; i++) {
            marginal[e.first[i] + x[i]] += p;
            assert_true(values[i] == (double)e.values[e.first[i] + x[i]]);
        }
    }
    assert_true(is_near(e.log_z, log(z)) && is_near(e.mean_u, mean / z));
    assert_true(e.max_u == max);
    for (int v = 0; v < e.first[e.dim]; v++)
        assert_true(is_near(e.marginal[v], marginal[v] / z));
    hs_exact_clear(&e);
    hs_free(marginal);
}

static void agrees_with_a_plain_sum(void **state)
{
    static const char *const specs[] = {"bernoulli4",
                                        "ising(side=3,beta=0.7,field=0.2)",
                                        "potts(side=2,states=5,beta=0.5)",
                                        "ladder(d=5,levels=7,beta=0.3)",
                                        "cross(side=3)",
                                        "pairs(d=14)"};
    static const int shapes[][DIM_MAX] = {{1},
                                          {2},
                                          {5},
                                          {17},
                                          {3, 7, 11, 13},
                                          {2, 3, 5, 7, 11, 13},
                                          {300, 250},
                                          {250, 3, 300},
                                          {1, 40, 1, 2, 1},
                                          {9, 20000},
                                          {20000, 7}};
    static const int dims[] = {1, 1, 1, 1, 4, 6, 2, 3, 5, 2, 2};

    (void)state;
    for (size_t s = 0; s < sizeof specs / sizeof *specs; s++) {
        hs_model *m = model_of(specs[s]);

        compare(m);
        hs_model_destroy(m);
    }
    for (size_t s = 0; s < sizeof dims / sizeof *dims; s++)
        for (int holes = 0; holes <= 3; holes += 3) {
            hs_model *m;

            if (s == 0 && holes)
                continue; /* nothing would be possible */
            m = table_of(dims[s], shapes[s], holes);
            compare(m);
            hs_model_destroy(m);
        }
}

/* beta is a float inside the model, so one that a float holds. */
static void agrees_with_kaufman(void **state)
{
    hs_model *m = model_of("ising(side=4,beta=0.375)");
    hs_exact e;

    (void)state;
    assert_int_equal(hs_exact_init(&e, m, &whole, NULL), HISS_OK);
    assert_true(is_near(e.log_z, kaufman_log_z(4, 4, 0.375)));
    assert_true(fabs(e.mean_u + 16 * 0.375 * kaufman_energy(4, 4, 0.375)) <
                1e-10);
    assert_true(is_near(e.marginal[0], 0.5));
    hs_exact_clear(&e);
    hs_model_destroy(m);
}

static void does_not_depend_on_threads(void **state)
{
    static const char *const specs[] = {"ising(side=4,beta=0.4,field=0.01)",
                                        "potts(side=3,states=3,beta=0.9)"};

    (void)state;
    for (size_t s = 0; s < 2; s++) {
        hs_model *m = model_of(specs[s]);
        hs_exact_options options = whole;
        hs_exact one, many;

        options.threads = 1;
        assert_int_equal(hs_exact_init(&one, m, &options, NULL), HISS_OK);
        for (options.threads = 2; options.threads < 6; options.threads++) {
            assert_int_equal(hs_exact_init(&many, m, &options, NULL), HISS_OK);
            assert_true(one.log_z == many.log_z);
            assert_true(one.mean_u == many.mean_u);
            assert_memory_equal(one.marginal, many.marginal,
                                (size_t)one.first[one.dim] *
                                    sizeof *one.marginal);
            assert_memory_equal(one.u, many.u,
                                (size_t)one.states * sizeof *one.u);
            assert_int_equal(one.tops, many.tops);
            assert_memory_equal(one.top, many.top,
                                (size_t)one.tops * sizeof *one.top);
            hs_exact_clear(&many);
        }
        hs_exact_clear(&one);
        hs_model_destroy(m);
    }
}

/* Falling u; equal ones by number; nothing better is left out. */
static void the_top_is_the_top(void **state)
{
    static const int shape[] = {3, 7, 11, 13};
    hs_model *models[2];

    (void)state;
    models[0] = model_of("ising(side=4,beta=0.5)"); /* many equal ones */
    models[1] = table_of(4, shape, 4);
    for (int k = 0; k < 2; k++) {
        int64_t better = 0;
        hs_exact e;

        assert_int_equal(hs_exact_init(&e, models[k], &whole, NULL), HISS_OK);
        assert_int_equal(e.tops, 50);
        assert_true(e.top[0].u == e.max_u);
        for (int t = 0; t < e.tops; t++) {
            assert_true(e.u[e.top[t].state] == e.top[t].u);
            assert_true(t == 0 || e.top[t - 1].u > e.top[t].u ||
                        (e.top[t - 1].u == e.top[t].u &&
                         e.top[t - 1].state < e.top[t].state));
        }
        for (int64_t n = 0; n < e.states; n++)
            better += e.u[n] > e.top[49].u ||
                      (e.u[n] == e.top[49].u && n < e.top[49].state);
        assert_int_equal(better, 49);
        hs_exact_clear(&e);
        hs_model_destroy(models[k]);
    }
}

static void few_possible_states_make_a_short_top(void **state)
{
    hs_model *m = table_of(1, (int[]){4}, 2);
    hs_exact e;

    (void)state;
    assert_int_equal(hs_exact_init(&e, m, &whole, NULL), HISS_OK);
    assert_int_equal(e.tops, 2);
    assert_true(e.marginal[0] == 0.0 && e.marginal[2] == 0.0);
    hs_exact_clear(&e);
    hs_model_destroy(m);
}

static void expect_fault(const hs_model *m, const hs_exact_options *options,
                         hiss_status status, const char *message)
{
    hiss_error err = {0};
    hs_exact e;

    assert_int_equal(hs_exact_init(&e, m, options, &err), status);
    if (!strstr(err.message, message))
        fail_msg("'%s' does not say '%s'", err.message, message);
    assert_null(e.u);
}

static void refuses_what_is_too_large(void **state)
{
    hs_exact_options small = whole;
    hs_model *m = model_of("ising(side=6,beta=0.4)");

    (void)state;
    expect_fault(m, &whole, HISS_ELIMIT,
                 "has 2^36 = 68719476736 states, enumeration goes to 2^26");
    hs_model_destroy(m);
    m = model_of("ising(side=32,beta=0.4)");
    expect_fault(m, &whole, HISS_ELIMIT,
                 "has 2^1024 states, enumeration goes to 2^26");
    hs_model_destroy(m);
    m = model_of("ladder(d=3,levels=200,beta=0.4)");
    small.limit = HS_TABLE_MAX;
    small.what = "verify";
    expect_fault(m, &small, HISS_ELIMIT,
                 "has 2^22.93 = 8000000 states, verify goes to 2^20");
    hs_model_destroy(m);
}

static hiss_status bad_evaluate(const hs_model *m, hs_point *p, unsigned want)
{
    (void)m, (void)want;
    for (int l = 0; l < HS_LANES; l++)
        p->u[l] = p->x[0][l] == 1 && p->x[1][l] == 2 ? (double)NAN : 0.0;
    return HISS_OK;
}

static hiss_status no_evaluate(const hs_model *m, hs_point *p, unsigned want)
{
    (void)m, (void)want;
    for (int l = 0; l < HS_LANES; l++)
        p->u[l] = -HUGE_VAL;
    return HISS_OK;
}

static void says_where_a_number_is_bad(void **state)
{
    static const hs_model_ops bad = {.evaluate = bad_evaluate};
    static const hs_model_ops none = {.evaluate = no_evaluate};
    char name[] = "test";
    hs_model m = {.ops = &bad, .name = name};

    (void)state;
    assert_int_equal(hs_domain_init(&m.domain, HISS_CATEGORICAL, 3, 3, NULL),
                     HISS_OK);
    expect_fault(&m, &whole, HISS_ENUMERIC,
                 "model test: U is nan in state (1 2 0)");
    m.ops = &none;
    expect_fault(&m, &whole, HISS_EINFEASIBLE,
                 "model test: every state has probability 0");
    hs_domain_clear(&m.domain);
}

static void survives_any_failed_allocation(void **state)
{
    hs_model *m = model_of("ising(side=3,beta=0.4)");
    hiss_status rc = HISS_ENOMEM;

    (void)state;
    for (int n = 1; rc != HISS_OK; n++) {
        hs_exact e;

        hs_alloc_fail_after(n);
        rc = hs_exact_init(&e, m, &whole, NULL);
        hs_alloc_fail_after(0);
        assert_true(rc == HISS_OK || rc == HISS_ENOMEM);
        assert_true(n < 1000);
        hs_exact_clear(&e);
    }
    hs_model_destroy(m);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(agrees_with_a_plain_sum),
        cmocka_unit_test(agrees_with_kaufman),
        cmocka_unit_test(does_not_depend_on_threads),
        cmocka_unit_test(the_top_is_the_top),
        cmocka_unit_test(few_possible_states_make_a_short_top),
        cmocka_unit_test(refuses_what_is_too_large),
        cmocka_unit_test(says_where_a_number_is_bad),
        cmocka_unit_test(survives_any_failed_allocation),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
