/* What exact answers would take: a quick look against the plan of the work
 * itself, without a clock. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

#include <hiss/hiss.h>

/* Keeps the cost and stops before the work. */
static int keep(void *context, const hiss_exact_cost *cost)
{
    memcpy(context, cost, sizeof *cost);
    return 1;
}

static double planned(const hiss_model *model)
{
    hiss_exact_settings settings;
    hiss_exact_cost cost = {.seconds = NAN};
    hiss_exact *exact = NULL;

    hiss_exact_settings_init(&settings);
    settings.begin = keep;
    settings.context = &cost;
    assert_int_equal(hiss_exact_solve(&exact, model, &settings, NULL),
                     HISS_ESTOP);
    return cost.seconds;
}

static void a_look_is_near_the_plan(void **state)
{
    static const char *const specs[] = {
        "bernoulli4",
        "ising(side=5,beta=0.4)",
        "ising(side=8,beta=0.4)",
        "ising(side=10,beta=0.4)",
        "ising(side=12,beta=0.4)",
        "ising(side=4,beta=0.4,dims=3)",
        "potts(side=5,states=3,beta=1)",
        "ladder(d=2000,levels=9,beta=0.5)",
        "pairs(d=64)",
        "rbm(visible=20,hidden=5)",
    };

    (void)state;
    for (size_t n = 0; n < sizeof specs / sizeof *specs; n++) {
        hiss_exact_cost cost = HISS_INIT(hiss_exact_cost);
        hiss_model *model = NULL;
        double wanted;

        assert_int_equal(hiss_model_create(&model, specs[n], NULL), HISS_OK);
        assert_int_equal(hiss_exact_estimate(model, 1, &cost), 1);
        wanted = planned(model);
        if (!(cost.seconds <= 3.0 * wanted) || !(cost.seconds >= wanted / 3.0))
            fail_msg("%s: %g s, planned %g s", specs[n], cost.seconds, wanted);
        hiss_model_destroy(model);
    }
}

static void what_is_out_of_reach_has_none(void **state)
{
    static const char *const specs[] = {
        "ising(side=32,beta=0.4)", "ising(side=12,beta=0.4,dims=3)",
        "mixture(k=3,d=60,seed=1)", "ladder(d=5000,levels=9,beta=0.5)"};

    (void)state;
    for (size_t n = 0; n < sizeof specs / sizeof *specs; n++) {
        hiss_exact_cost cost = HISS_INIT(hiss_exact_cost);
        hiss_model *model = NULL;

        assert_int_equal(hiss_model_create(&model, specs[n], NULL), HISS_OK);
        if (hiss_exact_estimate(model, 1, &cost))
            fail_msg("%s: %g s", specs[n], cost.seconds);
        hiss_model_destroy(model);
    }
}

static void advice_speaks_to_whom_it_is_for(void **state)
{
    hiss_model *model = NULL;
    hiss_sampler *sampler = NULL;
    hiss_result *result = NULL;
    hiss_settings settings;
    char *text;

    (void)state;
    hiss_settings_init(&settings);
    settings.samples = 8;
    settings.chains = 2;
    assert_int_equal(
        hiss_model_create(&model, "mixture(k=2,d=60,seed=1)", NULL), HISS_OK);
    assert_int_equal(hiss_sampler_create(&sampler, "gibbs", NULL), HISS_OK);
    assert_int_equal(hiss_sample(&result, model, sampler, &settings, NULL),
                     HISS_OK);
    text = hiss_advice(result, model, HISS_NEED_MODES, 0, HISS_PYTHON);
    assert_string_equal(text, "let a pilot choose a sampler that crosses "
                              "between modes: `hiss.sample(model, \"auto\", "
                              "chains=2)`");
    hiss_free(text);
    text = hiss_advice(result, model, HISS_NEED_DRAWS, 3, HISS_SHELL);
    assert_string_equal(text, "draw for longer: `hiss sample MODEL --sampler "
                              "gibbs --chains 2`");
    hiss_free(text);
    assert_int_equal(hiss_result_put(result, "word", "it's a model.uai", NULL),
                     HISS_OK);
    text = hiss_advice(result, model, HISS_NEED_CHAINS, 0, HISS_SHELL);
    assert_string_equal(text, "compare several chains: `hiss sample "
                              "'it'\\''s a model.uai' --sampler gibbs "
                              "--samples 8`");
    hiss_free(text);
    assert_null(hiss_advice_exact(result, model, HISS_SHELL));
    hiss_result_destroy(result);
    hiss_sampler_destroy(sampler);
    hiss_model_destroy(model);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_look_is_near_the_plan),
        cmocka_unit_test(what_is_out_of_reach_has_none),
        cmocka_unit_test(advice_speaks_to_whom_it_is_for),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
