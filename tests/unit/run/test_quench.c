/* Optima that climbs find, where they are known. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <string.h>

#include <cmocka.h>

#include <hiss/model.h>

#include "api/object/objects.h"
#include "run/scouts/quench.h"
#include "unit/model_fixture.h"

#define CHAIN 0x80000000u
#define BEST  8

/* A search, or the test fails. */
static void search(hs_quench *q, const hs_model *m, int64_t most, double budget,
                   hs_pilot_account *account)
{
    hs_quench_request request = {.seed = account->seed,
                                 .first_chain = CHAIN,
                                 .most = most,
                                 .budget = budget,
                                 .hidden = 0.5};
    hiss_error err = {0};

    if (hs_quench_init(q, m, &request, account, &err) != HISS_OK)
        fail_msg("%s", err.message);
}

/* Nothing that one coordinate can do raises U. */
static void is_optimum(const hs_model *m, const int16_t *state, double u)
{
    int16_t x[512];
    double other;

    memcpy(x, state, (size_t)m->domain.dim * sizeof *x);
    for (int i = 0; i < m->domain.dim; i++) {
        for (int v = 0; v < m->domain.states[i]; v++) {
            x[i] = (int16_t)v;
            assert_int_equal(hs_model_energy(m, x, &other, NULL), HISS_OK);
            assert_true(other <= u + 1e-3);
        }
        x[i] = state[i];
    }
}

/* Modes of a mixture that are far apart are product laws of equal weight, and
 * what a climb says of their masses is exact: all alike, by scales too. */
static void modes_have_their_masses(void **state)
{
    static const struct {
        const char *spec;
        int modes;
    } cases[] = {{"mixture(k=3,d=40)", 3},
                 {"mixture(k=2,d=200,seed=5,scales=[0.8,1.2])", 2}};

    (void)state;
    for (size_t n = 0; n < sizeof cases / sizeof *cases; n++) {
        hs_model *m = fixture_model(cases[n].spec);
        hs_pilot_account account = {.seed = 3};
        int64_t best[BEST];
        hs_quench q;

        search(&q, m, 4096, 1e6, &account);
        assert_true(q.optima.used >= cases[n].modes);
        assert_int_equal(hs_quench_best(&q, BEST, 2.0, best), cases[n].modes);
        for (int k = 0; k < cases[n].modes; k++) {
            const hiss_mode *mode = &q.optima.mode[best[k]];

            assert_true(mode->draws > 0);
            assert_true(fabs(mode->mass - q.optima.mode[best[0]].mass) < 0.05);
            is_optimum(m, q.optima.state + best[k] * m->domain.dim, mode->u);
        }
        hs_quench_clear(&q);
        hs_model_destroy(m);
    }
}

/* Independent spins in fields: one optimum, and ln m is ln Z. */
static double field(int i)
{
    return 0.4 + 0.1 * i;
}

static int field_u(const void *dim, const int16_t *x, int lanes, double *u,
                   float *gradient)
{
    int n = *(const int *)dim;

    for (int l = 0; l < lanes; l++) {
        u[l] = 0.0;
        for (int i = 0; i < n; i++)
            u[l] += field(i) * x[i * lanes + l];
    }
    for (int k = 0; gradient && k < n * lanes; k++)
        gradient[k] = (float)field(k / lanes);
    return 0;
}

static void climbs_by_gradients_are_exact_for_independent_spins(void **state)
{
    static const int dim = 8;
    static const hiss_kind kind[8] = {HISS_BINARY};
    static const int states[] = {2, 2, 2, 2, 2, 2, 2, 2};
    const hiss_domain domain = {
        .size = sizeof domain, .dim = dim, .kind = kind, .states = states};
    hiss_callback callback = {.size = sizeof callback,
                              .name = "field",
                              .domain = &domain,
                              .evaluate = field_u,
                              .context = &dim,
                              .has_gradient = 1};
    hs_pilot_account account = {.seed = 3};
    double log_z = 0.0, u = 0.0;
    hiss_model *m;
    hs_quench q;

    (void)state;
    for (int i = 0; i < dim; i++) {
        log_z += log1p(exp(field(i)));
        u += field(i);
    }
    assert_int_equal(hiss_model_callback(&m, &callback, NULL), HISS_OK);
    assert_false(hs_model_has_cheap_sites(m->model));
    search(&q, m->model, 64, 1e5, &account);
    assert_int_equal(q.optima.used, 1);
    assert_int_equal(q.optima.mode[0].draws, q.climbs);
    assert_true(fabs(q.optima.mode[0].u - u) < 1e-5);
    assert_true(fabs(q.optima.mode[0].mass - log_z) < 1e-4);
    hs_quench_clear(&q);
    hiss_model_destroy(m);
}

