/* test_multicanonical.c - replicas under weights of log p.
 *
 * Every level keeps its law on every coordinate kind, whatever the base, with
 * weights that are given and with those that a pilot learns; a sweep moves by a
 * matrix that is computed independently; copies with a fault are rejected. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>

#include <cmocka.h>

#include "conformance/support/broken_flat.h"
#include "conformance/support/suite.h"
#include "run/chain/group.h"

#define MANY  1000000
#define QUICK 150000
#define FAULT 1000000

#define WEIGHTS "range=[-1.5,2.5],slopes=[0,0.3,0.8,1.3]"

static void every_kind_keeps_its_law(void **state)
{
    int wrong = 0;

    (void)state;
    for (int n = 0; n < SUITE_MODELS; n++) {
        hs_model *m = suite_create((suite_model)n);

        wrong += suite_complaints(
            suite_names[n], m,
            "multicanonical(base=gibbs,replicas=3," WEIGHTS ")",
            suite_replicates(MANY), suite_seed(70000 + (uint64_t)n), 0.1);
        hs_model_destroy(m);
    }
    assert_int_equal(wrong, 0);
}

static void every_base_keeps_its_law(void **state)
{
    static const char *const samplers[] = {
        "multicanonical(base=metropolis(updates=2),replicas=2," WEIGHTS ")",
        "multicanonical(base=gibbs(scan=random,updates=2)," WEIGHTS ")",
        "multicanonical(base=dmala(alpha=2),replicas=2," WEIGHTS ")",
        "multicanonical(base=gwg,replicas=3," WEIGHTS ")",
        "multicanonical(base=dmala)",
    };
    static const suite_model kinds[] = {BINARY, ORDINAL, CATEGORICAL, MIXED,
                                        ISING};
    int wrong = 0;

    (void)state;
    for (size_t k = 0; k < sizeof kinds / sizeof *kinds; k++) {
        hs_model *m = suite_create(kinds[k]);

        for (size_t s = 0; s < sizeof samplers / sizeof *samplers; s++)
            wrong += suite_complaints(suite_names[kinds[k]], m, samplers[s],
                                      suite_replicates(QUICK),
                                      suite_seed(71000 + 100 * k + s), 0.1);
        hs_model_destroy(m);
    }
    assert_int_equal(wrong, 0);
}

/* What is taken back includes the gradient and the model's cache. */
static void what_a_point_carries_is_taken_back(void **state)
{
    static const char *const models[] = {
        "rbm(visible=5,hidden=3,modes=1,strength=1)",
        "mixture(2,4,strength_low=0.4,strength_high=1)"};
    static const char *const samplers[] = {
        "multicanonical(base=dmala(alpha=2),replicas=2," WEIGHTS ")",
        "multicanonical(base=gwg,replicas=2," WEIGHTS ")",
        "multicanonical(base=metropolis(updates=2),replicas=2," WEIGHTS ")",
        "multicanonical(base=metropolis,replicas=2," WEIGHTS ")"};

    (void)state;
    assert_int_equal(suite_all_complaints(models, 2, samplers, 4,
                                          suite_replicates(QUICK),
                                          suite_seed(73000), 0.1),
                     0);
}

/* By a pilot, of the softened model where there are impossible states. */
static void learned_weights_keep_the_law(void **state)
{
    int wrong = 0;

    (void)state;
    for (int n = 0; n < SUITE_MODELS; n++) {
        hs_model *m = suite_create((suite_model)n);

        wrong += suite_complaints(suite_names[n], m, "multicanonical",
                                  suite_replicates(QUICK),
                                  suite_seed(75000 + (uint64_t)n), 0.1);
        hs_model_destroy(m);
    }
    assert_int_equal(wrong, 0);
}

/* Clusters, and labels on the fast path: all of degree four. */
static void pairs_keep_their_law(void **state)
{
    static const char *const models[] = {"potts(side=3,states=3,beta=0.5)",
                                         "ising(side=3,beta=0.3)"};
    static const char *const samplers[] = {
        "multicanonical(base=gibbs,replicas=2,range=[2,10],"
        "slopes=[0,0.3,0.8,1.3])",
        "multicanonical(base=cluster,replicas=2,range=[-3,6],"
        "slopes=[0,0.3,0.8,1.3])"};

    (void)state;
    assert_int_equal(suite_all_complaints(models, 2, samplers, 2,
                                          suite_replicates(MANY),
                                          suite_seed(72000), 0.1),
                     0);
}

static void faults_are_seen(void **state)
{
    static const char *const wrong[] = {
        "bad_flat(fault=weights," WEIGHTS ")",
        "bad_flat(fault=window," WEIGHTS ")",
        "bad_flat(fault=choice," WEIGHTS ")",
    };
    static const suite_model kinds[] = {BINARY, SPIN,  ORDINAL, CATEGORICAL,
                                        MIXED,  ISING, LADDER,  POTTS};
    int complaints = 0, overlooked = 0;

    (void)state;
    for (size_t k = 0; k < sizeof kinds / sizeof *kinds; k++) {
        hs_model *m = suite_create(kinds[k]);

        complaints += suite_complaints(
            suite_names[kinds[k]], m, "bad_flat(" WEIGHTS ")",
            suite_replicates(100000), suite_seed(73000 + 100 * k), 0.1);
        for (size_t s = 0; s < sizeof wrong / sizeof *wrong; s++)
            overlooked += suite_overlooks(suite_names[kinds[k]], m, wrong[s],
                                          suite_replicates(FAULT),
                                          suite_seed(73001 + 100 * k + s));
        hs_model_destroy(m);
    }
    assert_int_equal(complaints, 0);
    assert_int_equal(overlooked, 0);
}

