/* test_network_answers.c - estimates from weighted draws against elimination:
 * log Z, mean U and marginals within their errors, on grids and tables of
 * several values; a model without overlap is refused. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

#include <cmocka.h>

#include "base/error.h"
#include "exact/elimination.h"
#include "exact/network/answers.h"
#include "exact/network/network.h"
#include "model/factor/factor_graph.h"
#include "model/model.h"

#define FAR   5.0  /* errors: a false alarm in 10^6 */
#define ROUND 1e-6 /* float coefficients of some models */

static const char *const specs[] = {
    "ising(side=5,beta=0.4)",
    "ising(side=3,dims=3,beta=0.2,field=0.1)",
    "potts(side=4,states=3,beta=0.6)",
    "ladder(d=9,levels=4,beta=0.5)",
};

static void eliminate(hs_elimination *e, const hs_model *m)
{
    hs_factors f;
    hs_plan plan;

    assert_int_equal(m->ops->factors(m, &f, NULL), HISS_OK);
    assert_int_equal(hs_plan_init(&plan, &f, NULL), HISS_OK);
    assert_int_equal(hs_elimination_init(e, &plan, 1, NULL), HISS_OK);
    hs_plan_clear(&plan);
    hs_factors_clear(&f);
}

static void estimates_agree_with_elimination(void **state)
{
    (void)state;
    for (size_t n = 0; n < sizeof specs / sizeof *specs; n++) {
        hs_network_answers a;
        hs_elimination e;
        hs_model *m;

        assert_int_equal(hs_model_create(&m, specs[n], NULL), HISS_OK);
        eliminate(&e, m);
        assert_int_equal(hs_network_answer(&a, m, NULL, NULL), HISS_OK);
        printf("%s: log Z %.9g +- %.2g, exact %.9g; %.0f of %.0f count\n",
               specs[n], a.log_z, a.log_z_se, e.log_z, a.effective, a.draws);
        assert_true(fabs(a.log_z - e.log_z) <= FAR * a.log_z_se + ROUND);
        assert_true(fabs(a.mean_u - e.mean_u) <= FAR * a.mean_u_se + ROUND);
        assert_true(a.max_u <= e.max_u + ROUND);
        for (int v = 0; v < m->domain.value_count; v++)
            assert_true(fabs(a.marginal[v] - e.marginal[v]) <=
                        FAR * a.error[v] + ROUND);
        hs_network_answers_clear(&a);
        hs_elimination_clear(&e);
        hs_model_destroy(m);
    }
}

/* Rows of spins, the first half with a field that the second half has
 * reversed: both ordered states are probable, and what is behind a frontier in
 * the middle prefers one of them by more than double precision can hold. */
static void divided(hs_factors *f, int rows, int columns, double coupling,
                    double field)
{
    int *states = calloc((size_t)(rows * columns), sizeof *states);
    double pair[] = {coupling, -coupling, -coupling, coupling};

    for (int i = 0; i < rows * columns; i++)
        states[i] = 2;
    assert_int_equal(hs_factors_init(f, rows * columns, states, NULL), HISS_OK);
    free(states);
    for (int i = 0; i < rows * columns; i++) {
        double h = i < rows / 2 * columns ? field : -field;
        double own[] = {-h, h};
        int right[] = {i, i + 1}, down[] = {i, i + columns};

        assert_int_equal(hs_factors_add(f, 1, &i, own, NULL, NULL), HISS_OK);
        if (i % columns + 1 < columns)
            assert_int_equal(hs_factors_add(f, 2, right, pair, NULL, NULL),
                             HISS_OK);
        if (i + columns < rows * columns)
            assert_int_equal(hs_factors_add(f, 2, down, pair, NULL, NULL),
                             HISS_OK);
    }
}

/* Without the scales of gauge.h, log Z is ln 2 too low and all weights are
 * equal. */
static void no_mode_is_lost(void **state)
{
    const hs_network_request request = {.bond = 0};
    hs_network_answers a;
    const hs_network *n;
    hs_elimination e;
    hs_factors f;
    hs_model *m;

    (void)state;
    divided(&f, 24, 9, 3.0, 0.25);
    assert_int_equal(hs_factor_graph_create(&m, "divided", &f, NULL), HISS_OK);
    eliminate(&e, m);
    assert_int_equal(hs_network_hold(&n, m, &request, NULL), HISS_OK);
    assert_int_equal(hs_network_answer(&a, m, NULL, NULL), HISS_OK);
    printf("divided: log Z %.9g +- %.2g, exact %.9g\n", a.log_z, a.log_z_se,
           e.log_z);
    assert_true(hs_network_about(n)->missing < HS_NETWORK_MISSING);
    assert_true(fabs(a.log_z - e.log_z) <= FAR * a.log_z_se + ROUND);
    for (int v = 0; v < m->domain.value_count; v++)
        assert_true(fabs(a.marginal[v] - e.marginal[v]) <=
                    FAR * a.error[v] + ROUND);
    hs_network_release(n);
    hs_network_answers_clear(&a);
    hs_elimination_clear(&e);
    hs_model_destroy(m);
}

/* What a network costs is known before it is made, to a small factor. */
static void the_price_is_about_right(void **state)
{
    const hs_network_request request = {.bond = 4};
    const hs_network_facts *about;
    hs_network_price price;
    const hs_network *n;
    hs_model *m;

    (void)state;
    assert_int_equal(
        hs_model_create(&m, "ising(side=12,beta=0.44,field=0.05)", NULL),
        HISS_OK);
    assert_int_equal(hs_network_weigh(&price, m, 4, NULL), HISS_OK);
    assert_int_equal(hs_network_hold(&n, m, &request, NULL), HISS_OK);
    about = hs_network_about(n);
    printf("frontier %d, %d; draw %.3g, %.3g; bytes %.3g, %.3g\n",
           price.frontier, about->frontier, price.draw, about->draw_work,
           price.bytes, about->entries * 8.0);
    assert_int_equal(price.frontier, about->frontier);
    assert_true(price.draw > 0.3 * about->draw_work);
    assert_true(price.draw < 5.0 * about->draw_work);
    assert_true(price.bytes > 0.3 * 8.0 * about->entries);
    hs_network_release(n);
    hs_model_destroy(m);
    assert_int_equal(hs_model_create(&m, "mixture(2,4)", NULL), HISS_OK);
    assert_int_equal(hs_network_weigh(&price, m, 4, NULL), HISS_OK);
    assert_true(isinf(price.draw));
    hs_model_destroy(m);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(estimates_agree_with_elimination),
        cmocka_unit_test(no_mode_is_lost),
        cmocka_unit_test(the_price_is_about_right),
    };

    return cmocka_run_group_tests_name("network_answers", tests, NULL, NULL);
}
