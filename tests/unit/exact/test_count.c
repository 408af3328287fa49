/* test_count.c - counting against every state and against elimination.
 *
 * Small random and structured instances: tables with zeros and weights over
 * coordinates of one to four states, planted clauses, colorings, Latin
 * squares, queens, and networks with certain rules.  HS_CASES in the
 * environment asks for more of each than CASES. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

#include "base/alloc.h"
#include "exact/count/counted.h"
#include "exact/counting.h"
#include "exact/elimination.h"
#include "unit/factor_fixture.h"

#define NEAR  1e-9
#define CASES 12 /* of every kind */

static int cases(void)
{
    const char *text = getenv("HS_CASES");

    return text ? atoi(text) : CASES;
}

static bool is_near(double a, double b)
{
    return fabs(a - b) <= NEAR * fmax(1.0, fabs(b));
}

/* --- instances ------------------------------------------------------------ */

static void all_of(hs_factors *f, int dim, int q)
{
    int states[64];

    for (int i = 0; i < dim; i++)
        states[i] = q;
    assert_int_equal(hs_factors_init(f, dim, states, NULL), HISS_OK);
}

static void different(hs_factors *f, int a, int b)
{
    int scope[2] = {a, b};
    double *table;

    assert_int_equal(hs_factors_add(f, 2, scope, NULL, &table, NULL), HISS_OK);
    for (int v = 0; v < f->states[a] && v < f->states[b]; v++)
        table[v * f->states[b] + v] = -HUGE_VAL;
}

static void make_tables(hs_factors *f, uint64_t *seed)
{
    random_factors(f, seed, 3 + xorshift_below(seed, 6), 4,
                   2 + xorshift_below(seed, 8), 4,
                   10 + xorshift_below(seed, 60));
}

static void add_clause(hs_factors *f, const int *scope, const int *sign,
                       int size)
{
    double *table;
    int at = 0;

    assert_int_equal(hs_factors_add(f, size, scope, NULL, &table, NULL),
                     HISS_OK);
    for (int k = 0; k < size; k++)
        at = 2 * at + !sign[k];
    table[at] = -HUGE_VAL;
}

/* Clauses of three that a hidden state satisfies; `weighted`: some
 * coordinates have weights. */
static void make_clauses(hs_factors *f, uint64_t *seed, bool weighted)
{
    int dim = 6 + xorshift_below(seed, 8), state[16];
    int clauses = dim + xorshift_below(seed, 4 * dim);

    all_of(f, dim, 2);
    for (int i = 0; i < dim; i++)
        state[i] = xorshift_below(seed, 2);
    while (f->count < clauses) {
        int scope[3], sign[3], holds = 0;

        for (int k = 0; k < 3; k++) {
            do
                scope[k] = xorshift_below(seed, dim);
            while ((k > 0 && scope[k] == scope[0]) ||
                   (k > 1 && scope[k] == scope[1]));
            sign[k] = xorshift_below(seed, 2);
            holds |= sign[k] == state[scope[k]];
        }
        if (holds)
            add_clause(f, scope, sign, 3);
    }
    for (int i = 0; weighted && i < dim; i += 2) {
        double table[2] = {0.0, 3.0 * (xorshift(seed) * 0x1p-32)};

        assert_int_equal(hs_factors_add(f, 1, &i, table, NULL, NULL), HISS_OK);
    }
}

static void make_plain(hs_factors *f, uint64_t *seed)
{
    make_clauses(f, seed, false);
}

static void make_weighted(hs_factors *f, uint64_t *seed)
{
    make_clauses(f, seed, true);
}

static void make_coloring(hs_factors *f, uint64_t *seed)
{
    int dim = 4 + xorshift_below(seed, 5), q = 2 + xorshift_below(seed, 3);

    all_of(f, dim, q);
    for (int a = 0; a < dim; a++)
        for (int b = 0; b < a; b++)
            if (xorshift_below(seed, 100) < 35)
                different(f, a, b);
}

/* Of side 3, with a row or two left out. */
static void make_latin(hs_factors *f, uint64_t *seed)
{
    int rows = 2 + xorshift_below(seed, 2), side = 3;

    all_of(f, rows * side, side);
    for (int a = 0; a < rows * side; a++)
        for (int b = 0; b < a; b++)
            if (a / side == b / side || a % side == b % side)
                different(f, a, b);
}

