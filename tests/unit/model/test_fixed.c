/* test_fixed.c - every model with some coordinates fixed says what it said
 * before about the states that are left. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "base/alloc.h"
#include "base/error.h"
#include "model/factor/fixed.h"
#include "unit/model_fixture.h"
#include "unit/xorshift.h"

#define NEAR 1e-4 /* rows and differences are single precision */

/* Half of the coordinates at random, at least one. */
static void choose(const hs_model *m, int *at, uint64_t *seed)
{
    int dim = m->domain.dim;

    for (int i = 0; i < dim; i++)
        at[i] = xorshift_below(seed, 2)
                    ? xorshift_below(seed, m->domain.states[i])
                    : -1;
    at[dim / 2] = m->domain.states[dim / 2] - 1;
}

/* Indices of lane l in the model without conditions. */
static void full_state(const hs_model *m, const hs_point *p, int l, int16_t *x)
{
    for (int i = 0; i < m->domain.dim; i++)
        x[i] = m->fixed_at[i] >= 0 ? (int16_t)m->fixed_at[i] : p->x[i][l];
}

static double energy(const hs_model *m, const int16_t *x)
{
    double u;

    assert_int_equal(hs_model_energy(m, x, &u, NULL), HISS_OK);
    return u;
}

static bool is_near(double a, double b)
{
    return isinf(a) || isinf(b) ? a == b
                                : fabs(a - b) < NEAR * fmax(1.0, fabs(b));
}

static void check_shape(const hs_model *fixed, const hs_model *whole,
                        const int *at)
{
    for (int i = 0; i < whole->domain.dim; i++) {
        const hs_domain *a = &fixed->domain, *b = &whole->domain;

        assert_int_equal(fixed->full_states[i], b->states[i]);
        assert_int_equal(fixed->fixed_at[i], at[i]);
        assert_int_equal(a->states[i], at[i] >= 0 ? 1 : b->states[i]);
        assert_true(a->values[a->value[i]] ==
                    b->values[b->value[i] + (at[i] >= 0 ? at[i] : 0)]);
        if (at[i] < 0)
            assert_int_equal(a->kind[i], b->kind[i]);
    }
}

static void check_energies(const hs_model *fixed, const hs_model *whole,
                           hs_point *p)
{
    int16_t x[64];

    assert_int_equal(hs_model_evaluate(fixed, p, HS_U | HS_GRAD), HISS_OK);
    for (int l = 0; l < HS_LANES; l++) {
        full_state(fixed, p, l, x);
        if (!is_near(p->u[l], energy(whole, x)))
            fail_msg("%s: U is %g, not %g", whole->name, p->u[l],
                     energy(whole, x));
    }
}

/* Differences, and the rows where they claim to be the same. */
static void check_differences(const hs_model *fixed, const hs_model *whole,
                              hs_point *p, hs_point *spare)
{
    hs_float_row out[8];
    int16_t x[64];

    for (int i = 0; i < fixed->domain.dim; i++) {
        assert_int_equal(hs_model_differences(fixed, p, i, out, spare),
                         HISS_OK);
        for (int l = 0; l < HS_LANES; l++) {
            double here;

            full_state(fixed, p, l, x);
            here = energy(whole, x);
            for (int v = 0; v < fixed->domain.states[i]; v++) {
                if (fixed->fixed_at[i] < 0)
                    x[i] = (int16_t)v;
                if (here > -HUGE_VAL &&
                    !is_near((double)out[v][l], energy(whole, x) - here))
                    fail_msg("%s: x.%d to %d differs by %g, not %g",
                             whole->name, i + 1, v, (double)out[v][l],
                             energy(whole, x) - here);
            }
        }
    }
}