/* A wide mode and a narrow one of equal mass, laws of independent spins that
 * like 1, 0, 1, ... by WIDE and 0, 1, 0, ... by NARROW, which no random state
 * is near to, nor one of many or few ones. */
#define SPINS  60
#define WIDE   0.4
#define NARROW 3.6

static int two_u(const void *context, const int16_t *x, int lanes, double *u,
                 float *gradient)
{
    (void)context;
    for (int l = 0; l < lanes; l++) {
        double ones = 0.0, wide, narrow, share;

        for (int i = 0; i < SPINS; i++)
            ones += x[i * lanes + l] == i % 2;
        wide = -WIDE * ones - SPINS * log1p(exp(-WIDE));
        narrow = NARROW * ones - SPINS * log1p(exp(NARROW));
        u[l] = fmax(wide, narrow) + log1p(exp(-fabs(wide - narrow)));
        share = exp(narrow - u[l]);
        for (int i = 0; gradient && i < SPINS; i++)
            gradient[i * lanes + l] =
                (float)((i % 2 ? 1.0 : -1.0) *
                        (share * NARROW - (1.0 - share) * WIDE));
    }
    return 0;
}

/* A narrow mode, a chequerboard, beside a lattice above its critical
 * temperature with optima without number: 8 x 8, coupling .3, ln Z by
 * elimination. */
#define SIDE  8
#define LOG_Z 50.6093304982

static int lattice_u(const void *context, const int16_t *x, int lanes,
                     double *u, float *gradient)
{
    (void)context;
    for (int l = 0; l < lanes; l++) {
        double wide = -LOG_Z, narrow, ones = 0.0, share, field[SIDE * SIDE];

        for (int k = 0; k < SIDE * SIDE; k++) {
            int i = k / SIDE, j = k % SIDE, up = (i + 1) % SIDE;
            int down = (i + SIDE - 1) % SIDE, left = (j + SIDE - 1) % SIDE;
            int right = (j + 1) % SIDE;
            int near[] = {up * SIDE + j, i * SIDE + right, down * SIDE + j,
                          i * SIDE + left};

            field[k] = 0.0;
            for (int n = 0; n < 4; n++)
                field[k] += 0.3 * (2 * x[near[n] * lanes + l] - 1);
            ones += x[k * lanes + l] == (i + j) % 2;
            wide += 0.5 * field[k] * (2 * x[k * lanes + l] - 1);
        }
        narrow = NARROW * ones - SIDE * SIDE * log1p(exp(NARROW));
        u[l] = fmax(wide, narrow) + log1p(exp(-fabs(wide - narrow)));
        share = exp(narrow - u[l]);
        for (int k = 0; gradient && k < SIDE * SIDE; k++)
            gradient[k * lanes + l] =
                (float)(share * ((k / SIDE + k) % 2 ? NARROW : -NARROW) +
                        (1.0 - share) * 2.0 * field[k]);
    }
    return 0;
}

static hiss_model *spins(int dim, int (*evaluate)(const void *, const int16_t *,
                                                  int, double *, float *))
{
    static const hiss_kind kind[SIDE * SIDE] = {HISS_BINARY};
    int states[SIDE * SIDE];
    const hiss_domain domain = {
        .size = sizeof domain, .dim = dim, .kind = kind, .states = states};
    hiss_callback callback = {.size = sizeof callback,
                              .name = "two",
                              .domain = &domain,
                              .evaluate = evaluate,
                              .has_gradient = 1};
    hiss_model *m;

    for (int i = 0; i < dim; i++)
        states[i] = 2;
    assert_int_equal(hiss_model_callback(&m, &callback, NULL), HISS_OK);
    return m;
}

static void a_mode_that_no_climb_ends_in_is_found(void **state)
{
    hiss_model *m = spins(SPINS, two_u);

    (void)state;
    for (uint64_t seed = 1; seed < 6; seed++) {
        hs_pilot_account account = {.seed = seed};
        hs_quench q;

        search(&q, m->model, 16384, 1e4, &account);
        assert_int_equal(q.optima.used, 2);
        for (int k = 0; k < 2; k++) {
            assert_true(fabs(q.optima.mode[k].mass) < 0.01);
            assert_int_equal(q.optima.state[k * SPINS], 1 - k);
        }
        assert_true(q.evals < 1.1e4 && account.energy_evals == q.evals);
        hs_quench_clear(&q);
    }
    hiss_model_destroy(m);
}

