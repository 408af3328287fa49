/* test_paths.c - which path is taken, and that one more needs but a row. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

#include "base/alloc.h"
#include "base/error.h"
#include "kernel/gibbs/sweeps/sweeps.h"
#include "kernel/kernel.h"
#include "kernel/langevin/langevin.h"
#include "kernel/sampler.h"
#include "lanes/lanes.h"
#include "model/builders.h"
#include "unit/xorshift.h"

enum {
    DIM = 70, /* from HS_DENSE_DIM on, most couplings make a model dense */
    STEPS = 40
};

#define COUNT(a) (sizeof(a) / sizeof *(a))

/* --- models --------------------------------------------------------------- */

/* A glass in which one pair of `every` is coupled; by +-size, or by numbers
 * that no float has. */
static hs_model *glass(double size, bool has_signs_only, int every)
{
    static double matrix[DIM * DIM];
    uint64_t seed = 5;
    hs_model *m;

    memset(matrix, 0, sizeof matrix);
    for (int i = 0; i < DIM; i++)
        for (int j = 0; j < i; j++) {
            double u = (double)xorshift(&seed) * 0x1p-32 - 0.5;

            if ((i + j) % every == 0)
                matrix[i * DIM + j] =
                    size * (has_signs_only ? (u < 0.0 ? -1.0 : 1.0) : u);
        }
    assert_int_equal(
        hs_build_dense(&m, "glass", HS_ISING, DIM, matrix, NULL, NULL),
        HISS_OK);
    return m;
}

static hs_model *make(const char *what)
{
    hiss_error err = {0};
    hs_model *m;

    if (strcmp(what, "dense") == 0)
        return glass(0.25, true, 1);
    if (strcmp(what, "dense wide") == 0)
        return glass(1000.0, false, 1);
    if (strcmp(what, "signs") == 0)
        return glass(0.25, true, 17);
    if (strcmp(what, "sparse") == 0)
        return glass(0.25, false, 17);
    if (strcmp(what, "sparse wide") == 0)
        return glass(1000.0, false, 17);
    if (hs_model_create(&m, what, &err) != HISS_OK)
        fail_msg("%s", err.message);
    return m;
}

/* --- the choice ----------------------------------------------------------- */

static const char *const forms[] = {"flat", "phi", "slope", "factors"};

static int differs(const char *model, const char *how, const hs_path *path,
                   const char *expected)
{
    const char *name = path ? path->name : "none";

    if (strcmp(name, expected) == 0)
        return 0;
    printf("       %s, %s: %s, not %s\n", model, how, name, expected);
    return 1;
}

static void langevin_paths_are_chosen(void **state)
{
    static const struct {
        const char *model;
        bool is_half;
        const char *path[HS_TILT_FORMS];
    } rows[] = {
        {"ising(side=5,beta=0.4)",
         true,
         {"regular", "odds-regular", "rows", "factors"}},
        {"ising(side=5,beta=0.4)", false, {"rows", "rows", "rows", "none"}},
        {"ising(side=3,beta=0.2,dims=3)",
         true,
         {"regular", "odds-regular", "rows", "factors"}},
        {"ising(side=5,beta=0.4,field=0.1)",
         true,
         {"regular", "odds", "rows", "none"}},
        {"cross(side=3)", true, {"odds", "odds", "rows", "none"}},
        {"signs", true, {"odds", "odds", "rows", "none"}},
        {"sparse", true, {"odds", "odds", "rows", "none"}},
        {"sparse", false, {"rows", "rows", "rows", "none"}},
        {"sparse wide", true, {"rows", "rows", "rows", "none"}},
        {"dense", true, {"rows", "rows", "rows", "none"}},
        {"dense wide", true, {"rows", "rows", "rows", "none"}},
        {"potts(side=4,states=3,beta=0.5)",
         true,
         {"rows", "rows", "rows", "none"}},
        {"ladder(d=5,levels=4,beta=0.3)",
         true,
         {"rows", "rows", "rows", "none"}},
        {"rbm(visible=6,hidden=3)", true, {"rows", "rows", "rows", "none"}},
        {"mixture(k=3,d=6)", true, {"rows", "rows", "rows", "none"}},
    };
    int wrong = 0;

    (void)state;
    for (size_t r = 0; r < COUNT(rows); r++) {
        hs_model *m = make(rows[r].model);

        for (int f = 0; f < HS_TILT_FORMS; f++)
            wrong +=
                differs(rows[r].model, forms[f],
                        hs_langevin_choose(m, (hs_tilt_form)f, rows[r].is_half),
                        rows[r].path[f]);
        hs_model_destroy(m);
    }
    assert_int_equal(wrong, 0);
}

