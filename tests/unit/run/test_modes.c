/* test_modes.c - looking for modes can be ended at any time: what was looked at
 * so far is evenly spaced, and the same as in a look at all draws.  And what a
 * run should have seen of the modes that its pilot knew. */
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
#include "run/atlas/mode_check.h"
#include "run/atlas/modes.h"
#include "unit/drawn.h"
#include "unit/model_fixture.h"

enum {
    SAMPLES = 1000,
    CHAINS = 3
};

static struct drawn draw_some(void)
{
    hiss_settings set;

    hiss_settings_init(&set);
    set.samples = SAMPLES;
    set.chains = CHAINS;
    return draw("ising(side=6,beta=0.3)", "gibbs", &set);
}

/* Ends it when so much is done. */
static hiss_ended stop_at(void *context, double done, double aim)
{
    double most = *(const double *)context;

    assert_true(aim == 0.0 || aim >= done);
    return done >= most ? HISS_ENDED_TIME : HISS_ENDED_DONE;
}

static hiss_status look(const struct drawn *d, double most, hs_modes *out)
{
    hs_modes_bounds bounds = {.stops = stop_at, .context = &most};

    return hs_modes_init(out, &d->result->run.store, SAMPLES, d->model->model,
                         NAN, &bounds, NULL);
}

static void same_state(const hs_modes *a, int64_t i, const hs_modes *b,
                       int64_t j)
{
    int dim = a->table.dim;

    assert_memory_equal(a->table.state + i * dim, b->table.state + j * dim,
                        (size_t)dim * sizeof *a->table.state);
}

static void an_early_end_has_evenly_spaced_draws(void **state)
{
    static const double parts[] = {0.05, 0.1, 0.3, 0.6, 0.99, 2.0};
    struct drawn d = draw_some();
    hs_modes all, some;

    (void)state;
    assert_int_equal(look(&d, 2.0, &all), HISS_OK);
    assert_int_equal(all.ended, HISS_ENDED_DONE);
    assert_int_equal(all.looked, SAMPLES);
    for (size_t k = 0; k < sizeof parts / sizeof *parts; k++) {
        int64_t draws = 0;

        assert_int_equal(look(&d, parts[k], &some), HISS_OK);
        assert_true((some.ended == HISS_ENDED_TIME) == (parts[k] < 1.0));
        assert_int_equal(some.looked,
                         (SAMPLES + some.stride - 1) / some.stride);
        assert_true((double)some.looked <= parts[k] * SAMPLES + 16.0);
        assert_true((double)some.looked * 2.5 >= fmin(parts[k], 1.0) * SAMPLES);
        for (int c = 0; c < CHAINS; c++)
            for (int64_t n = 0; n < some.looked; n++)
                same_state(&some, some.at[c * some.looked + n], &all,
                           all.at[c * SAMPLES + n * some.stride]);
        for (int64_t i = 0; i < some.table.used; i++) {
            assert_true(some.table.mode[i].draws > 0);
            assert_true(i == 0 || some.table.mode[i].draws <=
                                      some.table.mode[i - 1].draws);
            draws += some.table.mode[i].draws;
        }
        assert_int_equal(draws, CHAINS * some.looked);
        hs_modes_clear(&some);
    }
    hs_modes_clear(&all);
    drop(&d);
}

static void no_time_is_no_modes(void **state)
{
    struct drawn d = draw_some();
    hs_modes none;

    (void)state;
    assert_int_equal(look(&d, 0.0, &none), HISS_ESTOP);
    drop(&d);
}

static int stop(void *context, const hiss_progress *progress)
{
    (void)progress;
    ++*(int *)context;
    return 1;
}

static void callers_can_stop_it(void **state)
{
    struct drawn d = draw_some();
    hiss_modes_settings set;
    hiss_modes *modes;
    int calls = 0;

    (void)state;
    hiss_modes_settings_init(&set);
    set.progress = stop;
    set.context = &calls;
    assert_int_equal(
        hiss_modes_look(&modes, d.result, d.model, NULL, &set, NULL),
        HISS_ESTOP);
    assert_null(modes);
    assert_int_equal(calls, 1);
    drop(&d);
}

