/* test_features.c - the bits of every state against their definitions. */
#include "run/verify/features.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <string.h>

#include <cmocka.h>

#include "base/alloc.h"
#include "model/law/lookup.h"

/* 2 spins, 3 and 40 values, one of which is fixed: 240 states, some of them
 * impossible. */
static hs_model *create(void)
{
    static const hiss_kind kind[] = {HISS_SPIN, HISS_ORDINAL, HISS_SPIN,
                                     HISS_CATEGORICAL, HISS_CATEGORICAL};
    static const int states[] = {2, 3, 2, 40, 1};
    static const double levels[] = {0, 1, 12};
    double *u = hs_alloc_array(480, sizeof *u);
    hs_domain domain;
    hs_model *m;

    assert_non_null(u);
    for (int n = 0; n < 480; n++)
        u[n] = n % 7 == 3 ? -HUGE_VAL : 2.0 * sin(5.0 * n);
    assert_int_equal(
        hs_domain_init_mixed(&domain, 5, kind, states, levels, NULL), HISS_OK);
    assert_int_equal(hs_lookup_create(&m, &domain, u, NULL), HISS_OK);
    m->name = hs_strdup("features");
    return m;
}

static struct {
    hs_model *model;
    hs_exact exact;
    hs_law law[2];
    hs_features features;
} all;

static int set_up(void **state)
{
    hs_exact_options options = {
        .threads = 1, .has_u = true, .limit = HS_TABLE_MAX, .what = "a test"};

    (void)state;
    all.model = create();
    if (hs_exact_init(&all.exact, all.model, &options, NULL) != HISS_OK ||
        hs_law_init(&all.law[0], &all.exact, 1.0, NULL) != HISS_OK ||
        hs_law_init(&all.law[1], &all.exact, 0.25, NULL) != HISS_OK)
        return 1;
    return hs_features_init(&all.features, &all.exact, all.law, 2, NULL) !=
           HISS_OK;
}

static int tear_down(void **state)
{
    (void)state;
    hs_features_clear(&all.features);
    hs_law_clear(&all.law[0]);
    hs_law_clear(&all.law[1]);
    hs_exact_clear(&all.exact);
    hs_model_destroy(all.model);
    return 0;
}

static bool bit(int64_t n, int feature)
{
    return hs_features_of(&all.features, (uint32_t)n)[feature / 64] >>
               feature % 64 &
           1;
}

/* 7 tails; 1 + 3 + 1 + 16 marginals; the spins agree, 2 x 3 and 3 x 2 cells
 * with the levels, as many thirds with the labels, 3 x 3 of these two. */
static void there_are_so_many(void **state)
{
    const hs_features *f = &all.features;

    (void)state;
    assert_int_equal(f->first[HS_TAIL + 1], 7);
    assert_int_equal(f->first[HS_MARGINAL + 1] - f->first[HS_MARGINAL], 21);
    assert_int_equal(f->count - f->first[HS_PAIR], 1 + 2 * 6 + 2 * 6 + 9);
}

static void marginals_are_those_of_coordinates(void **state)
{
    const hs_features *f = &all.features;
    int16_t x[5];

    (void)state;
    for (int64_t n = 0; n < all.exact.states; n++) {
        int labels = 0;

        if (all.exact.u[n] == -HUGE_VAL)
            continue;
        hs_exact_state(&all.exact, n, x);
        for (int k = f->first[HS_MARGINAL]; k < f->first[HS_PAIR]; k++) {
            const hs_range *r = &f->at[k].one;
            int v = x[r->coordinate];

            assert_int_equal(bit(n, k), v >= r->low && v <= r->high);
            labels += r->coordinate == 3 && bit(n, k);
        }
        assert_int_equal(labels, 1); /* ranges cover all and do not overlap */
        assert_int_equal(bit(n, f->first[HS_MARGINAL]), x[0]);
        assert_int_equal(bit(n, f->first[HS_PAIR] + 6), x[0] == x[2]);
    }
}

static void tails_are_quantiles(void **state)
{
    (void)state;
    for (int k = 0; k < 7; k++) {
        double p = 0.0;

        for (int64_t n = 0; n < all.exact.states; n++) {
            if (all.exact.u[n] == -HUGE_VAL)
                continue;
            assert_int_equal(bit(n, k),
                             all.exact.u[n] > all.features.at[k].above);
            p += bit(n, k) * 0.5 * (all.law[0].p[n] + all.law[1].p[n]);
        }
        assert_true(fabs(p - (7.0 - k) / 8.0) < 0.02);
    }
}

/* Whole numbers that rise with U and have its sd, but for what is clipped:
 * at level 0 the states with U < -1.8, some thousandth of the law. */
static void the_gauge_is_u(void **state)
{
    (void)state;
    for (int j = 0; j < 2; j++) {
        const hs_energy_scale *g = &all.features.gauge[j];
        double mean = 0.0, squares = 0.0, sd;

        for (int64_t n = 0; n < all.exact.states; n++)
            if (all.law[j].p[n] > 0.0) {
                mean += all.law[j].p[n] * all.exact.u[n];
                squares += all.law[j].p[n] * all.exact.u[n] * all.exact.u[n];
            }
        sd = sqrt(squares - mean * mean);
        assert_true(fabs(g->sd / g->scale / sd - 1.0) < (j ? 1e-4 : 0.01));
        assert_int_equal(hs_features_scale_at(g, -HUGE_VAL), 0);
        assert_int_equal(hs_features_scale_at(g, 1e300), HS_ENERGY_TOP);
        assert_true(hs_features_scale_at(g, mean + 0.1) >
                    hs_features_scale_at(g, mean));
    }
}

static void names_say_what_is_meant(void **state)
{
    const hs_features *f = &all.features;
    char text[80];

    (void)state;
    hs_feature_name(f, f->first[HS_MARGINAL], text, sizeof text);
    assert_string_equal(text, "x.1 = 1");
    hs_feature_name(f, f->first[HS_MARGINAL] + 3, text, sizeof text);
    assert_string_equal(text, "x.2 = 12");
    hs_feature_name(f, f->first[HS_PAIR], text, sizeof text);
    assert_string_equal(text, "x.1 = -1, x.2 = 0");
    hs_feature_name(f, f->first[HS_PAIR] + 6, text, sizeof text);
    assert_string_equal(text, "x.1 = x.3");
    hs_feature_name(f, 0, text, sizeof text);
    assert_non_null(strstr(text, "U > "));
    hs_feature_name(f, f->first[HS_PAIR], text, 12); /* cut, not overrun */
    assert_true(strlen(text) < 12);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(there_are_so_many),
        cmocka_unit_test(marginals_are_those_of_coordinates),
        cmocka_unit_test(tails_are_quantiles),
        cmocka_unit_test(the_gauge_is_u),
        cmocka_unit_test(names_say_what_is_meant),
    };

    return cmocka_run_group_tests(tests, set_up, tear_down);
}
