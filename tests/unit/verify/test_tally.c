/* test_tally.c - a rare state that keeps what it gets is not pooled away. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <string.h>

#include <cmocka.h>

#include "run/verify/tally.h"

enum {
    STATES = 1001,
    REPLICATES = 100000
};

/* State 0 has probability 2e-5, and expects 2; the others are alike. */
static void count(hs_tally *t, int64_t rare)
{
    for (int64_t n = 0; n < REPLICATES; n++) {
        uint32_t to = n < rare ? 0 : (uint32_t)(1 + n % (STATES - 1));

        assert_int_equal(hs_tally_add(t, to, &to, NULL), HISS_OK);
    }
}

static double chance_of(int64_t rare)
{
    double p[STATES];
    const hs_law law = {.states = STATES, .p = p};
    hs_verify_test test;
    hs_tally t;

    for (int x = 0; x < STATES; x++)
        p[x] = x == 0 ? 2e-5 : (1.0 - 2e-5) / (STATES - 1);
    assert_int_equal(hs_tally_init(&t, &law, 1, false, NULL), HISS_OK);
    count(&t, rare);
    assert_int_equal(hs_tally_tests(&t), 2);
    assert_int_equal(hs_tally_test(&t, 1, &test, NULL), HISS_OK);
    assert_string_equal(test.name, "rare states");
    hs_tally_clear(&t);
    return test.chi2.p;
}

/* After 16 steps an absorbing one has 34. */
static void rare_states_are_looked_at(void **state)
{
    (void)state;
    assert_true(chance_of(2) == 1.0);
    assert_true(chance_of(5) > 0.1);
    assert_true(chance_of(34) < 1e-20);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(rare_states_are_looked_at),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
