/* test_softened.c - tempering passes through what is impossible, and what it
 * draws never is.
 *
 * Colorings of a triangle, and bits under two parities: no single coordinate
 * of a possible state can change alone, so that whatever moves at the target
 * came down from a level at which the constraints were open. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>

#include <cmocka.h>

#include <hiss/hiss.h>

#include "api/object/objects.h"
#include "conformance/support/broken.h"
#include "conformance/support/suite.h"

#define QUICK       100000
#define LEAST_MOVED 0.05
#define SAMPLES     20000

/* A penalty of -infinity makes it hard. */
static hiss_model *create(int dim, int states, int count, int size,
                          const int *scope, const double *table)
{
    hiss_kind kind[8];
    int of[8], sizes[8];
    hiss_domain domain = {
        .size = sizeof domain, .dim = dim, .kind = kind, .states = of};
    hiss_model *m;

    for (int i = 0; i < dim; i++) {
        kind[i] = states == 2 ? HISS_BINARY : HISS_CATEGORICAL;
        of[i] = states;
    }
    for (int n = 0; n < count; n++)
        sizes[n] = size;
    assert_int_equal(
        hiss_model_factors(&m, &domain, count, sizes, scope, table, NULL),
        HISS_OK);
    return m;
}

/* Six colorings, of weights that differ. */
static hiss_model *triangle(double penalty)
{
    static const int scope[] = {0, 1, 1, 2, 2, 0};
    double table[27];

    for (int e = 0; e < 27; e++)
        table[e] = e % 9 % 4 == 0 ? penalty : 0.4 * sin((double)e);
    return create(3, 3, 3, 2, scope, table);
}

/* x1 + x2 + x3 and x3 + x4 + x5 even. */
static hiss_model *parities(double penalty)
{
    static const int scope[] = {0, 1, 2, 2, 3, 4};
    double table[16];

    for (int e = 0; e < 16; e++)
        table[e] = __builtin_popcount((unsigned)e % 8) % 2
                       ? penalty
                       : 0.3 * sin(2.0 * (double)e);
    return create(5, 2, 2, 3, scope, table);
}

static struct subject {
    const char *name;
    hiss_model *(*create)(double penalty);
} subjects[] = {{"triangle", triangle}, {"parities", parities}};

enum {
    SUBJECTS = sizeof subjects / sizeof *subjects
};

/* The penalty is 128 in both: open from a temperature of about 10. */
static const char *const samplers[] = {
    "pt(base=gibbs,ladder=[1,25,80,inf])",
    "pt(base=gibbs(scan=random,updates=3),ladder=[1,1.05,25,80])",
    "pt(base=metropolis(updates=3),ladder=[1,25,80])",
    "pt(base=blocks(table=4),ladder=[1,30,inf])",
    "pt(base=gibbs,ladder=[1,30,90,inf],houdayer=1)",
    "bad_pt(base=gibbs,factor=12)",
};

static const char *const wrong[] = {
    "bad_pt(base=gibbs,factor=12,fault=sign)",
    "bad_pt(base=gibbs,factor=12,fault=untempered)",
};

static void tempering_keeps_the_law(void **state)
{
    int complaints = 0;

    (void)state;
    for (int k = 0; k < SUBJECTS; k++) {
        hiss_model *m = subjects[k].create(-HUGE_VAL);

        for (size_t s = 0; s < sizeof samplers / sizeof *samplers; s++)
            complaints += suite_complaints(
                subjects[k].name, m->model, samplers[s],
                suite_replicates(QUICK),
                suite_seed(97000 + 100 * (uint64_t)k + s), LEAST_MOVED);
        hiss_model_destroy(m);
    }
    assert_int_equal(complaints, 0);
}

static void faults_are_seen(void **state)
{
    int overlooked = 0;

    (void)state;
    for (int k = 0; k < SUBJECTS; k++) {
        hiss_model *m = subjects[k].create(-HUGE_VAL);

        for (size_t s = 0; s < sizeof wrong / sizeof *wrong; s++)
            overlooked += suite_overlooks(
                subjects[k].name, m->model, wrong[s], suite_replicates(QUICK),
                suite_seed(98000 + 100 * (uint64_t)k + s));
        hiss_model_destroy(m);
    }
    assert_true(overlooked == 0 || suite_is_brief());
}

