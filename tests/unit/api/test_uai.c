/* test_uai.c - factor graphs of the UAI competitions, and their evidence:
 * every dialect, every complaint, and back. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

#include "base/alloc.h"
#include "format/format.h"
#include "format/problem/evidence.h"
#include "model/factor/factor_graph.h"
#include "model/factor/fixed.h"
#include "unit/factor_fixture.h"
#include "unit/text_files.h"

extern const hs_format hs_format_uai;

#define FILE_NAME "test_uai.uai"

static hiss_status read_problem(hs_problem *p, hiss_error *err)
{
    hs_reader *in;
    hiss_status rc = hs_reader_open(&in, FILE_NAME, err);

    *p = (hs_problem){0};
    if (rc != HISS_OK)
        return rc;
    rc = hs_format_uai.read(p, in, NULL, err);
    hs_reader_close(in);
    if (rc != HISS_OK)
        hs_problem_clear(p);
    return rc;
}

static hs_problem read_good(const char *text)
{
    hiss_error err = {0};
    hs_problem p;

    write_file(FILE_NAME, text, strlen(text));
    if (read_problem(&p, &err) != HISS_OK)
        fail_msg("%s", err.message);
    return p;
}

static const char small[] = "MARKOV\n"
                            "3\n"
                            "2 3 1\n"
                            "3\n"
                            "2 1 0\n"
                            "1 2\n"
                            "0\n"
                            "\n"
                            "6\n"
                            " 1 2\n"
                            " 0 0.5\n"
                            " 1e-3 .25\n"
                            "1\n"
                            " 4\n"
                            "1 2.5\n";

static void check_small(hs_problem *p)
{
    double constant = log(4.0) + log(2.5);

    assert_int_equal(p->shape, HS_FACTORS);
    assert_int_equal(p->dim, 3);
    assert_int_equal(p->factors.states[1], 3);
    /* the table of (v1, v0), v0 fastest */
    assert_true(fabs(hs_problem_energy(p, (int16_t[]){1, 0, 0}) -
                     (log(2.0) + constant)) < 1e-15);
    assert_true(hs_problem_energy(p, (int16_t[]){0, 1, 0}) == -HUGE_VAL);
    assert_true(fabs(hs_problem_energy(p, (int16_t[]){0, 2, 0}) -
                     (log(1e-3) + constant)) < 1e-15);
    hs_problem_clear(p);
}

static void tables_are_read_last_variable_fastest(void **state)
{
    hs_problem p = read_good(small);

    (void)state;
    check_small(&p);
}

static void white_space_is_free(void **state)
{
    char text[4 * sizeof small] = "\xef\xbb\xbf";
    size_t length = 3;
    hiss_error err = {0};
    hs_problem p;

    (void)state;
    /* byte order mark, CR LF, tabs, no final line end */
    for (const char *c = small; *c; c++) {
        if (*c == '\n')
            text[length++] = '\r';
        text[length++] = *c == ' ' ? '\t' : *c;
    }
    text[length - 2] = '\0';
    p = read_good(text);
    check_small(&p);
    /* one line, and BAYES */
    memcpy(text, small, sizeof small);
    for (char *c = text; *c; c++)
        if (*c == '\n')
            *c = ' ';
    memcpy(text, "BAYES ", 6);
    p = read_good(text);
    check_small(&p);
    write_gzip(FILE_NAME, small, sizeof small - 1);
    assert_int_equal(read_problem(&p, &err), HISS_OK);
    check_small(&p);
}

