/* test_elimination.c - elimination against every state, in every order. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

#include "base/alloc.h"
#include "exact/elimination.h"
#include "exact/ordering.h"
#include "model/model.h"
#include "unit/factor_fixture.h"
#include "unit/kaufman.h"

#define NEAR 1e-10

static bool is_near(double a, double b)
{
    return fabs(a - b) <= NEAR * fmax(1.0, fabs(b));
}

/* The mean of factor n, by every state. */
static double mean_of(const hs_factors *f, int64_t n, double log_z)
{
    int16_t x[32] = {0};
    double mean = 0.0;

    do {
        double p = exp(hs_factors_energy(f, x) - log_z);
        int64_t at = f->table_at[n], stride = 1;

        for (int64_t k = f->scope_at[n + 1] - 1; k >= f->scope_at[n]; k--) {
            at += stride * x[f->scope[k]];
            stride *= f->states[f->scope[k]];
        }
        if (p > 0.0)
            mean += p * f->table[at];
    } while (next_state(f->states, f->dim, x));
    return mean;
}

/* A factor whose coordinates have no choice has no mean. */
static void compare_factors(const hs_factors *f, const hs_elimination *e,
                            double log_z)
{
    double left = e->mean_u - f->constant;

    for (int64_t n = 0; n < f->count; n++) {
        double mean = mean_of(f, n, log_z);

        left -= mean;
        assert_true(isnan(e->mean[n]) || is_near(e->mean[n], mean));
        for (int64_t k = f->scope_at[n]; k < f->scope_at[n + 1]; k++)
            for (int v = 0; isnan(e->mean[n]) && v < f->states[f->scope[k]];
                 v++) {
                double p = e->marginal[e->first[f->scope[k]] + v];

                assert_true(p == 0.0 || p == 1.0);
            }
    }
    assert_true(fabs(left) < 1e-9);
}

static void compare(const hs_factors *f, const hs_elimination *e, int number)
{
    truth t = brute_force(f);

    if (!is_near(e->log_z, t.log_z) || !is_near(e->max_u, t.max_u) ||
        !is_near(e->mean_u, t.mean_u))
        fail_msg("graph %d: log Z %.12g (%.12g), max U %.12g (%.12g), mean U "
                 "%.12g (%.12g)",
                 number, e->log_z, t.log_z, e->max_u, t.max_u, e->mean_u,
                 t.mean_u);
    for (int k = 0; k < e->first[f->dim]; k++)
        if (!is_near(e->marginal[k], t.marginal[k]))
            fail_msg("graph %d: probability %d is %.12g, not %.12g", number, k,
                     e->marginal[k], t.marginal[k]);
    assert_true(is_near(hs_factors_energy(f, e->best), t.max_u));
    compare_factors(f, e, t.log_z);
}

static void answers_are_those_of_enumeration(void **state)
{
    uint64_t seed = 17;

    (void)state;
    for (int n = 0; n < 400; n++) {
        int dim = 1 + xorshift_below(&seed, 10);
        hs_elimination e;
        hs_factors f;
        hs_plan plan;

        random_factors(&f, &seed, dim, n % 2 ? 4 : 3, xorshift_below(&seed, 16),
                       1 + n % 4, n % 3 ? 0 : 35);
        assert_int_equal(hs_plan_init(&plan, &f, NULL), HISS_OK);
        assert_int_equal(hs_elimination_init(&e, &plan, 1 + n % 3, NULL),
                         HISS_OK);
        compare(&f, &e, n);
        hs_elimination_clear(&e);
        hs_plan_clear(&plan);
        hs_factors_clear(&f);
    }
}

/* Random orders cost more and say the same. */
static void the_order_does_not_matter(void **state)
{
    uint64_t seed = 23;

    (void)state;
    for (int n = 0; n < 100; n++) {
        hs_elimination e;
        hs_factors f;
        hs_plan plan;

        random_factors(&f, &seed, 9, 3, 14, 3, 10);
        assert_int_equal(hs_plan_init(&plan, &f, NULL), HISS_OK);
        for (int k = 8; k > 0; k--) {
            int other = xorshift_below(&seed, k + 1), v = plan.order[k];

            plan.order[k] = plan.order[other];
            plan.order[other] = v;
        }
        assert_int_equal(hs_elimination_init(&e, &plan, 1, NULL), HISS_OK);
        compare(&f, &e, n);
        hs_elimination_clear(&e);
        hs_plan_clear(&plan);
        hs_factors_clear(&f);
    }
}