/* The rows of free coordinates are those of the whole model. */
static void check_rows(const hs_model *fixed, const hs_model *whole,
                       const hs_point *p)
{
    hs_float_row a[128], b[128];
    int16_t x[64];
    hs_point q;

    if (whole->domain.kind[0] == HISS_ORDINAL)
        return; /* slopes of levels are another matter for tables */
    assert_int_equal(hs_point_init(&q, whole, NULL), HISS_OK);
    for (int l = 0; l < HS_LANES; l++) {
        full_state(fixed, p, l, x);
        for (int i = 0; i < whole->domain.dim; i++)
            q.x[i][l] = x[i];
    }
    assert_int_equal(hs_model_evaluate(whole, &q, HS_U | HS_GRAD), HISS_OK);
    for (int i = 0; i < whole->domain.dim; i++) {
        const hs_float_row *s = hs_model_rows(fixed, p, i, i + 1, a, NULL);
        const hs_float_row *t = hs_model_rows(whole, &q, i, i + 1, b, NULL);
        int rows = whole->domain.row[i + 1] - whole->domain.row[i];

        if (fixed->fixed_at[i] >= 0 || whole->domain.kind[i] == HISS_ORDINAL)
            continue;
        for (int l = 0; l < HS_LANES; l++)
            for (int r = 0; r < rows && q.u[l] > -HUGE_VAL; r++)
                if (whole->exact_rows &&
                    !is_near((double)(s[r][l] - (rows > 1 ? s[0][l] : 0.0f)),
                             (double)(t[r][l] - (rows > 1 ? t[0][l] : 0.0f))))
                    fail_msg("%s: row %d of x.%d is %g, not %g", whole->name, r,
                             i + 1, (double)s[r][l], (double)t[r][l]);
    }
    hs_point_clear(&q);
}

/* Moves, one coordinate after the other, leave U and the rest right. */
static void check_moves(const hs_model *fixed, const hs_model *whole,
                        hs_point *p, hs_point *spare, uint64_t *seed)
{
    hs_float_row out[8];

    assert_int_equal(hs_model_evaluate(fixed, p, HS_U | HS_GRAD), HISS_OK);
    for (int n = 0; n < 3 * fixed->domain.dim; n++) {
        int i = xorshift_below(seed, fixed->domain.dim);
        int16_t to[HS_LANES];
        float change[HS_LANES];

        assert_int_equal(hs_model_differences(fixed, p, i, out, spare),
                         HISS_OK);
        for (int l = 0; l < HS_LANES; l++) {
            to[l] = (int16_t)xorshift_below(seed, fixed->domain.states[i]);
            change[l] = out[to[l]][l];
        }
        hs_model_move(fixed, p, i, to, change);
    }
    check_energies(fixed, whole, p);
    check_differences(fixed, whole, p, spare);
}

static void check_fixed(const char *spec, uint64_t *seed)
{
    hs_model *whole = fixture_model(spec), *fixed = fixture_model(spec);
    hs_point p, spare;
    hiss_error err = {0};
    int at[64];
    hiss_status rc;

    choose(whole, at, seed);
    rc = hs_model_fix(&fixed, at, &err);
    if (whole->domain.is_tour || /* the one kind that refuses */
        (rc == HISS_EINFEASIBLE && hs_model_has_constraints(whole))) {
        assert_int_equal(rc, whole->domain.is_tour ? HISS_EUNSUP
                                                   : HISS_EINFEASIBLE);
        hs_model_destroy(fixed);
        hs_model_destroy(whole);
        return;
    }
    if (rc != HISS_OK)
        fail_msg("%s: %s", spec, err.message);
    assert_string_equal(fixed->name, whole->name);
    check_shape(fixed, whole, at);
    assert_int_equal(hs_point_init(&p, fixed, NULL), HISS_OK);
    assert_int_equal(hs_point_init(&spare, fixed, NULL), HISS_OK);
    fixture_scatter(fixed, &p, seed);
    check_energies(fixed, whole, &p);
    check_rows(fixed, whole, &p);
    check_differences(fixed, whole, &p, &spare);
    check_moves(fixed, whole, &p, &spare, seed);
    hs_point_clear(&p);
    hs_point_clear(&spare);
    hs_model_destroy(fixed);
    hs_model_destroy(whole);
}

static void every_model_can_be_conditioned(void **state)
{
    uint64_t seed = 31;

    (void)state;
    for (const instance *i = instances; i->spec; i++)
        for (int n = 0; n < 4; n++)
            check_fixed(i->spec, &seed);
}