static const struct bad {
    const char *text, *message; /* as it begins, after the name of the file */
} bad[] = {
    {"", ":1:1: "},
    {"MARKOF\n", ":1:1: found 'MARKOF', expected MARKOV or BAYES"},
    {"MARKOV\n", ":2:1: "},
    {"MARKOV\n0\n", ":2:1: found '0', expected a whole number from 1 to "},
    {"MARKOV\n2000000000\n2 2\n",
     ":2:1: 2000000000 are announced, but the rest of the file"},
    {"MARKOV\n-3\n", ":2:1: found '-3'"},
    {"MARKOV\n2\n2 0\n0\n", ":3:3: found '0', expected a whole number from 1 "},
    {"MARKOV\n2\n2 99999\n0\n", ":3:3: found '99999'"},
    {"MARKOV\n2\n2 2\n5\n2 0 1\n",
     ":4:1: 5 are announced, but the rest of the file"},
    {"MARKOV\n2\n2 2\n1\n2 0 5\n4\n 1 1 1 1\n",
     ":5:5: found '5', expected a whole number from 0 to 1"},
    {"MARKOV\n2\n2 2\n1\n2 0 0\n4\n 1 1 1 1\n",
     ":5:5: factor 0, counted from 0, has variable 0 twice"},
    {"MARKOV\n2\n2 2\n1\n3 0 1 1\n4\n 1 1 1 1\n", ":5:1: found '3'"},
    {"MARKOV\n2\n2 2\n1\n2 0 1\n1000000000\n 1 1 1 1\n",
     ":6:1: factor 0, counted from 0, has 1000000000 entries, its scope needs "
     "4"},
    {"MARKOV\n2\n2 2\n1\n2 0 1\n3\n 1 1 1\n",
     ":6:1: factor 0, counted from 0, has 3 entries, its scope needs 4"},
    {"MARKOV\n3\n30000 30000 30000\n1\n3 0 1 2\n4\n 1 1 1 1\n",
     ":6:1: factor 0, counted from 0, has a scope with more than 2^30 states"},
    {"MARKOV\n2\n30000 30000\n1\n2 0 1\n900000000\n 1 1 1 1\n",
     ":6:1: factor 0, counted from 0, has 900000000 entries, more than the "
     "file can hold"},
    {"MARKOV\n1\n2\n1\n1 0\n2\n nan 1\n", ":7:2: found 'nan'"},
    {"MARKOV\n1\n2\n1\n1 0\n2\n 1 inf\n", ":7:4: found 'inf'"},
    {"MARKOV\n1\n2\n1\n1 0\n2\n -1 1\n", ":7:2: found '-1'"},
    {"MARKOV\n1\n2\n1\n1 0\n2\n 1 x\n", ":7:4: found 'x'"},
    {"MARKOV\n1\n2\n1\n1 0\n2\n 0 0\n",
     ":6:1: factor 0, counted from 0, has probability 0 everywhere"},
    {"MARKOV\n1\n2\n1\n1 0\n2\n 1\n", ":8:1: "},
    {"MARKOV\n1\n2\n1\n1 0\n2\n 1 2\n3\n", ":8:1: found '3'"},
};

static void complaints_say_where_and_what(void **state)
{
    (void)state;
    for (size_t n = 0; n < sizeof bad / sizeof *bad; n++) {
        size_t length = strlen(FILE_NAME);
        hiss_error err = {0};
        hs_problem p;

        write_file(FILE_NAME, bad[n].text, strlen(bad[n].text));
        assert_int_equal(read_problem(&p, &err), HISS_EPARSE);
        if (strncmp(err.message, FILE_NAME, length) != 0 ||
            strncmp(err.message + length, bad[n].message,
                    strlen(bad[n].message)) != 0)
            fail_msg("case %d: %s", (int)n, err.message);
    }
}

/* Every prefix of a good file is a bad one, and never worse than that. */
static void truncated_files_are_refused(void **state)
{
    hiss_error err = {0};
    hs_problem p;

    (void)state;
    for (size_t length = 0; length + 4 < sizeof small; length++) {
        write_file(FILE_NAME, small, length);
        assert_int_equal(read_problem(&p, &err), HISS_EPARSE);
    }
}

static void reading_fails_without_memory(void **state)
{
    hiss_status rc = HISS_ENOMEM;
    hs_problem p;

    (void)state;
    write_file(FILE_NAME, small, sizeof small - 1);
    for (int n = 1; rc == HISS_ENOMEM; n++) {
        hs_alloc_fail_after(n);
        rc = read_problem(&p, NULL);
        hs_alloc_fail_after(0);
    }
    assert_int_equal(rc, HISS_OK);
    hs_problem_clear(&p);
}