/* Clusters of many blocks and many shares: a periodic lattice against its
 * closed form, which knows nothing of tables, and against itself on other
 * numbers of threads, bit by bit. */
static void lattices_have_kaufmans_log_z(void **state)
{
    hs_elimination one, three;
    hs_factors f;
    hs_plan plan;
    hs_model *m;

    (void)state;
    assert_int_equal(hs_model_create(&m, "ising(side=9,beta=0.44)", NULL),
                     HISS_OK);
    assert_int_equal(m->ops->factors(m, &f, NULL), HISS_OK);
    assert_int_equal(hs_plan_init(&plan, &f, NULL), HISS_OK);
    assert_true(plan.largest > 65536.0);
    assert_int_equal(hs_elimination_init(&one, &plan, 1, NULL), HISS_OK);
    assert_int_equal(hs_elimination_init(&three, &plan, 3, NULL), HISS_OK);
    assert_true(fabs(one.log_z - kaufman_log_z(9, 9, 0.44)) < 1e-9);
    assert_true(fabs(one.mean_u + 0.44 * 81 * kaufman_energy(9, 9, 0.44)) <
                1e-5);
    assert_true(fabs(one.max_u - 162 * 0.44) < 1e-9);
    for (int k = 0; k < 162; k++) {
        assert_true(fabs(one.marginal[k] - 0.5) < 1e-12);
        assert_true(one.marginal[k] == three.marginal[k]);
    }
    assert_true(one.log_z == three.log_z && one.mean_u == three.mean_u);
    hs_elimination_clear(&one);
    hs_elimination_clear(&three);
    hs_plan_clear(&plan);
    hs_factors_clear(&f);
    hs_model_destroy(m);
}

/* A chain of e^1000 and e^-1000: far outside of what a double holds. */
static void nothing_underflows(void **state)
{
    int states[60];
    hs_elimination e;
    hs_factors f;
    hs_plan plan;

    (void)state;
    for (int i = 0; i < 60; i++)
        states[i] = 2;
    assert_int_equal(hs_factors_init(&f, 60, states, NULL), HISS_OK);
    for (int i = 0; i + 1 < 60; i++) {
        int scope[2] = {i, i + 1};
        double t[4] = {1000.0, -1000.0, -1000.0, 999.0};

        hs_factors_add(&f, 2, scope, t, NULL, NULL);
    }
    /* all 0 is e^59 times as likely as all 1, until the ends say otherwise */
    hs_factors_add(&f, 1, (int[]){0}, (double[]){-2000.0, 0.0}, NULL, NULL);
    hs_factors_add(&f, 1, (int[]){59}, (double[]){-2000.0, 0.0}, NULL, NULL);
    assert_int_equal(hs_plan_init(&plan, &f, NULL), HISS_OK);
    assert_int_equal(hs_elimination_init(&e, &plan, 1, NULL), HISS_OK);
    assert_true(is_near(e.log_z, 59 * 999.0));
    assert_true(is_near(e.max_u, 59 * 999.0));
    for (int i = 0; i < 60; i++) {
        assert_true(e.marginal[2 * i + 1] == 1.0);
        assert_int_equal(e.best[i], 1);
    }
    hs_elimination_clear(&e);
    hs_plan_clear(&plan);
    hs_factors_clear(&f);
}

/* Z = 0 where no single factor shows it: an odd ring of unequal neighbors. */
static void contradictions_are_told(void **state)
{
    int states[] = {2, 2, 2};
    double differ[] = {-HUGE_VAL, 0, 0, -HUGE_VAL};
    hiss_error err = {0};
    hs_elimination e;
    hs_factors f;
    hs_plan plan;

    (void)state;
    assert_int_equal(hs_factors_init(&f, 3, states, NULL), HISS_OK);
    for (int i = 0; i < 3; i++)
        hs_factors_add(&f, 2, (int[]){i, (i + 1) % 3}, differ, NULL, NULL);
    assert_int_equal(hs_plan_init(&plan, &f, &err), HISS_OK);
    assert_int_equal(hs_elimination_init(&e, &plan, 1, &err), HISS_EINFEASIBLE);
    assert_string_equal(err.message, "every state has probability 0");
    hs_plan_clear(&plan);
    hs_factors_add(&f, 1, (int[]){0}, (double[]){-HUGE_VAL, -HUGE_VAL}, NULL,
                   NULL);
    assert_int_equal(hs_plan_init(&plan, &f, &err), HISS_EINFEASIBLE);
    hs_factors_clear(&f);
}

