/* What samplers are worth by trial, where that is known; and races of them. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

#include <hiss/arrays.h>

#include "api/object/objects.h"
#include "run/survey/race.h"
#include "unit/model_fixture.h"

#define CHAIN 0x80000000u
#define FREE  "ising(side=8,beta=0)" /* 64 independent spins */
#define COLD  "ising(side=8,beta=1.2)"
#define DIM   64

/* All up, all down, in turn. */
static int16_t starts[2 * DIM];
static const hs_trial_start from = {starts, 2};

static hs_sampler *sampler(const char *spec)
{
    hs_sampler *s;

    assert_int_equal(hs_sampler_parse(&s, spec, NULL), HISS_OK);
    for (int i = 0; i < DIM; i++)
        starts[i] = 1;
    return s;
}

/* A trial of so many evaluations; the caller clears it. */
static void try_out(hs_trial *t, const hs_model *m, const char *spec,
                    double budget, hs_pilot_account *account)
{
    hs_sampler *s = sampler(spec);

    assert_int_equal(hs_trial_init(t, m, s, NULL, &from, account->seed, CHAIN,
                                   HS_GROUP_CHAINS, NULL),
                     HISS_OK);
    assert_int_equal(hs_trial_run(t, budget, NULL, account, NULL), HISS_OK);
    hs_sampler_release(s);
}

/* Every sweep of independent spins is a fresh draw of one evaluation; rates
 * are lowered by 1 + sqrt(1 / 15.5) = 1.25, and the worst of three kinds
 * counts. */
static void independent_draws_are_one_per_evaluation(void **state)
{
    hs_model *m = fixture_model(FREE);

    (void)state;
    for (double budget = 1e3; budget < 1e5; budget *= 5.0) {
        hs_pilot_account account = {.seed = 3};
        hs_trial t;

        try_out(&t, m, "gibbs", budget, &account);
        assert_true(t.cost == 1.0);
        assert_true(t.low / t.cost > 0.5 && t.low / t.cost < 1.0);
        assert_true(fabs(t.discord * t.steps - 1.0) < 0.5);
        assert_true(hs_pilot_account_spent(&account) <= budget);
        assert_true(hs_pilot_account_spent(&account) > 0.8 * budget);
        hs_trial_clear(&t);
    }
    hs_model_destroy(m);
}

static void what_is_frozen_is_worth_nothing(void **state)
{
    hs_model *m = fixture_model(COLD);
    hs_pilot_account account = {.seed = 3};
    hs_trial t;

    (void)state;
    try_out(&t, m, "gibbs", 2e4, &account);
    assert_true(t.low == 0.0);
    assert_true(t.discord > 0.9);
    hs_trial_clear(&t);
    hs_model_destroy(m);
}

/* A trial that cannot be paid for is not begun. */
static void too_small_a_budget_is_not_spent(void **state)
{
    hs_model *m = fixture_model(FREE);
    hs_pilot_account account = {.seed = 3};
    hs_trial t;

    (void)state;
    try_out(&t, m, "gibbs", 50.0, &account);
    assert_true(t.low == 0.0);
    assert_true(hs_pilot_account_spent(&account) == 0.0);
    hs_trial_clear(&t);
    hs_model_destroy(m);
}

/* Three patterns in the couplings of 64 spins, bits of the site's number, and
 * so cold that a cluster holds all of a pattern. */
static double pattern(int k, int i)
{
    return i >> k & 1 ? 1.0 : -1.0;
}

static hiss_model *patterns(void)
{
    static double coupling[DIM * DIM];
    double none[DIM] = {0};
    hiss_model *m;

    for (int i = 0; i < DIM; i++)
        for (int j = 0; j < DIM; j++)
            for (int k = 0; k < 3 && i != j; k++)
                coupling[DIM * i + j] += pattern(k, i) * pattern(k, j);
    assert_int_equal(hiss_model_ising(&m, DIM, coupling, none, NULL), HISS_OK);
    return m;
}

/* Turning a pattern over makes single spins agree at once, whichever pattern
 * it is; pairs of neighbors stay what they were. */
static void what_symmetry_hides_pairs_show(void **state)
{
    hiss_model *m = patterns();
    hs_sampler *s = sampler("cluster");
    hs_pilot_account account = {.seed = 3};
    int16_t both[2 * DIM];
    hs_trial t;

    (void)state;
    for (int i = 0; i < DIM; i++) {
        both[i] = pattern(0, i) > 0.0;
        both[DIM + i] = pattern(1, i) > 0.0;
    }
    assert_int_equal(hs_trial_init(&t, m->model, s, NULL,
                                   &(hs_trial_start){both, 2}, 3, CHAIN,
                                   HS_GROUP_CHAINS, NULL),
                     HISS_OK);
    assert_int_equal(hs_trial_run(&t, 2e5, NULL, &account, NULL), HISS_OK);
    assert_true(t.steps > 100);
    assert_true(t.discord > 0.9);
    assert_true(t.low == 0.0);
    hs_trial_clear(&t);
    hs_sampler_release(s);
    hiss_model_destroy(m);
}

/* A tour that is turned round or begins elsewhere has other cities at all
 * places and is the same tour: edges show whether it changes.  Where one has
 * all the mass they do not; where length is nothing, soon. */
