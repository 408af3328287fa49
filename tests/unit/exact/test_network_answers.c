/* test_network_answers.c - estimates from weighted draws against elimination:
 * log Z, mean U and marginals within their errors, on grids and tables of
 * several values; a model without overlap is refused. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

#include <cmocka.h>

#include "base/error.h"
#include "exact/elimination.h"
#include "exact/network/answers.h"
#include "exact/network/network.h"
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
        cmocka_unit_test(the_price_is_about_right),
    };

    return cmocka_run_group_tests_name("network_answers", tests, NULL, NULL);
}
