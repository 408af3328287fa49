/* test_population.c - populations: E[Z-hat] = Z and the law, on every kind.
 *
 * Of a population the estimate Z-hat and the weighted count of every state,
 * times Z-hat, have the expectations Z and Z p(state), exactly and however few
 * replicas there are.  Many populations of SIZE replicas are led to the target,
 * and both means are compared with enumeration, in units of their own errors;
 * a right one is off by more than SIGMAS of them once in 10^6.  Copies with a
 * fault must be off by more. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

#include "base/alloc.h"
#include "base/exponential.h"
#include "conformance/support/suite.h"
#include "diag/observe/logz.h"
#include "exact/enumerate.h"
#include "run/population/population.h"

#define SIZE   20 /* not a multiple of a tile */
#define ROUNDS 4000
#define SIGMAS 5.0
/* One site of each replica: what weights did wrong is not mended. */
#define SLOW     "smc(gibbs(scan=random,updates=1))"
#define EXPECTED 400.0 /* replicas in a state, or it is counted with others */
#define COUNT(a) (sizeof(a) / sizeof *(a))

static const double betas[] = {0.25, 0.6, 1.0};

/* Faults that must be seen. */
enum fault {
    NONE,
    WEIGHTS_STAY, /* resampled, and still weighted as before */
    WEIGHTS_LOST, /* all 1 again, and nobody was copied */
    MOVES_LATE,   /* at the temperature before */
    MEAN_OF_LOGS, /* Z from the mean exponent */
    TOO_SHARP,    /* copied by the squares of their weights */
    FAULTS
};

static const char *const fault_names[FAULTS] = {
    "none",       "weights stay", "weights lost",
    "moves late", "mean of logs", "copied by squares"};

struct trial {
    hs_population *p;
    const hs_model *m;
    const hs_exact *exact;
    double resample;
    enum fault fault;
    double *law;    /* [states + 1]: mean of Z-hat / Z times the share */
    double *square; /* [states + 1] */
    int *cell;      /* [states]: where a state is counted */
    int cells;      /* and behind them Z-hat / Z itself */
};

static int64_t number_of(const struct trial *t, int replica)
{
    int lane;
    const hs_tile *at = hs_population_at(t->p, replica, &lane);
    int64_t n = 0;

    for (int i = 0; i < t->m->domain.dim; i++)
        n = n * t->m->domain.states[i] + at->at.x[i][lane];
    return n;
}

static double mean_energy(const struct trial *t)
{
    double sum = 0.0;

    for (int r = 0; r < SIZE; r++) {
        int lane;

        sum += hs_population_at(t->p, r, &lane)->at.u[lane] / SIZE;
    }
    return sum;
}

static void resample(const struct trial *t, int stage)
{
    hs_population *p = t->p;
    double before[SIZE], ess = hs_population_ess(p);

    memcpy(before, p->weight, sizeof before);
    for (int r = 0; t->fault == TOO_SHARP && r < SIZE; r++)
        p->weight[r] *= before[r] * ess; /* their sum is SIZE again */
    if (t->fault != WEIGHTS_LOST)
        hs_population_resample(p, (uint64_t)stage);
    for (int r = 0; r < SIZE; r++)
        p->weight[r] =
            t->fault == WEIGHTS_STAY ? before[p->from[r]] : p->weight[r];
    for (int r = 0; t->fault == WEIGHTS_LOST && r < SIZE; r++)
        p->weight[r] = 1.0;
}

/* ln Z-hat / Z of one population; -infinity: none of it was possible. */
static double lead(const struct trial *t, uint64_t seed, int round)
{
    hs_population *p = t->p;
    double beta = 0.0, off = 0.0;
    hiss_error err = {0};

    assert_int_equal(
        hs_population_begin(p, seed, (uint32_t)(round * SIZE), &err), HISS_OK);
    for (size_t j = 0; j < COUNT(betas); j++) {
        double step = betas[j] - beta, mean = mean_energy(t);
        double before = p->log_ratio;
        hiss_status rc = hs_population_reweigh(p, betas[j], &err);

        if (rc == HISS_EINFEASIBLE)
            return -HUGE_VAL;
        assert_int_equal(rc, HISS_OK);
        if (t->fault == MEAN_OF_LOGS)
            off += step * mean - (p->log_ratio - before);
        if (hs_population_ess(p) < t->resample || t->resample == 1.0)
            resample(t, (int)j);
        p->beta = t->fault == MOVES_LATE ? beta : betas[j];
        rc = hs_population_move(p, 1, &err);
        if (rc != HISS_OK)
            fail_msg("%s", err.message);
        p->beta = beta = betas[j];
    }
    return p->log_ratio + off + hs_logz_states(&t->m->domain) - t->exact->log_z;
}

static void add(struct trial *t, double log_ratio)
{
    double *share = hs_alloc_array((size_t)t->cells + 1, sizeof *share);
    double ratio = exp(log_ratio), sum = 0.0;

    assert_non_null(share);
    for (int r = 0; r < SIZE && ratio > 0.0; r++) {
        double w = t->p->weight[r];

        sum += w;
        if (w > 0.0)
            share[t->cell[number_of(t, r)]] += w / SIZE;
    }
    if (ratio > 0.0 && t->fault == NONE)
        assert_true(fabs(sum - SIZE) < 1e-9);
    share[t->cells] = 1.0;
    for (int c = 0; c <= t->cells; c++) {
        t->law[c] += ratio * share[c];
        t->square[c] += ratio * share[c] * ratio * share[c];
    }
    hs_free(share);
}

