/* test_modes.c - looking for modes can be ended at any time: what was looked at
 * so far is evenly spaced, and the same as in a look at all draws. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <hiss/hiss.h>

#include "api/object/objects.h"
#include "run/modes/modes.h"
#include "unit/drawn.h"

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

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(an_early_end_has_evenly_spaced_draws),
        cmocka_unit_test(no_time_is_no_modes),
        cmocka_unit_test(callers_can_stop_it),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
