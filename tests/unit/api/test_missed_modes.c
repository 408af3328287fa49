/* test_missed_modes.c - modes that no draw is in: the search of a verdict.
 *
 * Two components of d = 60 with fields scaled by .7 and 2.5, 10/11 of the mass
 * in the narrow one: chains from random states, of any temperature, all agree
 * in the wide one. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include <hiss/hiss.h>

#include "api/object/objects.h"
#include "base/alloc.h"
#include "run/policy/policy.h"
#include "run/scouts/quench.h"
#include "unit/brief.h"
#include "unit/drawn.h"
#include "verdict/verdict.h"

#define NARROW "mixture(k=2,d=60,scales=[0.7,2.5],weights=[1,10])"

static struct drawn draw_seed(const char *model, const char *sampler,
                              uint64_t seed)
{
    hiss_settings set;

    hiss_settings_init(&set);
    set.seed = seed;
    return draw(model, sampler, &set);
}

/* Without exact answers; *search: what that found, PASSED if there is no such
 * finding. */
static int is_trusted(const struct drawn *d, int has_model, int probe,
                      double budget, hiss_finding *search)
{
    hiss_diagnose_settings set;
    hiss_diagnosis *found;
    hiss_finding f = HISS_INIT(hiss_finding);
    hiss_error err = {0};
    int trusted;

    hiss_diagnose_settings_init(&set);
    set.effort = 10;
    set.blind = 1;
    set.probe = probe;
    set.search = budget;
    if (hiss_diagnose(&found, d->result, has_model ? d->model : NULL, &set,
                      &err))
        fail_msg("%s", err.message);
    *search = (hiss_finding){0};
    for (int n = 0; hiss_diagnosis_finding(found, n, &f); n++)
        if (strcmp(f.name, "search") == 0)
            *search = f;
    search->text = search->remedy = NULL; /* they go with the diagnosis */
    /* without fresh chains a right run is consistent, and no more */
    trusted = hiss_diagnosis_is_trusted(found) ||
              hiss_diagnosis_opinion(found) == HISS_CONSISTENT;
    hiss_diagnosis_destroy(found);
    return trusted;
}

static void a_narrow_mode_is_found(void **state)
{
    hiss_finding search;

    (void)state;
    for (uint64_t seed = 1; seed < (test_is_brief() ? 2 : 4); seed++) {
        struct drawn d = draw_seed(NARROW, "gibbs", seed);

        assert_false(is_trusted(&d, 1, 16, 1e5, &search));
        assert_int_equal(search.outcome, HISS_FAILED);
        assert_true(fabs(search.value - 10.0 / 11.0) < 0.05);
        drop(&d);
    }
}

/* One draw that strays into the narrow mode is no visit of it. */
static void a_stray_draw_is_no_visit(void **state)
{
    struct drawn d = draw_seed(NARROW, "gibbs", 1);
    struct drawn both = draw_seed(NARROW, "auto", 1);
    hs_store *to = &d.result->run.store, *from = &both.result->run.store;
    hiss_finding search;
    int64_t top = 0;

    (void)state;
    for (int64_t n = 1; n < both.result->run.info.samples; n++)
        top = from->lp[n] > from->lp[top] ? n : top;
    memcpy(hs_store_row(to, 0, 0), hs_store_row(from, 0, top),
           hs_store_row_bytes(to));
    to->lp[0] = from->lp[top];
    assert_false(is_trusted(&d, 1, 16, 1e5, &search));
    assert_int_equal(search.outcome, HISS_FAILED);
    drop(&both);
    drop(&d);
}

/* A run that has both is trusted, as are runs whose modes have no product
 * laws, or are countless. */