static void and_beside_a_lattice(void **state)
{
    hiss_model *m = spins(SIDE * SIDE, lattice_u);
    hs_pilot_account account = {.seed = 1};
    int64_t best[1];
    hs_quench q;

    (void)state;
    search(&q, m->model, 16384, 4e4, &account);
    assert_true(q.optima.used > 64);
    assert_int_equal(hs_quench_best(&q, 1, 1.0, best), 1);
    assert_true(fabs(q.optima.mode[best[0]].mass) < 0.1);
    assert_true(q.evals < 4.1e4);
    hs_quench_clear(&q);
    hiss_model_destroy(m);
}

/* --- numbers, whose gradient is a slope ----------------------------------- */

#define LONG   30 /* coordinates, */
#define VALUES 8  /* of so many numbers each */
#define BELLS  3

/* ln p of number v in coordinate i of a bell: its centre is between numbers. */
static double bell(int k, int i, int v)
{
    double centre = fmod(0.3719 + 2.7183 * (i + 1) * (k + 1), VALUES - 1);
    double width = 1.0 + 0.1 * ((i + k) % 8), sum = 0.0;

    for (int w = 0; w < VALUES; w++)
        sum += exp(-0.5 * pow((w - centre) / width, 2.0));
    return -0.5 * pow((v - centre) / width, 2.0) - log(sum);
}

/* BELLS of them, of equal weight; the slope is between the neighbors. */
static int bells_u(const void *context, const int16_t *x, int lanes, double *u,
                   float *gradient)
{
    (void)context;
    for (int l = 0; l < lanes; l++) {
        double part[BELLS], most = -HUGE_VAL, sum = 0.0;

        for (int k = 0; k < BELLS; k++) {
            part[k] = -log(BELLS);
            for (int i = 0; i < LONG; i++)
                part[k] += bell(k, i, x[i * lanes + l]);
            most = fmax(most, part[k]);
        }
        for (int k = 0; k < BELLS; k++)
            sum += part[k] = exp(part[k] - most);
        u[l] = most + log(sum);
        for (int i = 0; gradient && i < LONG; i++) {
            int v = x[i * lanes + l];
            int low = v > 0 ? v - 1 : v, high = v < VALUES - 1 ? v + 1 : v;
            double slope = 0.0;

            for (int k = 0; k < BELLS; k++)
                slope += part[k] / sum * (bell(k, i, high) - bell(k, i, low)) /
                         (high - low);
            gradient[i * lanes + l] = (float)slope;
        }
    }
    return 0;
}

static hiss_model *bells(int has_gradient)
{
    hiss_kind kind[LONG];
    int states[LONG];
    const hiss_domain domain = {
        .size = sizeof domain, .dim = LONG, .kind = kind, .states = states};
    hiss_callback callback = {.size = sizeof callback,
                              .name = "bells",
                              .domain = &domain,
                              .evaluate = bells_u,
                              .has_gradient = has_gradient};
    hiss_model *m;

    for (int i = 0; i < LONG; i++) {
        kind[i] = HISS_ORDINAL;
        states[i] = VALUES;
    }
    assert_int_equal(hiss_model_callback(&m, &callback, NULL), HISS_OK);
    return m;
}

/* Slopes end next to an optimum, climbs in it: as many as there are bells, each
 * with its mass. */
static void climbs_over_numbers_end_alike(void **state)
{
    (void)state;
    for (int has_gradient = 0; has_gradient < 2; has_gradient++) {
        hiss_model *m = bells(has_gradient);
        double budget = has_gradient ? 2e4 : 4e4; /* all values */

        for (uint64_t seed = 1; seed < 6; seed++) {
            hs_pilot_account account = {.seed = seed};
            hs_quench q;

            search(&q, m->model, 16384, budget, &account);
            assert_int_equal(q.optima.used, BELLS);
            for (int k = 0; k < BELLS; k++) {
                const hiss_mode *mode = &q.optima.mode[k];

                assert_true(fabs(mode->mass + log(BELLS)) < 0.01);
                is_optimum(m->model, q.optima.state + k * LONG, mode->u);
            }
            assert_true(q.evals < 1.2 * budget);
            assert_true(account.energy_evals == q.evals);
            hs_quench_clear(&q);
        }
        hiss_model_destroy(m);
    }
}