static void write_problem(const hs_problem *p)
{
    FILE *to = fopen(FILE_NAME, "w");
    hiss_error err = {0};

    assert_non_null(to);
    if (hs_format_uai.write(p, to, NULL, &err) != HISS_OK)
        fail_msg("%s", err.message);
    fclose(to);
}

/* Constants and entries past e^709 too. */
static void what_is_written_reads_back(void **state)
{
    uint64_t seed = 41;

    (void)state;
    for (int n = 0; n < 60; n++) {
        hs_problem p = {.shape = HS_FACTORS}, q;
        hiss_error err = {0};
        int16_t x[8] = {0};

        p.dim = 1 + xorshift_below(&seed, 5);
        random_factors(&p.factors, &seed, p.dim, 3, 6, 3, 15);
        p.factors.constant = n % 3 ? 0.0 : 3000.0 - 100.0 * n;
        for (int64_t e = 0; n % 5 == 0 && e < p.factors.table_at[1]; e++)
            p.factors.table[e] += 1e5;
        write_problem(&p);
        if (read_problem(&q, &err) != HISS_OK)
            fail_msg("%s", err.message);
        do {
            double a = hs_problem_energy(&p, x), b = hs_problem_energy(&q, x);

            assert_true(isinf(a) ? a == b
                                 : fabs(a - b) < 1e-13 * fmax(1.0, fabs(a)));
        } while (next_state(p.factors.states, p.dim, x));
        hs_problem_clear(&p);
        hs_problem_clear(&q);
    }
}

static void what_cannot_be_written_is_told(void **state)
{
    hs_problem p = {.shape = HS_FACTORS, .dim = 1};
    FILE *to = fopen(FILE_NAME, "w");
    hiss_error err = {0};
    int states = 2, v = 0;

    (void)state;
    assert_non_null(to);
    assert_int_equal(hs_factors_init(&p.factors, 1, &states, NULL), HISS_OK);
    hs_factors_add(&p.factors, 1, &v, (double[]){0.0, -800.0}, NULL, NULL);
    assert_int_equal(hs_format_uai.write(&p, to, NULL, &err), HISS_EUNSUP);
    assert_string_equal(err.message, "a factor has entries e^800 apart, which "
                                     "cannot be written as numbers");
    hs_problem_clear(&p);
    fclose(to);
}

static void quadratic_problems_can_be_written(void **state)
{
    hs_problem p, q;
    hiss_error err = {0};
    int16_t x[3] = {0};
    int states[3] = {2, 2, 2};

    (void)state;
    assert_int_equal(
        hs_problem_init_quadratic(&p, HISS_SPIN, false, 3, 2, NULL), HISS_OK);
    p.quadratic.offset = 1.5;
    p.quadratic.linear[1] = 0.3;
    p.quadratic.row[0] = 0;
    p.quadratic.column[0] = 2;
    p.quadratic.value[0] = -1.25;
    p.quadratic.row[1] = 1;
    p.quadratic.column[1] = 2;
    p.quadratic.value[1] = 2;
    write_problem(&p);
    if (read_problem(&q, &err) != HISS_OK)
        fail_msg("%s", err.message);
    do
        assert_true(fabs(hs_problem_energy(&p, x) - hs_problem_energy(&q, x)) <
                    1e-14);
    while (next_state(states, 3, x));
    hs_problem_clear(&p);
    hs_problem_clear(&q);
}

/* Two bits, one variable with three states, one with one. */
static hs_model *four_variables(void)
{
    int states[4] = {2, 3, 2, 1}, v = 1;
    hs_factors f;
    hs_model *m;

    assert_int_equal(hs_factors_init(&f, 4, states, NULL), HISS_OK);
    hs_factors_add(&f, 1, &v, (double[]){0.0, 1.0, -HUGE_VAL}, NULL, NULL);
    assert_int_equal(hs_factor_graph_create(&m, "four", &f, NULL), HISS_OK);
    return m;
}