static void good_runs_pass(void **state)
{
    static const struct {
        const char *model, *sampler;
    } good[] = {
        {"mixture(k=3,d=40)", "auto"},
        {"ising(side=8,beta=0.3)", "gibbs"},
        {"ising(side=12,beta=0.55)", "sequence(gibbs,cluster)"},
        {"potts(side=8,states=3,beta=1.2)", "sequence(gibbs,cluster)"},
        {"pairs(d=20)", "pt(base=gibbs,levels=auto)"},
    };
    hiss_finding search;

    (void)state;
    for (size_t n = 0; n < sizeof good / sizeof *good;
         n += test_is_brief() ? 4 : 1) {
        struct drawn d = draw_seed(good[n].model, good[n].sampler, 1);

        if (!is_trusted(&d, 1, 0, 5e4, &search))
            fail_msg("%s is not trusted", good[n].model);
        assert_int_equal(search.outcome, HISS_PASSED);
        assert_true(search.value < search.limit);
        drop(&d);
    }
}

/* --- fresh chains that have missed a mode --------------------------------- */

#define THREE "mixture(k=3,d=60,scales=[0.7,0.7,2.5],weights=[1,1,10])"

/* What the other sampler, which misses the narrow mode, says of the run. */
static hiss_finding testimony(const struct drawn *d)
{
    hiss_diagnose_settings set;
    hiss_diagnosis *found;
    hiss_finding f = HISS_INIT(hiss_finding), out = HISS_INIT(hiss_finding);

    hiss_diagnose_settings_init(&set);
    set.effort = 10;
    set.blind = 1;
    set.search = 5e4;
    assert_int_equal(hiss_diagnose(&found, d->result, d->model, &set, NULL),
                     HISS_OK);
    for (int n = 0; hiss_diagnosis_finding(found, n, &f); n++)
        if (strcmp(f.name, "other sampler") == 0)
            out = f;
    if (out.outcome == HISS_SKIPPED)
        assert_non_null(strstr(out.text, "have missed a mode"));
    assert_int_equal(out.outcome == HISS_SKIPPED,
                     hiss_diagnosis_is_trusted(found));
    out.text = out.remedy = NULL;
    hiss_diagnosis_destroy(found);
    return out;
}

/* Modes of the run by falling mass: 0 is the narrow one.  Of the draws of one
 * of them all but every `kept`-th become draws of others. */
static void distort(struct drawn *d, int mode, int kept)
{
    hs_store *store = &d->result->run.store;
    int64_t samples = d->result->run.info.samples, seen = 0;
    double *in =
        test_malloc((size_t)(store->chains * samples) * sizeof(double));
    hiss_modes *modes;

    assert_int_equal(hiss_modes_create(&modes, d->result, d->model, NULL, NULL),
                     HISS_OK);
    hiss_modes_column(modes, mode, in);
    for (int c = 0; c < store->chains; c++)
        for (int64_t n = 0, from = -1; n < samples; n++) {
            double *lp = store->lp + c * samples;

            if (in[c * samples + n] == 0.0)
                from = n;
            else if (from >= 0 && seen++ % kept != 0) {
                memcpy(hs_store_row(store, c, n), hs_store_row(store, c, from),
                       hs_store_row_bytes(store));
                lp[n] = lp[from];
            }
        }
    hiss_modes_destroy(modes);
    test_free(in);
}

/* Tempering misses the narrow mode.  Of a run that is right about it that
 * disagreement is no doubt; what they say of the other modes counts. */
static void who_missed_a_mode_speaks_of_others(void **state)
{
    struct drawn d;
    hiss_finding f;

    (void)state;
    if (test_is_brief())
        return;
    d = draw_seed(THREE, "auto", 1);
    f = testimony(&d);
    assert_int_equal(f.outcome, HISS_SKIPPED);
    assert_true(fabs(f.value - 10.0 / 12.0) < 0.05);
    distort(&d, 2, 4);
    assert_int_equal(testimony(&d).outcome, HISS_DOUBT);
    drop(&d);
}

/* The narrow mode has a tenth of the draws that it should have, which is not
 * explained by its being missed. */