static void tours_are_told_apart_by_edges(void **state)
{
    static const int16_t tours[] = {0, 1, 2, 3, 4, 0, 2, 1, 3, 4,
                                    0, 3, 1, 4, 2, 1, 4, 0, 2, 3};
    static const char *const laws[] = {
        "tsp(" HISS_TEST_DATA "/tsp/five.tsp,temperature=0.001)",
        "tsp(" HISS_TEST_DATA "/tsp/five.tsp,temperature=1000)"};
    const hs_trial_start some = {tours, 4};

    (void)state;
    for (int n = 0; n < 2; n++) {
        hs_pilot_account account = {.seed = 5};
        hs_sampler *s = sampler("tour");
        hs_model *m = fixture_model(laws[n]);
        hs_trial t;

        assert_int_equal(hs_trial_init(&t, m, s, NULL, &some, account.seed,
                                       CHAIN, HS_GROUP_CHAINS, NULL),
                         HISS_OK);
        assert_int_equal(hs_trial_run(&t, 2e4, NULL, &account, NULL), HISS_OK);
        assert_true(n == 0 ? t.low == 0.0 : t.low / t.cost > 0.1);
        hs_trial_clear(&t);
        hs_model_destroy(m);
        hs_sampler_release(s);
    }
}

/* A candidate that wants a trial, or whose score is known; inadmissible ones
 * are marked by the caller. */
static hs_candidate candidate(const char *spec, double cost, double known)
{
    return (hs_candidate){.sampler = sampler(spec),
                          .evals = cost,
                          .price = cost,
                          .work = cost,
                          .sure = 1.0,
                          .is_known = known >= 0.0,
                          .is_admissible = true,
                          .low = known >= 0.0 ? known : 0.0,
                          .high = known >= 0.0 ? known : HUGE_VAL};
}

static void enter(hs_race *r, const char *spec, double cost, double known)
{
    hs_candidate c = candidate(spec, cost, known);

    hs_race_enter(r, &c);
}

static void races_are_won_by_the_best(void **state)
{
    static const char *const specs[] = {"gibbs(scan=random,updates=1)", "gibbs",
                                        "metropolis(scan=random)",
                                        "sequence(gibbs,gibbs)"};
    static const double cost[] = {1.0 / DIM, 1.0, 1.0, 2.0};
    hs_model *m = fixture_model("ising(side=8,beta=0.2)");
    hs_pilot_account account = {.seed = 3};
    hs_race_request request = {
        .from = from, .first_chain = CHAIN, .budget = 2e4};
    hs_race r = {0};

    (void)state;
    assert_int_equal(hs_race_best(&r), -1);
    for (int k = 0; k < 4; k++)
        enter(&r, specs[k], cost[k], -1.0);
    enter(&r, "blocks", 1.0, 0.01);
    assert_int_equal(hs_race_run(&r, m, &request, &account, NULL), HISS_OK);
    /* two sweeps in one step are worth as much, for twice the cost */
    assert_true(hs_race_best(&r) == 1 || hs_race_best(&r) == 3);
    assert_true(r.at[4].low == 0.01);
    assert_true(hs_pilot_account_spent(&account) <= 2.1e4);
    for (int k = 0; k < r.count; k++) {
        assert_null(r.at[k].trial.group);
        assert_true(r.at[k].low <= r.at[k].high);
    }
    assert_true(r.at[1].low > 0.1 && r.at[1].low < r.at[1].high);
    /* what is known to be better needs no trial */
    enter(&r, "blocks", 1.0, 10.0);
    assert_int_equal(hs_race_best(&r), 5);
    hs_race_clear(&r);
    hs_model_destroy(m);
}

/* The largest lower bound wins, the first of those that are equal; what is not
 * admissible does not; and there are no more than there is room for. */
static void the_largest_lower_bound_wins(void **state)
{
    hs_race r = {0};
    hs_candidate missing = candidate("gibbs", 1.0, 5.0);

    (void)state;
    enter(&r, "gibbs", 1.0, 0.0);
    assert_int_equal(hs_race_best(&r), -1);
    missing.is_admissible = false;
    hs_race_enter(&r, &missing);
    assert_int_equal(hs_race_best(&r), -1);
    enter(&r, "gibbs", 1.0, 0.79);
    enter(&r, "gibbs", 1.0, 1.0);
    enter(&r, "gibbs", 1.0, 1.0);
    assert_int_equal(hs_race_best(&r), 3);
    for (int k = 0; k < HS_CANDIDATES; k++)
        enter(&r, "gibbs", 1.0, 0.1);
    assert_int_equal(r.count, HS_CANDIDATES);
    assert_int_equal(hs_race_best(&r), 3);
    hs_race_clear(&r);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(independent_draws_are_one_per_evaluation),
        cmocka_unit_test(what_is_frozen_is_worth_nothing),
        cmocka_unit_test(too_small_a_budget_is_not_spent),
        cmocka_unit_test(what_symmetry_hides_pairs_show),
        cmocka_unit_test(tours_are_told_apart_by_edges),
        cmocka_unit_test(races_are_won_by_the_best),
        cmocka_unit_test(the_largest_lower_bound_wins),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
