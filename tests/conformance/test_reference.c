/* test_reference.c - tempering with a path to a law that was learnt.
 *
 * The law of every level on every coordinate kind, with a reference of wrong
 * modes; transitions against a matrix from the definition; copies with a fault,
 * which must be seen; references of pilots, frozen; what is refused. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <cmocka.h>

#include "base/error.h"
#include "conformance/support/jump_matrix.h"
#include "conformance/support/mode_file.h"
#include "conformance/support/suite.h"
#include "kernel/tempering.h"

#define QUICK    12000
#define COUNT(a) (sizeof(a) / sizeof *(a))

/* What gives the kernel the modes of the file. */
#define BRIDGE "bridge(modes=\"%\",learn=no)"

/* Nothing that a reference says may change the law. */
static int wrong_modes(const char *name, const hs_model *m, uint64_t seed)
{
    static const char *const samplers[] = {
        ("pt(base=sequence(gibbs," BRIDGE "),ladder=[1,2],reference=modes,"
         "path=[0.6,0.2,0])"),
        ("pt(base=mix(gwg," BRIDGE "),ladder=[1],reference=product,"
         "path=[0.5,0],swap_every=2)"),
        ("pt(base=sequence(hiss(eta=0.7,steps=1,inner=dmala(alpha=2))," BRIDGE
         "),ladder=[1,3,inf],reference=modes,path=[0.4,0])"),
    };
    char path[] = "/tmp/hiss_modes_XXXXXX";
    int mode[MODES][SPACE_DIM], wrong = 0;

    mode_file_write(m, path, mode);
    for (size_t n = 0; n < COUNT(samplers); n++) {
        char sampler[256];

        mode_file_in(sampler, sizeof sampler, samplers[n], path);
        wrong += suite_complaints(name, m, sampler, suite_replicates(QUICK),
                                  suite_seed(seed++), 0.1);
    }
    unlink(path);
    return wrong;
}

/* Q(x) of modes of equal weight. */
static double reference_law(const space *s, int mode[MODES][SPACE_DIM], int x)
{
    double sum = 0.0;

    for (int k = 0; k < MODES; k++) {
        double q = 1.0;

        for (int i = 0; i < s->dim; i++) {
            double seen = space_index(s, x, i) == mode[k][i] ? 10.0 : 0.0;

            q *= (seen + 1.0 / s->states[i]) / 11.0;
        }
        sum += q / MODES;
    }
    return sum;
}

/* A path without levels between: a base step, then, every other time, the
 * exchange with a fresh state y of Q, min(1, pi(y) Q(x) / (pi(x) Q(y))). */
static void matrix_path(const space *s, int mode[MODES][SPACE_DIM], matrix base,
                        matrix p)
{
    static matrix fresh, both;
    double q[SPACE_STATES], all = 0.0;

    for (int x = 0; x < s->n; x++)
        all += q[x] = isinf(s->u[x]) ? 0.0 : reference_law(s, mode, x);
    for (int x = 0; x < s->n; x++) {
        double left = 1.0;

        for (int y = 0; y < s->n; y++) {
            double ratio = q[x] > 0.0 && q[y] > 0.0
                               ? exp(s->u[y] - s->u[x]) * q[x] / q[y]
                               : 0.0;

            fresh[x][y] = y == x ? 0.0 : q[y] / all * fmin(1.0, ratio);
            left -= fresh[x][y];
        }
        fresh[x][x] = left;
    }
    matrix_multiply(s->n, base, fresh, both);
    for (int x = 0; x < s->n; x++)
        for (int y = 0; y < s->n; y++)
            p[x][y] = 0.5 * base[x][y] + 0.5 * both[x][y];
}

static int compare(const char *name, const hs_model *m, uint64_t seed)
{
    static matrix base, p;
    bool ordered[SPACE_DIM];
    char path[] = "/tmp/hiss_modes_XXXXXX", sampler[256];
    int mode[MODES][SPACE_DIM], wrong;
    space s;

    space_init(&s, m);
    for (int i = 0; i < s.dim; i++)
        ordered[i] = m->domain.kind[i] == HISS_ORDINAL;
    mode_file_write(m, path, mode);
    mode_file_in(sampler, sizeof sampler,
                 "pt(base=" BRIDGE ",ladder=[1],reference=modes,path=[0])",
                 path);
    matrix_bridge(&s, mode, MODES, ordered, 0.0, 64, base);
    matrix_path(&s, mode, base, p);
    wrong = matrix_complaints(name, m, &s, sampler, p,
                              suite_replicates(2 * (int64_t)QUICK), seed);
    unlink(path);
    return wrong;
}

/* *state is a model. */
static void wrong_references_keep_the_law(void **state)
{
    suite_model which = *(suite_model *)*state;
    hs_model *m = suite_create(which);
    uint64_t seed = 210000 + 100 * (uint64_t)which;
    int wrong = wrong_modes(suite_names[which], m, seed);

    wrong += compare(suite_names[which], m, seed + 50);
    assert_int_equal(wrong, 0);
    hs_model_destroy(m);
}

static void what_a_pilot_learnt_keeps_the_law(void **state)
{
    static const char *const models[] = {
        "mixture(3,9,strength_low=1.2,strength_high=1.6)",
        "ising(side=3,beta=0.9,field=0.02)",
        "potts(side=2,states=4,beta=1.4)",
        "bernoulli4",
    };
    static const char *const samplers[] = {
        "pt(base=gibbs,levels=auto,reference=modes)",
        "pt(base=dmala,levels=3,reference=product)",
    };

    (void)state;
    assert_int_equal(suite_all_complaints(models, COUNT(models), samplers,
                                          COUNT(samplers),
                                          suite_replicates(QUICK), 213000, 0.1),
                     0);
}

