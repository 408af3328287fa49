/* Strands, where lanes would be idle: what they are worth, and when. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <string.h>

#include <cmocka.h>

#include "base/alloc.h"
#include "run/pilot/spread.h"

/* Whether draws k steps apart are of the same strand: another one, any of them,
 * has it after each step; any of two. */
static double same_strand(int strands, double k)
{
    double same = 1.0;

    for (; k > 0.0 && strands > 1; k -= 1.0)
        same = strands == 2 ? 0.5 : (1.0 - same) / (strands - 1);
    return same;
}

/* The same by sums: of N draws, of which two at k draws' distance have
 * correlation rho^(k apart) if they are of the same strand. */
static double worth_by_sums(double steps, double tau, const hs_keeping *kept,
                            int strands)
{
    double made = steps / strands, apart = hs_keeping_apart(kept, made);
    double rho = (tau - 1.0) / (tau + 1.0), draws = floor(made / apart);
    double sum = 1.0;

    for (double k = 1.0; k < draws; k += 1.0)
        sum += 2.0 * (1.0 - k / draws) * pow(rho, k * apart) *
               same_strand(strands, fmin(k * apart, 200.0));
    return draws / sum;
}

/* Of a store with room for 8 times the draws. */
static double worth(double steps, double tau, double draws, int strands)
{
    hs_keeping kept = {draws, 8.0 * draws};

    return hs_spread_worth(steps, tau, &kept, strands);
}

static void worth_is_that_of_the_sums(void **state)
{
    static const double tau[] = {1.0, 1.5, 4.0, 30.0};
    static const double kept[] = {400, 1000, 4096, 1e6};

    (void)state;
    for (size_t t = 0; t < sizeof tau / sizeof *tau; t++)
        for (size_t k = 0; k < sizeof kept / sizeof *kept; k++)
            for (int strands = 1; strands <= 4; strands++) {
                double have = worth(24000, tau[t], kept[k], strands);
                hs_keeping store = {kept[k], 8.0 * kept[k]};
                double sums = worth_by_sums(24000, tau[t], &store, strands);

                assert_true(fabs(have - sums) < 0.005 * sums);
            }
    /* the limits: a strand, of all draws or of those that are kept */
    assert_true(fabs(worth(9000, 9, 9000, 1) - 1000) < 1e-6);
    assert_true(fabs(worth(9000, 1, 450, 4) - 450) < 1e-6);
    assert_true(fabs(worth(8000, 13, 9000, 2) - 571.4286) < 1e-3);
}

/* What becomes of a sampler, as it is printed. */
static void check(const char *spec, const hs_spread_request *request,
                  const hs_pilot_account *account, const char *expected,
                  const char *reason)
{
    hs_sampler *s, *out;
    hs_text text = {0};
    char *have, *said;

    assert_int_equal(hs_sampler_parse(&s, spec, NULL), HISS_OK);
    assert_int_equal(hs_spread_out(&out, s, request, account, &text, NULL),
                     HISS_OK);
    have = hs_sampler_print_given(out);
    said = hs_text_take(&text);
    assert_string_equal(have, expected);
    assert_int_equal(said && *said, reason != NULL);
    if (reason)
        assert_non_null(strstr(said, reason));
    hs_free(have);
    hs_free(said);
    hs_sampler_release(out);
}

/* 10^6 evaluations of four chains are some 2.4*10^5 steps after a warm-up. */
static const hs_pilot_account plenty = {.evals = 1e6,
                                        .chains = 4,
                                        .draws = 4096,
                                        .room = 8 * 4096,
                                        .is_open = true};

static void strands_fill_lanes_where_draws_are_plenty(void **state)
{
    static const char four[] = "replicas(base=gibbs)";
    const hs_spread_request good = {.brought = 0.5, .fresh = 0.07, .cost = 1.0};
    const hs_spread_request slow = {
        .brought = 0.11, .fresh = 0.07, .cost = 5.5};
    hs_pilot_account a = plenty;

    (void)state;
    check("gibbs", &good, &a, four, "more draws are made than kept");
    /* all are kept: four strands would have half of them */
    a.draws = a.room = 1000000;
    check("gibbs", &good, &a, "gibbs", NULL);
    a = plenty;
    a.is_open = false; /* it is said otherwise how long the run is */
    check("gibbs", &good, &a, "gibbs", NULL);
    a = plenty;
    a.energy_evals = 1.1e6; /* a pilot that overspent */
    check("gibbs", &good, &a, "gibbs", NULL);
    a.energy_evals = 9.84e5; /* a pilot has left 4000 steps of a chain */
    check("gibbs", &good, &a, "gibbs", NULL);
    a.energy_evals = 9.72e5; /* 7000: four would keep 1700 */
    check("gibbs", &good, &a, "replicas(base=gibbs,count=2)", "two replicas");
    a.energy_evals = 9.25e5; /* 18 750, 15 000 with a long warm-up: all kept */
    check("gibbs", &good, &a, four, "more draws are made than kept");
    a.energy_evals = 9.16e5; /* 21 000, 16 800: four would keep every other */
    check("gibbs", &good, &a, "replicas(base=gibbs,count=2)", "two replicas");
    a = plenty;
    /* 43 200 steps: 14 400 draws of one, 10 800 of four */
    a.draws = 16384;
    a.room = 8 * a.draws;
    check("gibbs", &slow, &a, "replicas(base=gibbs,count=3)", "three");
    a.room = a.draws; /* 10 800 of one, every fourth step */
    check("gibbs", &slow, &a, four, "more draws are made than kept");
    check("pt(base=gibbs,levels=3)", &good, &plenty, "pt(base=gibbs,levels=3)",
          NULL);
}

static void no_more_strands_than_lanes(void **state)
{
    const hs_spread_request good = {.brought = 0.5, .fresh = 0.07, .cost = 1.0};
    const hs_spread_request slow = {
        .brought = 0.01, .fresh = 0.07, .cost = 1.0};
    hs_pilot_account a = plenty;

    (void)state;
    check("gibbs", &slow, &a, "replicas(base=gibbs)", "a step brings 0.01");
    a.chains = 0; /* not known */
    check("gibbs", &slow, &a, "replicas(base=gibbs)", "a step brings 0.01");
    a.chains = 1;
    check("gibbs", &slow, &a, "replicas(base=gibbs)", "a step brings 0.01");
    a.chains = 6;
    check("gibbs", &slow, &a, "replicas(base=gibbs,count=2)", "two replicas");
    a.chains = 9;
    check("gibbs", &slow, &a, "gibbs", NULL);
    a.is_open = false; /* a chain has its own steps, whatever others do */
    check("gibbs", &slow, &a, "replicas(base=gibbs)", "a step brings 0.01");
    a = plenty;
    a.chains = 16;
    check("gibbs", &good, &a, "gibbs", NULL);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(worth_is_that_of_the_sums),
        cmocka_unit_test(strands_fill_lanes_where_draws_are_plenty),
        cmocka_unit_test(no_more_strands_than_lanes),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
