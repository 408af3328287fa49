/* Temperatures for a model whose U is a sum of many independent terms.
 *
 * n spins in a field h: at beta the energy has the standard deviation
 *     sd(beta) = h sqrt(n) / cosh(beta h),
 * and is nearly normal.  The length between uniform and target is
 *     D = integral sd dbeta = sqrt(n) gd(h),   gd(h) = 2 atan(tanh(h / 2)),
 * and an exchange over a piece d of it is rejected with probability
 * erf(d / 2), so d / sqrt(pi) for close levels. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdlib.h>

#include <cmocka.h>

#include "base/alloc.h"
#include "run/schedule/ladder_top.h"
#include "unit/model_fixture.h"

#define SPINS   576
#define FIELD   1.5
#define MODEL   "ising(side=24,beta=0,field=1.5)"
#define ROOT_PI 1.7724538509055160

/* Length from beta = a to b. */
static double length(double a, double b)
{
    return 2.0 * sqrt((double)SPINS) *
           (atan(tanh(0.5 * b * FIELD)) - atan(tanh(0.5 * a * FIELD)));
}

struct fixture {
    hs_model *model;     /* owned */
    hs_sampler *sampler; /* kept */
    hs_pilot_account account;
    hs_cooling cooling; /* owned */
};

static void set_up(struct fixture *f, double budget)
{
    *f =
        (struct fixture){.model = fixture_model(MODEL), .account = {.seed = 5}};
    assert_int_equal(hs_sampler_parse(&f->sampler, "gibbs", NULL), HISS_OK);
    assert_int_equal(hs_cooling_init(&f->cooling, f->model, f->sampler,
                                     HS_PILOT_CHAIN, 4, budget, &f->account,
                                     NULL),
                     HISS_OK);
}

static void tear_down(struct fixture *f)
{
    hs_cooling_clear(&f->cooling);
    hs_sampler_release(f->sampler);
    hs_model_destroy(f->model);
}

/* sd(U) of 64 lanes has an error of 9 % in each stage, and there are dozens:
 * the sum is good to 3 %. */
static void cooling_measures_the_barrier(void **state)
{
    struct fixture f;
    const hs_cooling *a = &f.cooling;

    (void)state;
    set_up(&f, 1e6);
    assert_true(a->beta[0] == 0.0 && a->barrier[0] == 0.0);
    assert_true(a->beta[a->stages - 1] == 1.0);
    /* a stage is half of a standard deviation */
    assert_in_range(a->stages, (int)(1.6 * length(0, 1)),
                    (int)(2.4 * length(0, 1)));
    for (int n = 1; n < a->stages; n++) {
        double there = length(0.0, a->beta[n]) / ROOT_PI;

        assert_true(a->beta[n] > a->beta[n - 1]);
        assert_true(fabs(a->barrier[n] - there) < 0.05 * there + 0.3);
    }
    /* 64 lanes, two steps a stage, and U once more */
    assert_true(hs_pilot_account_spent(&f.account) <=
                64.0 * (3.0 * a->stages + 1.0));
    tear_down(&f);
}

/* A small budget hurries, ends at the target, and costs little more. */
static void cooling_keeps_to_its_budget(void **state)
{
    struct fixture f;

    (void)state;
    set_up(&f, 2000.0);
    assert_true(f.cooling.beta[f.cooling.stages - 1] == 1.0);
    assert_true(hs_pilot_account_spent(&f.account) < 2000.0 + 4 * 64.0);
    for (int l = 0; l < HS_LANES; l++)
        assert_true(f.cooling.group[3]->tile[0].tilt.beta[l] == 1.0f);
    tear_down(&f);
}

/* With n exchanges over equal lengths the sum of rejections is
 * n erf(D / 2 n); 2 of that sum, and one, are the levels that are wanted. */
static int wanted_levels(double whole)
{
    int n = 2;

    while (n < ceil(2.0 * n * erf(whole / (2.0 * n))))
        n++;
    return n + 1;
}