/* A queen in every row; columns and diagonals exclude each other. */
static void make_queens(hs_factors *f, uint64_t *seed)
{
    int side = 3 + xorshift_below(seed, 4);

    all_of(f, side, side);
    for (int a = 0; a < side; a++)
        for (int b = 0; b < a; b++) {
            int scope[2] = {a, b};
            double *table;

            assert_int_equal(hs_factors_add(f, 2, scope, NULL, &table, NULL),
                             HISS_OK);
            for (int u = 0; u < side; u++)
                for (int v = 0; v < side; v++)
                    if (u == v || abs(u - v) == a - b)
                        table[u * side + v] = -HUGE_VAL;
        }
}

/* Tables P(x | parents), half of whose rows are certain. */
static void make_network(hs_factors *f, uint64_t *seed)
{
    int dim = 5 + xorshift_below(seed, 6);

    all_of(f, dim, 2 + xorshift_below(seed, 2));
    for (int i = 0; i < dim; i++) {
        int parents = i < 2 ? i : 1 + xorshift_below(seed, 2), scope[3];
        int q = f->states[0], rows = 1;
        double *table;

        for (int k = 0; k < parents; k++, rows *= q)
            scope[k] = (i - 1 - k * (1 + xorshift_below(seed, i))) % i;
        for (int k = 0; k < parents; k++)
            scope[k] = scope[k] < 0 ? scope[k] + i : scope[k];
        if (parents == 2 && scope[0] == scope[1]) {
            parents = 1;
            rows = q;
        }
        scope[parents] = i;
        assert_int_equal(
            hs_factors_add(f, parents + 1, scope, NULL, &table, NULL), HISS_OK);
        for (int r = 0; r < rows; r++) {
            int only = xorshift_below(seed, 2 * q);

            for (int v = 0; v < q; v++)
                table[r * q + v] = only >= q
                                       ? log(0.1 + xorshift(seed) * 0x1p-32)
                                   : v == only ? 0.0
                                               : -HUGE_VAL;
        }
    }
}

static const struct kind {
    const char *name;
    void (*make)(hs_factors *f, uint64_t *seed);
} kinds[] = {
    {"tables", make_tables},     {"clauses", make_plain},
    {"weighted", make_weighted}, {"coloring", make_coloring},
    {"latin", make_latin},       {"queens", make_queens},
    {"network", make_network},
};

/* --- against the truth ---------------------------------------------------- */

static int64_t possible(const hs_factors *f)
{
    int16_t x[64] = {0};
    int64_t count = 0;

    do
        count += hs_factors_energy(f, x) > -HUGE_VAL;
    while (next_state(f->states, f->dim, x));
    return count;
}

static hs_count *count_of(const hs_factors *f, const bool *is_shown)
{
    hs_count_limits limits = {0};
    hs_count *c;

    assert_int_equal(hs_counting(&c, f, is_shown, limits, NULL), HISS_OK);
    return c;
}

static bool has_digits(const hs_count *c, int64_t count)
{
    char wanted[32], *digits;
    bool is_right;

    assert_int_equal(hs_count_digits(&digits, c, NULL), HISS_OK);
    snprintf(wanted, sizeof wanted, "%lld", (long long)count);
    is_right = strcmp(digits, wanted) == 0;
    hs_free(digits);
    return is_right;
}

static bool is_right(const hs_factors *f, const hs_count *c, int64_t count)
{
    truth t = brute_force(f);
    hs_count_answers a;
    bool right = is_near(hs_count_log_z(c), t.log_z);

    assert_int_equal(hs_count_answer(&a, c, NULL, NULL), HISS_OK);
    right = right && is_near(a.max_u, t.max_u) && is_near(a.mean_u, t.mean_u) &&
            is_near(hs_factors_energy(f, a.best), t.max_u);
    for (int k = 0; k < a.first[f->dim]; k++)
        right = right && is_near(a.marginal[k], t.marginal[k]);
    right = right && hs_count_is_uniform(c) == hs_factors_are_uniform(f);
    hs_count_answers_clear(&a);
    return right && (!hs_count_is_uniform(c) || has_digits(c, count));
}

static void counts_are_right(void **unused)
{
    uint64_t seed = 41;

    (void)unused;
    for (size_t k = 0; k < sizeof kinds / sizeof *kinds; k++)
        for (int n = 0; n < cases(); n++) {
            uint64_t begin = seed;
            hs_count_limits limits = {0};
            hs_count *c = NULL;
            hs_factors f;
            int64_t count;

            kinds[k].make(&f, &seed);
            count = possible(&f);
            if (count == 0)
                assert_int_equal(hs_counting(&c, &f, NULL, limits, NULL),
                                 HISS_EINFEASIBLE);
            else
                c = count_of(&f, NULL);
            if (c && !is_right(&f, c, count))
                fail_msg("%s, seed %llu", kinds[k].name,
                         (unsigned long long)begin);
            hs_count_destroy(c);
            hs_factors_clear(&f);
        }
}

