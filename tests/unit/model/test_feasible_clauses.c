/* test_feasible_clauses.c - states that a conflict-driven search finds. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <string.h>

#include <cmocka.h>

#include "base/alloc.h"
#include "model/factor/feasible_clauses.h"
#include "unit/factor_fixture.h"

/* Whether some state of these factors is possible, by every state. */
static bool is_possible(const hs_factors *f)
{
    int16_t x[32] = {0};

    do
        if (hs_factors_energy(f, x) > -HUGE_VAL)
            return true;
    while (next_state(f->states, f->dim, x));
    return false;
}

static void make(hs_factors *f, uint64_t *seed)
{
    random_factors(f, seed, 8, 4, 12, 3, 70);
    if (xorshift_below(seed, 2))
        return;
    for (int64_t e = 0; e < f->table_at[f->count]; e++)
        if (xorshift_below(seed, 3) == 0)
            f->table[e] = -HUGE_VAL; /* perhaps nothing is possible now */
}

static void states_are_possible_and_refusals_right(void **unused)
{
    hs_rng rng = {.seed = 1, .lanes = HS_LANES};
    int16_t x[32][HS_LANES], state[32];
    uint64_t seed = 3;
    int never = 0, met = 0;

    (void)unused;
    for (int l = 0; l < HS_LANES; l++)
        rng.chain[l] = (uint32_t)l;
    for (int n = 0; n < 200; n++) {
        int lane = n % HS_LANES;
        hs_found found;
        hs_factors f;

        make(&f, &seed);
        assert_int_equal(
            hs_feasible_by_clauses(&found, &f, &rng, lane, x, NULL), HISS_OK);
        assert_int_equal(found, is_possible(&f) ? HS_FOUND : HS_FOUND_NEVER);
        for (int i = 0; found == HS_FOUND && i < f.dim; i++)
            state[i] = x[i][lane];
        if (found == HS_FOUND)
            assert_true(hs_factors_energy(&f, state) > -HUGE_VAL);
        met += found == HS_FOUND;
        never += found == HS_FOUND_NEVER;
        hs_factors_clear(&f);
    }
    assert_true(met > 20 && never > 20);
}

/* Clauses of three at a ratio of 4.2: propagation alone meets many dead
 * ends. */
static void a_hard_formula_is_solved(void **unused)
{
    int states[150], hidden[150], scope[3], sign[3];
    hs_rng rng = {.seed = 1, .lanes = 1};
    static int16_t x[150][HS_LANES];
    int16_t state[150];
    uint64_t seed = 11;
    hs_found found;
    hs_factors f;

    (void)unused;
    for (int i = 0; i < 150; i++) {
        states[i] = 2;
        hidden[i] = xorshift_below(&seed, 2);
    }
    assert_int_equal(hs_factors_init(&f, 150, states, NULL), HISS_OK);
    while (f.count < 630) {
        double *table;
        int holds = 0, at = 0;

        for (int k = 0; k < 3; k++) {
            scope[k] = 50 * k + xorshift_below(&seed, 50);
            sign[k] = xorshift_below(&seed, 2);
            holds |= sign[k] == hidden[scope[k]];
            at = 2 * at + !sign[k];
        }
        if (!holds)
            continue;
        assert_int_equal(hs_factors_add(&f, 3, scope, NULL, &table, NULL),
                         HISS_OK);
        table[at] = -HUGE_VAL;
    }
    assert_int_equal(hs_feasible_by_clauses(&found, &f, &rng, 0, x, NULL),
                     HISS_OK);
    assert_int_equal(found, HS_FOUND);
    for (int i = 0; i < 150; i++)
        state[i] = x[i][0];
    assert_true(hs_factors_energy(&f, state) > -HUGE_VAL);
    hs_factors_clear(&f);
}

static void failed_allocations_are_survived(void **unused)
{
    hs_rng rng = {.seed = 1, .lanes = 1};
    hiss_status rc = HISS_ENOMEM;
    int16_t x[32][HS_LANES];
    uint64_t seed = 3;
    hs_found found;
    hs_factors f;

    (void)unused;
    make(&f, &seed);
    for (int64_t n = 1; rc == HISS_ENOMEM; n++) {
        hs_alloc_fail_after(n);
        rc = hs_feasible_by_clauses(&found, &f, &rng, 0, x, NULL);
        hs_alloc_fail_after(0);
    }
    assert_int_equal(rc, HISS_OK);
    hs_factors_clear(&f);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(states_are_possible_and_refusals_right),
        cmocka_unit_test(a_hard_formula_is_solved),
        cmocka_unit_test(failed_allocations_are_survived),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
