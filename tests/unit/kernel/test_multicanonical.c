/* test_multicanonical.c - what a run under learned weights reports. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <string.h>

#include <cmocka.h>

#include "unit/run_fixture.h"

static void log_z_is_that_of_enumeration(void **state)
{
    hiss_settings set;
    hiss_multicanonical f = HISS_INIT(hiss_multicanonical);
    hiss_result *r;

    (void)state;
    hiss_settings_defaults(&set, sizeof set);
    set.seed = 5;
    set.samples = 2000;
    r = run("ising(side=4,beta=0.4)", "multicanonical", &set);
    assert_true(hiss_result_multicanonical(r, &f));
    assert_true(f.is_absolute && f.log_z_settled && f.round_trips > 30.0);
    /* hiss exact: 14.56109 */
    assert_true(fabs(f.log_z - 14.56109) < 4.0 * f.log_z_se);
    hiss_result_destroy(r);
}

/* The draws are on both sides of the valley as the weighted steps are. */
static void phases_are_found(void **state)
{
    hiss_settings set;
    hiss_multicanonical f = HISS_INIT(hiss_multicanonical);
    hiss_result *r;
    double above = 0.0, all = 0.0;

    (void)state;
    hiss_settings_defaults(&set, sizeof set);
    set.seed = 6;
    set.samples = 4000;
    set.chains = 8;
    r = run("potts(side=12,states=20,beta=1.69967)", "multicanonical", &set);
    assert_true(hiss_result_multicanonical(r, &f));
    assert_true(f.has_phases && f.barrier > 1.0);
    assert_true(f.phase[0] < f.valley && f.valley < f.phase[1]);
    for (int n = 0; n < f.cells; n++) {
        all += f.target[n];
        above += f.u[n] > f.valley ? f.target[n] : 0.0;
    }
    assert_true(fabs(all - 1.0) < 1e-9);
    assert_true(fabs(above - f.share) < 4.0 * f.share_se + 0.03);
    hiss_result_destroy(r);
}

static void threads_do_not_matter(void **state)
{
    hiss_settings set;
    hiss_result *r[2];

    (void)state;
    hiss_settings_defaults(&set, sizeof set);
    set.seed = 7;
    set.samples = 50;
    set.chains = 20;
    for (int n = 0; n < 2; n++) {
        set.threads = 1 + 2 * n;
        r[n] = run("potts(side=4,states=5,beta=1)", "multicanonical", &set);
    }
    assert_memory_equal(hiss_result_lp(r[0]), hiss_result_lp(r[1]),
                        20 * 50 * sizeof(double));
    hiss_result_destroy(r[0]);
    hiss_result_destroy(r[1]);
}

static void refuses(const char *spec, const char *word)
{
    hiss_sampler *s = NULL;
    hiss_error err = {0};

    assert_int_not_equal(hiss_sampler_create(&s, spec, &err), HISS_OK);
    if (!strstr(err.message, word))
        fail_msg("%s: %s", spec, err.message);
}

static void bad_options_are_refused(void **state)
{
    (void)state;
    refuses("multicanonical(base=sequence(gibbs,cluster))", "not reversible");
    refuses("multicanonical(base=gibbs(packed=yes))", "packed");
    refuses("multicanonical(base=dula)", "not reversible");
    refuses("multicanonical(slopes=[0,1])", "range");
    refuses("multicanonical(range=[2,1],slopes=[0,1])", "low < high");
    refuses("multicanonical(range=[1,2],slopes=[0.5,1])", "first slope");
    refuses("multicanonical(phases=[2,1])", "phases");
    refuses("pt(base=multicanonical)", "multicanonical");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(log_z_is_that_of_enumeration),
        cmocka_unit_test(phases_are_found),
        cmocka_unit_test(threads_do_not_matter),
        cmocka_unit_test(bad_options_are_refused),
    };

    return cmocka_run_group_tests_name("multicanonical", tests, NULL, NULL);
}
