/* Modes that are told apart and learnt, where their laws are known.
 *
 * The model is a mixture of two product laws with opposite fields +-1 and the
 * masses .7 and .3: in a mode a spin follows its field with probability
 * 1 / (1 + e^-2), and no single site leads from one mode to the other. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <string.h>

#include <cmocka.h>

#include "base/alloc.h"
#include "run/atlas/mode_laws.h"
#include "run/atlas/mode_masses.h"
#include "run/scouts/unseen_modes.h"
#include "unit/model_fixture.h"

#define DIM 128
#define MODEL                                                                  \
  "mixture(k=2,d=128,seed=3,symmetric=yes,weights=[0.7,0.3],"                  \
  "strength_low=1,strength_high=1)"
#define FOLLOWS 0.8807970779778824 /* 1 / (1 + e^-2) */

static hs_model *model;
static hs_sampler *gibbs;
static int towards[DIM]; /* the value that the field of the first mode wants */

static int create(void **state)
{
    (void)state;
    model = fixture_model(MODEL);
    for (int i = 0; i < DIM; i++) {
        double sign, u;

        fixture_draw(3, 0, i, &sign, &u);
        towards[i] = sign > 0.0;
    }
    return hs_sampler_parse(&gibbs, "gibbs", NULL);
}

static int destroy(void **state)
{
    (void)state;
    hs_sampler_release(gibbs);
    hs_model_destroy(model);
    return 0;
}

/* Mode 0 in the first `heavy` lanes, 1 in the others. */
static void stand(hs_pilot_chains *c, int lanes, int heavy)
{
    assert_int_equal(hs_pilot_chains_init(c, model, lanes, NULL), HISS_OK);
    for (int l = 0; l < lanes; l++)
        for (int i = 0; i < DIM; i++)
            c->state[l * DIM + i] =
                (int16_t)(l < heavy ? towards[i] : 1 - towards[i]);
}

static void walk(hs_pilot_chains *c, int steps)
{
    hs_pilot_walk run = {.sampler = gibbs,
                         .first_chain = HS_PILOT_CHAIN,
                         .discard = 4,
                         .steps = steps};
    hs_pilot_account account = {.seed = 11};

    assert_int_equal(hs_pilot_chains_count(c, model, &run, &account, NULL),
                     HISS_OK);
}

static void lanes_are_split_by_mode(void **state)
{
    static const int heavies[] = {20, 12, 1, 31};
    int of[32];

    (void)state;
    for (size_t n = 0; n < sizeof heavies / sizeof *heavies; n++) {
        int heavy = heavies[n], larger = heavy > 16;
        hs_pilot_chains c;

        stand(&c, 32, heavy);
        walk(&c, 16);
        assert_int_equal(hs_mode_laws_split(&c, of), 2);
        for (int l = 0; l < 32; l++) /* 0 is the larger one */
            assert_int_equal(of[l], (l < heavy) != larger);
        hs_pilot_chains_clear(&c);
    }
}

static void one_mode_is_one(void **state)
{
    int of[32];
    hs_pilot_chains c;

    (void)state;
    stand(&c, 32, 32);
    walk(&c, 8);
    assert_int_equal(hs_mode_laws_split(&c, of), 1);
    for (int l = 0; l < 32; l++)
        assert_int_equal(of[l], 0);
    hs_pilot_chains_clear(&c);
}

/* 1024 free spins over 16 steps: two chains are 1024 / 32 apart by chance,
 * much more than modes have to be. */
static void chance_makes_no_modes(void **state)
{
    hs_model *spins = fixture_model("ising(side=32,beta=0)");
    hs_pilot_walk run = {.sampler = gibbs, .first_chain = 7, .steps = 8};
    hs_pilot_account account = {.seed = 11};
    int of[32];
    hs_pilot_chains c;

    (void)state;
    assert_int_equal(hs_pilot_chains_init(&c, spins, 32, NULL), HISS_OK);
    assert_int_equal(hs_pilot_chains_count(&c, spins, &run, &account, NULL),
                     HISS_OK);
    assert_int_equal(hs_mode_laws_split(&c, of), 1);
    hs_pilot_chains_clear(&c);
    hs_model_destroy(spins);
}