static void nothing_fixed_is_nothing_changed(void **state)
{
    hs_model *m = fixture_model("rbm(visible=6,hidden=5,seed=3)"), *before = m;
    int none[6] = {-1, -1, -1, -1, -1, -1}, one[6] = {1, -1, -1, -1, -1, -1};

    (void)state;
    assert_int_equal(hs_model_fix(&m, none, NULL), HISS_OK);
    assert_ptr_equal(m, before);
    assert_null(m->fixed_at);
    assert_int_equal(hs_model_fix(&m, one, NULL), HISS_OK);
    before = m;
    assert_int_equal(hs_model_fix(&m, one, NULL), HISS_OK);
    assert_ptr_equal(m, before);
    hs_model_destroy(m);
}

/* All at once, or one after the other: the same. */
static void conditions_add_up(void **state)
{
    hs_model *once = fixture_model("rbm(visible=6,hidden=5,seed=3)");
    hs_model *twice = fixture_model("rbm(visible=6,hidden=5,seed=3)");
    int all[6] = {1, -1, 0, -1, 1, -1}, first[6] = {1, -1, -1, -1, -1, -1};
    int second[6] = {1, -1, 0, -1, 1, -1};
    int16_t x[6] = {0, 1, 0, 0, 0, 1};

    (void)state;
    assert_int_equal(hs_model_fix(&once, all, NULL), HISS_OK);
    assert_int_equal(hs_model_fix(&twice, first, NULL), HISS_OK);
    assert_int_equal(hs_model_fix(&twice, second, NULL), HISS_OK);
    assert_true(is_near(energy(once, x), energy(twice, x)));
    for (int i = 0; i < 6; i++) {
        assert_int_equal(twice->fixed_at[i], all[i]);
        assert_int_equal(twice->full_states[i], 2);
    }
    hs_model_destroy(once);
    hs_model_destroy(twice);
}

static void contradictions_leave_the_model_as_it_was(void **state)
{
    hs_model *m = fixture_model("ising(side=3,beta=0.3)"), *before;
    int at[9] = {-1, -1, 1, -1, -1, -1, -1, -1, -1};
    hiss_error err = {0};

    (void)state;
    assert_int_equal(hs_model_fix(&m, at, &err), HISS_OK);
    before = m;
    at[2] = 0;
    assert_int_equal(hs_model_fix(&m, at, &err), HISS_EARG);
    assert_string_equal(err.message, "x.3 is fixed at 1 already, it cannot "
                                     "have another value");
    at[2] = 2;
    assert_int_equal(hs_model_fix(&m, at, &err), HISS_EARG);
    assert_string_equal(err.message,
                        "x.3 cannot have index 2, it has 2 states");
    assert_ptr_equal(m, before);
    hs_model_destroy(m);
}

static void impossible_conditions_are_told(void **state)
{
    hs_model *m = fixture_model("table");
    int16_t x[4] = {0};
    hiss_error err = {0};
    int at[4];

    (void)state;
    while (energy(m, x) > -HUGE_VAL) /* one state of the table is impossible */
        for (int i = 3; i >= 0 && ++x[i] == m->domain.states[i]; i--)
            x[i] = 0;
    for (int i = 0; i < 4; i++)
        at[i] = x[i];
    assert_int_equal(hs_model_fix(&m, at, &err), HISS_EINFEASIBLE);
    assert_string_equal(err.message,
                        "the fixed values have probability 0 together");
    at[0] = -1;
    assert_int_equal(hs_model_fix(&m, at, &err), HISS_OK);
    hs_model_destroy(m);
}

static void conditioning_fails_without_memory(void **state)
{
    static const char *const specs[] = {"potts(side=2,states=3,beta=0.3)",
                                        "rbm(visible=6,hidden=5,seed=3)"};

    (void)state;
    for (int s = 0; s < 2; s++) {
        hiss_status rc = HISS_ENOMEM;
        hs_model *m = fixture_model(specs[s]), *before = m;
        int at[6] = {1, -1, -1, 0, -1, -1};

        for (int n = 1; rc == HISS_ENOMEM; n++) {
            hs_alloc_fail_after(n);
            rc = hs_model_fix(&m, at, NULL);
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
        cmocka_unit_test(every_model_can_be_conditioned),
        cmocka_unit_test(nothing_fixed_is_nothing_changed),
        cmocka_unit_test(conditions_add_up),
        cmocka_unit_test(contradictions_leave_the_model_as_it_was),
        cmocka_unit_test(impossible_conditions_are_told),
        cmocka_unit_test(conditioning_fails_without_memory),
    };

    return cmocka_run_group_tests(tests, NULL, remove_files);
}
