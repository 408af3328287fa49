/* test_scatter.c - states from which a search for modes begins: their law on
 * tiny models, the same bits under every instruction set, lane by lane. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cmocka.h>

#include "model/builders.h"
#include "model/factor/factor_graph.h"
#include "model/factor/fixed.h"
#include "unit/model_fixture.h"

#define SITES  3
#define STATES 12 /* 2 * 2 * 3 */
#define CALLS  4000

static hs_rng address(uint64_t clock)
{
    hs_rng rng = {.seed = 9, .clock = clock};

    for (int l = 0; l < HS_LANES; l++)
        rng.chain[l] = (uint32_t)l;
    return rng;
}

static double sigma(double a)
{
    return 1.0 / (1.0 + exp(-a));
}

/* Frequencies of the states of a small model over calls at clocks first,
 * first + step, ... against p: every one within five standard errors, about
 * one false alarm in 10^5 seeds. */
static void check_law(const hs_model *m, const double *p, uint64_t first,
                      uint64_t step)
{
    int states = 1, seen[STATES] = {0};
    double draws = (double)CALLS * HS_LANES;
    hs_point at;

    for (int i = 0; i < m->domain.dim; i++)
        states *= m->domain.states[i];
    assert_true(states <= STATES);
    assert_int_equal(hs_point_init(&at, m, NULL), HISS_OK);
    for (uint64_t n = 0; n < CALLS; n++) {
        hs_rng rng = address(first + n * step);

        at.have = HS_U;
        assert_int_equal(hs_model_scatter(m, &at, &rng, HS_LANES), HISS_OK);
        assert_int_equal(at.have, 0);
        for (int l = 0; l < HS_LANES; l++) {
            int s = 0;

            for (int i = 0; i < m->domain.dim; i++)
                s = s * m->domain.states[i] + at.x[i][l];
            seen[s]++;
        }
    }
    for (int s = 0; s < states; s++) {
        double error = sqrt(p[s] * (1.0 - p[s]) / draws);

        if (fabs(seen[s] / draws - p[s]) > 5.0 * error)
            fail_msg("%s: state %d has %.4f, expected %.4f", m->name, s,
                     seen[s] / draws, p[s]);
    }
    hs_point_clear(&at);
}

/* Adds weight * prod_i (x_i ? q_i : 1 - q_i) to p, two sites. */
static void add_product(double *p, double weight, double q0, double q1)
{
    for (int s = 0; s < 4; s++)
        p[s] += weight * (s & 2 ? q0 : 1.0 - q0) * (s & 1 ? q1 : 1.0 - q1);
}

static void components_are_as_likely(void **state)
{
    hs_model *m = fixture_model("mixture(k=2,d=2,seed=4,weights=[1,9])");
    double p[4] = {0};

    (void)state;
    for (int k = 0; k < 2; k++) {
        double sign[2], u[2];

        for (int i = 0; i < 2; i++)
            fixture_draw(4, k, i, &sign[i], &u[i]);
        add_product(p, 0.5, sigma(2.0 * sign[0] * (0.3 + 1.4 * u[0])),
                    sigma(2.0 * sign[1] * (0.3 + 1.4 * u[1])));
    }
    check_law(m, p, 0, 1);
    hs_model_destroy(m);
}

static const double weight[] = {2.0, -3.0, 0.5, 1.0, 1.5, -2.0};
static const double bias[] = {0.25, -1.0};

/* The law of v with each of three units on by chance q. */
static void add_units(double *p, double share, double q)
{
    for (int h = 0; h < 8; h++) {
        double logit[2] = {bias[0], bias[1]}, mass = share;

        for (int j = 0; j < 3; j++) {
            bool is_on = h >> j & 1;

            mass *= is_on ? q : 1.0 - q;
            for (int i = 0; is_on && i < 2; i++)
                logit[i] += weight[3 * i + j];
        }
        add_product(p, mass, sigma(logit[0]), sigma(logit[1]));
    }
}