/* Too many states to visit, narrow enough to eliminate. */
static void larger_counts_agree_with_elimination(void **unused)
{
    uint64_t seed = 43;

    (void)unused;
    for (int n = 0; n < cases(); n++) {
        hs_elimination e;
        hs_factors f;
        hs_plan plan;
        hs_count *c;

        random_factors(&f, &seed, 24, 3, 26, 3, 40);
        c = count_of(&f, NULL);
        assert_int_equal(hs_plan_init(&plan, &f, NULL), HISS_OK);
        assert_int_equal(hs_elimination_init(&e, &plan, 1, NULL), HISS_OK);
        assert_true(is_near(hs_count_log_z(c), e.log_z));
        hs_elimination_clear(&e);
        hs_plan_clear(&plan);
        hs_count_destroy(c);
        hs_factors_clear(&f);
    }
}

/* --- projection ----------------------------------------------------------- */

/* States of the shown coordinates that some state of the others completes. */
static int64_t projected(const hs_factors *f, const bool *is_shown)
{
    int64_t states = 1, count = 0;
    int16_t x[64] = {0};
    bool *is_met;

    for (int i = 0; i < f->dim; i++)
        states *= is_shown[i] ? f->states[i] : 1;
    is_met = hs_alloc_array((size_t)states, sizeof *is_met);
    do {
        int64_t at = 0;

        for (int i = 0; i < f->dim; i++)
            at = is_shown[i] ? at * f->states[i] + x[i] : at;
        if (hs_factors_energy(f, x) > -HUGE_VAL) {
            count += !is_met[at];
            is_met[at] = true;
        }
    } while (next_state(f->states, f->dim, x));
    hs_free(is_met);
    return count;
}

static void projections_are_right(void **unused)
{
    uint64_t seed = 47;

    (void)unused;
    for (int n = 0; n < 4 * cases(); n++) {
        bool is_shown[64];
        hs_factors f;
        hs_count *c;

        if (n % 2)
            make_plain(&f, &seed);
        else
            make_coloring(&f, &seed);
        if (possible(&f) > 0) {
            for (int i = 0; i < f.dim; i++)
                is_shown[i] = xorshift_below(&seed, 2);
            c = count_of(&f, is_shown);
            assert_true(has_digits(c, projected(&f, is_shown)));
            hs_count_destroy(c);
        }
        hs_factors_clear(&f);
    }
}

/* --- numbers, limits, memory ---------------------------------------------- */

/* 3 * 2^199: more digits than a double has. */
static void large_numbers_have_all_digits(void **unused)
{
    static const int scope[2] = {0, 1}, sign[2] = {1, 1};
    hs_factors f;
    int states[201];
    hs_count *c;
    char *digits;

    (void)unused;
    for (int i = 0; i < 201; i++)
        states[i] = 2;
    assert_int_equal(hs_factors_init(&f, 201, states, NULL), HISS_OK);
    add_clause(&f, scope, sign, 2);
    c = count_of(&f, NULL);
    assert_int_equal(hs_count_digits(&digits, c, NULL), HISS_OK);
    assert_string_equal(digits, "2410407066388485413312943138511"
                                "743903783304490674189252952064");
    assert_true(is_near(hs_count_log_z(c), log(3.0) + 199.0 * log(2.0)));
    hs_free(digits);
    hs_count_destroy(c);
    hs_factors_clear(&f);
}

static int never(void *context)
{
    (void)context;
    return 1;
}

static void limits_stop_it(void **unused)
{
    hs_count_limits work = {.work = 10.0}, bytes = {.bytes = 1.0};
    hs_poll poll = {never, NULL};
    hs_count_limits stop = {.poll = &poll};
    uint64_t seed = 5;
    hiss_error err;
    hs_factors f;
    hs_count *c;

    (void)unused;
    make_plain(&f, &seed);
    assert_int_equal(hs_counting(&c, &f, NULL, work, &err), HISS_ELIMIT);
    assert_non_null(strstr(err.message, "of the search done"));
    assert_int_equal(hs_counting(&c, &f, NULL, bytes, &err), HISS_ENOMEM);
    assert_int_equal(hs_counting(&c, &f, NULL, stop, &err), HISS_ESTOP);
    assert_null(c);
    hs_factors_clear(&f);
}