static void evidence_has_dialects(void **state)
{
    static const struct {
        const char *text;
        int at[4];
    } good[] = {
        {"", {-1, -1, -1, -1}},
        {"\n", {-1, -1, -1, -1}},
        {"0", {-1, -1, -1, -1}},
        {"1\n0\n", {-1, -1, -1, -1}},
        {"2 0 1 1 2", {1, 2, -1, -1}},
        {"2\n0 1\n1 2\n", {1, 2, -1, -1}},
        {"1\n2 0 1 1 2\n", {1, 2, -1, -1}},
        {"1 1 0\r\n", {-1, 0, -1, -1}},
        {"1\n1 3 0", {-1, -1, -1, 0}},
        {"\xef\xbb\xbf 3\t0 1\t0 1\t2 0", {1, -1, 0, -1}},
    };
    hs_model *m = four_variables();

    (void)state;
    for (size_t n = 0; n < sizeof good / sizeof *good; n++) {
        hiss_error err = {0};
        int at[4];

        write_file(FILE_NAME, good[n].text, strlen(good[n].text));
        if (hs_evidence_read(at, FILE_NAME, m, &err) != HISS_OK)
            fail_msg("%s", err.message);
        for (int i = 0; i < 4; i++)
            if (at[i] != good[n].at[i])
                fail_msg("'%s': variable %d is at %d", good[n].text, i, at[i]);
    }
    hs_model_destroy(m);
}

static const struct bad bad_evidence[] = {
    {"x", ":1:1: the variables of this model have no names, expected whole "
          "numbers: how many are fixed, and pairs of variable and state"},
    {"1 0 -1", ":1:5: found '-1'"},
    {"1", ":1:1: 1 pairs of variable and state are announced, 0 follow"},
    {"3 0 1 1 2", ":1:1: 3 pairs of variable and state are announced, 2 "
                  "follow"},
    {"2 0 1 1", ":1:1: found 2 with 3 numbers after it; expected the number "
                "of pairs and so many pairs of variable and state, or that "
                "after 1, the number of samples"},
    {"1\n3 0 1 1 2", ":2:1: 3 pairs of variable and state are announced, 2 "
                     "follow"},
    {"1 4 0", ":1:3: variable 4: variables are 0 to 3"},
    {"2 0 1 1 3", ":1:9: found state 3 of variable 1, expected 0 to 2"},
    {"2 0 1 0 0", ":1:9: variable 0 is in state 1 already, it cannot be in "
                  "state 0 too"},
};

static void bad_evidence_is_told(void **state)
{
    hs_model *m = four_variables();
    hiss_error err = {0};
    int at[4];

    (void)state;
    for (size_t n = 0; n < sizeof bad_evidence / sizeof *bad_evidence; n++) {
        const struct bad *b = &bad_evidence[n];

        write_file(FILE_NAME, b->text, strlen(b->text));
        assert_int_equal(hs_evidence_read(at, FILE_NAME, m, &err), HISS_EPARSE);
        if (strncmp(err.message + strlen(FILE_NAME), b->message,
                    strlen(b->message)) != 0)
            fail_msg("'%s': %s", b->text, err.message);
    }
    remove(FILE_NAME);
    assert_int_equal(hs_evidence_read(at, FILE_NAME, m, &err), HISS_EPARSE);
    hs_model_destroy(m);
}

