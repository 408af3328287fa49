/* test_optimize.c - the search for best states: what it finds, that it can be
 * repeated, and the parts that it is made of. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include <cmocka.h>

#include <hiss/hiss.h>

#include "api/object/objects.h"
#include "base/alloc.h"
#include "run/search/recombine.h"
#include "run/search/scale.h"
#include "run/search/solutions.h"
#include "run/search/time_to_target.h"
#include "unit/xorshift.h"

#define COUNT(a) (sizeof(a) / sizeof *(a))

static const char *const models[] = {
    "bernoulli4",
    "cross",
    "pairs(d=12)",
    "ising(side=4,beta=0.4)",
    "ising(side=4,beta=0.3,field=0.2)",
    "potts(side=3,states=3,beta=0.9)",
    "ladder(d=6,levels=5,beta=0.3)",
    "mixture(4,14)",
    "rbm(visible=14,hidden=6)",
};

static hiss_model *model_of(const char *spec)
{
    hiss_model *m;
    hiss_error err = {0};

    if (hiss_model_create(&m, spec, &err))
        fail_msg("%s: %s", spec, err.message);
    return m;
}

/* A spin glass: bonds +-1 on a torus, so that there is something to find. */
static hiss_model *glass(int side)
{
    int row[2048], column[2048], n = 0;
    double value[2048];
    uint64_t random = 17;
    hiss_model *m;

    for (int i = 0; i < side * side; i++)
        for (int k = 0; k < 2; k++) {
            int x = i % side, y = i / side;

            row[n] = i;
            column[n] =
                k ? (y + 1) % side * side + x : y * side + (x + 1) % side;
            value[n++] = xorshift_below(&random, 2) ? 1.0 : -1.0;
        }
    assert_int_equal(hiss_model_ising_sparse(&m, side * side, n, row, column,
                                             value, NULL, NULL),
                     HISS_OK);
    return m;
}

static hiss_optimum *optimum(const hiss_model *m,
                             const hiss_optimize_settings *set)
{
    hiss_optimum *o;
    hiss_error err = {0};

    if (hiss_optimize(&o, m, set, &err))
        fail_msg("%s", err.message);
    return o;
}

static void the_best_state_is_found(void **state)
{
    (void)state;
    for (size_t n = 0; n < COUNT(models); n++) {
        hiss_model *m = model_of(models[n]);
        hiss_optimize_settings set;
        hiss_search_info info = HISS_INIT(hiss_search_info);
        hiss_exact *exact;
        hiss_optimum *o;
        double values[64], u;

        hiss_optimize_settings_init(&set);
        set.evals = 20000;
        set.threads = 2;
        o = optimum(m, &set);
        hiss_optimum_info(o, &info);
        assert_int_equal(hiss_exact_create(&exact, m, 1, NULL), HISS_OK);
        if (fabs(info.u - hiss_exact_max_u(exact)) > 1e-5)
            fail_msg("%s: %.9g, the best is %.9g", models[n], info.u,
                     hiss_exact_max_u(exact));
        assert_true(info.objective == info.u && info.solutions >= 1);
        for (int k = 0; hiss_optimum_solution(o, k, values, &u, NULL); k++) {
            double again;

            assert_int_equal(hiss_model_energy(m, values, &again, NULL), 0);
            assert_true(fabs(again - u) < 1e-9);
            assert_true(u <= info.u);
        }
        hiss_exact_destroy(exact);
        hiss_optimum_destroy(o);
        hiss_model_destroy(m);
    }
}

static void same(const hiss_optimum *a, const hiss_optimum *b)
{
    static double x[4096], y[4096];
    hiss_search_info p = HISS_INIT(hiss_search_info);
    hiss_search_info q = HISS_INIT(hiss_search_info);
    double u, v;
    int64_t k, l;

    hiss_optimum_info(a, &p);
    hiss_optimum_info(b, &q);
    assert_true(p.u == q.u && p.evals == q.evals && p.restarts == q.restarts);
    assert_int_equal(p.solutions, q.solutions);
    assert_int_equal(p.target_hit, q.target_hit);
    for (int n = 0; hiss_optimum_solution(a, n, x, &u, &k); n++) {
        assert_true(hiss_optimum_solution(b, n, y, &v, &l));
        assert_true(u == v && k == l);
        assert_memory_equal(x, y, 256 * sizeof *x);
    }
}

/* Neither threads nor their speed matter, with and without a target. */
static void a_seed_repeats_it(void **state)
{
    hiss_model *m = glass(16);
    double target = 330.0;

    (void)state;
    for (int kind = 0; kind < 4; kind++) {
        hiss_optimize_settings set;
        hiss_optimum *one, *three;

        hiss_optimize_settings_init(&set);
        set.seed = 3;
        set.evals = kind == 1 ? 0 : 30000;
        set.restarts = kind == 1 ? 37 : 0;
        set.target = kind >= 2 ? &target : NULL;
        set.sampler = kind == 3 ? "anneal(base=metropolis,breed=no)" : NULL;
        set.threads = 1;
        one = optimum(m, &set);
        set.threads = 3;
        three = optimum(m, &set);
        same(one, three);
        hiss_optimum_destroy(one);
        hiss_optimum_destroy(three);
    }
    hiss_model_destroy(m);
}

