/* Modes of functions that no climb from a uniform state ends in: bands of
 * possible states, bells beside wider ones, and what a search would not see. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

#include <hiss/model.h>

#include "api/object/objects.h"
#include "run/policy/policy.h"
#include "run/scouts/acuity.h"
#include "run/scouts/quench.h"

#define CHAIN  0x80000000u
#define BITS   64
#define MANY   200 /* bits of a narrow mode */
#define BELLS  30  /* coordinates, */
#define VALUES 8   /* of so many numbers each */
#define LONG   60
#define MORE   12

typedef int function(const void *, const int16_t *, int, double *, float *);

static hiss_model *model(hiss_kind of, int dim, int values, function *evaluate)
{
    hiss_kind kind[MANY];
    int states[MANY];
    const hiss_domain domain = {
        .size = sizeof domain, .dim = dim, .kind = kind, .states = states};
    hiss_callback callback = {.size = sizeof callback,
                              .name = "function",
                              .domain = &domain,
                              .evaluate = evaluate,
                              .has_gradient = 1};
    hiss_model *m;

    for (int i = 0; i < dim; i++) {
        kind[i] = of;
        states[i] = values;
    }
    assert_int_equal(hiss_model_callback(&m, &callback, NULL), HISS_OK);
    return m;
}

/* A search that looks at so many random states more, or the test fails. */
static void search(hs_quench *q, const hiss_model *m, double budget,
                   double looks, uint64_t seed)
{
    hs_pilot_account account = {.seed = seed};
    hs_quench_request request = {.seed = seed,
                                 .first_chain = CHAIN,
                                 .most = 16384,
                                 .budget = budget,
                                 .hidden = 0.5,
                                 .looks = looks};
    hiss_error err = {0};

    if (hs_quench_init(q, m->model, &request, &account, &err) != HISS_OK)
        fail_msg("%s", err.message);
    assert_true(account.energy_evals == q->evals);
}

/* Few ones or many, up to 5 and from 40 to 42 of 64; all else is impossible.
 * Uniform states meet one of them in 3 % of all cases, the other never. */
static int bands_u(const void *context, const int16_t *x, int lanes, double *u,
                   float *gradient)
{
    (void)context;
    for (int l = 0; l < lanes; l++) {
        int ones = 0;

        for (int i = 0; i < BITS; i++)
            ones += x[i * lanes + l];
        u[l] = ones <= 5 || (ones >= 40 && ones <= 42) ? 0.0 : -HUGE_VAL;
        for (int i = 0; gradient && i < BITS; i++)
            gradient[i * lanes + l] = 0.0f;
    }
    return 0;
}

static void bands_of_possible_states_are_found(void **state)
{
    hiss_model *m = model(HISS_BINARY, BITS, 2, bands_u);

    (void)state;
    for (uint64_t seed = 1; seed < 6; seed++) {
        int few = 0, many = 0;
        hs_quench q;

        search(&q, m, 1e4, 0.0, seed);
        for (int64_t k = 0; k < q.optima.used; k++) {
            int ones = 0;

            for (int i = 0; i < BITS; i++)
                ones += q.optima.state[k * BITS + i];
            few += ones <= 5;
            many += ones >= 40;
        }
        assert_true(few > 0 && many > 0);
        assert_int_equal(q.narrow.seen, -1);
        hs_quench_clear(&q);
    }
    hiss_model_destroy(m);
}

/* Climbs among impossible states are dear, and what may be looked at goes to
 * them until they are HS_CLIMBS_IN_GAPS, for no more than that. */
static void dear_climbs_are_no_longer_few(void **state)
{
    hiss_model *m = model(HISS_BINARY, BITS, 2, bands_u);
    hs_quench few, more, most;

    (void)state;
    search(&few, m, 1e3, 0.0, 1);
    search(&more, m, 1e3, 1e3, 1);
    search(&most, m, 1e3, 1e6, 1);
    assert_true(few.is_hard && few.climbs < more.climbs);
    assert_true(more.climbs < hs_policy_count(HS_CLIMBS_IN_GAPS) &&
                more.evals < 3e3);
    assert_int_equal(most.climbs, hs_policy_count(HS_CLIMBS_IN_GAPS));
    hs_quench_clear(&few);
    hs_quench_clear(&more);
    hs_quench_clear(&most);
    hiss_model_destroy(m);
}

/* Bits that like one pattern by 1.5 and another by 3.5, of equal mass.  At a
 * uniform state the narrow mode is e^-58 of the wide one, at the best of
 * 3 10^4; at states away from the wide one's optimum it shows. */
static bool likes(int k, int i)
{
    return k == 0 ? i * 7 % 5 < 2 : i * 11 % 7 < 3;
}

static int patterns_u(const void *context, const int16_t *x, int lanes,
                      double *u, float *gradient)
{
    static const double gain[2] = {1.5, 3.5};

    (void)context;
    for (int l = 0; l < lanes; l++) {
        double part[2], share;

        for (int k = 0; k < 2; k++) {
            part[k] = -MANY * log1p(exp(-gain[k]));
            for (int i = 0; i < MANY; i++)
                part[k] -= x[i * lanes + l] == likes(k, i) ? 0.0 : gain[k];
        }
        u[l] = fmax(part[0], part[1]) + log1p(exp(-fabs(part[0] - part[1])));
        share = exp(part[1] - u[l]);
        for (int i = 0; gradient && i < MANY; i++)
            gradient[i * lanes + l] =
                (float)(share * (likes(1, i) ? 3.5 : -3.5) +
                        (1.0 - share) * (likes(0, i) ? 1.5 : -1.5));
    }
    return 0;
}