/* --- the matrix of one sweep --------------------------------------------- */

#define SPINS  3
#define STATES 8
#define STEPS  4000 /* of the integral over V */
#define CELLS  4

static const double slopes[CELLS] = {0.0, 0.3, 0.8, 1.3};
static const double low = -1.5, high = 2.5;

static double w_of(double u)
{
    double width = (high - low) / CELLS, w = 0.0;

    for (int c = 0; c < CELLS; c++) {
        double from = c == 0 ? -HUGE_VAL : low + width * c;
        double to = c == CELLS - 1 ? HUGE_VAL : low + width * (c + 1);

        if (u > from && c > 0)
            w += slopes[c] * (fmin(u, to) - from);
    }
    return w;
}

static double slope_at(double u)
{
    int c = (int)floor((u - low) / (high - low) * CELLS);

    return fmin(slopes[c < 0 ? 0 : c >= CELLS ? CELLS - 1 : c], 1.0);
}

/* P(flip) of a change of U from u to v, given beta and a window or none. */
static double flip(double u, double v, double beta, double at, double half)
{
    double heat = 1.0 / (1.0 + exp(beta * (u - v)));

    if (fabs(v - at) > half)
        return 0.0;
    return heat * fmin(1.0, exp(w_of(v) - w_of(u) - beta * (v - u)));
}

/* One sweep from a state, given beta and a window; added to `sum`. */
static void sweep(const double *u, int from, double beta, double at,
                  double half, double share, double *sum)
{
    double p[STATES] = {0};

    p[from] = share;
    for (int i = 0; i < SPINS; i++)
        for (int x = 0; x < STATES; x++) {
            int y = x ^ 1 << i;
            double there, back;

            if (x > y)
                continue;
            there = p[x] * flip(u[x], u[y], beta, at, half);
            back = p[y] * flip(u[y], u[x], beta, at, half);
            p[x] += back - there;
            p[y] += there - back;
        }
    for (int x = 0; x < STATES; x++)
        sum[x] += p[x];
}

static void row_of(const double *u, int from, double *sum)
{
    double half = (high - low) / 4.0;

    for (int n = 0; n < STEPS; n++) {
        double at = u[from] + half * (2.0 * (n + 0.5) / STEPS - 1.0);

        sweep(u, from, slope_at(at), at, half, 0.75 / STEPS, sum);
    }
    sweep(u, from, w_of(high) / (high - low), u[from], HUGE_VAL, 0.25, sum);
}

/* How often each state is reached from one, under w. */
static void count(hs_group *g, int from, double *counts, int64_t rounds)
{
    for (int64_t n = 0; n < rounds; n++) {
        for (int c = 0; c < g->chains; c++)
            for (int r = 0; r < 2; r++) {
                int16_t x[SPINS];

                for (int i = 0; i < SPINS; i++)
                    x[i] = (int16_t)(from >> i & 1);
                hs_group_set(g, c, r, x);
            }
        assert_int_equal(hs_group_walk(g, NULL), HISS_OK);
        for (int c = 0; c < g->chains; c++) {
            int lane, to = 0;
            const hs_tile *t = hs_group_at_level(g, c, 1, &lane);

            for (int i = 0; i < SPINS; i++)
                to |= t->at.x[i][lane] << i;
            counts[to] += 1.0;
        }
    }
}

static void a_sweep_moves_by_its_matrix(void **state)
{
    hs_model *m = suite_create(SPIN);
    int64_t rounds = suite_replicates(MANY) / STATES / HS_LANES;
    double u[STATES];
    hs_sampler *s;
    hs_group *g;

    (void)state;
    assert_int_equal(
        hs_sampler_parse(
            &s, "multicanonical(base=gibbs,replicas=2," WEIGHTS ")", NULL),
        HISS_OK);
    assert_int_equal(
        hs_group_create(&g, m, s, suite_seed(74000), 0, HS_LANES, NULL),
        HISS_OK);
    for (int y = 0; y < STATES; y++) {
        int16_t index[SPINS];

        for (int i = 0; i < SPINS; i++)
            index[i] = (int16_t)(y >> i & 1);
        assert_int_equal(hs_model_energy(m, index, &u[y], NULL), HISS_OK);
    }
    for (int x = 0; x < STATES; x++) {
        double seen[STATES] = {0}, p[STATES] = {0}, chi2 = 0.0;

        row_of(u, x, p);
        count(g, x, seen, rounds);
        for (int y = 0; y < STATES; y++) {
            double expected = p[y] * (double)(rounds * HS_LANES);

            if (expected > 0.0)
                chi2 += (seen[y] - expected) * (seen[y] - expected) / expected;
            else
                assert_true(seen[y] == 0.0);
        }
        printf("       from %d: chi2 %.2f of 7\n", x, chi2);
        assert_true(p[x] < 0.95); /* it moves */
        assert_true(chi2 < 40.0); /* p = 1e-6 */
    }
    hs_group_destroy(g);
    hs_sampler_release(s);
    hs_model_destroy(m);
}

int main(int argc, char **argv)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_sweep_moves_by_its_matrix),
        cmocka_unit_test(every_kind_keeps_its_law),
        cmocka_unit_test(every_base_keeps_its_law),
        cmocka_unit_test(what_a_point_carries_is_taken_back),
        cmocka_unit_test(learned_weights_keep_the_law),
        cmocka_unit_test(pairs_keep_their_law),
        cmocka_unit_test(faults_are_seen),
    };

    suite_begin(argc, argv);
    hs_kernel_extra = broken_flat;
    return cmocka_run_group_tests_name("multicanonical", tests, NULL, NULL);
}