/* Lanes of both modes in turn stay where they began; an odd one out goes to
 * its mode. */
static void groups_that_hold_are_modes(void **state)
{
    int of[33];
    hs_pilot_chains c;

    (void)state;
    stand(&c, 33, 0);
    for (int l = 0; l < 32; l += 2)
        for (int i = 0; i < DIM; i++)
            c.state[l * DIM + i] = (int16_t)towards[i];
    walk(&c, 8);
    assert_true(hs_mode_laws_hold(&c, 2, 32, of));
    for (int l = 0; l < 32; l++)
        assert_int_equal(of[l], l % 2);
    assert_int_equal(of[32], 1);
    assert_false(hs_mode_laws_hold(&c, 3, 32, of)); /* not these */
    hs_pilot_chains_clear(&c);
}

/* Of one mode, any groups are as near as others. */
static void groups_of_one_mode_do_not_hold(void **state)
{
    int of[64];
    hs_pilot_chains c;

    (void)state;
    stand(&c, 64, 64);
    walk(&c, 8);
    for (int groups = 2; groups <= 16; groups *= 2)
        assert_false(hs_mode_laws_hold(&c, groups, 64, of));
    hs_pilot_chains_clear(&c);
}

/* The mode of the model that mode k of a library is: 0 or 1. */
static int which(const hs_library *b, int k)
{
    int alike = 0;

    for (int i = 0; i < DIM; i++)
        alike += b->top[k * DIM + i] == towards[i];
    return alike < DIM / 2;
}

static void check_marginals(const hs_library *b, double error)
{
    for (int k = 0; k < b->modes; k++)
        for (int i = 0; i < DIM; i++)
            for (int v = 0; v < 2; v++) {
                bool follows = v == (which(b, k) ? 1 - towards[i] : towards[i]);
                double p = follows ? FOLLOWS : 1.0 - FOLLOWS;

                assert_true(fabs(b->share[k * b->values + 2 * i + v] - p) <
                            error);
            }
}

/* From nine lanes in one mode and three in the other: masses have nothing to
 * do with where the lanes stand.  In a mode coordinates are independent, so
 * that conditionals are the marginals, and p / q is the mass everywhere. */
static void masses_and_marginals_are_recovered(void **state)
{
    static const double mass[] = {0.7, 0.3};
    hs_pilot_request request = {
        .base = gibbs, .first_chain = HS_PILOT_CHAIN + 0x1000u, .budget = 1e6};
    int of[12];

    (void)state;
    for (int heavy = 3; heavy <= 9; heavy += 6) {
        hs_pilot_account account = {.seed = 11};
        hs_pilot_chains c;
        hs_library *b;

        stand(&c, 12, heavy);
        walk(&c, 16);
        assert_int_equal(hs_mode_laws_split(&c, of), 2);
        assert_int_equal(
            hs_mode_laws_learn(&b, &c, of, 2, model, &request, &account, NULL),
            HISS_OK);
        assert_int_equal(b->modes, 2);
        assert_int_equal(which(b, 0) + which(b, 1), 1);
        check_marginals(b, 1e-4);
        for (int k = 0; k < 2; k++) { /* two hundredths are shared out */
            assert_true(fabs(b->weight[k] - (0.98 * mass[which(b, k)] + 0.01)) <
                        1e-3);
            assert_true(fabs(exp(b->log_mass[k]) - mass[which(b, k)]) < 1e-3);
            assert_true(b->log_error[k] >= 0.0 && b->log_error[k] < 1e-3);
            assert_true(b->held[k] > 0.999);
        }
        /* a walk of 68 steps, a few conditionals, 16 probes */
        assert_true(hs_pilot_account_spent(&account) < 64.0 * 107.0);
        hs_library_destroy(b);
        hs_pilot_chains_clear(&c);
    }
}

/* Two laws of the same states, one of which fits: it has nearly all of what the
 * chains of both stand in, and the other next to nothing. */
