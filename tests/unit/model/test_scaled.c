/* test_scaled.c - every model at another temperature has beta times its U, its
 * differences and its gradient, before and after moves. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <string.h>

#include <cmocka.h>

#include "base/alloc.h"
#include "base/error.h"
#include "model/factor/fixed.h"
#include "model/factor/scaled.h"
#include "unit/model_fixture.h"
#include "unit/xorshift.h"

#define NEAR 1e-4 /* rows and differences are single precision */

static bool is_near(double a, double b)
{
    return isinf(a) || isinf(b) ? a == b
                                : fabs(a - b) < NEAR * fmax(1.0, fabs(b));
}

/* The states of one point in another. */
static void copy_states(hs_point *to, const hs_point *from, int dim)
{
    memcpy(to->x, from->x, (size_t)dim * sizeof *to->x);
    to->have = 0;
}

static void check_point(const hs_model *scaled, const hs_model *plain,
                        double beta, hs_point *p, hs_point *q)
{
    const hs_domain *d = &plain->domain;

    assert_int_equal(hs_model_evaluate(scaled, p, HS_U | HS_GRAD), HISS_OK);
    copy_states(q, p, d->dim);
    assert_int_equal(hs_model_evaluate(plain, q, HS_U | HS_GRAD), HISS_OK);
    for (int l = 0; l < HS_LANES; l++)
        if (!is_near(p->u[l], beta * q->u[l]))
            fail_msg("%s: U is %g, not %g", plain->name, p->u[l],
                     beta * q->u[l]);
    for (int i = 0; i < d->dim && d->kind[i] != HISS_ORDINAL; i++) {
        hs_float_row a[64], b[64];
        const hs_float_row *s = hs_model_rows(scaled, p, i, i + 1, a, NULL);
        const hs_float_row *t = hs_model_rows(plain, q, i, i + 1, b, NULL);
        int rows = d->row[i + 1] - d->row[i];

        for (int r = 0; r < rows; r++)
            for (int l = 0; l < HS_LANES && q->u[l] > -HUGE_VAL; l++) {
                /* of labels only differences matter */
                float own = s[r][l] - (rows > 1 ? s[0][l] : 0.0f);
                float its = t[r][l] - (rows > 1 ? t[0][l] : 0.0f);

                if (plain->exact_rows && !is_near(own, beta * (double)its))
                    fail_msg("%s: row %d of x.%d is %g, not %g", plain->name, r,
                             i + 1, (double)own, beta * (double)its);
            }
    }
}

static void check_moves(const hs_model *scaled, const hs_model *plain,
                        double beta, hs_point *p, hs_point *q, uint64_t *seed)
{
    hs_float_row out[16], own[16];
    hs_point spare;

    assert_int_equal(hs_point_init(&spare, scaled, NULL), HISS_OK);
    for (int n = 0; n < 3 * plain->domain.dim; n++) {
        int i = xorshift_below(seed, plain->domain.dim);
        int16_t to[HS_LANES];
        float change[HS_LANES];

        assert_int_equal(hs_model_differences(scaled, p, i, out, &spare),
                         HISS_OK);
        copy_states(q, p, plain->domain.dim);
        assert_int_equal(hs_model_evaluate(plain, q, HS_U | HS_GRAD), HISS_OK);
        assert_int_equal(hs_model_differences(plain, q, i, own, &spare),
                         HISS_OK);
        for (int l = 0; l < HS_LANES; l++) {
            to[l] = (int16_t)xorshift_below(seed, plain->domain.states[i]);
            change[l] = out[to[l]][l];
            if (q->u[l] > -HUGE_VAL &&
                !is_near((double)change[l], beta * (double)own[to[l]][l]))
                fail_msg("%s: x.%d differs by %g, not %g", plain->name, i + 1,
                         (double)change[l], beta * (double)own[to[l]][l]);
        }
        hs_model_move(scaled, p, i, to, change);
    }
    hs_point_clear(&spare);
}

static void check_scaled(const char *spec, double beta, uint64_t *seed)
{
    hs_model *plain = fixture_model(spec), *scaled = fixture_model(spec);
    hiss_error err = {0};
    hs_point p, q;

    if (hs_model_scale(&scaled, beta, &err) != HISS_OK)
        fail_msg("%s: %s", spec, err.message);
    assert_string_equal(scaled->name, plain->name);
    assert_true(hs_model_beta(scaled) == beta);
    assert_int_equal(scaled->domain.is_tour, plain->domain.is_tour);
    assert_int_equal(hs_point_init(&p, scaled, NULL), HISS_OK);
    assert_int_equal(hs_point_init(&q, plain, NULL), HISS_OK);
    if (plain->domain.is_tour) {
        hs_rng rng = {0};

        assert_int_equal(scaled->ops->start(scaled, &p, &rng, HS_LANES, &err),
                         HISS_OK);
        assert_true(is_near(scaled->edge[1], beta * plain->edge[1]));
    } else {
        fixture_scatter(scaled, &p, seed);
    }
    check_point(scaled, plain, beta, &p, &q);
    if (!plain->domain.is_tour) {
        check_moves(scaled, plain, beta, &p, &q, seed);
        check_point(scaled, plain, beta, &p, &q);
    }
    hs_point_clear(&p);
    hs_point_clear(&q);
    hs_model_destroy(scaled);
    hs_model_destroy(plain);
}

