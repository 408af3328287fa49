/* test_sbm.c - block models: log p from the definitions, single changes after
 * any number of moves, and names of groups that mean nothing. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

#include "base/alloc.h"
#include "model/model.h"
#include "unit/xorshift.h"

#define GRAPH HISS_TEST_DATA "/community/small.gml"
#define NODES 8
#define EDGES 11
#define MOST  5

static const int edge[EDGES][2] = {{0, 1}, {0, 2}, {1, 2}, {1, 3},
                                   {2, 3}, {3, 4}, {4, 5}, {4, 6},
                                   {5, 6}, {5, 7}, {6, 7}};

static double factorial(int n)
{
    return lgamma(n + 1.0);
}

static double choose(int n, int k)
{
    return factorial(n) - factorial(k) - factorial(n - k);
}

struct law {
    const char *options;
    int groups;
    bool is_corrected, is_auto;
};

static const struct law laws[] = {
    {"groups=2", 2, false, false},
    {"groups=4,corrected=yes", 4, true, false},
    {"most=5", 5, false, true},
    {"groups=auto,most=3,corrected=yes", 3, true, true},
};

/* What the headers of blocks.h and sbm.c say, word by word. */
static double expected(const struct law *w, const int16_t *x)
{
    int e[MOST][MOST] = {{0}}, n[MOST] = {0}, d[NODES] = {0}, k = w->groups;
    int used = 0, between;
    double sum = 0.0;

    for (int i = 0; i < NODES; i++)
        n[x[i]]++;
    for (int r = 0; r < k; r++)
        used += n[r] > 0;
    for (int m = 0; m < EDGES; m++) {
        int a = x[edge[m][0]], b = x[edge[m][1]];

        e[a < b ? a : b][a < b ? b : a]++;
        d[edge[m][0]]++;
        d[edge[m][1]]++;
    }
    for (int r = 0; r < k; r++) {
        int degrees = 0;

        for (int i = 0; i < NODES; i++)
            degrees += x[i] == r ? d[i] : 0;
        sum += factorial(n[r]);
        if (w->is_corrected && n[r] > 0)
            sum -= factorial(degrees) + choose(n[r] + degrees - 1, degrees);
        for (int s = r; s < k; s++) {
            int places = r == s ? n[r] * (n[r] - 1) / 2 : n[r] * n[s];

            sum += w->is_corrected
                       ? factorial(e[r][s]) + (r == s ? e[r][s] * log(2.0) : 0)
                       : -log(places + 1.0) - choose(places, e[r][s]);
        }
    }
    for (int i = 0; w->is_corrected && i < NODES; i++)
        sum += factorial(d[i]);
    between = w->is_auto ? used : k;
    between = between * (between + 1) / 2;
    if (w->is_corrected)
        sum -= choose(between + EDGES - 1, EDGES);
    if (w->is_auto)
        return sum - log(NODES) - choose(NODES - 1, used - 1) -
               factorial(NODES) - choose(k, used);
    return sum + factorial(k - 1) - factorial(NODES + k - 1);
}

static hs_model *open_law(const struct law *w)
{
    char spec[512];
    hiss_error err = {0};
    hs_model *m;

    snprintf(spec, sizeof spec, "sbm(" GRAPH ",%s)", w->options);
    if (hs_model_create(&m, spec, &err) != HISS_OK)
        fail_msg("%s: %s", spec, err.message);
    assert_int_equal(m->domain.states[0], w->groups);
    return m;
}

static void log_p_is_that_of_the_definition(void **state)
{
    uint64_t seed = 4;

    (void)state;
    for (size_t n = 0; n < sizeof laws / sizeof *laws; n++) {
        hs_model *m = open_law(&laws[n]);

        for (int trial = 0; trial < 200; trial++) {
            int16_t x[NODES];
            double u;

            for (int i = 0; i < NODES; i++)
                x[i] = (int16_t)xorshift_below(&seed, laws[n].groups);
            assert_int_equal(hs_model_energy(m, x, &u, NULL), HISS_OK);
            if (fabs(u - expected(&laws[n], x)) > 1e-10)
                fail_msg("%s: %.12g, expected %.12g", laws[n].options, u,
                         expected(&laws[n], x));
        }
        hs_model_destroy(m);
    }
}

