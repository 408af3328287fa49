/* test_trees.c - bridges between modes whose laws are trees.
 *
 * Three modes with trees of their own, a chain, a star and a chain from the
 * other end, and arbitrary tables, on every kind of coordinate: against a
 * matrix from the definition, which knows of no ln q, and a copy that takes the
 * product's ln q, which must be seen. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

#include "base/alloc.h"
#include "base/error.h"
#include "conformance/support/matrix.h"
#include "conformance/support/suite.h"
#include "kernel/kernel.h"
#include "kernel/library.h"

#define QUICK    60000
#define MODES    3
#define COUNT(a) (sizeof(a) / sizeof *(a))

static hs_library *library; /* of the model that is tested */

/* --- trees --------------------------------------------------------------- */

static int parent_of(int k, int i, int dim)
{
    if (k == 0)
        return i - 1;
    if (k == 1)
        return i == 0 ? -1 : 0;
    return i == dim - 1 ? -1 : i + 1;
}

/* Unnormalized p_ki(v | w). */
static double weight(int k, int i, int w, int v)
{
    return 1.0 + (7 * k + 5 * i + (v + 1) * (3 * w + 2)) % 6;
}

static double marginal_weight(int k, int i, int v)
{
    return 1.0 + (4 * k + 3 * i + 5 * v) % 7;
}

static void learn_products(const hs_domain *d)
{
    double *count = hs_alloc_array((size_t)d->value_count, sizeof *count);

    assert_non_null(count);
    for (int k = 0; k < MODES; k++) {
        for (int i = 0; i < d->dim; i++)
            for (int v = 0; v < d->states[i]; v++)
                count[d->value[i] + v] = marginal_weight(k, i, v);
        hs_library_learn(library, d, k, count, 0.0);
    }
    hs_free(count);
}

static void make_library(const hs_model *m)
{
    static const double log_mass[MODES] = {0.0, -0.7, 0.4};
    const hs_domain *d = &m->domain;
    int32_t parent[MODES * SPACE_DIM];
    hs_mode_trees *t;

    assert_int_equal(hs_library_create(&library, d, MODES, NULL), HISS_OK);
    learn_products(d);
    hs_library_weigh(library, log_mass);
    for (int k = 0; k < MODES; k++)
        for (int i = 0; i < d->dim; i++)
            parent[k * d->dim + i] = parent_of(k, i, d->dim);
    assert_int_equal(hs_mode_trees_create(&t, d, MODES, parent, NULL), HISS_OK);
    library->trees = t;
    for (int k = 0; k < MODES; k++)
        for (int i = 0; i < d->dim; i++) {
            int above = parent_of(k, i, d->dim);

            for (int w = 0; w < (above < 0 ? 1 : d->states[above]); w++)
                for (int v = 0; v < d->states[i]; v++)
                    t->share[hs_mode_trees_row(t, d, k, i, w) + (size_t)v] =
                        weight(k, i, w, v);
        }
    assert_int_equal(hs_mode_trees_finish(t, d, NULL), HISS_OK);
}

/* ln q of a product in every row. */
static void spoil(const hs_domain *d)
{
    hs_mode_trees *t = library->trees;

    for (int k = 0; k < MODES; k++)
        for (int i = 0; i < d->dim; i++) {
            int above = parent_of(k, i, d->dim);

            for (int w = 0; w < (above < 0 ? 1 : d->states[above]); w++)
                for (int v = 0; v < d->states[i]; v++)
                    t->log_share[hs_mode_trees_row(t, d, k, i, w) + (size_t)v] =
                        library
                            ->log_share[k * library->values + d->value[i] + v];
        }
}

/* --- the kernel ---------------------------------------------------------- */

static hs_kernel_type tree_bridge; /* bridge, with this library */

static hiss_status tree_setup(hs_kernel *k, const hs_model *m, hiss_error *err)
{
    HS_TRY(hs_kernel_bridge.setup(k, m, err));
    hs_kernel_bridge.attach(k, library);
    return HISS_OK;
}

static const hs_kernel_type *const extra[] = {&tree_bridge, NULL};

/* --- the matrix ---------------------------------------------------------- */

/* The interval of x_i in mode k. */
static void interval(const hs_domain *d, int k, int i, const int *x,
                     double *start, double *size)
{
    int above = parent_of(k, i, d->dim), w = above < 0 ? 0 : x[above];
    double own = weight(k, i, w, x[i]), before = 0.0, all = 0.0;

    for (int v = 0; v < d->states[i]; v++) {
        double other = weight(k, i, w, v);
        bool is_first =
            d->kind[i] == HISS_ORDINAL || other == own ? v < x[i] : other > own;

        before += is_first ? other : 0.0;
        all += other;
    }
    *start = before / all;
    *size = own / all;
}

/* Chance that x is carried to y from mode a to mode c. */
static double carried(const hs_domain *d, int a, int c, const int *x,
                      const int *y)
{
    double chance = 1.0;

    for (int i = 0; i < d->dim; i++) {
        double from, to, width, room, low, high;

        interval(d, a, i, x, &from, &width);
        interval(d, c, i, y, &to, &room);
        low = fmax(from, to);
        high = fmin(from + width, to + room);
        chance *= high - low > 1e-12 ? (high - low) / width : 0.0;
    }
    return chance;
}

