/* What becomes of `auto` where there is little time. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <string.h>

#include <cmocka.h>

#include <hiss/model.h>

#include "api/object/objects.h"
#include "base/alloc.h"
#include "base/clock.h"
#include "exact/descent.h"
#include "run/pilot/choice.h"
#include "run/pilot/scheme.h"
#include "run/schedule/reference_path.h"
#include "unit/model_fixture.h"

#define GLASS 10
#define TWINS 20
#define DEEP  8.0
#define SIDE  "ising(side=10,beta=0.3)" /* of half a second of tables */

static hs_pilot_account account_of(double limit)
{
    hs_pilot_account a = {.seed = 5, .share = 0.3, .limit = limit};

    a.began = a.from = hs_now();
    a.until = a.began + a.share * limit;
    a.walk = 0.1 * limit;
    return a;
}

/* --- elimination -------------------------------------------------------- */

/* The order that was weighed is not looked for again. */
static void an_order_is_found_once(void **state)
{
    hs_model *m = fixture_model("ising(side=5,beta=0.3)");
    hs_descent_request plain = {.threads = 1}, planned = {.threads = 1};
    const hs_descent *d;
    hs_descent_price price;
    double tables, cost;

    (void)state;
    assert_int_equal(hs_descent_hold(&d, m, &plain, NULL), HISS_OK);
    tables = d->tables;
    cost = d->cost;
    hs_descent_release(d);
    assert_int_equal(hs_descent_weigh(&price, m, 0.0, NULL), HISS_OK);
    assert_true(price.sweeps == tables);
    assert_true(price.seconds > 0.0 && price.seconds < 1.0);
    planned.plan = &price.plan;
    assert_int_equal(hs_descent_hold(&d, m, &planned, NULL), HISS_OK);
    assert_null(price.plan.order);
    assert_true(d->tables == tables && d->cost == cost);
    hs_descent_release(d);
    hs_descent_price_clear(&price);
    hs_model_destroy(m);
}

static void resolve(hs_scheme *s, const hs_model *m, const char *sampler,
                    hs_pilot_account *account)
{
    hs_sampler *tree;
    hiss_error err = {0};

    assert_int_equal(hs_sampler_parse(&tree, sampler, NULL), HISS_OK);
    if (hs_scheme_init(s, m, tree, account, &err) != HISS_OK)
        fail_msg("%s: %s", sampler, err.message);
    hs_sampler_release(tree);
}

/* Tables that there is no time for are not begun, and leave the pilot its
 * time; others are made at once. */
static void tables_are_made_where_they_leave_time(void **state)
{
    hs_model *wide = fixture_model(SIDE);
    hs_model *narrow = fixture_model("ising(side=5,beta=0.3)");
    hs_pilot_account a = account_of(0.4), b = account_of(60.0);
    hs_scheme s;

    (void)state;
    resolve(&s, wide, "auto", &a);
    assert_null(s.descent);
    assert_non_null(strstr(s.text, "no time for the tables"));
    assert_null(strstr(s.text, "may not take as many"));
    assert_true(hs_pilot_account_spent(&a) > 1000.0);
    hs_scheme_clear(&s);
    resolve(&s, narrow, "auto", &b);
    assert_non_null(s.descent);
    assert_ptr_equal(s.sampler->type, &hs_kernel_independent);
    hs_scheme_clear(&s);
    hs_model_destroy(narrow);
    hs_model_destroy(wide);
}

/* --- time --------------------------------------------------------------- */

/* What came before is not what an evaluation takes. */
static void a_pilot_is_timed_from_where_it_begins(void **state)
{
    hs_pilot_account a = account_of(100.0);

    (void)state;
    a.budget = 2e5;
    a.energy_evals = 240.0;
    a.began -= 50.0;
    a.from -= 50.0;
    a.until = a.began + 30.0; /* over */
    hs_pilot_account_restart(&a);
    assert_true(a.until > hs_now() + 14.0 && a.until < hs_now() + 15.01);
    assert_int_equal(hs_pilot_account_report(&a, NULL), HISS_OK);
    hs_pilot_account_calibrate(&a);
    assert_true(a.budget == 2e5);
    a.from -= 1.5; /* 100 evaluations in a tenth of the time */
    a.energy_evals += 100.0;
    hs_pilot_account_calibrate(&a);
    assert_true(a.budget > 240.0 + 1000.0 && a.budget < 240.0 + 1150.0);
    assert_true(a.is_lowered);
}

/* A leg whose time is over is none, and no fault. */
static void a_late_path_is_none(void **state)
{
    hs_model *m = fixture_model("mixture(k=3,d=40)");
    hs_pilot_account a = account_of(1.0);
    int16_t start[2 * 40] = {0};
    hs_sampler *base;
    hs_leg leg;

    (void)state;
    a.until = hs_now() - 1.0;
    assert_int_equal(hs_sampler_parse(&base, "gibbs", NULL), HISS_OK);
    assert_int_equal(hs_leg_tune(&leg, m,
                                 &(hs_leg_request){.base = base,
                                                   .swap_every = 1,
                                                   .reference = "product",
                                                   .from = {start, 2},
                                                   .budget = 1e5},
                                 &a, NULL),
                     HISS_OK);
    assert_int_equal(leg.rounds, 0);
    hs_sampler_release(base);
    hs_model_destroy(m);
}