/* Kept in float, and wide by biases that hidden units alone see. */
static void hidden_units_are_drawn_in_three_ways(void **state)
{
    double half[4] = {0}, single[4] = {0}, any[4] = {0};
    hs_machine from = {.visible = 2, .hidden = 3, .weight = weight, .b = bias};
    double far[] = {1e6, -1e6, 1e6};
    hs_model *m;

    (void)state;
    add_units(half, 1.0, 0.5);
    for (int j = 0; j < 3; j++)
        add_product(single, 1.0 / 3.0, sigma(bias[0] + weight[j]),
                    sigma(bias[1] + weight[3 + j]));
    for (int n = 0; n < 1000; n++)
        add_units(any, 1e-3, (n + 0.5) * 1e-3);
    for (int wide = 0; wide < 2; wide++) {
        from.c = wide ? far : NULL;
        assert_int_equal(hs_build_machine(&m, "rbm", &from, NULL), HISS_OK);
        assert_int_equal(hs_model_is_wide(m), wide);
        check_law(m, half, 0, 3);
        check_law(m, single, 1, 3);
        check_law(m, any, 2, 3);
        hs_model_destroy(m);
    }
}

/* Sites 0 and 1 are two-valued and coupled, one pair impossible; site 2 has
 * three values and hangs on site 1. */
static const double first_table[] = {0.0, 1.0, -HUGE_VAL, 0.5};
static const double second_table[] = {0.0, 1.0, -1.0, 2.0, 0.0, -HUGE_VAL};

static hs_model *chain(void)
{
    int states[] = {2, 2, 3}, a[] = {0, 1}, b[] = {1, 2};
    hs_factors f;
    hs_model *m;

    assert_int_equal(hs_factors_init(&f, SITES, states, NULL), HISS_OK);
    assert_int_equal(hs_factors_add(&f, 2, a, first_table, NULL, NULL),
                     HISS_OK);
    assert_int_equal(hs_factors_add(&f, 2, b, second_table, NULL, NULL),
                     HISS_OK);
    assert_int_equal(hs_factor_graph_create(&m, "chain", &f, NULL), HISS_OK);
    return m;
}

/* e^table for table t with site i at v; 1 where a site of it has rank above
 * that of i. */
static double factor(const double *table, int low, int columns, const int *x,
                     const int *rank, int i, int v)
{
    int y[SITES];

    memcpy(y, x, sizeof y);
    y[i] = v;
    if ((i != low && i != low + 1) || rank[low] > rank[i] ||
        rank[low + 1] > rank[i])
        return 1.0;
    return exp(table[y[low] * columns + y[low + 1]]);
}

static double chance(const int *x, const int *rank)
{
    static const int states[] = {2, 2, 3};
    double p = 1.0;

    for (int i = 0; i < SITES; i++) {
        double sum = 0.0, mine = 0.0;

        for (int v = 0; v < states[i]; v++) {
            double w = factor(first_table, 0, 2, x, rank, i, v) *
                       factor(second_table, 1, 3, x, rank, i, v);

            sum += w;
            mine = v == x[i] ? w : mine;
        }
        p *= sum > 0.0 ? mine / sum : 1.0 / states[i];
    }
    return p;
}

static void graphs_are_drawn_in_random_order(void **state)
{
    static const int orders[6][SITES] = {{0, 1, 2}, {0, 2, 1}, {1, 0, 2},
                                         {1, 2, 0}, {2, 0, 1}, {2, 1, 0}};
    double p[STATES] = {0};
    hs_model *m = chain();

    (void)state;
    for (int s = 0; s < STATES; s++) {
        int x[] = {s / 6, s / 3 % 2, s % 3};

        for (int n = 0; n < 6; n++)
            p[s] += chance(x, orders[n]) / 6.0;
    }
    check_law(m, p, 0, 1);
    hs_model_destroy(m);
}

/* A number that changes with any state of any model at a few clocks. */
static uint64_t digest(void)
{
    uint64_t sum = 0;

    for (const instance *n = instances; n->spec; n++) {
        hs_model *m = fixture_model(n->spec);
        hs_point p;

        assert_int_equal(hs_point_init(&p, m, NULL), HISS_OK);
        for (uint64_t clock = 0; clock < 9; clock++) {
            hs_rng rng = address(clock);

            assert_int_equal(hs_model_scatter(m, &p, &rng, HS_LANES), HISS_OK);
            for (int i = 0; i < m->domain.dim; i++)
                for (int l = 0; l < HS_LANES; l++) {
                    assert_in_range(p.x[i][l], 0, m->domain.states[i] - 1);
                    sum = (sum ^ (uint64_t)p.x[i][l]) * UINT64_C(1099511628211);
                }
        }
        hs_point_clear(&p);
        hs_model_destroy(m);
    }
    return sum;
}

