/* Softened models: the same U where it is finite, a penalty per zero elsewhere,
 * and a wide gap between the two. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <string.h>

#include <cmocka.h>

#include "model/factor/factor_graph.h"
#include "model/softened.h"
#include "unit/factor_fixture.h"

static double energy(const hs_model *m, const int16_t *x)
{
    double u;

    assert_int_equal(hs_model_energy(m, x, &u, NULL), HISS_OK);
    return u;
}

/* How many tables a state violates. */
static int zeros_at(const hs_factors *f, const int16_t *x)
{
    int zeros = 0;

    for (int64_t n = 0; n < f->count; n++) {
        int64_t at = 0;

        for (int64_t k = f->scope_at[n]; k < f->scope_at[n + 1]; k++)
            at = at * f->states[f->scope[k]] + x[f->scope[k]];
        zeros += f->table[f->table_at[n] + at] == -HUGE_VAL;
    }
    return zeros;
}

static double log_states(const hs_model *m)
{
    double sum = 0.0;

    for (int i = 0; i < m->domain.dim; i++)
        sum += log((double)m->domain.states[i]);
    return sum;
}

static void compare_all_states(const hs_model *hard, const hs_model *soft)
{
    int16_t x[32] = {0};
    double low = HUGE_VAL, high = -HUGE_VAL;
    hs_factors f;

    assert_int_equal(hard->ops->factors(hard, &f, NULL), HISS_OK);
    do {
        double u = energy(hard, x), v = energy(soft, x);
        int zeros = zeros_at(&f, x);

        assert_int_equal(zeros > 0, u == -HUGE_VAL);
        assert_int_equal(hs_model_is_possible(hard, u), zeros == 0);
        assert_int_equal(hs_model_is_possible(soft, v), zeros == 0);
        if (zeros == 0) {
            assert_true(u == v); /* every bit */
            low = fmin(low, u);
            high = fmax(high, u);
        } else {
            assert_true(v < soft->floor - 50.0);
            assert_true(fabs(v / soft->penalty + zeros) < 0.25);
        }
    } while (next_state(f.states, f.dim, x));
    assert_true(soft->penalty >= high - low + log_states(soft) + 110.0);
    assert_true(low - soft->floor >= 50.0);
    hs_factors_clear(&f);
}

static void random_graphs(void **state)
{
    uint64_t seed = 11;

    (void)state;
    for (int n = 0; n < 20; n++) {
        hs_model *hard, *soft;
        hs_factors f;

        random_factors(&f, &seed, 7, 3, 9, 3, 30);
        assert_int_equal(hs_factor_graph_create(&hard, "g", &f, NULL), HISS_OK);
        assert_int_equal(hs_model_soften(&soft, hard, NULL), HISS_OK);
        assert_non_null(soft);
        assert_ptr_equal(soft->hard, hard);
        compare_all_states(hard, soft);
        hs_model_destroy(soft);
        hs_model_destroy(hard);
    }
}

/* Nothing but zeros: every sum is a multiple of the penalty, in floats too. */
static void constraints_alone_are_exact(void **state)
{
    static const int states[] = {3, 3, 3}, scope[][2] = {{0, 1}, {1, 2}};
    double table[9];
    hs_model *hard, *soft;
    hs_factors f;

    (void)state;
    for (int e = 0; e < 9; e++)
        table[e] = e % 4 ? 0.0 : -HUGE_VAL;
    assert_int_equal(hs_factors_init(&f, 3, states, NULL), HISS_OK);
    for (int n = 0; n < 2; n++)
        assert_int_equal(hs_factors_add(&f, 2, scope[n], table, NULL, NULL),
                         HISS_OK);
    assert_int_equal(hs_factor_graph_create(&hard, "g", &f, NULL), HISS_OK);
    assert_int_equal(hs_model_soften(&soft, hard, NULL), HISS_OK);
    assert_int_equal(soft->precision.kind, HS_PRECISION_EXACT);
    assert_true(soft->penalty == 128.0);
    compare_all_states(hard, soft);
    hs_model_destroy(soft);
    hs_model_destroy(hard);
}

static void others_are_left_alone(void **state)
{
    static const char *const specs[] = {"ising(side=3,beta=0.4)",
                                        "rbm(visible=6,hidden=3)",
                                        "mixture(k=2,d=6)"};
    hs_model *m, *soft;

    (void)state;
    for (size_t n = 0; n < sizeof specs / sizeof *specs; n++) {
        assert_int_equal(hs_model_create(&m, specs[n], NULL), HISS_OK);
        assert_int_equal(hs_model_soften(&soft, m, NULL), HISS_OK);
        assert_null(soft);
        hs_model_destroy(m);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(random_graphs),
        cmocka_unit_test(constraints_alone_are_exact),
        cmocka_unit_test(others_are_left_alone),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