/* Where no end can be settled they are kept as they are, and it is not
 * exceeded by more than a batch. */
static void a_small_budget_has_ends_of_slopes(void **state)
{
    hiss_model *m = bells(1);
    hs_pilot_account account = {.seed = 1};
    hs_quench q;

    (void)state;
    search(&q, m->model, 16384, 1.0, &account);
    assert_int_equal(q.climbs, HS_LANES);
    assert_true(q.optima.used > 0);
    hs_quench_clear(&q);
    hiss_model_destroy(m);
}

/* A batch of sixteen climbs more than it has, at most. */
static void searches_keep_to_their_limits(void **state)
{
    static const char *const specs[] = {"ising(side=8,beta=0.6)",
                                        "mixture(k=3,d=40)",
                                        "rbm(visible=20,hidden=6)"};

    (void)state;
    for (size_t n = 0; n < sizeof specs / sizeof *specs; n++) {
        hs_model *m = fixture_model(specs[n]);
        double batch;

        for (double budget = 1.0; budget < 1e4; budget *= 10.0) {
            hs_pilot_account account = {.seed = 3, .energy_evals = 7.0};
            hs_quench q;

            search(&q, m, 100000, budget, &account);
            batch = q.evals / ((double)q.climbs / HS_LANES);
            assert_true(q.evals < budget + 2.0 * batch);
            assert_true(hs_pilot_account_spent(&account) == 7.0 + q.evals);
            hs_quench_clear(&q);
            search(&q, m, 32, budget, &account);
            assert_true(q.climbs <= 32);
            hs_quench_clear(&q);
        }
        hs_model_destroy(m);
    }
}

/* Both optima of a ferromagnet, and nothing from a search without a budget. */
static void given_states_climb(void **state)
{
    hs_model *m = fixture_model("ising(side=8,beta=0.6)");
    hs_pilot_account account = {.seed = 3};
    int16_t x[20 * 64];

    (void)state;
    for (int k = 0; k < 20; k++)
        for (int i = 0; i < 64; i++)
            x[64 * k + i] = (int16_t)((i == 3 * k) != (k % 2));
    assert_int_equal(hs_quench_states(x, 20, m, &account, NULL), HISS_OK);
    for (int k = 0; k < 20; k++)
        for (int i = 0; i < 64; i++)
            assert_int_equal(x[64 * k + i], k % 2);
    assert_true(hs_pilot_account_spent(&account) > 0.0);
    hs_model_destroy(m);
}

static void tours_are_left_alone(void **state)
{
    hs_model m = {.domain = {.dim = 4, .is_tour = true}};
    hs_pilot_account account = {.seed = 3};
    hs_quench q;

    (void)state;
    search(&q, &m, 100, 1e4, &account);
    assert_int_equal(q.climbs, 0);
    assert_int_equal(q.optima.used, 0);
    assert_true(hs_pilot_account_spent(&account) == 0.0);
    hs_quench_clear(&q);
}

static int stop(void *calls, const hiss_progress *progress)
{
    (void)progress;
    return ++*(int *)calls == 2;
}

static void a_search_can_be_stopped(void **state)
{
    hs_model *m = fixture_model("ising(side=8,beta=0.6)");
    int calls = 0;
    hs_pilot_account account = {.seed = 3, .progress = stop, .context = &calls};
    hs_quench_request request = {
        .first_chain = CHAIN, .most = 100000, .budget = 1e5};
    hs_quench q;

    (void)state;
    assert_int_equal(hs_quench_init(&q, m, &request, &account, NULL),
                     HISS_ESTOP);
    assert_int_equal(q.climbs, 0);
    hs_model_destroy(m);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(modes_have_their_masses),
        cmocka_unit_test(climbs_by_gradients_are_exact_for_independent_spins),
        cmocka_unit_test(a_mode_that_no_climb_ends_in_is_found),
        cmocka_unit_test(and_beside_a_lattice),
        cmocka_unit_test(climbs_over_numbers_end_alike),
        cmocka_unit_test(a_small_budget_has_ends_of_slopes),
        cmocka_unit_test(searches_keep_to_their_limits),
        cmocka_unit_test(given_states_climb),
        cmocka_unit_test(tours_are_left_alone),
        cmocka_unit_test(a_search_can_be_stopped),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
