/* test_agree.c - the test that goes with R-hat: its size, and its power.
 *
 * Fixed seeds: nothing here is left to chance.  Each rate is over RUNS runs. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "diag/tests/agree.h"
#include "unit/xorshift.h"

enum {
    CHAINS = 4,
    DRAWS = 2000,
    RUNS = 400
};

static double draws[CHAINS * DRAWS];

/* About normal: a sum of twelve uniforms. */
static double normal(uint64_t *seed)
{
    double sum = -6.0;

    for (int i = 0; i < 12; i++)
        sum += (double)xorshift(seed) * 0x1p-32;
    return sum;
}

/* x' = rho x + noise, of variance 1, chain c shifted by c times `apart`. */
static void fill(uint64_t *seed, double rho, double apart)
{
    for (int c = 0; c < CHAINS; c++) {
        double x = normal(seed);

        for (int n = 0; n < DRAWS; n++) {
            x = rho * x + sqrt(1 - rho * rho) * normal(seed);
            draws[c * DRAWS + n] = x + apart * c;
        }
    }
}

static double share_below(double level, double rho, double apart)
{
    uint64_t seed = 88172645463325252u;
    int below = 0;

    for (int n = 0; n < RUNS; n++) {
        hs_agreement a;

        fill(&seed, rho, apart);
        assert_int_equal(hs_agree(draws, CHAINS, DRAWS, &a, NULL), HISS_OK);
        below += a.p < level;
    }
    return (double)below / RUNS;
}

/* Chains of one law: p is about uniform, the more so the better they mix. */
static void alarms_are_rare(void **state)
{
    (void)state;
    assert_true(share_below(0.05, 0.0, 0.0) < 0.09);
    assert_true(share_below(0.05, 0.8, 0.0) < 0.10);
    assert_true(share_below(0.05, 0.97, 0.0) < 0.20);
    assert_true(share_below(1e-4, 0.97, 0.0) < 0.01);
}

/* A tenth of a standard deviation between neighbors is seen. */
static void differences_are_seen(void **state)
{
    (void)state;
    assert_true(share_below(1e-3, 0.0, 0.1) > 0.99);
    assert_true(share_below(1e-3, 0.8, 0.3) > 0.99);
}

static void the_time_is_that_of_the_chain(void **state)
{
    uint64_t seed = 1181783497276652981u;
    double sum = 0.0;

    (void)state;
    for (int n = 0; n < 50; n++) {
        hs_agreement a;

        fill(&seed, 0.8, 0.0);
        hs_agree(draws, CHAINS, DRAWS, &a, NULL);
        sum += a.tau / 50;
    }
    if (fabs(sum - 9.0) > 0.9) /* (1 + rho) / (1 - rho) */
        fail_msg("%g", sum);
}

static void constant_columns(void **state)
{
    hs_agreement a;

    (void)state;
    for (int n = 0; n < CHAINS * DRAWS; n++)
        draws[n] = 1.0;
    assert_int_equal(hs_agree(draws, CHAINS, DRAWS, &a, NULL), HISS_OK);
    assert_true(a.p == 1.0);
    for (int n = 0; n < DRAWS; n++)
        draws[n] = 0.0;
    assert_int_equal(hs_agree(draws, CHAINS, DRAWS, &a, NULL), HISS_OK);
    assert_true(a.p == 0.0);
    assert_int_equal(hs_agree(draws, CHAINS, 2, &a, NULL), HISS_OK);
    assert_true(a.p == 1.0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(alarms_are_rare),
        cmocka_unit_test(differences_are_seen),
        cmocka_unit_test(the_time_is_that_of_the_chain),
        cmocka_unit_test(constant_columns),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
