/* What becomes of `auto` where there is little time. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <string.h>

#include <cmocka.h>

#include "base/clock.h"
#include "exact/descent.h"
#include "run/pilot/scheme.h"
#include "unit/model_fixture.h"

#define SIDE "ising(side=10,beta=0.3)" /* of half a second of tables */

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

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(an_order_is_found_once),
        cmocka_unit_test(tables_are_made_where_they_leave_time),
        cmocka_unit_test(a_pilot_is_timed_from_where_it_begins),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
