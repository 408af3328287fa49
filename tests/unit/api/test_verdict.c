/* test_verdict.c - symmetries, and runs that only they spoke for.
 *
 * Fixed seeds; the rates over many runs are measured by
 * tests/calibration/calibrate.py. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include <hiss/hiss.h>

#include "api/object/objects.h"
#include "run/atlas/invariance.h"
#include "unit/brief.h"
#include "verdict/joints.h"

/* A +-J glass on a torus, signs from a fixed hash; the field is on the first
 * spin. */
static hiss_model *make_glass(int side, double beta, double field)
{
    int row[2 * 64], column[2 * 64], edges = 0;
    double value[2 * 64], h[64] = {field};
    uint32_t hash = 12345;
    hiss_model *m;

    for (int x = 0; x < side; x++)
        for (int y = 0; y < side; y++) {
            int next[2] = {x * side + (y + 1) % side,
                           (x + 1) % side * side + y};

            for (int k = 0; k < 2; k++) {
                hash = hash * 1664525u + 1013904223u;
                row[edges] = x * side + y;
                column[edges] = next[k];
                value[edges++] = hash >> 31 ? beta : -beta;
            }
        }
    assert_int_equal(hiss_model_ising_sparse(&m, side * side, edges, row,
                                             column, value, h, NULL),
                     HISS_OK);
    return m;
}

static hiss_result *draw(const hiss_model *m, const char *sampler,
                         int64_t samples, uint64_t seed)
{
    hiss_settings set;
    hiss_sampler *s;
    hiss_result *r = NULL;
    hiss_error err = {0};

    hiss_settings_init(&set);
    set.chains = 4;
    set.samples = samples;
    set.seed = seed;
    if (hiss_sampler_create(&s, sampler, &err) ||
        hiss_sample(&r, m, s, &set, &err))
        fail_msg("%s: %s", sampler, err.message);
    hiss_sampler_destroy(s);
    return r;
}

/* Whether it is trusted, and the outcome of a finding, -1: there is none. */
static int is_trusted(const hiss_result *r, const hiss_model *m, int blind,
                      const char *name, int *outcome)
{
    hiss_diagnose_settings set;
    hiss_diagnosis *d;
    hiss_finding f = HISS_INIT(hiss_finding);
    hiss_error err = {0};
    int trusted;

    hiss_diagnose_settings_init(&set);
    set.effort = 10;
    set.blind = blind;
    if (hiss_diagnose(&d, r, m, &set, &err))
        fail_msg("%s", err.message);
    trusted = hiss_diagnosis_is_trusted(d);
    *outcome = -1;
    for (int n = 0; hiss_diagnosis_finding(d, n, &f); n++)
        if (strcmp(f.name, name) == 0)
            *outcome = (int)f.outcome;
    hiss_diagnosis_destroy(d);
    return trusted;
}

/* --- which marginals are fixed ------------------------------------------ */

static hs_invariance invariance_of(const hiss_model *m)
{
    hiss_result *r = draw(m, "metropolis", 20, 1);
    hs_joints joints;
    hs_invariance v;

    assert_int_equal(hs_joints_init(&joints, m->model, NULL), HISS_OK);
    assert_int_equal(
        hs_invariance_init(&v, m->model, joints.is_own ? &joints.f : NULL,
                           &r->run.store, r->run.info.samples, NULL),
        HISS_OK);
    hs_joints_clear(&joints);
    hiss_result_destroy(r);
    return v;
}

static void fixed_are(const char *spec, int fixed, int open)
{
    hiss_model *m;
    hs_invariance v;

    assert_int_equal(hiss_model_create(&m, spec, NULL), HISS_OK);
    v = invariance_of(m);
    if (v.fixed != fixed || v.open != open)
        fail_msg("%s: %d fixed and %d open, not %d and %d", spec, v.fixed,
                 v.open, fixed, open);
    hs_invariance_clear(&v);
    hiss_model_destroy(m);
}

static void symmetries_are_found(void **state)
{
    (void)state;
    fixed_are("ising(side=4,beta=0.4)", 16, 0);
    fixed_are("ising(side=4,beta=0.4,field=0.01)", 0, 16);
    fixed_are("potts(side=3,states=3,beta=1)", 9, 0);
    fixed_are("potts(side=3,states=3,beta=1,field=0.01)", 0, 9);
    fixed_are("pairs(d=6)", 0, 6);
    fixed_are("pairs(d=6,bias=0)", 6, 0);
    fixed_are("mixture(k=2,d=8,symmetric=yes)", 8, 0);
    fixed_are("mixture(k=2,d=8)", 0, 8);
    fixed_are("ladder(d=4,levels=3,beta=1)", 0, 4); /* only its means are */
    fixed_are("bernoulli4", 0, 4);
}

