/* test_decode.c - detector error models: log p of every state against the
 * definition, probabilities of detections against sums over all errors, long
 * parities, files that are refused. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

#include "base/error.h"
#include "model/model.h"

#define FILE_NAME HISS_TEST_DATA "/decode/repetition.dem"

enum {
    MECHANISMS = 6,
    DETECTORS = 4
};

/* tests/data/decode/repetition.dem by hand: detectors as bits of a mask, in
 * the order of the coordinates; the last two errors of the file are one. */
static const struct {
    double p;
    int detectors, logical;
} error[MECHANISMS] = {
    {0.07, 3, 0}, {0.04, 5, 0},  {0.1, 1, 1},
    {0.05, 2, 0}, {0.04, 10, 0}, {0.15 * 0.98 + 0.02 * 0.85, 4, 1},
};

static hs_model *make(const char *spec)
{
    hiss_error err = {0};
    hs_model *m;

    if (hs_model_create(&m, spec, &err) != HISS_OK)
        fail_msg("%s: %s", spec, err.message);
    return m;
}

/* Detections and the logical flip of a set of errors. */
static int symptoms(int set, int *logical)
{
    int seen = 0;

    *logical = 0;
    for (int j = 0; j < MECHANISMS; j++)
        if (set >> j & 1) {
            seen ^= error[j].detectors;
            *logical ^= error[j].logical;
        }
    return seen;
}

static double log_p(int set)
{
    double sum = 0.0;

    for (int j = 0; j < MECHANISMS; j++)
        sum += log(set >> j & 1 ? error[j].p : 1.0 - error[j].p);
    return sum;
}

static void every_state_has_the_probability_of_its_errors(void **state)
{
    (void)state;
    for (int seen = 0; seen < 1 << DETECTORS; seen++) {
        char spec[256], bits[DETECTORS + 1] = {0};
        hs_model *m;

        for (int i = 0; i < DETECTORS; i++)
            bits[i] = seen >> i & 1 ? '1' : '0';
        snprintf(spec, sizeof spec, "decode(%s,detections=%s)", FILE_NAME,
                 bits);
        m = make(spec);
        assert_int_equal(m->domain.dim, MECHANISMS + 1);
        assert_string_equal(m->domain.names[0], "D0^D1");
        assert_string_equal(m->domain.names[5], "D2^L0");
        assert_string_equal(m->domain.names[MECHANISMS], "L0");
        for (int s = 0; s < 1 << (MECHANISMS + 1); s++) {
            int16_t x[MECHANISMS + 1];
            int logical, got = symptoms(s & ((1 << MECHANISMS) - 1), &logical);
            double u;

            for (int i = 0; i <= MECHANISMS; i++)
                x[i] = (int16_t)(s >> i & 1);
            assert_int_equal(hs_model_energy(m, x, &u, NULL), HISS_OK);
            if (got != seen || logical != s >> MECHANISMS)
                assert_true(u == -HUGE_VAL);
            else
                assert_true(fabs(u - log_p(s & ((1 << MECHANISMS) - 1))) <
                            1e-6);
        }
        hs_model_destroy(m);
    }
}

/* Z by summing over all states. */
static double sum_states(const char *spec)
{
    hs_model *m = make(spec);
    int dim = m->domain.dim;
    double sum = 0.0;

    assert_true(dim <= 16);
    for (int s = 0; s < 1 << dim; s++) {
        int16_t x[16];
        double u;

        for (int i = 0; i < dim; i++)
            x[i] = (int16_t)(s >> i & 1);
        assert_int_equal(hs_model_energy(m, x, &u, NULL), HISS_OK);
        sum += exp(u);
    }
    hs_model_destroy(m);
    return sum;
}

/* Nine errors flip the same detector: a chain of partial parities. */
static void long_parities_keep_the_distribution(void **state)
{
    static const char path[] = HISS_TEST_FOLDER "/long.dem";
    FILE *f = fopen(path, "w");

    (void)state;
    assert_non_null(f);
    for (int j = 0; j < 9; j++) {
        double p = 0.05 + 0.04 * j;

        fprintf(f, "error(%g) D0 D%d\n", p, j + 1);
    }
    fclose(f);
    assert_true(fabs(sum_states("decode(" HISS_TEST_FOLDER
                                "/long.dem,detections=\"D0 D2\")") -
                     0.09 * 0.95 * 0.87 * 0.83 * 0.79 * 0.75 * 0.71 * 0.67 *
                         0.63) < 1e-9);
    remove(path);
}

static void classes_add_up(void **state)
{
    const char *const of[] = {"none", "L0"};
    double sum = 0.0, all;

    (void)state;
    all = sum_states("decode(" FILE_NAME ",detections=\"D1 D3\")");
    for (int k = 0; k < 2; k++) {
        char spec[256];

        snprintf(spec, sizeof spec,
                 "decode(%s,detections=\"1,3\",observables=%s)", FILE_NAME,
                 of[k]);
        sum += sum_states(spec);
    }
    assert_true(fabs(sum - all) < 1e-9);
    assert_true(all > 0.0);
}

static void faults_are_refused(void **state)
{
    static const struct {
        const char *text, *options, *message;
    } cases[] = {
        {"error(1.5) D0\n", "", "found '1.5'"},
        {"error(0.1) Q0\n", "", "found 'Q0'"},
        {"repeat 3 {\n error(0.1) D0\n", "", "expected '}'"},
        {"repeat 3 }\n", "", "expected '{'"},
        {"}\n", "", "expected an instruction"},
        {"detector D0\n", "", "no error flips"},
        {"repeat 10000000 { repeat 10000000 { shift_detectors 0 } }\n", "",
         "once repeat is unrolled"},
        {"error(0.1) D0\n", ",detections=D1", "expected a number below 1"},
        {"error(0.1) D0\n", ",detections=maybe", "expected detectors"},
        {"error(0.1) D0\ndetector D1\n", ",detections=D1", "no error flips D1"},
        {"error(0.1) D99999999999\n", "", "a number up to"},
    };

    (void)state;
    for (size_t n = 0; n < sizeof cases / sizeof *cases; n++) {
        static const char path[] = HISS_TEST_FOLDER "/fault.dem";
        char spec[256];
        hiss_error err = {0};
        hs_model *m = NULL;
        FILE *f = fopen(path, "w");

        assert_non_null(f);
        fputs(cases[n].text, f);
        fclose(f);
        snprintf(spec, sizeof spec, "decode(%s%s)", path, cases[n].options);
        assert_int_not_equal(hs_model_create(&m, spec, &err), HISS_OK);
        if (!strstr(err.message, cases[n].message))
            fail_msg("%s%s: %s", cases[n].text, cases[n].options, err.message);
        remove(path);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_state_has_the_probability_of_its_errors),
        cmocka_unit_test(long_parities_keep_the_distribution),
        cmocka_unit_test(classes_add_up),
        cmocka_unit_test(faults_are_refused),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