/* States that are too rare to be looked at are one cell, the last. */
static void set_cells(struct trial *t, double rounds, double *expected)
{
    t->cells = 1;
    for (int64_t n = 0; n < t->exact->states; n++) {
        double p = exp(t->exact->u[n] - t->exact->log_z);

        t->cell[n] = p * rounds * SIZE < EXPECTED ? 0 : t->cells++;
        expected[t->cell[n]] += p;
    }
    expected[t->cells] = 1.0;
}

/* The largest deviation in units of its error. */
static double worst(const struct trial *t, const double *expected,
                    double rounds)
{
    double most = 0.0;

    for (int c = 0; c <= t->cells; c++) {
        double mean = t->law[c] / rounds;
        double variance = t->square[c] / rounds - mean * mean;
        double error = sqrt(fmax(variance, 0.0) / rounds) + 1e-9;

        if (expected[c] * rounds * SIZE >= EXPECTED)
            most = fmax(most, fabs(mean - expected[c]) / error);
    }
    return most;
}

static double examine(const hs_model *m, const char *spec, double threshold,
                      enum fault fault, int64_t rounds, uint64_t seed)
{
    hs_exact exact = {0};
    struct trial t = {
        .m = m, .exact = &exact, .resample = threshold, .fault = fault};
    hs_sampler *sampler;
    hs_pool *pool;
    double *expected, found;
    hs_exact_options options = {
        .threads = 1, .has_u = true, .limit = HS_TABLE_MAX, .what = "a test"};
    hiss_error err = {0};

    if (hs_exact_init(&exact, m, &options, &err) ||
        hs_sampler_parse(&sampler, spec, &err) ||
        hs_pool_create(&pool, 1, &err) ||
        hs_population_create(&t.p, m, sampler, SIZE, pool, 1, &err))
        fail_msg("%s: %s", spec, err.message);
    t.law = hs_alloc_array((size_t)exact.states + 2, sizeof *t.law);
    t.square = hs_alloc_array((size_t)exact.states + 2, sizeof *t.square);
    t.cell = hs_alloc_array((size_t)exact.states, sizeof *t.cell);
    expected = hs_alloc_array((size_t)exact.states + 2, sizeof *expected);
    assert_true(t.law && t.square && t.cell && expected);
    set_cells(&t, (double)rounds, expected);
    for (int n = 0; n < rounds; n++)
        add(&t, lead(&t, seed, n));
    found = worst(&t, expected, (double)rounds);
    hs_population_destroy(t.p);
    hs_pool_destroy(pool);
    hs_sampler_release(sampler);
    hs_exact_clear(&exact);
    hs_free(t.law);
    hs_free(t.square);
    hs_free(t.cell);
    hs_free(expected);
    return found;
}

static void populations_have_their_law(void **state)
{
    static const double thresholds[] = {1.0, 0.7, 0.0};
    static const char *const bases[] = {SLOW, "smc(metropolis)",
                                        "smc(hiss(eta=2,inner=gibbs))"};
    int64_t rounds = suite_replicates(ROUNDS);
    int complaints = 0;

    (void)state;
    for (int i = 0; i < SUITE_MODELS; i++) {
        hs_model *m = suite_create((suite_model)i);

        for (size_t j = 0; j < COUNT(thresholds); j++) {
            double off = examine(m, bases[j], thresholds[j], NONE, rounds,
                                 suite_seed((uint64_t)(10 * i) + j));

            printf("%-12s %-30s resample %.1f: %.2f errors\n", suite_names[i],
                   bases[j], thresholds[j], off);
            complaints += off > SIGMAS;
        }
        hs_model_destroy(m);
    }
    assert_int_equal(complaints, 0);
}

static void tours_have_their_law(void **state)
{
    hs_model *m = suite_tours(5, 0);
    double off = examine(m, "smc(tour)", 0.7, NONE, suite_replicates(ROUNDS),
                         suite_seed(7));

    (void)state;
    printf("tours: %.2f errors\n", off);
    hs_model_destroy(m);
    assert_true(off < SIGMAS);
}

static void faults_are_seen(void **state)
{
    int missed = 0;

    (void)state;
    if (suite_is_brief())
        skip();
    for (int i = BINARY; i <= HOLES; i++) {
        hs_model *m = suite_create((suite_model)i);

        for (int f = NONE + 1; f < FAULTS; f++) {
            double off =
                examine(m, SLOW, 1.0, (enum fault)f, suite_replicates(ROUNDS),
                        suite_seed((uint64_t)i));

            if (i == HOLES && f == MEAN_OF_LOGS)
                continue; /* the mean is -infinity */
            printf("%-12s %-22s %.1f errors\n", suite_names[i], fault_names[f],
                   off);
            missed += !(off > SIGMAS);
        }
        hs_model_destroy(m);
    }
    assert_int_equal(missed, 0);
}

static void exponentials_are_right(void **state)
{
    (void)state;
    for (double x = -699.0; x < 699.0; x += 0.37)
        assert_true(fabs(hs_exponential(x) / exp(x) - 1.0) < 2e-15);
    assert_true(hs_exponential(0.0) == 1.0);
    assert_true(hs_exponential(-HUGE_VAL) == 0.0);
    assert_true(hs_exponential(-1e9) == 0.0);
}

int main(int argc, char **argv)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(exponentials_are_right),
        cmocka_unit_test(populations_have_their_law),
        cmocka_unit_test(tours_have_their_law),
        cmocka_unit_test(faults_are_seen),
    };

    suite_begin(argc, argv);
    return cmocka_run_group_tests(tests, NULL, NULL);
}
