/* test_network_arm.c - when `auto` draws from a truncated network: on a glass
 * where nothing else mixes, and not where local moves or clusters bring more.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <string.h>

#include <cmocka.h>

#include "kernel/kernel.h"
#include "model/builders.h"
#include "run/arms/network_arm.h"
#include "run/pilot/scheme.h"
#include "unit/xorshift.h"

#define SIDE 24
#define DIM  (SIDE * SIDE)

/* An open square lattice of spins with couplings of either sign and fields. */
static hs_model *glass(double coupling)
{
    static int row[2 * DIM], column[2 * DIM];
    static double value[2 * DIM], field[DIM];
    hs_pair_list list = {.kind = HISS_SPIN,
                         .sign = 1.0,
                         .dim = DIM,
                         .row = row,
                         .column = column,
                         .value = value,
                         .field = field};
    uint64_t seed = 20261119;
    hs_model *m;

    for (int i = 0; i < DIM; i++) {
        int near[] = {i % SIDE + 1 < SIDE ? i + 1 : DIM, i + SIDE};

        field[i] = 0.1 * coupling * (xorshift(&seed) % 2 ? 1.0 : -1.0);
        for (int k = 0; k < 2; k++) {
            if (near[k] >= DIM)
                continue;
            row[list.pairs] = i;
            column[list.pairs] = near[k];
            value[list.pairs++] = xorshift(&seed) % 2 ? coupling : -coupling;
        }
    }
    assert_int_equal(hs_build_pairs(&m, "glass", &list, NULL), HISS_OK);
    return m;
}

/* Whether auto became the network. */
static bool takes_network(const hs_model *m, const char *sampler, double budget)
{
    hs_pilot_account account = {.seed = 3, .budget = budget};
    hs_sampler *tree;
    hs_scheme s;
    bool takes;

    assert_int_equal(hs_sampler_parse(&tree, sampler, NULL), HISS_OK);
    assert_int_equal(hs_scheme_init(&s, m, tree, &account, NULL), HISS_OK);
    takes = s.sampler->type == &hs_kernel_network;
    assert_int_equal(takes, s.network != NULL);
    if (takes) {
        assert_non_null(strstr(s.text, "a tensor network with bonds up to"));
        assert_ptr_equal(s.model, m);
    }
    hs_scheme_clear(&s);
    hs_sampler_release(tree);
    return takes;
}

static void glasses_are_drawn_from_networks(void **state)
{
    hs_model *cold = glass(1.5), *hot = glass(0.1);

    (void)state;
    assert_true(takes_network(cold, "auto", 3e4));
    assert_false(takes_network(cold, "auto(independent=no)", 3e4));
    assert_false(takes_network(hot, "auto", 3e4));
    hs_model_destroy(cold);
    hs_model_destroy(hot);
}

static void a_set_up_beyond_the_budget_is_not_made(void **state)
{
    hs_model *m = glass(1.5);
    hs_pilot_account account = {.seed = 3, .budget = 10.0};
    hs_network_arm arm;
    hs_text text = {0};
    hs_sampler *base;

    (void)state;
    assert_int_equal(hs_sampler_parse(&base, "gibbs", NULL), HISS_OK);
    assert_int_equal(
        hs_network_arm_init(&arm, m, base, 1.0, &account, &text, NULL),
        HISS_OK);
    assert_null(arm.held);
    assert_null(arm.sampler);
    assert_null(text.at);
    hs_network_arm_clear(&arm);
    hs_sampler_release(base);
    hs_model_destroy(m);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(glasses_are_drawn_from_networks),
        cmocka_unit_test(a_set_up_beyond_the_budget_is_not_made),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