static void a_missed_mode_must_be_as_heavy(void **state)
{
    struct drawn d;

    (void)state;
    if (test_is_brief())
        return;
    d = draw_seed(THREE, "auto", 1);
    distort(&d, 0, 10);
    assert_int_equal(testimony(&d).outcome, HISS_DOUBT);
    drop(&d);
}

/* Nobody else is asked.  Two modes of .5 are trusted; of one of them half of
 * the draws become draws of the other, which no chain contradicts. */
static void masses_that_nobody_checks_are_weighed(void **state)
{
    (void)state;
    for (uint64_t seed = 1; seed < (test_is_brief() ? 2 : 6); seed++) {
        struct drawn d = draw_seed("mixture(k=2,d=30)", "auto", seed);
        hiss_finding search;

        assert_true(is_trusted(&d, 1, 0, 5e4, &search));
        distort(&d, 1, 2);
        assert_false(is_trusted(&d, 1, 0, 5e4, &search));
        assert_int_equal(search.outcome, HISS_PASSED);
        drop(&d);
    }
}

static void no_search_decides_nothing(void **state)
{
    struct drawn d = draw_seed("ising(side=8,beta=0.2)", "gibbs", 1);
    hiss_finding search;

    (void)state;
    assert_true(is_trusted(&d, 1, 0, 5e4, &search));
    assert_false(is_trusted(&d, 1, 0, 0.0, &search));
    assert_int_equal(search.outcome, HISS_UNCHECKED);
    assert_false(is_trusted(&d, 0, 0, 5e4, &search));
    assert_int_equal(search.outcome, HISS_UNCHECKED);
    drop(&d);
}

/* Exact answers that agree decide it, or leave no need for a search. */
static void exact_answers_lift_it(void **state)
{
    static const char *const models[] = {"ising(side=3,beta=0.2)",
                                         "ising(side=3,beta=0.2,field=0.1)"};

    (void)state;
    for (int n = 0; n < 2; n++) {
        struct drawn d = draw_seed(models[n], "gibbs", 1);
        hiss_diagnose_settings set;
        hiss_diagnosis *found;

        hiss_diagnose_settings_init(&set);
        set.probe = 0;
        set.search = 0.0;
        assert_int_equal(hiss_diagnose(&found, d.result, d.model, &set, NULL),
                         HISS_OK);
        assert_true(hiss_diagnosis_is_trusted(found));
        hiss_diagnosis_destroy(found);
        drop(&d);
    }
}

/* What the draws are like by themselves is off where they are few. */
static void few_draws_of_many_coordinates_pass(void **state)
{
    struct drawn d;
    hiss_settings set;
    hiss_finding search;

    (void)state;
    if (test_is_brief()) /* a minute of a sanitizer's time */
        skip();
    hiss_settings_init(&set);
    set.samples = 100;
    set.warmup = 50;
    d = draw("ising(side=80,beta=0.01)", "gibbs", &set);
    assert_true(is_trusted(&d, 1, 0, 1e5, &search));
    assert_int_equal(search.outcome, HISS_PASSED);
    drop(&d);
}

/* Two sets of possible states, of 7 or 8 and of 19 or 20 ones among 36, each
 * with about half of the mass; the slopes say nothing of the sets. */
static int bands_u(const void *field, const int16_t *x, int lanes, double *u,
                   float *slope)
{
    const double *h = field;

    for (int l = 0; l < lanes; l++) {
        int ones = 0;

        u[l] = 0.0;
        for (int i = 0; i < 36; i++) {
            ones += x[i * lanes + l];
            u[l] += h[i] * x[i * lanes + l];
            if (slope)
                slope[i * lanes + l] = (float)h[i];
        }
        u[l] += ones == 7 || ones == 8     ? 7.2
                : ones == 19 || ones == 20 ? 0.0
                                           : -HUGE_VAL;
    }
    return 0;
}

