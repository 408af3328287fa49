/* test_stage.c - what the two stages of a verdict see: choices that chains
 * share, phases of a cycle, and how small a bias. */
#include "run/verify/stage.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <string.h>

#include <cmocka.h>

#include "base/alloc.h"
#include "model/law/lookup.h"
#include "unit/verify_fixture.h"

#define PHASES 6

static const hs_option no_options[] = {{0}};

static hs_traits cycle(const hs_kernel *k)
{
    return (hs_traits){.exact = true,
                       .shares = strcmp(k->type->name, "tied") == 0,
                       .period = PHASES};
}

/* A shared coin decides between "all up" and "all down": the law of one spin
 * without a field is kept on average over the coin, and for no value of it. */
static hiss_status tied_step(hs_kernel *k, const hs_model *m, const hs_tilt *t,
                             hs_tile *x)
{
    (void)k, (void)m, (void)t;
    hs_tile_tick(x);
    for (int l = 0; l < HS_LANES; l++)
        x->at.x[0][l] =
            (int16_t)(hs_rng_shared(&x->rng, HS_DRAW_SITE, 0) >> 31);
    x->at.have = 0;
    return HISS_OK;
}

/* Right in its first steps, wrong in the last phase of its cycle: one flip in
 * `one_in` is forced up. */
static hiss_status late_step(hs_kernel *k, const hs_model *m, const hs_tilt *t,
                             hs_tile *x)
{
    (void)m, (void)t;
    hs_tile_tick(x);
    for (int l = 0; l < HS_LANES; l++) {
        uint32_t word = hs_rng_word(x->rng.seed, x->rng.chain[l], 0,
                                    x->rng.clock, HS_DRAW_SITE, 0);

        x->at.x[0][l] = (int16_t)(word >> 31);
        if (k->steps % PHASES == PHASES - 1 && word % 8 == 0)
            x->at.x[0][l] = 1;
    }
    x->at.have = 0;
    return HISS_OK;
}

static const hs_kernel_type tied_type = {
    .name = "tied",
    .options = no_options,
    .step = tied_step,
    .traits = cycle,
};
static const hs_kernel_type late_type = {
    .name = "late",
    .options = no_options,
    .step = late_step,
    .traits = cycle,
};

static const hs_verify_test *test_of(const hs_verdict *v, const char *name,
                                     bool is_row)
{
    for (int t = 0; t < v->tests; t++)
        if (strcmp(v->test[t].name, name) == 0 &&
            (v->test[t].steps > 1) == is_row)
            return &v->test[t];
    fail_msg("there is no test %s", name);
    return NULL;
}

/* Clocks apart nothing is wrong; with clocks in common everything is. */
static void shared_choices_must_keep_the_law_one_by_one(void **state)
{
    hs_model *m = model_of("ladder(d=1,levels=2,beta=0)");
    hs_verdict v;

    (void)state;
    must_verify(&v, m, "tied", 20000, 2);
    assert_true(test_of(&v, "law", false)->chi2.p > 1e-4);
    assert_true(test_of(&v, "marginals", false)->chi2.p > 1e-4);
    assert_true(test_of(&v, "spread", true)->chi2.p < 1e-100);
    assert_string_equal(test_of(&v, "spread", true)->worst, "x.1 = 1");
    assert_int_equal(v.result.verdict, HISS_BROKEN);
    hs_verdict_clear(&v);
    hs_model_destroy(m);
}

static void one_wrong_phase_is_seen(void **state)
{
    hs_model *m = model_of("ladder(d=1,levels=2,beta=0)");
    hs_verdict v;

    (void)state;
    must_verify(&v, m, "late", 100000, 2);
    assert_true(test_of(&v, "spread", false)->chi2.p < 1e-8);
    assert_int_equal(v.result.verdict, HISS_BROKEN);
    hs_verdict_clear(&v);
    hs_model_destroy(m);
}

/* Nothing can be learnt of a law with one state, and nothing is wrong. */
static void a_law_of_one_state_is_kept(void **state)
{
    hs_model *m = model_with_a_hole(1);
    hs_verdict v;

    (void)state;
    must_verify(&v, m, "gibbs", 100, 1);
    assert_int_equal(v.result.verdict, HISS_KEPT);
    hs_verdict_clear(&v);
    hs_model_destroy(m);
}

/* The limit falls as 1 / sqrt(replicates); it is higher for a sampler that does
 * not forget its beginning in 64 steps. */
static void says_what_it_would_have_seen(void **state)
{
    hs_model *m = model_of("ising(side=3,beta=0.3)");
    hs_verdict few, many, slow;

    (void)state;
    must_verify(&few, m, "gibbs", 10000, 2);
    must_verify(&many, m, "gibbs", 1000000, 2);
    must_verify(&slow, m, "hiss(eta=0.14,steps=0)", 10000, 2);
    assert_true(many.result.detectable < 0.02);
    assert_true(few.result.detectable > 8 * many.result.detectable);
    assert_true(slow.result.detectable > 1.5 * few.result.detectable);
    assert_true(fabs(many.result.bias) < 5 * many.result.bias_error);
    assert_int_equal(many.result.verdict, HISS_KEPT);
    hs_verdict_clear(&few);
    hs_verdict_clear(&many);
    hs_verdict_clear(&slow);
    must_verify(&few, m, "gibbs", 100, 2);
    assert_int_equal(few.result.verdict, HISS_UNDECIDED);
    hs_verdict_clear(&few);
    hs_model_destroy(m);
}

static void cycles_are_joined(void **state)
{
    (void)state;
    assert_int_equal(hs_kernel_join_periods(1, 1), 1);
    assert_int_equal(hs_kernel_join_periods(4, 6), 12);
    assert_int_equal(hs_kernel_join_periods(6, 4), 12);
    assert_int_equal(hs_kernel_join_periods(7, 5), 35);
    assert_int_equal(hs_kernel_join_periods(INT64_C(10000000000), 9999999999),
                     HS_KERNEL_PERIOD_MAX);
}

static const hs_kernel_type *const extra[] = {&tied_type, &late_type, NULL};

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(shared_choices_must_keep_the_law_one_by_one),
        cmocka_unit_test(one_wrong_phase_is_seen),
        cmocka_unit_test(a_law_of_one_state_is_kept),
        cmocka_unit_test(says_what_it_would_have_seen),
        cmocka_unit_test(cycles_are_joined),
    };

    hs_kernel_extra = extra;
    return cmocka_run_group_tests(tests, NULL, NULL);
}
