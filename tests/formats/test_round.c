/* test_round.c - what is written is read back as the same law, for every
 * writer and random problems; and memory may run out at any point. */
#include "format/format.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

#include "base/alloc.h"
#include "format/problem/terms.h"
#include "formats/files.h"
#include "unit/xorshift.h"

static const char path[] = "test_round.tmp";

/* Numbers with few digits, with many, large and small. */
static double draw_value(uint64_t *random)
{
    double v = (double)(int32_t)xorshift(random);

    switch (xorshift_below(random, 4)) {
    case 0:
        return (double)(xorshift_below(random, 9) - 4);
    case 1:
        return v / 4294967296.0;
    case 2:
        return v * 1e-12;
    default:
        return v / 3.0;
    }
}

static void draw_quadratic(hs_problem *p, uint64_t *random, hiss_kind kind,
                           bool has_field)
{
    int dim = 1 + xorshift_below(random, 12);
    hs_terms t = {0};

    *p = (hs_problem){.scale = 1.0};
    for (int i = 0; i < dim; i++) {
        if (has_field && xorshift_below(random, 3))
            hs_terms_add(&t, i, i, draw_value(random), NULL);
        for (int j = 0; j < i; j++)
            if (xorshift_below(random, 2))
                hs_terms_add(&t, i, j, draw_value(random), NULL);
    }
    assert_int_equal(hs_terms_finish(&t, p, dim, 0, NULL), HISS_OK);
    p->quadratic.kind = kind;
    p->quadratic.maximize = xorshift_below(random, 2);
    p->quadratic.offset = draw_value(random);
}

/* Tables with positive entries; of two variables and two states each where
 * is_pairwise, and then a quadratic form too. */
static void draw_factors(hs_problem *p, uint64_t *random, bool is_pairwise)
{
    int dim = 2 + xorshift_below(random, 6), states[8];

    *p = (hs_problem){.scale = 1.0, .shape = HS_FACTORS, .dim = dim};
    for (int i = 0; i < dim; i++)
        states[i] = is_pairwise ? 2 : 2 + xorshift_below(random, 3);
    assert_int_equal(hs_factors_init(&p->factors, dim, states, NULL), HISS_OK);
    p->factors.constant = draw_value(random) * 1e-9;
    for (int n = xorshift_below(random, 9); n >= 0; n--) {
        int first = xorshift_below(random, dim);
        int scope[3] = {first, (first + 1) % dim, (first + 2) % dim};
        int size = 1 + xorshift_below(random, is_pairwise || dim < 3 ? 2 : 3);
        double *table;
        int64_t entries = hs_factors_entries(&p->factors, size, scope);

        assert_int_equal(
            hs_factors_add(&p->factors, size, scope, NULL, &table, NULL),
            HISS_OK);
        for (int64_t k = 0; k < entries; k++)
            table[k] = (double)(int32_t)xorshift(random) / 1073741824.0;
        if (!is_pairwise && xorshift_below(random, 3) == 0)
            table[0] = -HUGE_VAL;
    }
}

static void draw_machine(hs_problem *p, uint64_t *random)
{
    int dim = 1 + xorshift_below(random, 5), hidden = 1 + dim / 2;

    *p = (hs_problem){.scale = 1.0, .shape = HS_MACHINE, .dim = dim};
    p->machine.hidden = hidden;
    p->machine.weight = hs_alloc_array((size_t)(dim * hidden), sizeof(double));
    p->machine.b = hs_alloc_array((size_t)dim, sizeof(double));
    p->machine.c = hs_alloc_array((size_t)hidden, sizeof(double));
    for (int k = 0; k < dim * hidden; k++)
        p->machine.weight[k] = draw_value(random) * 1e-9;
    for (int i = 0; i < dim; i++)
        p->machine.b[i] = draw_value(random) * 1e-9;
}

static hiss_status write_problem(const hs_problem *p, const hs_format_use *use,
                                 hiss_error *err)
{
    hiss_status rc;
    FILE *to;

    unlink(path); /* a file that is cut to 0 goes to the disk first */
    to = fopen(path, "wb");
    assert_non_null(to);
    rc = hs_format_write(p, to, use, err);
    fclose(to);
    return rc;
}

/* The format as its writer is called, with what it must be told. */
static void use_format(hs_format_use *use, const hs_format *format)
{
    const char *wanted = format->name;
    hiss_error err;

    if (strcmp(format->name, "qubo-sparse") == 0)
        wanted = "qubo-sparse(sense=max,offdiagonal=twice)";
    if (strcmp(format->name, "edges") == 0)
        wanted = "edges(sign=attract)";
    if (hs_format_find_output(use, path, wanted, &err) != HISS_OK)
        fail_msg("%s", err.message);
}