static void a_law_that_fits_worse_holds_nothing(void **state)
{
    hs_pilot_request request = {.base = gibbs, .budget = 1e4};
    hs_pilot_account account = {.seed = 21};
    double count[2 * DIM];
    int of[32];
    hs_pilot_chains c;
    hs_library *b;

    (void)state;
    stand(&c, 32, 32);
    walk(&c, 8);
    assert_int_equal(hs_library_create(&b, &model->domain, 2, NULL), HISS_OK);
    for (int k = 0; k < 2; k++) {
        for (int i = 0; i < DIM; i++) {
            double own = k == 0 ? FOLLOWS : 0.6;

            count[2 * i + towards[i]] = 1000.0 * own;
            count[2 * i + 1 - towards[i]] = 1000.0 * (1.0 - own);
        }
        hs_library_learn(b, &model->domain, k, count, 1.0);
    }
    for (int l = 0; l < 32; l++)
        of[l] = l % 2;
    assert_int_equal(
        hs_mode_masses_weigh(b, &c, of, model, &request, &account, NULL),
        HISS_OK);
    assert_true(b->held[0] > 0.99);
    assert_true(b->held[1] < 1e-3);
    hs_library_destroy(b);
    hs_pilot_chains_clear(&c);
}

/* A ferromagnet below its transition, where conditionals of a mode vary: laws
 * are those of the up mode and its mirror image, masses are equal within what
 * the library says of their error. */
static void errors_of_masses_hold(void **state)
{
    hs_model *ferro = fixture_model("ising(side=8,beta=0.5)");
    hs_pilot_request request = {.base = gibbs, .budget = 1e5};
    int of[32], beyond = 0;

    (void)state;
    for (int n = 0; n < 12; n++) {
        hs_pilot_account account = {.seed = 100 + (uint64_t)n};
        hs_pilot_chains c;
        hs_library *b;
        double gap, error;

        assert_int_equal(hs_pilot_chains_init(&c, ferro, 32, NULL), HISS_OK);
        for (int l = 0; l < 32; l++) {
            of[l] = l % 2;
            for (int i = 0; i < 64; i++)
                c.state[l * 64 + i] = (int16_t)of[l];
        }
        assert_int_equal(
            hs_mode_laws_learn(&b, &c, of, 2, ferro, &request, &account, NULL),
            HISS_OK);
        assert_int_equal(b->modes, 2);
        gap = b->log_mass[0] - b->log_mass[1];
        error = hypot(b->log_error[0], b->log_error[1]);
        assert_true(error > 0.01 && error < 1.0);
        beyond += fabs(gap) > 2.0 * error;
        assert_true(fabs(gap) < 5.0 * error);
        hs_library_destroy(b);
        hs_pilot_chains_clear(&c);
    }
    assert_in_range(beyond, 0, 3); /* 5 % of 12: above with probability .002 */
    hs_model_destroy(ferro);
}

static void one_mode_needs_no_library(void **state)
{
    hs_pilot_request request = {.base = gibbs, .budget = 1e6};
    hs_pilot_account account = {.seed = 11};
    hs_pilot_chains c;
    hs_library *b;
    int of[12] = {0};

    (void)state;
    stand(&c, 12, 12);
    assert_int_equal(
        hs_mode_laws_learn(&b, &c, of, 1, model, &request, &account, NULL),
        HISS_OK);
    assert_null(b);
    assert_true(hs_pilot_account_spent(&account) == 0.0);
    hs_pilot_chains_clear(&c);
}

static void a_sketch_is_of_what_was_counted(void **state)
{
    hs_pilot_chains c;
    hs_library *b;
    int of[32];

    (void)state;
    stand(&c, 32, 20);
    walk(&c, 32);
    assert_int_equal(hs_mode_laws_split(&c, of), 2);
    assert_int_equal(hs_mode_laws_sketch(&b, &c, of, 2, &model->domain, NULL),
                     HISS_OK);
    assert_int_equal(which(b, 0), 0);
    assert_int_equal(which(b, 1), 1);
    /* 768 draws of a mode or more, a standard error of .0117 or less: seven of
     * it at the worst of 256 places */
    check_marginals(b, 0.08);
    assert_true(fabs(b->weight[0] - 0.5) < 1e-6);
    hs_library_destroy(b);
    hs_pilot_chains_clear(&c);
}

