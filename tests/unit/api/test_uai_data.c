/* test_uai_data.c - problems of the UAI-2014 competition against their
 * reference marginals, which have six digits, and known log Z.
 *
 * With HISS_TEST_REPLICATES=brief, for sanitizers, only the small ones. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "base/alloc.h"
#include "base/read/reader.h"
#include "exact/elimination.h"
#include "format/format.h"
#include "format/problem/evidence.h"
#include "model/factor/fixed.h"
#include "unit/foreign.h"

#define ROUNDING 6e-7 /* of the reference */

static struct problem {
    const char *name;
    double log10_z; /* NaN: not known */
    bool is_large;
} problems[] = {
    {"Grids_11", 169.408361, false}, {"Grids_15", 291.732653, true},
    {"DBN_11", 58.530663, true},     {"Segmentation_11", -23.996092, false},
    {"Pedigree_11", NAN, false},     {"Promedus_24", NAN, false},
    {"CSP_11", NAN, true},           {"ObjectDetection_11", NAN, true},
};

static bool is_brief(void)
{
    const char *size = getenv("HISS_TEST_REPLICATES");

    return size && strcmp(size, "brief") == 0;
}

static const char *find(const struct problem *p, const char *suffix, char *path)
{
    char name[64];

    snprintf(name, sizeof name, "uai/%s.uai%s", p->name, suffix);
    return foreign(name, path, 512);
}

/* The model given its evidence. */
static hs_model *open_problem(const struct problem *p)
{
    char path[512];
    hiss_error err = {0};
    hs_model *m;
    int *at;

    if (hs_format_model(&m, find(p, "", path), NULL, &err) != HISS_OK)
        fail_msg("%s", err.message);
    at = hs_alloc_array((size_t)m->domain.dim, sizeof *at);
    assert_non_null(at);
    if (hs_evidence_read(at, find(p, ".evid", path), m, &err) != HISS_OK ||
        hs_model_fix(&m, at, &err) != HISS_OK)
        fail_msg("%s", err.message);
    hs_free(at);
    return m;
}

/* The largest error against the .MAR file, which lists fixed variables with
 * all their states. */
static double marginal_error(const struct problem *p, const hs_model *m,
                             const hs_elimination *e)
{
    char path[512];
    const char *word;
    double worst = 0.0;
    hs_reader *in;
    int count;

    assert_int_equal(hs_reader_open(&in, find(p, ".MAR", path), NULL), HISS_OK);
    assert_int_equal(hs_reader_word(in, &word, NULL), HISS_OK);
    assert_string_equal(word, "MAR");
    assert_int_equal(hs_reader_int(in, 0, 1 << 20, &count, NULL), HISS_OK);
    assert_int_equal(count, m->domain.dim);
    for (int i = 0; i < count; i++) {
        int states;

        assert_int_equal(hs_reader_int(in, 1, 99, &states, NULL), HISS_OK);
        assert_int_equal(states, m->full_states ? m->full_states[i]
                                                : m->domain.states[i]);
        for (int v = 0; v < states; v++) {
            bool is_fixed = m->fixed_at && m->fixed_at[i] >= 0;
            double is =
                is_fixed ? v == m->fixed_at[i] : e->marginal[e->first[i] + v];
            double should;

            assert_int_equal(hs_reader_real(in, 0.0, 1.0, &should, NULL),
                             HISS_OK);
            worst = fmax(worst, fabs(is - should));
        }
    }
    assert_int_equal(hs_reader_expect_end(in, NULL), HISS_OK);
    hs_reader_close(in);
    return worst;
}

static void answers_are_those_of_the_competition(void **state)
{
    const struct problem *p = *state;
    hs_model *m;
    hs_factors f;
    hs_plan plan;
    hs_elimination e;
    hiss_error err = {0};
    double error;

    if (is_brief() && p->is_large)
        skip();
    m = open_problem(p);
    assert_int_equal(m->ops->factors(m, &f, &err), HISS_OK);
    assert_int_equal(hs_plan_init(&plan, &f, &err), HISS_OK);
    if (hs_elimination_init(&e, &plan, 2, &err) != HISS_OK)
        fail_msg("%s", err.message);
    error = marginal_error(p, m, &e);
    printf("       %s: order %s, 2^%.1f entries, log10 Z %.6f, marginals "
           "within %.1g\n",
           p->name, plan.name, log2(plan.entries), e.log_z / log(10.0), error);
    assert_true(error < ROUNDING);
    if (!isnan(p->log10_z))
        assert_true(fabs(e.log_z / log(10.0) - p->log10_z) < ROUNDING);
    assert_true(fabs(hs_factors_energy(&f, e.best) - e.max_u) < 1e-9);
    hs_elimination_clear(&e);
    hs_plan_clear(&plan);
    hs_factors_clear(&f);
    hs_model_destroy(m);
}

/* Random states have probability 0 where there are constraints. */
static void starts_are_possible(void **state)
{
    const struct problem *p = *state;
    hs_rng rng = {.seed = 1};
    hs_point point;
    hs_model *m = open_problem(p);

    for (uint32_t l = 0; l < HS_LANES; l++)
        rng.chain[l] = l;
    assert_int_equal(hs_point_init(&point, m, NULL), HISS_OK);
    if (m->ops->start)
        assert_int_equal(m->ops->start(m, &point, &rng, HS_LANES, NULL),
                         HISS_OK);
    assert_int_equal(hs_model_evaluate(m, &point, HS_U), HISS_OK);
    for (int l = 0; l < HS_LANES; l++)
        assert_true(isfinite(point.u[l]));
    hs_point_clear(&point);
    hs_model_destroy(m);
}

int main(void)
{
    enum {
        COUNT = sizeof problems / sizeof *problems
    };
    struct CMUnitTest tests[2 * COUNT] = {0};

    for (int n = 0; n < COUNT; n++) {
        tests[n] = (struct CMUnitTest){.name = problems[n].name,
                                       .test_func =
                                           answers_are_those_of_the_competition,
                                       .initial_state = &problems[n]};
        tests[COUNT + n] = tests[n];
        tests[COUNT + n].test_func = starts_are_possible;
    }
    return cmocka_run_group_tests(tests, NULL, NULL);
}
