/* test_arm_replicas.c - replicas at the target: where they fill idle lanes. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

#include "base/alloc.h"
#include "run/arms/arm.h"

/* What becomes of a sampler, as it is printed. */
static void check(const char *spec, double brought,
                  const hs_pilot_account *account, const char *expected)
{
    hs_sampler *s, *out;
    char *have;

    assert_int_equal(hs_sampler_parse(&s, spec, NULL), HISS_OK);
    assert_int_equal(hs_arm_replicas(&out, s, brought, 1.0, account, NULL),
                     HISS_OK);
    have = hs_sampler_print_given(out);
    assert_string_equal(have, expected);
    hs_free(have);
    hs_sampler_release(out);
    hs_sampler_release(s);
}

/* 10^6 evaluations of four chains are 2*10^5 steps after a warm-up. */
static const hs_pilot_account plenty = {
    .evals = 1e6, .chains = 4, .draws = 4096, .is_open = true};

static void idle_lanes_are_filled_as_long_as_no_draw_is_lost(void **state)
{
    hs_pilot_account a = plenty;

    (void)state;
    check("gibbs", 0.5, &a, "replicas(base=gibbs)");
    a.draws = 1000000; /* all steps are kept */
    check("gibbs", 0.5, &a, "gibbs");
    a.draws = 80000; /* two replicas still make as many steps each */
    check("gibbs", 0.5, &a, "replicas(base=gibbs,count=2)");
    a = plenty;
    a.chains = 6; /* lanes for two of each */
    check("gibbs", 0.5, &a, "replicas(base=gibbs,count=2)");
    a.chains = 16;
    check("gibbs", 0.01, &a, "gibbs");
    a = plenty;
    a.energy_evals = 1.1e6; /* a pilot that overspent */
    check("gibbs", 0.5, &a, "gibbs");
    check("pt(base=gibbs,levels=3)", 0.5, &plenty, "pt(base=gibbs,levels=3)");
}

/* Where a chain must not depend on the others its steps alone decide. */
static void slow_chains_get_replicas_whatever_the_number_of_chains(void **state)
{
    hs_pilot_account a = {.chains = 16};

    (void)state;
    check("gibbs", 0.01, &a, "replicas(base=gibbs)");
    check("gibbs", 0.5, &a, "gibbs");
    check("gibbs", 0.0, &a, "gibbs"); /* not known */
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(idle_lanes_are_filled_as_long_as_no_draw_is_lost),
        cmocka_unit_test(
            slow_chains_get_replicas_whatever_the_number_of_chains),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