static void too_much_memory_is_refused_beforehand(void **state)
{
    hiss_error err = {0};
    hs_elimination e;
    hs_factors f;
    hs_plan plan;
    hs_model *m;

    (void)state;
    assert_int_equal(hs_model_create(&m, "ising(side=8,beta=0.44)", NULL),
                     HISS_OK);
    assert_int_equal(m->ops->factors(m, &f, NULL), HISS_OK);
    assert_int_equal(hs_plan_init(&plan, &f, NULL), HISS_OK);
    plan.memory_limit = 1e5;
    assert_int_equal(hs_elimination_init(&e, &plan, 1, &err), HISS_ENOMEM);
    assert_non_null(strstr(err.message, "GiB of memory"));
    hs_plan_clear(&plan);
    hs_factors_clear(&f);
    hs_model_destroy(m);
    assert_int_equal(hs_model_create(&m, "ising(side=60,beta=0.44)", NULL),
                     HISS_OK);
    assert_int_equal(m->ops->factors(m, &f, NULL), HISS_OK);
    assert_int_equal(hs_plan_init(&plan, &f, NULL), HISS_OK);
    assert_true(isinf(plan.entries));
    assert_int_equal(hs_elimination_init(&e, &plan, 1, &err), HISS_ENOMEM);
    assert_non_null(strstr(err.message, "far more memory than there is"));
    hs_plan_clear(&plan);
    hs_factors_clear(&f);
    hs_model_destroy(m);
}

/* An open grid as factors without values. */
static void grid(hs_factors *f, int rows, int columns)
{
    int *states = hs_alloc_array((size_t)(rows * columns), sizeof *states);

    assert_non_null(states);
    for (int i = 0; i < rows * columns; i++)
        states[i] = 2;
    assert_int_equal(hs_factors_init(f, rows * columns, states, NULL), HISS_OK);
    for (int i = 0; i < rows * columns; i++) {
        int right[2] = {i, i + 1}, below[2] = {i, i + columns};

        if (i % columns + 1 < columns)
            hs_factors_add(f, 2, right, NULL, NULL, NULL);
        if (below[1] < rows * columns)
            hs_factors_add(f, 2, below, NULL, NULL, NULL);
    }
    hs_free(states);
}

/* Known costs: a chain, the rows of a grid, its diagonals. */
static void costs_are_simulated_rightly(void **state)
{
    const hs_order_limits none = {HUGE_VAL, HUGE_VAL, NULL};
    const hs_order_limits few = {1e6, HUGE_VAL, NULL};
    int order[400], given[400];
    hs_cost cost;
    hs_factors f;
    hs_graph g;

    (void)state;
    for (int i = 0; i < 400; i++)
        given[i] = i;
    grid(&f, 1, 50);
    assert_int_equal(hs_graph_init(&g, &f, NULL), HISS_OK);
    for (int rule = HS_GIVEN; rule <= HS_MIN_DEGREE; rule++) {
        memcpy(order, given, sizeof order);
        assert_int_equal(hs_order_simulate(order, &cost, &g, f.states,
                                           (hs_rule)rule, 0, &none, NULL),
                         HISS_OK);
        assert_true(cost.entries == 49 * 4 + 2);
        assert_true(cost.messages == 49 * 2 + 1);
        assert_true(cost.largest == 4);
    }
    hs_graph_clear(&g);
    hs_factors_clear(&f);
    grid(&f, 20, 20);
    assert_int_equal(hs_graph_init(&g, &f, NULL), HISS_OK);
    memcpy(order, given, sizeof order);
    assert_int_equal(
        hs_order_simulate(order, &cost, &g, f.states, HS_GIVEN, 0, &none, NULL),
        HISS_OK);
    assert_true(cost.largest == 0x1p21);
    assert_true(cost.entries > 0x1p29);
    assert_int_equal(hs_order_frontier(order, &g, NULL), HISS_OK);
    assert_int_equal(
        hs_order_simulate(order, &cost, &g, f.states, HS_GIVEN, 0, &none, NULL),
        HISS_OK);
    assert_true(cost.largest == 0x1p21);
    assert_true(cost.entries < 0x1.8p27);
    memcpy(order, given, sizeof order);
    assert_int_equal(
        hs_order_simulate(order, &cost, &g, f.states, HS_GIVEN, 0, &few, NULL),
        HISS_OK);
    assert_true(isinf(cost.entries));
    hs_graph_clear(&g);
    hs_factors_clear(&f);
}

static int stop_at_once(void *asked)
{
    ++*(int *)asked;
    return 1;
}

