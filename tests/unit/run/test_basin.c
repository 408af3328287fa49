/* test_basin.c - the part of Z around a state, where it is known.
 *
 * Of a mixture it is the mass of the component, since U is normalized; around
 * a striped state of a ferromagnet, which chains leave for the modes, it is
 * never more than all of Z. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <string.h>

#include <cmocka.h>

#include "run/atlas/basin.h"
#include "unit/model_fixture.h"

#define DIM 128
#define MODEL                                                                  \
  "mixture(k=2,d=128,seed=3,symmetric=yes,weights=[0.7,0.3],"                  \
  "strength_low=1,strength_high=1)"

static hs_basin look(const hs_model *m, const int16_t *state, int steps,
                     int draws)
{
    hs_pilot_account account = {.seed = 1};
    hs_basin_request request = {.first_chain = HS_PILOT_CHAIN,
                                .discard = steps / 4,
                                .steps = steps,
                                .draws = draws};
    hs_sampler *gibbs;
    hs_basin basin;

    assert_int_equal(hs_sampler_parse(&gibbs, "gibbs", NULL), HISS_OK);
    request.sampler = gibbs;
    assert_int_equal(hs_basin_init(&basin, m, state, &request, &account, NULL),
                     HISS_OK);
    assert_true(hs_pilot_account_spent(&account) >= 16.0 * steps + draws);
    hs_sampler_release(gibbs);
    return basin;
}

static void components_have_their_masses(void **state)
{
    static const double mass[] = {0.7, 0.3};
    hs_model *m = fixture_model(MODEL);
    int16_t top[2][DIM];

    (void)state;
    for (int i = 0; i < DIM; i++) {
        double sign, u;

        fixture_draw(3, 0, i, &sign, &u);
        top[0][i] = sign > 0.0;
        top[1][i] = sign < 0.0;
    }
    for (int k = 0; k < 2; k++) {
        hs_basin b = look(m, top[k], 128, 512);

        assert_true(b.error < 0.1);
        assert_true(fabs(b.log_z - log(mass[k])) < 4.0 * b.error);
        assert_true(hs_basin_log(&b, &m->domain, top[k]) > b.least);
        assert_true(hs_basin_log(&b, &m->domain, top[1 - k]) == -HUGE_VAL);
        hs_basin_clear(&b);
    }
    hs_model_destroy(m);
}

static void a_state_that_is_left_has_no_mass(void **state)
{
    hs_model *m = fixture_model("ising(side=8,beta=0.55)");
    int16_t stripes[64], up[64];
    hs_basin striped, whole;

    (void)state;
    for (int i = 0; i < 64; i++) {
        stripes[i] = i / 8 < 4;
        up[i] = 1;
    }
    striped = look(m, stripes, 64, 256);
    whole = look(m, up, 64, 256);
    assert_true(striped.log_z < whole.log_z - 2.0);
    hs_basin_clear(&striped);
    hs_basin_clear(&whole);
    hs_model_destroy(m);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(components_have_their_masses),
        cmocka_unit_test(a_state_that_is_left_has_no_mass),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