static void sweeps_are_chosen(void **state)
{
    static const struct {
        const char *model;
        const char *ordered, *random, *phi;
    } rows[] = {
        {"ising(side=5,beta=0.4)", "regular", "regular", "sparse"},
        {"ising(side=5,beta=0.4,field=0.1)", "regular", "regular", "sparse"},
        {"cross(side=3)", "scan", "sparse", "sparse"},
        {"signs", "scan", "sparse", "sparse"},
        {"sparse", "sparse", "sparse", "sparse"},
        {"sparse wide", "sparse", "sparse", "sparse"},
        {"dense", "dense", "dense", "dense"},
        {"dense wide", "dense-wide", "dense-wide", "dense-wide"},
        {"potts(side=4,states=3,beta=0.5)", "labels", "labels", "site-by-site"},
        {"rbm(visible=6,hidden=3)", "site-by-site", "site-by-site",
         "site-by-site"},
    };
    int wrong = 0;

    (void)state;
    for (size_t r = 0; r < COUNT(rows); r++) {
        const char *name = rows[r].model;
        hs_model *m = make(name);

        wrong +=
            differs(name, "in order", hs_sweep_choose(m, HS_TILT_FLAT, true),
                    rows[r].ordered);
        wrong +=
            differs(name, "random", hs_sweep_choose(m, HS_TILT_FLAT, false),
                    rows[r].random);
        wrong += differs(name, "under phi",
                         hs_sweep_choose(m, HS_TILT_PHI, true), rows[r].phi);
        wrong += differs(name, "under a slope",
                         hs_sweep_choose(m, HS_TILT_SLOPE, true), rows[r].phi);
        wrong += differs(name, "with factors",
                         hs_sweep_choose(m, HS_TILT_FACTORS, true), "none");
        hs_model_destroy(m);
    }
    assert_int_equal(wrong, 0);
}

/* What a kernel makes of its children's paths. */
static void the_inner_kernel_decides_the_tilt(void **state)
{
    static const struct {
        const char *model, *sampler;
        hs_tilt_form form;
    } rows[] = {
        {"ising(side=5,beta=0.4)", "hiss(eta=2)", HS_TILT_FACTORS},
        {"ising(side=5,beta=0.4)", "hiss(eta=0.3)", HS_TILT_PHI},
        {"ising(side=5,beta=0.4)", "hiss", HS_TILT_FLAT},
        {"ising(side=5,beta=0.4)", "hiss(tune=accept)", HS_TILT_PHI},
        {"ising(side=5,beta=0.4)", "hiss(eta=2,inner=gibbs)", HS_TILT_PHI},
        {"ising(side=5,beta=0.4)", "hiss(eta=2,inner=gwg)", HS_TILT_PHI},
        {"ising(side=5,beta=0.4)", "hiss(eta=2,inner=acs(tune=no))",
         HS_TILT_PHI},
        {"ising(side=5,beta=0.4)", "hiss(eta=2,inner=mix(dmala,gibbs))",
         HS_TILT_PHI},
        {"ising(side=5,beta=0.4)", "hiss(eta=2,tilt=gradient)", HS_TILT_SLOPE},
        {"ising(side=5,beta=0.4,field=0.1)", "hiss(eta=2)", HS_TILT_PHI},
        {"potts(side=4,states=3,beta=0.5)", "hiss(eta=2)", HS_TILT_PHI},
    };

    (void)state;
    for (size_t r = 0; r < COUNT(rows); r++) {
        hs_model *m = make(rows[r].model);
        hs_sampler *s;
        hs_kernel *k;

        assert_int_equal(hs_sampler_parse(&s, rows[r].sampler, NULL), HISS_OK);
        assert_int_equal(hs_kernel_create(&k, s, NULL), HISS_OK);
        assert_int_equal(hs_kernel_setup(k, m, NULL), HISS_OK);
        if (k->type->tilts(k) != rows[r].form)
            fail_msg("%s on %s: a tilt of form %s", rows[r].sampler,
                     rows[r].model, forms[k->type->tilts(k)]);
        hs_kernel_destroy(k);
        hs_sampler_release(s);
        hs_model_destroy(m);
    }
}

/* --- one more row --------------------------------------------------------- */

static int opened, closed, proposed;

