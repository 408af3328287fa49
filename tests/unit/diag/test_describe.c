/* test_describe.c - all figures of a column at once are those of each. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "diag/chains/describe.h"
#include "diag/chains/ess.h"
#include "diag/chains/mcse.h"
#include "diag/chains/rhat.h"
#include "diag/tests/agree.h"
#include "unit/xorshift.h"

enum {
    CHAINS = 3,
    DRAWS = 701
};

static double draws[CHAINS * DRAWS];

/* A slow walk over `values` values, each chain a little different. */
static void fill(int n, unsigned values, uint64_t seed)
{
    for (int c = 0; c < CHAINS; c++) {
        double x = 0.0;

        for (int i = 0; i < n; i++) {
            if (xorshift_below(&seed, 3) == 0)
                x = (double)xorshift_below(&seed, values) - 0.25 * values;
            draws[c * n + i] = x * x * (x < 0.0 ? -1.0 : 1.0) * 0.7;
        }
    }
}

static void is_near(double a, double b, const char *what, unsigned values)
{
    if (!(fabs(a - b) <= 1e-9 * fabs(b)) && a != b && !(isnan(a) && isnan(b)))
        fail_msg("%s of %u values: %.17g, not %.17g", what, values, a, b);
}

static void check(int chains, int n, unsigned values)
{
    double bulk, tail, rhat, mcse;
    hiss_column column;
    hs_agreement all, alone;

    assert_int_equal(hs_measure(draws, chains, n, &column, &all, NULL),
                     HISS_OK);
    assert_int_equal(hs_ess_bulk(draws, chains, n, &bulk, NULL), HISS_OK);
    assert_int_equal(hs_ess_tail(draws, chains, n, &tail, NULL), HISS_OK);
    assert_int_equal(hs_rhat(draws, chains, n, &rhat, NULL), HISS_OK);
    assert_int_equal(hs_mcse_mean(draws, chains, n, &mcse, NULL), HISS_OK);
    assert_int_equal(hs_agree(draws, chains, n, &alone, NULL), HISS_OK);
    is_near(column.ess_bulk, bulk, "bulk ESS", values);
    is_near(column.ess_tail, tail, "tail ESS", values);
    is_near(column.rhat, rhat, "R-hat", values);
    is_near(column.mcse, mcse, "error", values);
    is_near(all.tau, alone.tau, "time", values);
    is_near(all.statistic, alone.statistic, "statistic", values);
    is_near(all.p, alone.p, "chance", values);
}

/* Two values, few and many, of even and odd numbers of draws. */
static void figures_are_those_of_each(void **state)
{
    static const unsigned values[] = {2, 3, 20, 63, 200, 100000};

    (void)state;
    for (int k = 0; k < 6; k++)
        for (int n = DRAWS - 1; n <= DRAWS; n++) {
            fill(n, values[k], 7 + values[k]);
            check(CHAINS, n, values[k]);
            check(1, n, values[k]);
            check(2, 5, values[k]);
        }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(figures_are_those_of_each),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