/* What is bred beats what is not, on a lattice, at the same cost. */
static void breeding_pays_on_a_lattice(void **state)
{
    hiss_model *m = glass(30);
    hiss_optimize_settings set;
    hiss_search_info bred = HISS_INIT(hiss_search_info);
    hiss_search_info plain = HISS_INIT(hiss_search_info);
    hiss_optimum *o;

    (void)state;
    hiss_optimize_settings_init(&set);
    set.evals = 30000;
    o = optimum(m, &set);
    hiss_optimum_info(o, &bred);
    hiss_optimum_destroy(o);
    set.sampler = "anneal(breed=no)";
    o = optimum(m, &set);
    hiss_optimum_info(o, &plain);
    hiss_optimum_destroy(o);
    assert_true(bred.u > plain.u);
    hiss_model_destroy(m);
}

/* U of all 2^parts children, by trying: none is better. */
static void recombination_takes_the_best_parts(void **state)
{
    uint64_t random = 5;

    (void)state;
    for (int trial = 0; trial < 200; trial++) {
        hiss_model *m =
            trial % 2 ? glass(4) : model_of("potts(side=3,states=3,beta=1)");
        int dim = m->model->domain.dim, states = trial % 2 ? 2 : 3;
        int16_t a[16], b[16], child[16], best[16];
        hs_recombine_parts *parts;
        hs_recombine mixer;
        double ua, gain, top;
        int differ[16], count = 0;

        assert_int_equal(hs_recombine_parts_create(&parts, m->model, NULL), 0);
        assert_non_null(parts);
        assert_int_equal(hs_recombine_init(&mixer, parts, NULL), 0);
        for (int i = 0; i < dim; i++) {
            a[i] = (int16_t)xorshift_below(&random, states);
            b[i] = xorshift_below(&random, 3)
                       ? a[i]
                       : (int16_t)xorshift_below(&random, states);
            if (a[i] != b[i])
                differ[count++] = i;
        }
        memcpy(child, a, sizeof child);
        gain = hs_recombine_best(&mixer, child, b, false);
        assert_int_equal(hs_model_energy(m->model, a, &ua, NULL), 0);
        assert_int_equal(hs_model_energy(m->model, child, &top, NULL), 0);
        assert_true(fabs(ua + gain - top) < 1e-5);
        for (unsigned s = 0; s < 1u << count; s++) {
            double u;

            /* whole parts only: a mixture inside one may well be better, so
             * only children that agree with b on every part or on none */
            memcpy(best, a, sizeof best);
            for (int k = 0; k < count; k++)
                if (s >> k & 1)
                    best[differ[k]] = b[differ[k]];
            memcpy(child, best, sizeof child);
            if (hs_recombine_best(&mixer, child, b, false) == 0.0 &&
                memcmp(child, best, sizeof child))
                fail_msg("changed without a gain");
            if (s == 0 || s == (1u << count) - 1) {
                assert_int_equal(hs_model_energy(m->model, best, &u, NULL), 0);
                assert_true(u <= top + 1e-5); /* both parents */
            }
        }
        hs_recombine_clear(&mixer);
        hs_recombine_parts_destroy(parts);
        hiss_model_destroy(m);
    }
}

static void solutions_are_distinct_and_sorted(void **state)
{
    hs_solutions s;
    int16_t x[3] = {0, 0, 0};

    (void)state;
    assert_int_equal(hs_solutions_init(&s, 3, 2, true, NULL), HISS_OK);
    assert_true(hs_solutions_add(&s, x, 1.0));
    x[0] = x[1] = x[2] = 1; /* its mirror image */
    assert_false(hs_solutions_add(&s, x, 1.0));
    assert_int_equal(s.count, 1);
    assert_int_equal(s.at[0].hits, 2);
    x[0] = 0;
    assert_true(hs_solutions_add(&s, x, 3.0));
    x[1] = 0;
    assert_false(hs_solutions_add(&s, x, 2.0)); /* the third: one must go */
    assert_int_equal(s.count, 2);
    assert_true(s.at[0].u == 3.0 && s.at[1].u == 2.0);
    x[2] = 0;
    assert_false(hs_solutions_add(&s, x, 1.0));
    assert_true(s.at[1].u == 2.0);
    hs_solutions_clear(&s);
}

