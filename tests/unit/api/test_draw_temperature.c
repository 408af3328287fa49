/* test_draw_temperature.c - the temperature of draws that are too many or too
 * expensive to use all of, and of models without an answer.
 *
 * Spins in fields of their own are independent, so draws are exact.  Seeds are
 * fixed; each test of an error fails by chance in 1 of 15,000 changes. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>

#include <cmocka.h>

#include <hiss/hiss.h>

#include "unit/text_files.h"
#include "unit/xorshift.h"

#define DIM    400
#define BETA   0.7
#define ERRORS 4.0

static double field_of(int i)
{
    return 0.2 + 1.5 * i / DIM;
}

static hiss_result *draw(const hiss_model *m, int chains, int64_t samples)
{
    hiss_foreign_draws f = HISS_INIT(hiss_foreign_draws);
    size_t count = (size_t)chains * (size_t)samples * DIM;
    double *x = malloc(count * sizeof *x);
    uint64_t seed = 9;
    hiss_result *r;

    assert_non_null(x);
    for (size_t k = 0; k < count; k++) {
        double up = 1.0 / (1.0 + exp(-2.0 * BETA * field_of((int)(k % DIM))));

        x[k] = (double)xorshift(&seed) < up * 4294967296.0 ? 1.0 : -1.0;
    }
    f.chains = chains;
    f.samples = samples;
    f.draws = x;
    assert_int_equal(hiss_result_adopt(&r, m, &f, NULL), HISS_OK);
    free(x);
    return r;
}

static hiss_temperature ask(hiss_model *m, int chains, int64_t samples)
{
    hiss_temperature t = HISS_INIT(hiss_temperature);
    hiss_result *r = draw(m, chains, samples);

    assert_int_equal(hiss_result_temperature(r, m, &t, NULL), HISS_OK);
    assert_null(t.why);
    assert_true(t.error > 0.0);
    assert_true(fabs(t.beta - BETA) < ERRORS * t.error);
    hiss_result_destroy(r);
    hiss_model_destroy(m);
    return t;
}

static hiss_model *fields(void)
{
    double h[DIM];
    hiss_model *m;

    for (int i = 0; i < DIM; i++)
        h[i] = field_of(i);
    assert_int_equal(
        hiss_model_ising_sparse(&m, DIM, 0, NULL, NULL, NULL, h, NULL),
        HISS_OK);
    return m;
}

/* 4e6 changes fit into memory. */
static void many_draws(void **state)
{
    hiss_temperature t = ask(fields(), 4, 3000);

    (void)state;
    assert_int_equal(t.draws, 10000);
    t = ask(fields(), 4, 1000);
    assert_int_equal(t.draws, 4000);
    /* chains that are too short for an autocorrelation */
    t = ask(fields(), 8000, 1);
    assert_int_equal(t.draws, 8000);
    t = ask(fields(), 12000, 1);
    assert_int_equal(t.draws, 10000);
}

static int evaluate(const void *context, const int16_t *x, int lanes, double *u,
                    float *gradient)
{
    (void)gradient;
    ++*(int64_t *)(uintptr_t)context;
    for (int l = 0; l < lanes; l++) {
        u[l] = 0.0;
        for (int i = 0; i < DIM; i++)
            u[l] += field_of(i) * (2 * x[i * lanes + l] - 1);
    }
    return 0;
}

/* A function pays an evaluation for each change, so coordinates are left
 * out. */
static void a_function(void **state)
{
    hiss_domain domain = HISS_INIT(hiss_domain);
    hiss_callback callback = HISS_INIT(hiss_callback);
    hiss_kind kind[DIM];
    int64_t calls = 0;
    hiss_temperature t;
    hiss_model *m;

    (void)state;
    for (int i = 0; i < DIM; i++)
        kind[i] = HISS_SPIN;
    domain.dim = DIM;
    domain.kind = kind;
    callback.domain = &domain;
    callback.evaluate = evaluate;
    callback.context = &calls;
    assert_int_equal(hiss_model_callback(&m, &callback, NULL), HISS_OK);
    t = ask(m, 4, 250);
    assert_true(t.draws >= 64 && t.draws < 1000);
    assert_true(calls < 1000);
}

static void no_answer(void **state)
{
    static const double one_each[4] = {1, 2, 3, 4}, spins[2] = {1, 1};
    static const double h[2] = {0, 0};
    static const char cities[] =
        "NAME: four\nTYPE: TSP\nDIMENSION: 4\nEDGE_WEIGHT_TYPE: EUC_2D\n"
        "NODE_COORD_SECTION\n1 0 0\n2 0 9\n3 9 9\n4 9 0\nEOF\n";
    hiss_foreign_draws f = HISS_INIT(hiss_foreign_draws);
    hiss_temperature t = HISS_INIT(hiss_temperature);
    hiss_model *m, *other;
    hiss_result *r;

    (void)state;
    f.chains = 1;
    f.samples = 1;
    f.draws = one_each;
    write_file("draw_temperature.tsp", cities, strlen(cities));
    assert_int_equal(hiss_model_create(&m, "tsp(draw_temperature.tsp)", NULL),
                     HISS_OK);
    remove("draw_temperature.tsp");
    assert_int_equal(hiss_result_adopt(&r, m, &f, NULL), HISS_OK);
    assert_int_equal(hiss_result_temperature(r, m, &t, NULL), HISS_OK);
    assert_true(isnan(t.beta) && isnan(t.error) && t.draws == 0);
    assert_non_null(t.why);
    assert_int_equal(
        hiss_model_ising_sparse(&other, 2, 0, NULL, NULL, NULL, h, NULL),
        HISS_OK);
    assert_int_equal(hiss_result_temperature(r, other, &t, NULL), HISS_EARG);
    hiss_result_destroy(r);
    f.draws = spins; /* whose log p is the same in all states */
    assert_int_equal(hiss_result_adopt(&r, other, &f, NULL), HISS_OK);
    assert_int_equal(hiss_result_temperature(r, other, &t, NULL), HISS_OK);
    assert_true(isnan(t.beta));
    assert_non_null(t.why);
    hiss_result_destroy(r);
    hiss_model_destroy(other);
    hiss_model_destroy(m);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(many_draws),
        cmocka_unit_test(a_function),
        cmocka_unit_test(no_answer),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