/* Climbs by slopes leap from either set into the larger one, and nothing that
 * a chain does leads out of it. */
static void a_set_beyond_impossible_states_is_found(void **state)
{
    hiss_kind kind[36];
    double h[36];
    const hiss_domain domain = {.size = sizeof domain, .dim = 36, .kind = kind};
    const hiss_callback callback = {.size = sizeof callback,
                                    .name = "bands",
                                    .domain = &domain,
                                    .evaluate = bands_u,
                                    .has_gradient = 1,
                                    .context = h};
    struct drawn d = {0};
    hiss_sampler *s;
    hiss_settings set;
    hiss_finding search;

    (void)state;
    for (int i = 0; i < 36; i++) {
        kind[i] = HISS_BINARY;
        h[i] = 1.1 * sin(2.0 * i + 1.0);
    }
    hiss_settings_init(&set);
    assert_int_equal(hiss_model_callback(&d.model, &callback, NULL), HISS_OK);
    assert_int_equal(hiss_sampler_create(&s, "gibbs", NULL), HISS_OK);
    assert_int_equal(hiss_sample(&d.result, d.model, s, &set, NULL), HISS_OK);
    assert_false(is_trusted(&d, 1, 16, 2e5, &search));
    assert_int_equal(search.outcome, HISS_FAILED);
    hiss_sampler_destroy(s);
    drop(&d);
}

/* Doubts of what a search could not have seen: -1, none, or the value of the
 * first. */
static double blind(const hs_quench *q)
{
    hiss_diagnose_settings set;
    hiss_diagnosis *d = hs_alloc_array(1, sizeof *d);
    const hs_evidence e = {.set = &set};
    double value;

    assert_non_null(d);
    hiss_diagnose_settings_init(&set);
    hs_tell_blind(d, &e, q, 6.7e5);
    value = d->findings > 0 ? d->finding[0].found.value : -1.0;
    for (int n = 0; n < d->findings; n++) {
        assert_int_equal(d->finding[n].found.outcome, HISS_DOUBT);
        assert_non_null(d->finding[n].remedy);
    }
    hiss_diagnosis_destroy(d);
    return value;
}

/* Climbs among impossible states that end apart are too few, however many there
 * are; those that end in the same optima again and again are enough. */
static void what_a_search_cannot_see_is_a_doubt(void **state)
{
    hs_quench q = {.climbs = 256, .is_hard = true, .narrow.seen = -1};

    (void)state;
    q.optima.used = 156;
    assert_true(blind(&q) == 256.0);
    q.climbs = 600;
    assert_true(blind(&q) == 600.0);
    q.climbs = 700;
    assert_true(blind(&q) == -1.0);
    q.climbs = 48;
    assert_true(blind(&q) == 48.0);
    q.is_hard = false;
    assert_true(blind(&q) == -1.0);
    q.narrow.seen = hs_policy_count(HS_NARROW_MODES) / 2 - 1;
    assert_true(blind(&q) == hs_policy_count(HS_NARROW_MODES) / 2 - 1);
    q.narrow.seen++;
    assert_true(blind(&q) == -1.0);
    q.narrow.seen = HS_ACUITY_UNTESTED;
    assert_true(blind(&q) == 0.0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_narrow_mode_is_found),
        cmocka_unit_test(a_stray_draw_is_no_visit),
        cmocka_unit_test(good_runs_pass),
        cmocka_unit_test(who_missed_a_mode_speaks_of_others),
        cmocka_unit_test(a_missed_mode_must_be_as_heavy),
        cmocka_unit_test(masses_that_nobody_checks_are_weighed),
        cmocka_unit_test(no_search_decides_nothing),
        cmocka_unit_test(exact_answers_lift_it),
        cmocka_unit_test(few_draws_of_many_coordinates_pass),
        cmocka_unit_test(a_set_beyond_impossible_states_is_found),
        cmocka_unit_test(what_a_search_cannot_see_is_a_doubt),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