static void failed_allocations_are_survived(void **unused)
{
    hiss_status rc = HISS_ENOMEM;
    uint64_t seed = 7;
    hs_factors f;

    (void)unused;
    make_tables(&f, &seed);
    for (int64_t n = 1; rc == HISS_ENOMEM; n++) {
        hs_count_limits limits = {0};
        hs_count_answers a;
        hs_count *c;

        hs_alloc_fail_after(n);
        rc = hs_counting(&c, &f, NULL, limits, NULL);
        if (rc == HISS_OK)
            rc = hs_count_answer(&a, c, NULL, NULL);
        if (rc == HISS_OK)
            hs_count_answers_clear(&a);
        hs_alloc_fail_after(0);
        hs_count_destroy(c);
    }
    assert_int_equal(rc, HISS_OK);
    hs_factors_clear(&f);
}

/* --- draws ---------------------------------------------------------------- */

/* Chi-square of draws over all solutions: with k cells its mean is k - 1 and
 * its deviation sqrt(2 (k - 1)); six of them have a false-alarm rate below
 * 1e-6 for k of 20 or more. */
static double excess_of(const hs_factors *f, const hs_count *c, int64_t count)
{
    int64_t states = 1, draws = 200 * count;
    double log_z = hs_count_log_z(c), chi2 = 0.0;
    int16_t(*x)[HS_LANES] = hs_alloc_array((size_t)f->dim, sizeof *x);
    int16_t y[64] = {0};
    hs_rng rng = {.seed = 1, .lanes = 1};
    hs_count_walk walk;
    double *hits;

    for (int i = 0; i < f->dim; i++)
        states *= f->states[i];
    hits = hs_alloc_array((size_t)states, sizeof *hits);
    assert_int_equal(hs_count_walk_init(&walk, c, NULL), HISS_OK);
    for (rng.clock = 0; (int64_t)rng.clock < draws; rng.clock++) {
        int64_t at = 0;

        hs_count_draw(c, &walk, &rng, 0, x);
        for (int i = 0; i < f->dim; i++)
            at = at * f->states[i] + x[i][0];
        hits[at] += 1.0;
    }
    for (int64_t at = 0; at < states; at++) {
        double expected = (double)draws * exp(hs_factors_energy(f, y) - log_z);

        assert_true(expected > 0.0 || hits[at] == 0.0);
        if (expected > 0.0)
            chi2 += (hits[at] - expected) * (hits[at] - expected) / expected;
        next_state(f->states, f->dim, y);
    }
    hs_count_walk_clear(&walk);
    hs_free(x);
    hs_free(hits);
    return (chi2 - (double)(count - 1)) / sqrt(2.0 * (double)(count - 1));
}

static void draws_have_the_law(void **unused)
{
    uint64_t seed = 53;
    int done = 0;

    (void)unused;
    while (done < 10) {
        const struct kind *kind = &kinds[done % 7];
        hs_factors f;
        int64_t count;

        kind->make(&f, &seed);
        count = possible(&f);
        if ((count >= 20 && count <= 2000) || (done % 7 == 4 && count > 0) ||
            (done % 7 == 5 && count > 1)) {
            hs_count *c = count_of(&f, NULL);
            double excess = excess_of(&f, c, count);

            if (!(fabs(excess) < 6.0))
                fail_msg("%s: %g deviations", kind->name, excess);
            hs_count_destroy(c);
            done++;
        }
        hs_factors_clear(&f);
    }
}

/* The same test with the shares of both branches confused. */
static void a_broken_copy_is_seen(void **unused)
{
    uint64_t seed = 59;
    int64_t count = 0;
    hs_factors f = {0};
    hs_count *c;

    (void)unused;
    while (count < 20 || count > 2000) {
        hs_factors_clear(&f);
        make_weighted(&f, &seed);
        count = possible(&f);
    }
    c = count_of(&f, NULL);
    assert_true(fabs(excess_of(&f, c, count)) < 6.0);
    for (int32_t at = 0; at < c->nodes.count; at++)
        if (c->nodes.node[at].branches == 2)
            c->nodes.node[at].first = 1.0 - c->nodes.node[at].first;
    assert_true(excess_of(&f, c, count) > 20.0);
    hs_count_destroy(c);
    hs_factors_clear(&f);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(counts_are_right),
        cmocka_unit_test(larger_counts_agree_with_elimination),
        cmocka_unit_test(projections_are_right),
        cmocka_unit_test(large_numbers_have_all_digits),
        cmocka_unit_test(limits_stop_it),
        cmocka_unit_test(failed_allocations_are_survived),
        cmocka_unit_test(draws_have_the_law),
        cmocka_unit_test(a_broken_copy_is_seen),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