/* Wherever a walk leads, changes are those of the definition. */
static void changes_are_exact(void **state)
{
    uint64_t seed = 6;

    (void)state;
    for (size_t n = 0; n < sizeof laws / sizeof *laws; n++) {
        const struct law *w = &laws[n];
        hs_model *m = open_law(w);
        hs_point p;

        assert_int_equal(hs_point_init(&p, m, NULL), HISS_OK);
        assert_int_equal(hs_model_evaluate(m, &p, HS_U), HISS_OK);
        for (int step = 0; step < 300; step++) {
            int i = xorshift_below(&seed, NODES);
            hs_float_row change[MOST];
            float made[HS_LANES];
            int16_t to[HS_LANES], x[NODES];

            assert_int_equal(hs_model_differences(m, &p, i, change, NULL),
                             HISS_OK);
            for (int l = 0; l < HS_LANES; l++) {
                for (int k = 0; k < NODES; k++)
                    x[k] = p.x[k][l];
                assert_true(fabs(p.u[l] - expected(w, x)) < 1e-9);
                for (int v = 0; v < w->groups; v++) {
                    x[i] = (int16_t)v;
                    assert_true(fabs(expected(w, x) - p.u[l] -
                                     (double)change[v][l]) < 1e-5);
                }
                to[l] = (int16_t)xorshift_below(&seed, w->groups);
                made[l] = change[to[l]][l];
            }
            hs_model_move(m, &p, i, to, made);
        }
        hs_point_clear(&p);
        hs_model_destroy(m);
    }
}

static void names_of_groups_mean_nothing(void **state)
{
    int16_t x[NODES] = {2, 2, 0, 4, 0, 1, 4, 2};
    const int16_t renamed[NODES] = {0, 0, 1, 2, 1, 3, 2, 0};
    hs_model *m = open_law(&laws[2]);
    double before, after;

    (void)state;
    assert_true(m->has_free_labels);
    assert_string_equal(m->domain.names[5], "Flo");
    assert_int_equal(hs_model_energy(m, x, &before, NULL), HISS_OK);
    hs_model_canonical(m, x);
    assert_memory_equal(x, renamed, sizeof x);
    assert_int_equal(hs_model_energy(m, x, &after, NULL), HISS_OK);
    assert_true(fabs(before - after) < 1e-12);
    hs_model_destroy(m);
}

static void what_cannot_be_is_refused(void **state)
{
    hiss_error err;
    hs_model *m;

    (void)state;
    assert_int_equal(hs_model_create(&m, "sbm(" GRAPH ",groups=2.5)", &err),
                     HISS_EARG);
    assert_non_null(strstr(err.message, "expected a whole number or auto"));
    assert_int_equal(hs_model_create(&m, "sbm(" GRAPH ",groups=1)", &err),
                     HISS_EARG);
    assert_null(m);
}

static void memory_may_run_out(void **state)
{
    hiss_status rc = HISS_ENOMEM;

    (void)state;
    for (int n = 1; rc != HISS_OK; n++) {
        hs_model *m;

        hs_alloc_fail_after(n);
        rc = hs_model_create(&m, "sbm(" GRAPH ")", NULL);
        hs_alloc_fail_after(0);
        assert_true(rc == HISS_OK || rc == HISS_ENOMEM);
        assert_true((m != NULL) == (rc == HISS_OK));
        hs_model_destroy(m);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(log_p_is_that_of_the_definition),
        cmocka_unit_test(changes_are_exact),
        cmocka_unit_test(names_of_groups_mean_nothing),
        cmocka_unit_test(what_cannot_be_is_refused),
        cmocka_unit_test(memory_may_run_out),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