static void a_narrow_mode_shows_away_from_a_wide_one(void **state)
{
    hiss_model *m = model(HISS_BINARY, MANY, 2, patterns_u);

    (void)state;
    for (uint64_t seed = 1; seed < 4; seed++) {
        hs_quench q;

        search(&q, m, 1e5, 0.0, seed);
        assert_int_equal(q.optima.used, 2);
        assert_true(fabs(q.optima.mode[0].mass - q.optima.mode[1].mass) < 0.01);
        hs_quench_clear(&q);
    }
    hiss_model_destroy(m);
}

/* A bell of deviation 1.9 and one of .8 of equal weight, of which the narrow
 * one is below the sixteenth digit of U at all but one of 10^4 to 10^5 random
 * states. */
static double beside[2][BELLS][VALUES];

static void fill_beside(void)
{
    for (int k = 0; k < 2; k++)
        for (int i = 0; i < BELLS; i++) {
            int centre = (int)fmod(2.7183 * (i + 1) * (k + 1), VALUES);
            double sum = 0.0;

            for (int v = 0; v < VALUES; v++) {
                double z = (v - centre) / (k == 0 ? 1.9 : 0.8);

                beside[k][i][v] = -0.5 * z * z;
                sum += exp(-0.5 * z * z);
            }
            for (int v = 0; v < VALUES; v++)
                beside[k][i][v] -= log(sum);
        }
}

static int beside_u(const void *context, const int16_t *x, int lanes, double *u,
                    float *gradient)
{
    (void)context;
    for (int l = 0; l < lanes; l++) {
        double part[2] = {0}, share;

        for (int k = 0; k < 2; k++)
            for (int i = 0; i < BELLS; i++)
                part[k] += beside[k][i][x[i * lanes + l]];
        u[l] = fmax(part[0], part[1]) + log1p(exp(-fabs(part[0] - part[1])));
        share = exp(part[1] - u[l]);
        for (int i = 0; gradient && i < BELLS; i++) {
            int v = x[i * lanes + l];
            int low = v > 0 ? v - 1 : v, high = v < VALUES - 1 ? v + 1 : v;
            double wide = beside[0][i][high] - beside[0][i][low];
            double narrow = beside[1][i][high] - beside[1][i][low];

            gradient[i * lanes + l] =
                (float)((share * narrow + (1.0 - share) * wide) / (high - low));
        }
    }
    return 0;
}

static void a_narrow_bell_is_found_beside_a_wide_one(void **state)
{
    hiss_model *m = model(HISS_ORDINAL, BELLS, VALUES, beside_u);

    (void)state;
    fill_beside();
    for (uint64_t seed = 1; seed < 4; seed++) {
        hs_quench q;

        search(&q, m, 1e5, 5e5, seed);
        assert_int_equal(q.optima.used, 2);
        assert_true(fabs(q.optima.mode[0].mass - q.optima.mode[1].mass) < 0.01);
        assert_true(q.evals > 5e5 && q.evals < 6.2e5);
        assert_true(q.narrow.width == 0.5);
        assert_true(q.narrow.seen > hs_policy_count(HS_NARROW_MODES) / 2);
        hs_quench_clear(&q);
    }
    hiss_model_destroy(m);
}

/* One bell of deviation 2: in 60 coordinates of 12 numbers one of .35 of
 * that would not be seen. */
static int one_u(const void *context, const int16_t *x, int lanes, double *u,
                 float *gradient)
{
    (void)context;
    for (int l = 0; l < lanes; l++) {
        u[l] = 0.0;
        for (int i = 0; i < LONG; i++) {
            double off = x[i * lanes + l] - i % MORE;

            u[l] -= off * off / 8.0;
            if (gradient)
                gradient[i * lanes + l] = (float)(-off / 4.0);
        }
    }
    return 0;
}

static void a_search_knows_what_it_would_not_see(void **state)
{
    hiss_model *m = model(HISS_ORDINAL, LONG, MORE, one_u);
    hs_quench q;

    (void)state;
    search(&q, m, 1e5, 2e5, 1);
    assert_int_equal(q.optima.used, 1);
    assert_true(q.narrow.width == 0.35);
    assert_true(q.narrow.seen >= 0 &&
                q.narrow.seen < hs_policy_count(HS_NARROW_MODES) / 4);
    hs_quench_clear(&q);
    hiss_model_destroy(m);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(bands_of_possible_states_are_found),
        cmocka_unit_test(dear_climbs_are_no_longer_few),
        cmocka_unit_test(a_narrow_mode_shows_away_from_a_wide_one),
        cmocka_unit_test(a_narrow_bell_is_found_beside_a_wide_one),
        cmocka_unit_test(a_search_knows_what_it_would_not_see),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