/* In a process of its own: the set is chosen once. */
static uint64_t digest_under(const char *isa)
{
    uint64_t sum = 0;
    int end[2], status;
    pid_t child;

    assert_int_equal(pipe(end), 0);
    child = fork();
    if (child == 0) {
        setenv("HISS_ISA", isa, 1);
        sum = digest();
        fixture_remove();
        _exit(write(end[1], &sum, sizeof sum) == sizeof sum ? 0 : 1);
    }
    assert_int_equal(read(end[0], &sum, sizeof sum), sizeof sum);
    assert_int_equal(waitpid(child, &status, 0), child);
    assert_int_equal(status, 0);
    close(end[0]);
    close(end[1]);
    return sum;
}

/* First of all tests: no set is chosen yet. */
static void every_instruction_set_gives_the_same_states(void **state)
{
    uint64_t base = digest_under("base");

    (void)state;
    assert_true(digest_under("avx2") == base);
    assert_true(digest_under("avx512") == base);
}

static void lanes_do_not_see_each_other(void **state)
{
    static const char *const specs[] = {
        "mixture(k=3,d=7)", "rbm(visible=6,hidden=5)", "bernoulli4", NULL};

    (void)state;
    for (int n = 0; n < 4; n++) {
        hs_model *m = specs[n] ? fixture_model(specs[n]) : chain();
        hs_point all, one;

        assert_int_equal(hs_point_init(&all, m, NULL), HISS_OK);
        assert_int_equal(hs_point_init(&one, m, NULL), HISS_OK);
        for (uint64_t clock = 0; clock < 3; clock++)
            for (int l = 0; l < HS_LANES; l++) {
                hs_rng rng = address(clock);

                assert_int_equal(hs_model_scatter(m, &all, &rng, HS_LANES),
                                 HISS_OK);
                rng.chain[0] = rng.chain[l];
                rng.lanes = 1;
                assert_int_equal(hs_model_scatter(m, &one, &rng, 1), HISS_OK);
                for (int i = 0; i < m->domain.dim; i++)
                    assert_int_equal(all.x[i][l], one.x[i][0]);
            }
        hs_point_clear(&all);
        hs_point_clear(&one);
        hs_model_destroy(m);
    }
}

static void what_is_fixed_stays(void **state)
{
    hs_model *m = fixture_model("rbm(visible=6,hidden=5)");
    int at[] = {-1, 1, -1, 0, -1, -1}, seen[6] = {0};
    hs_point p;

    (void)state;
    assert_int_equal(hs_model_fix(&m, at, NULL), HISS_OK);
    assert_int_equal(hs_point_init(&p, m, NULL), HISS_OK);
    for (uint64_t clock = 0; clock < 9; clock++) {
        hs_rng rng = address(clock);

        assert_int_equal(hs_model_scatter(m, &p, &rng, HS_LANES), HISS_OK);
        for (int i = 0; i < 6; i++)
            for (int l = 0; l < HS_LANES; l++)
                seen[i] |= 1 << p.x[i][l];
    }
    for (int i = 0; i < 6; i++)
        assert_int_equal(seen[i], at[i] < 0 ? 3 : 1);
    hs_point_clear(&p);
    hs_model_destroy(m);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_instruction_set_gives_the_same_states),
        cmocka_unit_test(components_are_as_likely),
        cmocka_unit_test(hidden_units_are_drawn_in_three_ways),
        cmocka_unit_test(graphs_are_drawn_in_random_order),
        cmocka_unit_test(lanes_do_not_see_each_other),
        cmocka_unit_test(what_is_fixed_stays),
    };
    int failed = cmocka_run_group_tests(tests, NULL, NULL);

    fixture_remove();
    return failed;
}