/* --- modes that are not known yet ----------------------------------------- */

/* A library of the exact laws of the first modes of the model. */
static hs_library *library_of(int modes)
{
    double count[2 * DIM], none[2] = {0};
    hs_library *b;

    assert_int_equal(hs_library_create(&b, &model->domain, modes, NULL), 0);
    for (int k = 0; k < modes; k++) {
        for (int i = 0; i < DIM; i++) {
            bool first_wants = towards[i] != k;

            count[2 * i + 1] = 1000.0 * (first_wants ? FOLLOWS : 1 - FOLLOWS);
            count[2 * i] = 1000.0 - count[2 * i + 1];
        }
        hs_library_learn(b, &model->domain, k, count, 1.0);
    }
    hs_library_weigh(b, none);
    return b;
}

static int mode_of(const int16_t *state)
{
    int alike = 0;

    for (int i = 0; i < DIM; i++)
        alike += state[i] == towards[i];
    return alike < DIM / 2;
}

/* Tempering from uniform to the target with levels close enough, chains begin
 * in the first mode. */
static void look_around(hs_unseen_modes *found, int known)
{
    hs_sampler *pt;
    int16_t start[DIM];
    hs_library *b = library_of(known);
    hs_unseen_request request = {.from = {start, 1},
                                 .known = b,
                                 .every = 8,
                                 .first_chain = HS_PILOT_CHAIN + 0x2000u,
                                 .budget = 60000.0};
    hs_pilot_account account = {.seed = 11};

    for (int i = 0; i < DIM; i++)
        start[i] = (int16_t)towards[i];
    assert_int_equal(
        hs_sampler_parse(&pt,
                         "pt(base=gibbs,ladder=[1,1.1,1.25,1.4,1.6,1.9,2.4,"
                         "3.2,5,10,inf])",
                         NULL),
        HISS_OK);
    request.sampler = pt;
    assert_int_equal(
        hs_unseen_modes_make(found, model, &request, &account, NULL), HISS_OK);
    assert_true(hs_pilot_account_spent(&account) >= 0.95 * 60000.0);
    assert_true(hs_pilot_account_spent(&account) < 1.01 * 60000.0);
    assert_true(found->freshness > 0.0 && found->freshness <= 1.0);
    assert_int_equal(found->looks, HS_UNSEEN_LOOKS);
    hs_sampler_release(pt);
    hs_library_destroy(b);
}

static void an_unknown_mode_is_found(void **state)
{
    hs_unseen_modes found;

    (void)state;
    look_around(&found, 1);
    assert_int_equal(found.count, HS_UNSEEN_MAX);
    for (int n = 0; n < found.count; n++)
        assert_int_equal(mode_of(found.state + n * DIM), 1);
    hs_unseen_modes_clear(&found);
}

static void known_modes_are_not_reported(void **state)
{
    hs_unseen_modes found;

    (void)state;
    look_around(&found, 2);
    assert_int_equal(found.count, 0);
    hs_unseen_modes_clear(&found);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(lanes_are_split_by_mode),
        cmocka_unit_test(one_mode_is_one),
        cmocka_unit_test(chance_makes_no_modes),
        cmocka_unit_test(groups_that_hold_are_modes),
        cmocka_unit_test(groups_of_one_mode_do_not_hold),
        cmocka_unit_test(masses_and_marginals_are_recovered),
        cmocka_unit_test(a_law_that_fits_worse_holds_nothing),
        cmocka_unit_test(errors_of_masses_hold),
        cmocka_unit_test(one_mode_needs_no_library),
        cmocka_unit_test(a_sketch_is_of_what_was_counted),
        cmocka_unit_test(an_unknown_mode_is_found),
        cmocka_unit_test(known_modes_are_not_reported),
    };

    return cmocka_run_group_tests(tests, create, destroy);
}