static void levels_are_where_they_should_be(void **state)
{
    struct fixture f;
    hs_ladder l;
    hs_ladder_request request = {.hottest = HUGE_VAL,
                                 .swap_every = 1,
                                 .first_chain = HS_PILOT_CHAIN + 0x1000u,
                                 .budget = 1e6};
    double sum = 0.0;

    (void)state;
    set_up(&f, 1e6);
    request.base = f.sampler;
    assert_int_equal(
        hs_ladder_tune(&l, f.model, &request, &f.cooling, &f.account, NULL),
        HISS_OK);
    assert_true(abs(l.levels - wanted_levels(length(0, 1))) <= 2);
    assert_true(l.rounds >= 3);
    assert_true(l.temperature[0] == 1.0);
    assert_true(isinf(l.temperature[l.levels - 1]));
    for (int j = 0; j + 1 < l.levels; j++) {
        double d = length(1.0 / l.temperature[j + 1], 1.0 / l.temperature[j]);

        assert_true(l.temperature[j + 1] > l.temperature[j]);
        /* rounds of 2 x 64 exchanges and more: an error of .04 */
        assert_true(fabs(l.rejection[j] - erf(0.5 * d)) < 0.15);
        assert_true(fabs(erf(0.5 * d) -
                         erf(0.5 * length(0, 1) / (l.levels - 1))) < 0.12);
        sum += l.rejection[j];
    }
    assert_true(fabs(l.barrier - sum) < 1e-9);
    assert_true(
        fabs(sum / ((l.levels - 1) * erf(0.5 * length(0, 1) / (l.levels - 1))) -
             1.0) < 0.06);
    assert_true(l.colds > 0);
    hs_ladder_clear(&l);
    tear_down(&f);
}

/* The hottest level is what was asked for, and the length ends there. */
static void the_hottest_can_be_given(void **state)
{
    struct fixture f;
    hs_ladder l;
    hs_ladder_request request = {.hottest = 4.0,
                                 .swap_every = 1,
                                 .first_chain = HS_PILOT_CHAIN + 0x1000u,
                                 .budget = 1e6};

    (void)state;
    set_up(&f, 1e6);
    request.base = f.sampler;
    assert_int_equal(
        hs_ladder_tune(&l, f.model, &request, &f.cooling, &f.account, NULL),
        HISS_OK);
    assert_true(l.temperature[l.levels - 1] == 4.0);
    assert_true(abs(l.levels - wanted_levels(length(0.25, 1))) <= 2);
    hs_ladder_clear(&l);
    tear_down(&f);
}

/* Without evaluations for a round, what cooling saw is all there is:
 * 2 L + 1 levels, L = D / sqrt(pi), down to the hottest. */
static void a_first_guess_costs_nothing(void **state)
{
    static const double hottest[] = {HUGE_VAL, 4.0};
    struct fixture f;
    hs_ladder l;

    (void)state;
    set_up(&f, 1e6);
    for (int n = 0; n < 2; n++) {
        hs_ladder_request request = {.base = f.sampler,
                                     .hottest = hottest[n],
                                     .swap_every = 1,
                                     .budget = 100.0};
        double before = hs_pilot_account_spent(&f.account);
        double whole = length(1.0 / hottest[n], 1.0);

        assert_int_equal(
            hs_ladder_tune(&l, f.model, &request, &f.cooling, &f.account, NULL),
            HISS_OK);
        assert_true(hs_pilot_account_spent(&f.account) == before);
        assert_int_equal(l.rounds, 0);
        assert_true(fabs(l.levels - (2.0 * whole / ROOT_PI + 1.0)) < 2.5);
        assert_true(l.temperature[l.levels - 1] == hottest[n]);
        /* the last ends where the hottest cuts a stage of cooling */
        for (int j = 0; j + 2 < l.levels; j++) {
            double d =
                length(1.0 / l.temperature[j + 1], 1.0 / l.temperature[j]);

            assert_true(fabs(d - whole / (l.levels - 1)) < 0.2);
        }
        hs_ladder_clear(&l);
    }
    tear_down(&f);
}

static void it_becomes_a_sampler(void **state)
{
    double temperature[] = {1.0, 2.5, HUGE_VAL};
    hs_ladder l = {.levels = 3, .temperature = temperature};
    hs_ladder_request request = {.swap_every = 2};
    hs_sampler *base, *out;
    char *text;

    (void)state;
    assert_int_equal(hs_sampler_parse(&base, "gibbs(scan=random)", NULL), 0);
    request.base = base;
    for (request.parts = 0; request.parts < 4; request.parts += 3) {
        assert_int_equal(hs_ladder_sampler(&out, &l, &request, NULL), HISS_OK);
        text = hs_sampler_print_given(out);
        assert_string_equal(
            text, request.parts == 0
                      ? "pt(base=gibbs(scan=random),levels=3,"
                        "ladder=[1,2.5,inf],swap_every=2)"
                      : "pt(base=gibbs(scan=random),levels=3,"
                        "ladder=[1,2.5,inf],swap_every=2,houdayer=3)");
        assert_int_equal(out->replicas, 3);
        assert_ptr_equal(out->child[0], base);
        hs_free(text);
        hs_sampler_release(out);
    }
    hs_sampler_release(base);
}