/* As `rows` does it, without blocks. */
struct toy {
    hs_float_row *rows, *scratch;
    double forward[HS_LANES];
};

static bool toy_applies(const hs_model *m, hs_tilt_form form, bool is_half)
{
    (void)is_half;
    return m->ops->rows && form != HS_TILT_FACTORS;
}

static hiss_status toy_init(void *state, const hs_model *m, hiss_error *err)
{
    struct toy *s = state;

    opened++;
    s->rows = hs_alloc_array((size_t)m->domain.rows, sizeof *s->rows);
    s->scratch =
        hs_alloc_array(2 * (size_t)m->domain.states_max, sizeof *s->scratch);
    return s->rows && s->scratch ? HISS_OK : hs_fail_memory(err);
}

static void toy_clear(void *state)
{
    struct toy *s = state;

    closed++;
    hs_free(s->rows);
    hs_free(s->scratch);
}

static void toy_propose(void *state, hs_proposal *p)
{
    struct toy *s = state;
    const hs_point *x = &p->x->at;
    int dim = p->m->domain.dim;

    proposed++;
    p->dlp.scratch = s->scratch;
    memset(s->forward, 0, sizeof s->forward);
    hs_lanes()->dlp_propose(&p->dlp, 0, dim,
                            hs_model_rows(p->m, x, 0, dim, s->rows, NULL),
                            (const hs_index_row *)x->x, p->y->x, s->forward);
}

static hiss_status toy_arrive(void *state, hs_proposal *p)
{
    struct toy *s = state;
    int dim = p->m->domain.dim;
    double back[HS_LANES] = {0};

    hs_lanes()->dlp_log_q(
        &p->dlp, 0, dim, hs_model_rows(p->m, p->y, 0, dim, s->rows, p->y->u),
        (const hs_index_row *)p->y->x, (const hs_index_row *)p->x->at.x, back);
    HS_TRY(hs_proposal_arrive(p));
    hs_tile_log_ratio(p->m, p->t, &p->x->at, p->y, p->log_ratio);
    for (int l = 0; l < HS_LANES; l++)
        p->log_ratio[l] += back[l] - s->forward[l];
    return HISS_OK;
}

static const hs_langevin_path toy = {
    .base = {.name = "toy",
             .size = sizeof(struct toy),
             .init = toy_init,
             .clear = toy_clear},
    .applies = toy_applies,
    .propose = toy_propose,
    .arrive = toy_arrive,
};

/* Draws of a fresh tile by a fresh kernel, whose path has this name. */
static void walk(const hs_model *m, const char *path, hs_index_row *out)
{
    hs_langevin s = {0};
    hs_tile x;

    assert_int_equal(hs_tile_init(&x, m, 11, NULL), HISS_OK);
    assert_int_equal(hs_langevin_init(&s, m, false, NULL), HISS_OK);
    assert_string_equal(hs_paths_name(&s.paths, HS_TILT_FLAT), path);
    x.lanes = HS_LANES;
    for (int l = 0; l < HS_LANES; l++) {
        x.tilt.beta[l] = 1.0f - 0.04f * (float)l;
        s.balance[l] = 0.5f;
        s.stiffness[l] = 0.4f;
    }
    for (int n = 0; n < STEPS; n++)
        assert_int_equal(hs_langevin_step(&s, m, &x.tilt, &x, true), HISS_OK);
    memcpy(out, x.at.x, (size_t)m->domain.dim * sizeof *out);
    hs_langevin_clear(&s);
    hs_tile_clear(&x);
}

static void one_more_path_is_one_row(void **state)
{
    static const hs_langevin_path *const more[] = {&toy, NULL};
    static hs_index_row expected[DIM], got[DIM];
    hs_model *m = make("potts(side=8,states=3,beta=0.4)");
    size_t bytes = (size_t)m->domain.dim * sizeof *got;

    (void)state;
    assert_in_range(m->domain.dim, 1, DIM);
    walk(m, "rows", expected);
    hs_langevin_extra = more;
    walk(m, "toy", got);
    hs_langevin_extra = NULL;
    assert_memory_equal(got, expected, bytes);
    assert_int_equal(proposed, STEPS);
    /* flat, phi and slope share what it has */
    assert_int_equal(opened, 1);
    assert_int_equal(closed, 1);
    hs_model_destroy(m);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(langevin_paths_are_chosen),
        cmocka_unit_test(sweeps_are_chosen),
        cmocka_unit_test(the_inner_kernel_decides_the_tilt),
        cmocka_unit_test(one_more_path_is_one_row),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