/* Whether the format holds the problem; what it holds comes back. */
static bool comes_back(const hs_problem *p, const hs_format *format)
{
    hs_format_use use;
    hs_problem again;
    hiss_error err = {0};
    double shift;
    hiss_status rc;

    use_format(&use, format);
    rc = write_problem(p, &use, &err);
    if (rc == HISS_OK) {
        rc = hs_format_read_as(&again, path, &use, &err);
        if (rc == HISS_OK)
            rc = hs_problem_compare(p, &again, &shift, &err);
        hs_problem_clear(&again);
        if (rc != HISS_OK)
            fail_msg("%s: %s", format->name, err.message);
    } else if (rc != HISS_EUNSUP) {
        fail_msg("%s: %s", format->name, err.message);
    }
    hs_format_release(&use);
    return rc == HISS_OK;
}

enum {
    SPIN_FREE,
    SPIN_FIELD,
    BITS,
    PAIRWISE,
    TABLES,
    MACHINE,
    KINDS
};

static void draw_problem(hs_problem *p, int kind, uint64_t *random)
{
    if (kind < BITS)
        draw_quadratic(p, random, HISS_SPIN, kind == SPIN_FIELD);
    else if (kind == BITS)
        draw_quadratic(p, random, HISS_BINARY, true);
    else if (kind < MACHINE)
        draw_factors(p, random, kind == PAIRWISE);
    else
        draw_machine(p, random);
}

/* Which kinds each format must hold; the large couplings of the first three
 * are beyond the values that UAI writes. */
static const struct {
    const char *format;
    bool holds[KINDS];
} expected[] = {
    {"uai", {0, 0, 0, 1, 1, 0}},  {"rudy", {1, 0, 0, 0, 0, 0}},
    {"qubo", {1, 1, 1, 1, 0, 0}}, {"qubo-sparse", {1, 1, 1, 1, 0, 0}},
    {"coo", {1, 1, 1, 1, 0, 0}},  {"mtx", {1, 1, 1, 1, 0, 0}},
    {"bqm", {1, 1, 1, 1, 0, 0}},  {"json", {1, 1, 1, 1, 0, 0}},
    {"npz", {1, 1, 1, 1, 0, 1}},  {"edges", {1, 1, 1, 1, 0, 0}},
};

static void what_is_written_comes_back(void **state)
{
    enum {
        ROUNDS = 25
    };
    uint64_t random = 20261115;

    (void)state;
    for (int f = 0; hs_formats[f]; f++)
        for (int kind = 0; hs_formats[f]->write && kind < KINDS; kind++) {
            size_t row = 0;
            int held = 0;

            while (row < sizeof expected / sizeof expected[0] &&
                   strcmp(expected[row].format, hs_formats[f]->name) != 0)
                row++;
            assert_true(row < sizeof expected / sizeof expected[0]);
            for (int n = 0; n < ROUNDS; n++) {
                hs_problem p;

                draw_problem(&p, kind, &random);
                held += comes_back(&p, hs_formats[f]);
                hs_problem_clear(&p);
            }
            if (expected[row].holds[kind] && held < ROUNDS)
                fail_msg("%s holds %d of %d problems of kind %d",
                         hs_formats[f]->name, held, ROUNDS, kind);
        }
    unlink(path);
}

/* Spins to bits and back, sense to and fro: the same but for rounding. */
static void shapes_are_the_same_law(void **state)
{
    uint64_t random = 7;

    (void)state;
    for (int n = 0; n < 200; n++) {
        hs_problem p, q, f;
        double shift;

        draw_problem(&p, n % PAIRWISE, &random);
        assert_int_equal(
            hs_problem_to_quadratic(&q, &p, n % 2 ? HISS_SPIN : HISS_BINARY,
                                    n % 3 == 0, NULL),
            HISS_OK);
        assert_int_equal(hs_problem_compare(&p, &q, &shift, NULL), HISS_OK);
        assert_true(shift == 0.0);
        assert_int_equal(hs_problem_to_factors(&f, &q, NULL), HISS_OK);
        assert_int_equal(hs_problem_compare(&p, &f, &shift, NULL), HISS_OK);
        assert_true(shift == 0.0);
        hs_problem_clear(&q);
        assert_int_equal(
            hs_problem_to_quadratic(&q, &f, HISS_BINARY, true, NULL), HISS_OK);
        assert_int_equal(hs_problem_compare(&p, &q, &shift, NULL), HISS_OK);
        hs_problem_clear(&p);
        hs_problem_clear(&q);
        hs_problem_clear(&f);
    }
}