/* --- copies with a fault -------------------------------------------------- */

/* Levels of the path are exchanged with the inverse of the ratio, or with a
 * half of it. */
static void scale_columns(hs_group *g, int column, double by)
{
    for (int i = 0; i < g->tiles; i++)
        for (int l = 0; l < HS_LANES; l++)
            g->kernel[i]->lane[column][l] *= by;
}

static void couple_inverse(hs_kernel *k, hs_group *g)
{
    scale_columns(g, HS_PT_TO_COLD, -1.0);
    scale_columns(g, HS_PT_TO_HOT, -1.0);
    hs_kernel_pt.couple(k, g);
}

static void couple_one_sided(hs_kernel *k, hs_group *g)
{
    scale_columns(g, HS_PT_TO_HOT, 0.0);
    hs_kernel_pt.couple(k, g);
}

/* The base does not see the reference. */
static hiss_status step_untilted(hs_kernel *k, const hs_model *m,
                                 const hs_tilt *t, hs_tile *x)
{
    HS_TRY(hs_kernel_pt.step(k, m, t, x));
    return hs_kernel_step(k->child[0], m, t, x);
}

static hs_kernel_type right, inverse, one_sided, untilted;
static const hs_kernel_type *const copies[] = {&right, &inverse, &one_sided,
                                               &untilted, NULL};

static void make_copies(void)
{
    right = inverse = one_sided = untilted = hs_kernel_pt;
    right.name = "copy_pt";
    inverse.name = "bad_pt_inverse";
    inverse.couple = couple_inverse;
    one_sided.name = "bad_pt_one_sided";
    one_sided.couple = couple_one_sided;
    untilted.name = "bad_pt_untilted";
    untilted.step = step_untilted;
    hs_kernel_extra = copies;
}

static int judge(const char *name, const hs_model *m, const char *type,
                 bool is_right, uint64_t seed)
{
    char path[] = "/tmp/hiss_modes_XXXXXX", text[256], sampler[256];
    int mode[MODES][SPACE_DIM];
    bool is_seen;
    hs_verdict v;

    mode_file_write(m, path, mode);
    snprintf(text, sizeof text, "%s%s", type,
             "(base=sequence(gibbs," BRIDGE
             "),ladder=[1,2],reference=modes,path=[0.5,0])");
    mode_file_in(sampler, sizeof sampler, text, path);
    suite_verify(&v, m, sampler, suite_replicates(2 * (int64_t)QUICK),
                 suite_seed(seed));
    unlink(path);
    is_seen = v.result.p_value < 1e-8 && !v.result.is_invariant;
    printf("%s  %-11s %-20s p = %-9.3g moved %.3f\n",
           is_seen != is_right ? "ok   " : "WRONG", name, type,
           v.result.p_value, v.result.moved);
    hs_verdict_clear(&v);
    return is_seen == is_right;
}

static void faults_are_seen(void **state)
{
    static const suite_model kinds[] = {BINARY, SPIN, ORDINAL, CATEGORICAL,
                                        MIXED};
    uint64_t seed = 214000;
    int wrong = 0;

    (void)state;
    make_copies();
    for (size_t k = 0; k < COUNT(kinds); k++) {
        hs_model *m = suite_create(kinds[k]);

        for (int c = 0; copies[c]; c++)
            wrong += judge(suite_names[kinds[k]], m, copies[c]->name, c == 0,
                           seed++);
        hs_model_destroy(m);
    }
    hs_kernel_extra = NULL;
    assert_int_equal(wrong, 0);
}

static void what_makes_no_sense_is_refused(void **state)
{
    static const char *const specs[] = {
        "pt(path=[0.5,0])",
        "pt(reference=modes,path=[0.5,0.6,0])",
        "pt(reference=modes,path=[0.5,0.2])",
        "pt(reference=product,houdayer=1)",
        "pt(reference=all)",
    };
    hs_model *tours = suite_tours(4, 0);
    hiss_error err = {0};
    hs_sampler *s;
    hs_kernel *k;

    (void)state;
    for (size_t n = 0; n < COUNT(specs); n++) {
        assert_int_equal(hs_sampler_parse(&s, specs[n], &err), HISS_EARG);
        assert_non_null(strstr(err.message, "sampler pt"));
    }
    assert_int_equal(
        hs_sampler_parse(&s, "pt(base=tour,reference=modes)", &err), HISS_OK);
    assert_int_equal(hs_kernel_create(&k, s, &err), HISS_OK);
    assert_int_equal(hs_kernel_setup(k, tours, &err), HISS_EUNSUP);
    assert_non_null(strstr(err.message, "reference=uniform"));
    hs_kernel_destroy(k);
    hs_sampler_release(s);
    hs_model_destroy(tours);
}

int main(int argc, char **argv)
{
    static suite_model number[SUITE_MODELS];
    struct CMUnitTest tests[SUITE_MODELS + 3] = {
        cmocka_unit_test(what_makes_no_sense_is_refused),
        cmocka_unit_test(what_a_pilot_learnt_keeps_the_law),
        cmocka_unit_test(faults_are_seen),
    };

    suite_begin(argc, argv);
    for (int i = 0; i < SUITE_MODELS; i++) {
        number[i] = (suite_model)i;
        tests[i + 3] = (struct CMUnitTest){
            .name = suite_names[i],
            .test_func = wrong_references_keep_the_law,
            .initial_state = &number[i],
        };
    }
    return cmocka_run_group_tests_name("reference", tests, NULL, NULL);
}