/* Two triangles, one of them in a field: the other flips by itself. */
static void parts_flip_by_themselves(void **state)
{
    static const int row[] = {0, 1, 2, 3, 4, 5}, column[] = {1, 2, 0, 4, 5, 3};
    static const double value[] = {1, -1, 1, 1, 1, 1};
    static const double h[] = {0.3, 0, 0, 0, 0, 0};
    hiss_model *m;
    hs_invariance v;

    (void)state;
    assert_int_equal(
        hiss_model_ising_sparse(&m, 6, 6, row, column, value, h, NULL),
        HISS_OK);
    v = invariance_of(m);
    assert_int_equal(v.fixed, 3);
    for (int i = 0; i < 6; i++)
        assert_int_equal(v.is_fixed[i], i >= 3);
    hs_invariance_clear(&v);
    hiss_model_destroy(m);
}

/* --- what they speak for ------------------------------------------------ */

/* Clusters turn the whole glass over, so that every marginal is 1/2, and leave
 * its valleys alone: mean U is off by 3.5 to 4.6 of its errors, and pairs by
 * far more. */
static void marginals_of_a_glass_prove_nothing(void **state)
{
    static const uint64_t seeds[] = {2, 6, 7};
    hiss_model *m = make_glass(8, 1.5, 0.0);
    int outcome;

    (void)state;
    for (int n = 0; n < (test_is_brief() ? 1 : 3); n++) {
        hiss_result *r = draw(m, "sequence(gibbs,cluster)", 1000, seeds[n]);

        assert_false(is_trusted(r, m, 0, "exact answers", &outcome));
        assert_int_equal(outcome, HISS_FAILED);
        assert_false(is_trusted(r, m, 1, "symmetry", &outcome));
        assert_int_equal(outcome, HISS_PASSED);
        hiss_result_destroy(r);
    }
    hiss_model_destroy(m);
}

/* The pilot of auto is not taken in by clusters either. */
static void a_glass_is_not_left_to_clusters(void **state)
{
    hiss_model *m = make_glass(8, 1.5, 0.0);
    hiss_result *r = draw(m, "auto(independent=no)", 100, 1);
    const char *resolved = hiss_result_text(r, "resolved");

    (void)state;
    assert_non_null(resolved);
    assert_null(strstr(resolved, "cluster"));
    hiss_result_destroy(r);
    hiss_model_destroy(m);
}

/* Fresh chains are asked although exact answers are at hand, and a run that
 * mixes is trusted, with them and without. */
static void a_glass_that_mixes_is_trusted(void **state)
{
    hiss_model *m;
    hiss_result *r;
    int outcome;

    (void)state;
    if (test_is_brief()) /* others pass through the same code */
        skip();
    m = make_glass(6, 1.0, 0.0);
    r = draw(m, "pt(base=gibbs,levels=auto)", 3000, 1);
    for (int blind = 0; blind < 2; blind++) {
        assert_true(is_trusted(r, m, blind, "fresh chains", &outcome));
        assert_int_equal(outcome, HISS_PASSED);
        assert_true(is_trusted(r, m, blind, "other sampler", &outcome));
        assert_int_equal(outcome, HISS_PASSED);
    }
    hiss_result_destroy(r);
    hiss_model_destroy(m);
}

/* Without a symmetry exact answers say more than fresh chains. */
static void a_field_settles_it(void **state)
{
    hiss_model *m = make_glass(4, 0.5, 0.4);
    hiss_result *r = draw(m, "gibbs", 2000, 1);
    int outcome;

    (void)state;
    assert_true(is_trusted(r, m, 0, "fresh chains", &outcome));
    assert_int_equal(outcome, -1);
    assert_true(is_trusted(r, m, 0, "symmetry", &outcome));
    assert_int_equal(outcome, -1);
    hiss_result_destroy(r);
    hiss_model_destroy(m);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(symmetries_are_found),
        cmocka_unit_test(parts_flip_by_themselves),
        cmocka_unit_test(marginals_of_a_glass_prove_nothing),
        cmocka_unit_test(a_glass_is_not_left_to_clusters),
        cmocka_unit_test(a_glass_that_mixes_is_trusted),
        cmocka_unit_test(a_field_settles_it),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