/* Chance that x is taken for one of mode k, by the first coordinates of S. */
static double belongs(const hs_domain *d, int k, int sites, const int *x)
{
    double own = 0.0, sum = 0.0;

    for (int o = 0; o < MODES; o++) {
        double q = library->weight[o];

        for (int n = 0; n < sites && n < library->sites; n++) {
            int i = library->site[n];
            double all = 0.0;

            for (int v = 0; v < d->states[i]; v++)
                all += marginal_weight(o, i, v);
            q *= marginal_weight(o, i, x[i]) / all;
        }
        sum += q;
        own = o == k ? q : own;
    }
    return own / sum;
}

static double jump(const space *s, const hs_domain *d, int sites, int from,
                   int to)
{
    double sum = 0.0, rate = exp(s->u[to] - s->u[from]);
    int x[SPACE_DIM], y[SPACE_DIM];

    for (int i = 0; i < d->dim; i++) {
        x[i] = space_index(s, from, i);
        y[i] = space_index(s, to, i);
    }
    for (int a = 0; a < MODES; a++)
        for (int c = 0; c < MODES; c++) {
            double there = belongs(d, a, sites, x) * library->weight[c] *
                           carried(d, a, c, x, y);
            double back = belongs(d, c, sites, y) * library->weight[a] *
                          carried(d, c, a, y, x);

            if (a != c && there > 0.0)
                sum += fmin(there, rate * back);
        }
    return sum;
}

static void make_matrix(const space *s, const hs_domain *d, int sites, matrix p)
{
    memset(p, 0, sizeof(matrix));
    for (int from = 0; from < s->n; from++) {
        double all = 0.0;

        for (int to = 0; to < s->n; to++)
            if (to != from && s->u[from] > -HUGE_VAL && s->u[to] > -HUGE_VAL)
                all += p[from][to] = jump(s, d, sites, from, to);
        p[from][from] = 1.0 - all;
    }
}

/* --- tests --------------------------------------------------------------- */

static const suite_model models[] = {BINARY,      SPIN,  ORDINAL,
                                     CATEGORICAL, MIXED, HOLES};

static void trees_keep_the_law(void **state)
{
    static const char *const samplers[] = {
        "tree_bridge",
        "tree_bridge(swap=0.4,sites=1)",
        "hiss(eta=1,steps=1,inner=tree_bridge)",
        "pt(base=sequence(gibbs,tree_bridge),ladder=[1,2,inf])",
    };
    uint64_t seed = 131000;
    int wrong = 0;

    (void)state;
    for (size_t i = 0; i < COUNT(models); i++) {
        hs_model *m = suite_create(models[i]);

        make_library(m);
        for (size_t n = 0; n < COUNT(samplers); n++)
            wrong += suite_complaints(suite_names[models[i]], m, samplers[n],
                                      suite_replicates(QUICK),
                                      suite_seed(seed++), 0.02);
        hs_library_destroy(library);
        hs_model_destroy(m);
    }
    assert_int_equal(wrong, 0);
}

static void jumps_are_as_defined(void **state)
{
    static const struct {
        const char *sampler;
        int sites;
    } kinds[] = {{"tree_bridge", 64}, {"tree_bridge(sites=1)", 1}};
    uint64_t seed = 132000;
    static matrix p;
    int wrong = 0;
    space s;

    (void)state;
    for (size_t i = 0; i < COUNT(models); i++) {
        hs_model *m = suite_create(models[i]);

        make_library(m);
        space_init(&s, m);
        for (size_t n = 0; n < COUNT(kinds); n++) {
            make_matrix(&s, &m->domain, kinds[n].sites, p);
            wrong += matrix_complaints(
                suite_names[models[i]], m, &s, kinds[n].sampler, p,
                suite_replicates(2 * (int64_t)QUICK), seed++);
        }
        hs_library_destroy(library);
        hs_model_destroy(m);
    }
    assert_int_equal(wrong, 0);
}

static void the_ratio_of_products_is_seen(void **state)
{
    uint64_t seed = 133000;
    int wrong = 0;

    (void)state;
    for (size_t i = 0; i < COUNT(models); i++) {
        hs_model *m = suite_create(models[i]);
        hs_verdict v;

        make_library(m);
        spoil(&m->domain);
        suite_verify(&v, m, "tree_bridge", suite_replicates(2 * (int64_t)QUICK),
                     suite_seed(seed++));
        printf("%s  p = %-9.3g moved %.3f\n", suite_names[models[i]],
               v.result.p_value, v.result.moved);
        wrong += !(v.result.p_value < 1e-8 && !v.result.is_invariant);
        hs_verdict_clear(&v);
        hs_library_destroy(library);
        hs_model_destroy(m);
    }
    assert_int_equal(wrong, 0);
}

int main(int argc, char **argv)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(trees_keep_the_law),
        cmocka_unit_test(jumps_are_as_defined),
        cmocka_unit_test(the_ratio_of_products_is_seen),
    };

    suite_begin(argc, argv);
    tree_bridge = hs_kernel_bridge;
    tree_bridge.name = "tree_bridge";
    tree_bridge.setup = tree_setup;
    tree_bridge.attach = NULL;
    hs_kernel_extra = extra;
    return cmocka_run_group_tests_name("trees", tests, NULL, NULL);
}