/* The comparison sees a term that is off by a millionth. */
static void other_laws_are_seen(void **state)
{
    uint64_t random = 3;
    hs_problem p, q;
    hiss_error err;
    double shift;

    (void)state;
    do {
        draw_quadratic(&p, &random, HISS_SPIN, true);
        if (p.quadratic.pairs > 3)
            break;
        hs_problem_clear(&p);
    } while (true);
    assert_int_equal(hs_problem_to_quadratic(&q, &p, HISS_SPIN, true, NULL),
                     HISS_OK);
    q.quadratic.offset += 5.0;
    assert_int_equal(hs_problem_compare(&p, &q, &shift, NULL), HISS_OK);
    assert_true(fabs(shift - 5.0) < 1e-6);
    for (int64_t e = 0; e < q.quadratic.pairs; e++)
        if (fabs(q.quadratic.value[e]) > 1e6) {
            q.quadratic.value[e] *= 1.000001;
            break;
        }
    assert_int_equal(hs_problem_compare(&p, &q, &shift, &err), HISS_EINTERNAL);
    hs_problem_clear(&p);
    hs_problem_clear(&q);
}

/* Names that are numbers and ascend are written; others are not in a coo. */
static void names_come_back(void **state)
{
    static const char *const names[2][3] = {{"3", "7", "900"}, {"a", "b", "c"}};

    (void)state;
    for (int n = 0; n < 2; n++)
        for (int f = 0; hs_formats[f]; f++) {
            bool is_coo = strcmp(hs_formats[f]->name, "coo") == 0;
            hs_problem p, again;
            hs_format_use use;

            if (!is_coo && strcmp(hs_formats[f]->name, "bqm") != 0 &&
                strcmp(hs_formats[f]->name, "json") != 0)
                continue;
            assert_int_equal(
                hs_problem_init_quadratic(&p, HISS_SPIN, false, 3, 0, NULL),
                HISS_OK);
            p.names = hs_alloc_array(3, sizeof *p.names);
            for (int i = 0; i < 3; i++)
                p.names[i] = hs_strdup(names[n][i]);
            use_format(&use, hs_formats[f]);
            assert_int_equal(write_problem(&p, &use, NULL), HISS_OK);
            assert_int_equal(hs_format_read_as(&again, path, &use, NULL),
                             HISS_OK);
            if (n == 1 && is_coo)
                assert_null(again.names);
            for (int i = 0; again.names && i < 3; i++)
                assert_string_equal(again.names[i], names[n][i]);
            if (!is_coo)
                assert_non_null(again.names);
            hs_problem_clear(&again);
            hs_problem_clear(&p);
            hs_format_release(&use);
        }
    unlink(path);
}

/* Every allocation may fail: HISS_ENOMEM, and nothing is left behind. */
static void memory_may_run_out(void **state)
{
    uint64_t random = 5;

    (void)state;
    for (int f = 0; hs_formats[f]; f++)
        for (int kind = 0; hs_formats[f]->write && kind < KINDS; kind++) {
            hs_problem p, again;
            hs_format_use use;
            hs_model *m = NULL;
            hiss_status rc = HISS_ENOMEM;

            use_format(&use, hs_formats[f]);
            draw_problem(&p, kind, &random);
            for (int n = 1; rc == HISS_ENOMEM; n++) {
                hs_alloc_fail_after(n);
                rc = write_problem(&p, &use, NULL);
                hs_alloc_fail_after(0);
            }
            hs_problem_clear(&p);
            rc = rc == HISS_OK ? HISS_ENOMEM : rc;
            for (int n = 1; rc == HISS_ENOMEM; n++) {
                hs_alloc_fail_after(n);
                rc = hs_format_read_as(&again, path, &use, NULL);
                if (rc == HISS_OK)
                    rc = hs_problem_model(&m, &again, path, NULL);
                hs_alloc_fail_after(0);
                hs_problem_clear(&again);
            }
            hs_model_destroy(m);
            if (rc != HISS_OK && rc != HISS_EUNSUP)
                fail_msg("%s: status %d", hs_formats[f]->name, rc);
            hs_format_release(&use);
        }
    unlink(path);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(what_is_written_comes_back),
        cmocka_unit_test(shapes_are_the_same_law),
        cmocka_unit_test(other_laws_are_seen),
        cmocka_unit_test(names_come_back),
        cmocka_unit_test(memory_may_run_out),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