static void every_model_can_be_scaled(void **state)
{
    uint64_t seed = 17;

    (void)state;
    for (const instance *i = instances; i->spec; i++) {
        check_scaled(i->spec, 0.37, &seed);
        check_scaled(i->spec, 2.5, &seed);
    }
}

/* Structures that fast paths ask for. */
static void couplings_stay_couplings(void **state)
{
    hs_model *m = fixture_model("ising(side=3,beta=0.3,field=0.1)");
    hs_model *p = fixture_model("potts(side=3,states=3,beta=0.3)");

    (void)state;
    assert_int_equal(hs_model_scale(&m, 0.7, NULL), HISS_OK);
    assert_int_equal(hs_model_scale(&p, 0.7, NULL), HISS_OK);
    assert_non_null(hs_model_structure(m, HS_STRUCTURE_REGULAR));
    assert_non_null(hs_model_structure(p, HS_STRUCTURE_LABELS));
    hs_model_destroy(m);
    hs_model_destroy(p);
}

static void factors_multiply_and_conditions_stay(void **state)
{
    hs_model *m = fixture_model("rbm(visible=6,hidden=5,seed=3)");
    hs_model *twice = fixture_model("rbm(visible=6,hidden=5,seed=3)");
    int at[6] = {1, -1, 0, -1, 1, -1};
    int16_t x[6] = {0, 1, 0, 0, 0, 1};
    double u, v;

    (void)state;
    assert_int_equal(hs_model_fix(&m, at, NULL), HISS_OK);
    assert_int_equal(hs_model_energy(m, x, &u, NULL), HISS_OK);
    assert_int_equal(hs_model_scale(&twice, 0.5, NULL), HISS_OK);
    assert_int_equal(hs_model_fix(&twice, at, NULL), HISS_OK);
    assert_int_equal(hs_model_scale(&twice, 3.0, NULL), HISS_OK);
    assert_int_equal(hs_model_energy(twice, x, &v, NULL), HISS_OK);
    assert_true(is_near(v, 1.5 * u));
    assert_true(hs_model_beta(twice) == 1.5);
    assert_int_equal(twice->fixed_at[0], 1);
    hs_model_destroy(m);
    hs_model_destroy(twice);
}

static void refuses_what_is_no_temperature(void **state)
{
    static const double bad[] = {0.0, -1.0, INFINITY, NAN};
    hs_model *m = fixture_model("bernoulli4"), *before = m;
    hiss_error err = {0};

    (void)state;
    for (int n = 0; n < 4; n++) {
        assert_int_equal(hs_model_scale(&m, bad[n], &err), HISS_EARG);
        assert_ptr_equal(m, before);
    }
    hs_model_destroy(m);
}

static void scaling_fails_without_memory(void **state)
{
    static const char *const specs[] = {
        "ising(side=3,beta=0.3,field=0.1)", "potts(side=2,states=3,beta=0.3)",
        "rbm(visible=6,hidden=5,seed=3)", "ladder(d=4,levels=3,beta=0.3)"};

    (void)state;
    for (int s = 0; s < 4; s++) {
        hiss_status rc = HISS_ENOMEM;
        hs_model *m = fixture_model(specs[s]), *before = m;

        for (int n = 1; rc == HISS_ENOMEM; n++) {
            hs_alloc_fail_after(n);
            rc = hs_model_scale(&m, 2.0, NULL);
            hs_alloc_fail_after(0);
            assert_true(rc == HISS_OK || m == before);
        }
        assert_int_equal(rc, HISS_OK);
        hs_model_destroy(m);
    }
}

static int remove_files(void **state)
{
    (void)state;
    fixture_remove();
    return 0;
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_model_can_be_scaled),
        cmocka_unit_test(couplings_stay_couplings),
        cmocka_unit_test(factors_multiply_and_conditions_stay),
        cmocka_unit_test(refuses_what_is_no_temperature),
        cmocka_unit_test(scaling_fails_without_memory),
    };

    return cmocka_run_group_tests(tests, NULL, remove_files);
}