/* Against tables of Clopper and Pearson's intervals. */
static void intervals_are_those_of_the_tables(void **state)
{
    static const struct {
        int64_t k, n;
        double low, high;
    } known[] = {
        {0, 10, 0.0, 0.3084971078},
        {1, 10, 0.0025285785, 0.4450161171},
        {5, 10, 0.1870860284, 0.8129139716},
        {10, 10, 0.6915028922, 1.0},
        {140, 1600, 0.0741086406, 0.1024264539},
    };
    hs_time_to_target t;

    (void)state;
    for (size_t n = 0; n < COUNT(known); n++) {
        double low, high;

        hs_time_to_target_interval(known[n].k, known[n].n, &low, &high);
        if (fabs(low - known[n].low) > 1e-6 ||
            fabs(high - known[n].high) > 1e-6)
            fail_msg("%d of %d: %.9f .. %.9f", (int)known[n].k, (int)known[n].n,
                     low, high);
    }
    t = hs_time_to_target_restarts(5, 10); /* ln 0.01 / ln 0.5 */
    assert_true(fabs(t.restarts - 6.643856) < 1e-5);
    assert_true(t.low < t.restarts && t.restarts < t.high);
    t = hs_time_to_target_restarts(0, 10);
    assert_true(isinf(t.restarts) && isinf(t.high) && isfinite(t.low));
    t = hs_time_to_target_restarts(10, 10);
    assert_true(t.restarts == 1.0 && t.low == 1.0 && t.high > 1.0);
}

/* Twice the couplings, half the temperatures' beta. */
static void the_scale_follows_the_model(void **state)
{
    hs_scale a, b;
    hs_sampler *tree;
    hs_model *m;

    (void)state;
    assert_int_equal(hs_sampler_parse(&tree, "gibbs", NULL), 0);
    assert_int_equal(hs_model_create(&m, "ising(side=8,beta=0.25)", NULL), 0);
    assert_int_equal(hs_scale_measure(&a, m, tree, 1, NULL), HISS_OK);
    hs_model_destroy(m);
    assert_int_equal(hs_model_create(&m, "ising(side=8,beta=0.5)", NULL), 0);
    assert_int_equal(hs_scale_measure(&b, m, tree, 1, NULL), HISS_OK);
    hs_model_destroy(m);
    hs_sampler_release(tree);
    assert_true(fabs(a.hot / b.hot - 2.0) < 1e-6);
    assert_true(fabs(a.cold / b.cold - 2.0) < 1e-6);
    /* smallest loss at a local optimum: 4 x 0.25, once in 200 */
    assert_true(fabs(a.cold - log(200.0)) < 1e-4);
    assert_true(a.is_mirrored && a.has_differences);
    assert_true(fabs(a.step_evals - 1.0) < 1e-9);
}

static void bad_settings_are_refused(void **state)
{
    hiss_model *m = model_of("bernoulli4");
    double bad = NAN;
    hiss_optimize_settings set;
    hiss_optimum *o;

    (void)state;
    hiss_optimize_settings_init(&set);
    assert_int_equal(hiss_optimize(&o, m, &set, NULL), HISS_EARG);
    set.evals = 100;
    assert_int_equal(hiss_optimize(&o, NULL, &set, NULL), HISS_EARG);
    set.top = 0;
    assert_int_equal(hiss_optimize(&o, m, &set, NULL), HISS_EARG);
    set.top = 1;
    set.target = &bad;
    assert_int_equal(hiss_optimize(&o, m, &set, NULL), HISS_EARG);
    set.target = NULL;
    set.sampler = "pt(base=gibbs)";
    assert_int_equal(hiss_optimize(&o, m, &set, NULL), HISS_EARG);
    set.sampler = "anneal(base=nothing)";
    assert_int_equal(hiss_optimize(&o, m, &set, NULL), HISS_EARG);
    set.sampler = "anneal(hot=2,cold=1)";
    assert_int_equal(hiss_optimize(&o, m, &set, NULL), HISS_EARG);
    assert_null(o);
    hiss_model_destroy(m);
}

/* The n-th allocation fails, for n = 1, 2, ... until none is left to fail. */
static void every_failure_is_survived(void **state)
{
    hiss_model *m = model_of("ising(side=3,beta=0.4)");
    hiss_optimize_settings set;
    hiss_status rc = HISS_ENOMEM;

    (void)state;
    hiss_optimize_settings_init(&set);
    set.evals = 600;
    set.threads = 1;
    for (int n = 1; rc != HISS_OK; n++) {
        hiss_error err = {0};
        hiss_optimum *o;

        assert_in_range(n, 1, 5000);
        hs_alloc_fail_after(n);
        rc = hiss_optimize(&o, m, &set, &err);
        hs_alloc_fail_after(0);
        if (rc != HISS_OK)
            assert_int_equal(rc, HISS_ENOMEM);
        hiss_optimum_destroy(o);
    }
    hiss_model_destroy(m);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_best_state_is_found),
        cmocka_unit_test(a_seed_repeats_it),
        cmocka_unit_test(breeding_pays_on_a_lattice),
        cmocka_unit_test(recombination_takes_the_best_parts),
        cmocka_unit_test(solutions_are_distinct_and_sorted),
        cmocka_unit_test(intervals_are_those_of_the_tables),
        cmocka_unit_test(the_scale_follows_the_model),
        cmocka_unit_test(bad_settings_are_refused),
        cmocka_unit_test(every_failure_is_survived),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
