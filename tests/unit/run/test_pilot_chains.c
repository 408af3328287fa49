/* How far pilot chains are from agreeing, where that is known. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

#include "run/atlas/pilot_chains.h"
#include "unit/model_fixture.h"

#define FREE "ising(side=8,beta=0)" /* 64 independent spins */

/* A walk of so many lanes from states that `start` chooses by lane and
 * coordinate. */
static void walk(hs_pilot_chains *c, const hs_model *m, const char *sampler,
                 int lanes, int steps, int (*start)(int lane, int i),
                 hs_pilot_account *account)
{
    hs_sampler *tree;
    hs_pilot_walk run = {
        .first_chain = HS_PILOT_CHAIN, .discard = 2, .steps = steps};

    assert_int_equal(hs_sampler_parse(&tree, sampler, NULL), HISS_OK);
    run.sampler = tree;
    assert_int_equal(hs_pilot_chains_init(c, m, lanes, NULL), HISS_OK);
    for (int l = 0; l < lanes; l++)
        for (int i = 0; i < c->dim; i++)
            c->state[(size_t)l * (size_t)c->dim + (size_t)i] =
                (int16_t)start(l, i);
    assert_int_equal(hs_pilot_chains_count(c, m, &run, account, NULL), HISS_OK);
    hs_sampler_release(tree);
}

static int all_up(int lane, int i)
{
    (void)lane;
    (void)i;
    return 1;
}

/* A quarter of the chains up, the others down. */
static int quarter_up(int lane, int i)
{
    (void)i;
    return lane % 4 == 0;
}

/* Draws of a spin that are independent: the share of 2 n draws has a variance
 * of 1 / (2 n) of the spin's.  The worst of 64 spins is a few standard
 * deviations, sqrt(2 / 47) each, above it. */
static void independent_chains_agree_but_for_chance(void **state)
{
    hs_model *m = fixture_model(FREE);

    (void)state;
    for (int steps = 8; steps <= 128; steps *= 4) {
        hs_pilot_account account = {.seed = 3};
        hs_pilot_chains c;
        double expected = 0.5 / steps;

        walk(&c, m, "gibbs", 48, steps, all_up, &account);
        assert_true(hs_pilot_chains_discord(&c) > expected);
        assert_true(hs_pilot_chains_discord(&c) < 2.5 * expected);
        /* an evaluation is a sweep; two discard, 2 n are counted */
        assert_true(hs_pilot_account_spent(&account) == 48 * (2 + 2 * steps));
        hs_pilot_chains_clear(&c);
    }
    hs_model_destroy(m);
}

/* Cold lattices stay where they are, up or down.  With a share q of lanes up
 * and spins that never turn the variance between 32 chains is that of the
 * spin times 32 / 31. */
static void stuck_chains_disagree(void **state)
{
    hs_model *m = fixture_model("ising(side=8,beta=4)");
    hs_pilot_account account = {.seed = 3};
    hs_pilot_chains c;

    (void)state;
    walk(&c, m, "gibbs", 32, 16, quarter_up, &account);
    assert_true(fabs(hs_pilot_chains_discord(&c) - 32.0 / 31.0) < 1e-6);
    for (int l = 0; l < 32; l++)
        for (int i = 0; i < 64; i++) {
            assert_int_equal(c.state[l * 64 + i], l % 4 == 0);
        }
    hs_pilot_chains_clear(&c);
    hs_model_destroy(m);
}

static void one_place_is_no_disagreement(void **state)
{
    hs_model *m = fixture_model("ising(side=8,beta=4)");
    hs_pilot_account account = {.seed = 3};
    hs_pilot_chains c;

    (void)state;
    walk(&c, m, "gibbs", 32, 16, all_up, &account);
    assert_true(hs_pilot_chains_discord(&c) == 0.0);
    hs_pilot_chains_clear(&c);
    hs_model_destroy(m);
}

/* Acceptances are those of the last kernel, not of gibbs, which takes all */
static void decisions_are_the_last_kernels(void **state)
{
    hs_model *m = fixture_model("ising(side=8,beta=0,field=1)");
    hs_pilot_account account = {.seed = 3};
    hs_pilot_chains c;

    (void)state;
    walk(&c, m, "sequence(gibbs,metropolis)", 16, 32, all_up, &account);
    assert_true(c.proposed > 0.0);
    /* up with p = .881: min(1, e^-2) there, 1 where it is down, both times the
     * factor of a systematic scan */
    assert_true(fabs(c.taken / c.proposed -
                     0.9375 * (0.881 * exp(-2.0) + 0.119)) < 0.01);
    hs_pilot_chains_clear(&c);
    hs_model_destroy(m);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(independent_chains_agree_but_for_chance),
        cmocka_unit_test(stuck_chains_disagree),
        cmocka_unit_test(one_place_is_no_disagreement),
        cmocka_unit_test(decisions_are_the_last_kernels),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