/* A periodic lattice of bonds of either sign. */
static hiss_model *glass(void)
{
    enum {
        DIM = GLASS * GLASS,
        BONDS = 2 * DIM
    };
    hiss_kind kind[DIM];
    int states[DIM], size[BONDS], scope[2 * BONDS];
    double table[4 * BONDS];
    hiss_domain domain = {
        .size = sizeof domain, .dim = DIM, .kind = kind, .states = states};
    uint32_t random = 1;
    hiss_model *m;

    for (int i = 0; i < DIM; i++) {
        kind[i] = HISS_SPIN;
        states[i] = 2;
    }
    for (int b = 0; b < BONDS; b++) {
        int i = b / 2, x = i % GLASS, y = i / GLASS;

        random = random * 1664525u + 1013904223u;
        size[b] = 2;
        scope[2 * b] = i;
        scope[2 * b + 1] =
            b % 2 ? (x + 1) % GLASS + y * GLASS : x + (y + 1) % GLASS * GLASS;
        for (int v = 0; v < 4; v++)
            table[4 * b + v] =
                (v % 3 ? -2.0 : 2.0) * (random >> 31 ? 1.0 : -1.0);
    }
    assert_int_equal(
        hiss_model_factors(&m, &domain, BONDS, size, scope, table, NULL),
        HISS_OK);
    return m;
}

/* --- a survey that was cut ---------------------------------------------- */

/* What is taken where temperatures were tuned and nothing else is known. */
static hs_sampler *taken(const hs_model *m)
{
    hs_pilot_account a = {.seed = 5, .budget = 4e5};
    hs_survey found;
    hs_sampler *base, *out = NULL;
    hs_text text = {0};
    double each;

    assert_int_equal(hs_sampler_parse(&base, "gibbs", NULL), HISS_OK);
    assert_int_equal(hs_survey_init(&found, m,
                                    &(hs_survey_request){.base = base,
                                                         .hottest = HUGE_VAL,
                                                         .swap_every = 1,
                                                         .wants_ladder = true},
                                    &a, NULL),
                     HISS_OK);
    assert_true(found.ladder.rounds > 0);
    assert_int_equal(hs_choice_make(&out, &each,
                                    &(hs_choice_request){.m = m,
                                                         .base = base,
                                                         .found = &found,
                                                         .swap_every = 1,
                                                         .left = HUGE_VAL,
                                                         .is_cut = true},
                                    &a, &text, NULL),
                     HISS_OK);
    hs_free(hs_text_take(&text));
    hs_survey_clear(&found);
    hs_sampler_release(base);
    return out;
}

/* Clusters where they change the sign of everything; where they hold all or
 * nothing temperatures, without clusters that cost 16 times as much. */
static void clusters_are_taken_where_they_help(void **state)
{
    hs_model *ising = fixture_model("ising(side=12,beta=0.6)");
    hiss_model *signs = glass();
    hs_sampler *ferro = taken(ising), *frustrated = taken(signs->model);

    (void)state;
    assert_non_null(hs_sampler_find(ferro, &hs_kernel_cluster));
    assert_ptr_equal(frustrated->type, &hs_kernel_pt);
    assert_null(hs_sampler_find(frustrated, &hs_kernel_cluster));
    hs_sampler_release(ferro);
    hs_sampler_release(frustrated);
    hiss_model_destroy(signs);
    hs_model_destroy(ising);
}

/* --- more modes than a library can know --------------------------------- */

/* Twins of which one is wanted, each as heavy as the other: 2^TWINS modes. */
static int twins(const void *context, const int16_t *x, int lanes, double *u,
                 float *gradient)
{
    (void)context;
    for (int l = 0; l < lanes; l++)
        u[l] = 0.0;
    for (int i = 0; i < 2 * TWINS; i++)
        for (int l = 0; l < lanes; l++) {
            double a = x[i * lanes + l], b = x[(i ^ 1) * lanes + l];

            u[l] += 0.5 * DEEP * (a + b - 2.0 * a * b);
            if (gradient)
                gradient[i * lanes + l] = (float)(DEEP * (1.0 - 2.0 * b));
        }
    return 0;
}

/* Jumps between the few that are known would miss the others, though they are
 * what is seen to mix in short trials. */
static void few_known_modes_are_not_all(void **state)
{
    static const hiss_domain domain = {.size = sizeof domain, .dim = 2 * TWINS};
    hiss_callback callback = {.size = sizeof callback,
                              .name = "twins",
                              .domain = &domain,
                              .evaluate = twins,
                              .has_gradient = 1};
    hiss_model *m;

    (void)state;
    assert_int_equal(hiss_model_callback(&m, &callback, NULL), HISS_OK);
    for (uint64_t seed = 1; seed <= 5; seed++) {
        hs_pilot_account a = {.seed = seed, .budget = 2e4, .evals = 1e5};
        const hs_sampler *bridge;
        hs_scheme s;

        resolve(&s, m->model, "auto", &a);
        bridge = hs_sampler_find(s.sampler, &hs_kernel_bridge);
        if (bridge)
            assert_true(hs_sampler_number(bridge, "pieces") > 0.0);
        hs_scheme_clear(&s);
    }
    hiss_model_destroy(m);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(an_order_is_found_once),
        cmocka_unit_test(tables_are_made_where_they_leave_time),
        cmocka_unit_test(a_pilot_is_timed_from_where_it_begins),
        cmocka_unit_test(a_late_path_is_none),
        cmocka_unit_test(clusters_are_taken_where_they_help),
        cmocka_unit_test(few_known_modes_are_not_all),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