#define TOP 24

/* A ladder whose levels exchange half of the time, lowered for a run of so many
 * chains by trials from all up and all down. */
static void lower_for(hs_ladder *l, const char *model, double step, int chains,
                      double *gain)
{
    static int16_t start[2 * SPINS];
    static double temperature[TOP], rejection[TOP - 1];
    hs_model *m = fixture_model(model);
    hs_pilot_account account = {.seed = 5, .chains = chains};
    hs_ladder_top_request request = {
        .from = {start, 2}, .first_chain = HS_PILOT_CHAIN, .budget = 2e4};
    hs_sampler *base;

    *l = (hs_ladder){TOP, temperature, rejection, .barrier = 0.5 * (TOP - 1)};
    for (int i = 0; i < 2 * SPINS; i++)
        start[i] = i < m->domain.dim;
    for (int j = 0; j < TOP; j++)
        temperature[j] = j + 1 < TOP ? 1.0 + step * j : HUGE_VAL;
    for (int j = 0; j + 1 < TOP; j++)
        rejection[j] = 0.5;
    assert_int_equal(hs_sampler_parse(&base, "gibbs", NULL), HISS_OK);
    request.base = base;
    assert_int_equal(hs_ladder_top_lower(l, m, &request, &account, gain, NULL),
                     HISS_OK);
    assert_true(hs_pilot_account_spent(&account) <= request.budget);
    hs_sampler_release(base);
    hs_model_destroy(m);
}

/* The levels that are left where chains fill all lanes. */
static int lower(const char *model, double step, double *gain)
{
    hs_ladder l;

    lower_for(&l, model, step, 0, gain);
    assert_true(l.barrier == 0.5 * (l.levels - 1));
    return l.levels;
}

/* Independent spins forget in a step at any temperature: three levels are
 * left, of 24 that have 8 times as many round trips to make. */
static void no_hotter_than_it_has_to_be(void **state)
{
    double gain;

    (void)state;
    assert_int_equal(lower(MODEL, 0.1, &gain), 3);
    assert_true(gain > 40.0 && gain < 80.0);
}

/* Three levels of four chains leave four lanes idle: a level in between, and
 * the hottest stays what it was.  Of 16 chains there are none idle. */
static void idle_lanes_have_levels_in_between(void **state)
{
    hs_ladder l;
    double gain;

    (void)state;
    lower_for(&l, MODEL, 0.1, 4, &gain);
    assert_int_equal(l.levels, 4);
    assert_true(l.temperature[0] == 1.0 && l.temperature[3] == 1.2);
    for (int j = 0; j < 3; j++) {
        assert_true(l.temperature[j + 1] > l.temperature[j]);
        assert_true(l.rejection[j] == l.barrier / 3.0);
    }
    assert_true(l.barrier == 1.0);
    lower_for(&l, MODEL, 0.1, 16, &gain);
    assert_int_equal(l.levels, 3);
    assert_true(l.temperature[1] == 1.1 && l.temperature[2] == 1.2);
}

/* Cold magnets forget at infinite temperature only; near T_c = 2 / ln(1 + 2^.5)
 * = 2.27 levels are off. */
static void hot_levels_that_are_needed_stay(void **state)
{
    double gain;
    int levels;

    (void)state;
    assert_int_equal(lower("ising(side=16,beta=2)", 0.02, &gain), TOP);
    assert_true(gain == 1.0);
    levels = lower("ising(side=16,beta=1)", 0.2, &gain);
    assert_in_range(levels, 7, 14); /* T = 2.2 ... 3.6 */
    assert_true(gain > 1.5);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(cooling_measures_the_barrier),
        cmocka_unit_test(cooling_keeps_to_its_budget),
        cmocka_unit_test(levels_are_where_they_should_be),
        cmocka_unit_test(the_hottest_can_be_given),
        cmocka_unit_test(a_first_guess_costs_nothing),
        cmocka_unit_test(it_becomes_a_sampler),
        cmocka_unit_test(no_hotter_than_it_has_to_be),
        cmocka_unit_test(idle_lanes_have_levels_in_between),
        cmocka_unit_test(hot_levels_that_are_needed_stay),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