static hiss_result *sample(const hiss_model *m, const char *spec)
{
    hiss_settings set;
    hiss_sampler *s;
    hiss_result *r;
    hiss_error err = {0};

    hiss_settings_init(&set);
    set.chains = 6;
    set.samples = SAMPLES;
    set.warmup = 500;
    set.save_warmup = 1;
    set.seed = suite_seed(99000);
    assert_int_equal(hiss_sampler_create(&s, spec, NULL), HISS_OK);
    if (hiss_sample(&r, m, s, &set, &err) != HISS_OK)
        fail_msg("%s: %s", spec, err.message);
    hiss_sampler_destroy(s);
    return r;
}

/* Draws that are impossible for `hard`, those of the warm-up among them. */
static int64_t count_impossible(const hiss_result *r, const hs_model *hard)
{
    hiss_warmup warm = {.size = sizeof warm};
    hiss_run_info info = {.size = sizeof info};
    int64_t bad = 0;

    assert_true(hiss_result_info(r, &info));
    assert_true(hiss_result_warmup(r, &warm));
    for (int64_t n = 0; n < warm.samples * info.chains; n++)
        bad += !(warm.lp[n] > -10.0);
    for (int c = 0; c < info.chains; c++)
        for (int64_t n = 0; n < info.samples; n++) {
            double value[8], u;
            int16_t x[8];

            hiss_result_draw(r, c, n, value);
            for (int i = 0; i < info.dim; i++)
                x[i] = (int16_t)value[i];
            assert_int_equal(hs_model_energy(hard, x, &u, NULL), HISS_OK);
            bad += u == -HUGE_VAL;
        }
    return bad;
}

static void check_log_z(const hiss_tempering *t, const hiss_model *m)
{
    hiss_exact *exact;

    assert_int_equal(hiss_exact_create(&exact, m, 1, NULL), HISS_OK);
    assert_true(t->is_absolute && t->log_z_settled);
    assert_true(fabs(t->log_z - hiss_exact_log_z(exact)) < 5.0 * t->log_z_se);
    assert_true(t->log_z_se < 0.05);
    assert_true(fabs(t->log_z_thermodynamic - t->log_z) < 0.3);
    hiss_exact_destroy(exact);
}

/* Hot levels stand on impossible states, replicas go there and come back, the
 * target has none of them, and log Z is that of the hard model. */
static void runs_pass_through_the_impossible(void **state)
{
    (void)state;
    for (int k = 0; k < SUBJECTS; k++) {
        hiss_model *m = subjects[k].create(-HUGE_VAL);
        hiss_result *r =
            sample(m, "pt(base=gibbs,ladder=[1,20,40,80,200,inf])");
        hiss_tempering t = {.size = sizeof t};

        assert_int_equal(count_impossible(r, m->model), 0);
        assert_true(hiss_result_tempering(r, &t));
        assert_true(t.energy[t.levels - 1] < -50.0);
        assert_true(t.round_trips > 100.0);
        check_log_z(&t, m);
        hiss_result_destroy(r);
        r = sample(m, "pt(base=gibbs,levels=auto)");
        assert_int_equal(count_impossible(r, m->model), 0);
        hiss_result_destroy(r);
        hiss_model_destroy(m);
    }
}

/* A penalty that is too small is seen by the same count. */
static void small_penalties_leak(void **state)
{
    (void)state;
    for (int k = 0; k < SUBJECTS; k++) {
        hiss_model *hard = subjects[k].create(-HUGE_VAL);
        hiss_model *m = subjects[k].create(-8.0);
        hiss_result *r = sample(m, "pt(base=gibbs,ladder=[1,2,4,8,inf])");

        assert_true(count_impossible(r, hard->model) > 0);
        hiss_result_destroy(r);
        hiss_model_destroy(m);
        hiss_model_destroy(hard);
    }
}

int main(int argc, char **argv)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(tempering_keeps_the_law),
        cmocka_unit_test(faults_are_seen),
        cmocka_unit_test(runs_pass_through_the_impossible),
        cmocka_unit_test(small_penalties_leak),
    };

    hs_kernel_extra = broken_kernels;
    suite_begin(argc, argv);
    return cmocka_run_group_tests(tests, NULL, NULL);
}