static void coordinates_are_fixed_by_their_values(void **state)
{
    static const struct {
        const char *text;
        int at[4];
    } good[] = {
        {"1=0", {0, -1, -1, -1}},
        {"x.1=1,3=0", {1, -1, 0, -1}},
        {"2=2", {-1, 2, -1, -1}},
        {"2=2.0,x.4=0,2=2", {-1, 2, -1, 0}},
    };
    static const struct bad wrong[] = {
        {"", "found '', expected a coordinate, '=' and a value, as in 3=1"},
        {"1", "found '1', expected a coordinate, '=' and a value, as in 3=1"},
        {"1=0,", "found '', expected a coordinate, '=' and a value"},
        {"1,2=0", "found '1', expected a coordinate, '=' and a value"},
        {"0=1", "x.0: coordinates are x.1 to x.4"},
        {"5=1", "x.5: coordinates are x.1 to x.4"},
        {"y=1", "found 'y', expected a coordinate, x.1 to x.4"},
        {"1=2", "x.1 (binary) cannot be '2'; it has 2 values from 0 to 1"},
        {"2=a", "x.2 (categorical) cannot be 'a'; it has 3 values from 0 to 2"},
        {"2=", "x.2 (categorical) cannot be ''; it has 3 values from 0 to 2"},
        {"4=1", "x.4 cannot be 1, it is fixed at 0"},
        {"1=0,1=1", "x.1 is given two values\n  1=0,1=1\n      ^"},
    };
    hs_model *m = four_variables();
    hiss_error err = {0};
    int at[4];

    (void)state;
    for (size_t n = 0; n < sizeof good / sizeof *good; n++) {
        if (hs_evidence_parse(at, good[n].text, m, &err) != HISS_OK)
            fail_msg("%s", err.message);
        assert_memory_equal(at, good[n].at, sizeof at);
    }
    for (size_t n = 0; n < sizeof wrong / sizeof *wrong; n++) {
        assert_int_equal(hs_evidence_parse(at, wrong[n].text, m, &err),
                         HISS_EARG);
        if (strncmp(err.message, wrong[n].message, strlen(wrong[n].message)))
            fail_msg("'%s': %s", wrong[n].text, err.message);
    }
    hs_model_destroy(m);
}

/* By number, what was fixed by value; and states that cannot be. */
static void conditions_meet_evidence(void **state)
{
    hs_model *m = four_variables();
    hiss_error err = {0};
    int at[4];

    (void)state;
    assert_int_equal(hs_evidence_parse(at, "3=1", m, &err), HISS_OK);
    assert_int_equal(hs_model_fix(&m, at, &err), HISS_OK);
    write_file(FILE_NAME, "1 2 1", 5);
    assert_int_equal(hs_evidence_read(at, FILE_NAME, m, &err), HISS_OK);
    assert_int_equal(hs_model_fix(&m, at, &err), HISS_OK);
    assert_int_equal(hs_evidence_parse(at, "3=1", m, &err), HISS_OK);
    assert_int_equal(at[2], 1);
    assert_int_equal(hs_evidence_parse(at, "3=0", m, &err), HISS_EARG);
    write_file(FILE_NAME, "1 2 0", 5);
    assert_int_equal(hs_evidence_read(at, FILE_NAME, m, &err), HISS_OK);
    assert_int_equal(hs_model_fix(&m, at, &err), HISS_EARG);
    write_file(FILE_NAME, "1 1 2", 5);
    assert_int_equal(hs_evidence_read(at, FILE_NAME, m, &err), HISS_OK);
    assert_int_equal(hs_model_fix(&m, at, &err), HISS_EINFEASIBLE);
    hs_model_destroy(m);
}

static int remove_files(void **state)
{
    (void)state;
    remove(FILE_NAME);
    return 0;
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(tables_are_read_last_variable_fastest),
        cmocka_unit_test(white_space_is_free),
        cmocka_unit_test(complaints_say_where_and_what),
        cmocka_unit_test(truncated_files_are_refused),
        cmocka_unit_test(reading_fails_without_memory),
        cmocka_unit_test(what_is_written_reads_back),
        cmocka_unit_test(what_cannot_be_written_is_told),
        cmocka_unit_test(quadratic_problems_can_be_written),
        cmocka_unit_test(evidence_has_dialects),
        cmocka_unit_test(bad_evidence_is_told),
        cmocka_unit_test(coordinates_are_fixed_by_their_values),
        cmocka_unit_test(conditions_meet_evidence),
    };

    return cmocka_run_group_tests(tests, NULL, remove_files);
}