/* As many chains as are looked at first, of one draw and of several. */
static void many_chains_are_looked_at(void **state)
{
    (void)state;
    for (int samples = 1; samples < 4; samples++) {
        hiss_settings set;
        struct drawn d;
        hs_modes modes;

        hiss_settings_init(&set);
        set.samples = samples;
        set.chains = 100;
        set.warmup = 0;
        d = draw("ising(side=4,beta=0.3)", "gibbs", &set);
        assert_int_equal(hs_modes_init(&modes, &d.result->run.store, samples,
                                       d.model->model, NAN, NULL, NULL),
                         HISS_OK);
        assert_int_equal(modes.looked, samples);
        assert_int_equal(modes.stride, 1);
        hs_modes_clear(&modes);
        drop(&d);
    }
}

/* --- what a pilot knew ---------------------------------------------------- */

#define DIM   40
#define DRAWS 200

static hs_model *model;
static hs_library *known; /* all down and all up, as heavy as each other */

static int know_two(void **state)
{
    int16_t top[DIM];
    static const double masses[2] = {0.0, 0.0};

    (void)state;
    model = fixture_model("mixture(k=2,d=40,seed=3)");
    if (hs_library_create(&known, &model->domain, 2, NULL) != HISS_OK)
        return 1;
    for (int k = 0; k < 2; k++) {
        for (int i = 0; i < DIM; i++)
            top[i] = (int16_t)k;
        if (hs_library_state(known, &model->domain, k, top, NULL) != HISS_OK)
            return 1;
    }
    hs_library_weigh(known, masses);
    known->log_error[0] = known->log_error[1] = 0.1;
    return 0;
}

static int forget(void **state)
{
    (void)state;
    hs_library_destroy(known);
    hs_model_destroy(model);
    return 0;
}

static hs_mode_claim claim = {.knows_all = true};

/* What is said of draws of which so many are all up, or up and down in turn;
 * the others are all down. */
static char *said_of(int up, int mixed)
{
    int16_t x[DIM][16];
    hs_store store;
    char *text;

    assert_int_equal(
        hs_store_init(&store, &model->domain, 1, DRAWS, HUGE_VAL, NULL),
        HISS_OK);
    for (int n = 0; n < DRAWS; n++) {
        for (int i = 0; i < DIM; i++)
            x[i][0] = n < up || (n < up + mixed && i % 2);
        hs_store_put(&store, 0, n, (const int16_t(*)[16])x, 0, 0.0, 1.0f);
    }
    text = hs_mode_check(&store, DRAWS, model, known, &claim);
    hs_store_clear(&store);
    return text;
}

static void check_doubt(int up, double held, double error, bool is_doubted)
{
    char *text;

    known->held[1] = held;
    known->log_error[1] = error;
    text = said_of(up, 0);
    assert_int_equal(text != NULL, is_doubted);
    if (text)
        assert_non_null(strstr(text, "1 mode of mass about 0.5 that the run"));
    hs_free(text);
}

static void a_mode_without_draws_is_a_doubt(void **state)
{
    (void)state;
    check_doubt(100, 1.0, 0.1, false);
    check_doubt(4, 1.0, 0.1, false); /* a fiftieth, and more */
    check_doubt(1, 1.0, 0.1, true);
    check_doubt(0, 1.0, 0.1, true);
    check_doubt(0, 1.0, 0.6, false); /* nobody knows its mass */
}

/* Of a law that has next to nothing of its own chains no draws are expected;
 * of one that has a third of them there are. */
static void what_a_law_holds_is_expected(void **state)
{
    (void)state;
    check_doubt(0, 0.3, 0.1, true);
    check_doubt(0, 0.03, 0.1, false);
    check_doubt(0, 1e-13, 0.1, false);
    check_doubt(0, 0.0, 0.1, false);
}

/* Where others than the known ones are visited, the known ones may be a small
 * part of the law. */
static void masses_are_of_what_is_known(void **state)
{
    char *text;

    (void)state;
    known->held[1] = 1.0;
    known->log_error[1] = 0.1;
    text = said_of(0, DRAWS - 2);
    assert_non_null(text);
    hs_free(text);
    claim.reaches_more = true;
    assert_null(said_of(0, DRAWS - 2));
    text = said_of(0, DRAWS / 2); /* half of the law is in two modes */
    assert_non_null(text);
    hs_free(text);
    claim.reaches_more = false;
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(an_early_end_has_evenly_spaced_draws),
        cmocka_unit_test(no_time_is_no_modes),
        cmocka_unit_test(callers_can_stop_it),
        cmocka_unit_test(many_chains_are_looked_at),
        cmocka_unit_test(a_mode_without_draws_is_a_doubt),
        cmocka_unit_test(what_a_law_holds_is_expected),
        cmocka_unit_test(masses_are_of_what_is_known),
    };

    return cmocka_run_group_tests(tests, know_two, forget);
}