/* Two hubs with all other vertices around them, and a chain of these. */
static void wheel(hs_factors *f, int dim)
{
    int *states = hs_alloc_array((size_t)dim, sizeof *states);

    for (int i = 0; i < dim; i++)
        states[i] = 2;
    hs_factors_init(f, dim, states, NULL);
    for (int i = 2; i < dim; i++) {
        hs_factors_add(f, 2, (int[]){0, i}, NULL, NULL, NULL);
        hs_factors_add(f, 2, (int[]){1, i}, NULL, NULL, NULL);
        if (i > 2)
            hs_factors_add(f, 2, (int[]){i - 1, i}, NULL, NULL, NULL);
    }
    hs_free(states);
}

/* Lists of very different lengths: the first vertex of the rim joins all it
 * touches, every later one joins one pair more, and the hubs hold each other
 * at the end. */
static void hubs_are_eliminated_rightly(void **state)
{
    enum {
        DIM = 300
    };
    hs_factors f;
    hs_graph g;

    (void)state;
    wheel(&f, DIM);
    assert_int_equal(hs_graph_init(&g, &f, NULL), HISS_OK);
    assert_int_equal(g.degree[0], DIM - 2);
    for (int v = 2; v < DIM - 1; v++) {
        assert_int_equal(hs_graph_fill(&g, v), v == 2 ? 1 : 0);
        assert_int_equal(hs_graph_eliminate(&g, v, NULL), HISS_OK);
        for (int hub = 0; hub < 2; hub++) {
            const int *list = hs_graph_neighbors(&g, hub);

            assert_int_equal(g.degree[hub], DIM - v);
            assert_int_equal(list[0], 1 - hub);
            for (int k = 1; k < g.degree[hub]; k++)
                assert_int_equal(list[k], v + k);
        }
    }
    hs_graph_clear(&g);
    hs_factors_clear(&f);
}

/* The search for a plan keeps to its limit of work, and can be stopped. */
static void plans_are_bounded(void **state)
{
    int asked = 0;
    hs_poll poll = {stop_at_once, &asked};
    hs_factors f;
    hs_plan plan;

    (void)state;
    wheel(&f, 3000);
    assert_int_equal(
        hs_plan_init_within(&plan, &f, &(hs_plan_limits){.work = 1e8}, NULL),
        HISS_OK);
    assert_true(plan.largest == 16);
    hs_plan_clear(&plan);
    assert_int_equal(
        hs_plan_init_within(&plan, &f, &(hs_plan_limits){.work = 1e4}, NULL),
        HISS_OK);
    assert_true(isinf(plan.entries));
    assert_int_equal(hs_plan_check(&plan, NULL), HISS_ENOMEM);
    hs_plan_clear(&plan);
    assert_int_equal(
        hs_plan_init_within(&plan, &f, &(hs_plan_limits){.poll = &poll}, NULL),
        HISS_ESTOP);
    assert_int_equal(asked, 1);
    hs_factors_clear(&f);
}

static hiss_status plan_and_run(const hs_factors *f)
{
    hs_elimination e;
    hs_plan plan;
    hiss_status rc = hs_plan_init(&plan, f, NULL);

    if (rc == HISS_OK) {
        rc = hs_elimination_init(&e, &plan, 1, NULL);
        hs_plan_clear(&plan);
        if (rc == HISS_OK)
            hs_elimination_clear(&e);
    }
    return rc;
}

static void it_fails_without_memory(void **state)
{
    uint64_t seed = 29;
    hiss_status rc = HISS_ENOMEM;
    hs_factors f;

    (void)state;
    random_factors(&f, &seed, 4, 3, 5, 3, 0);
    for (int n = 1; rc == HISS_ENOMEM; n++) {
        hs_alloc_fail_after(n);
        rc = plan_and_run(&f);
        hs_alloc_fail_after(0);
    }
    assert_int_equal(rc, HISS_OK);
    hs_factors_clear(&f);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(answers_are_those_of_enumeration),
        cmocka_unit_test(the_order_does_not_matter),
        cmocka_unit_test(lattices_have_kaufmans_log_z),
        cmocka_unit_test(nothing_underflows),
        cmocka_unit_test(contradictions_are_told),
        cmocka_unit_test(too_much_memory_is_refused_beforehand),
        cmocka_unit_test(costs_are_simulated_rightly),
        cmocka_unit_test(hubs_are_eliminated_rightly),
        cmocka_unit_test(plans_are_bounded),
        cmocka_unit_test(it_fails_without_memory),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
