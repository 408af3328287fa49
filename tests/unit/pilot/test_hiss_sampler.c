/* Options of hiss that are not given: what they are on a model. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "base/alloc.h"
#include "model/model.h"
#include "run/pilot/tour_sampler.h"

#define COUNT(a) (sizeof(a) / sizeof *(a))

/* What a mixture of scales has for an inner kernel, and where there is none. */
static void hiss_has_defaults_that_fit_the_model(void **state)
{
    static const struct {
        const char *given, *model, *made;
    } cases[] = {
        {"hiss", "ising(side=3,beta=0.3)",
         "hiss(inner=gibbs(scan=systematic,updates=0,packed=no))"},
        {"hiss(eta=2)", "ising(side=3,beta=0.3)", "hiss(eta=2)"},
        {"hiss(2)", "ising(side=3,beta=0.3)", "hiss(2)"},
        {"hiss(tune=jump)", "ising(side=3,beta=0.3)", "hiss(tune=jump)"},
        {"hiss(eta=auto,inner=gwg)", "ising(side=3,beta=0.3)",
         "hiss(eta=auto,inner=gwg)"},
        {"hiss(kernel=gaussian)", "ising(side=3,beta=0.3)",
         "hiss(kernel=gaussian)"},
        {"pt(hiss(inner=gwg))", "ising(side=3,beta=0.3)",
         "pt(hiss(inner=gwg,tune=accept))"},
        {"hiss", "rbm(visible=6,hidden=3,modes=2)", "hiss(inner=hidden)"},
    };

    (void)state;
    for (size_t n = 0; n < COUNT(cases); n++) {
        hs_sampler *given, *made;
        hs_model *m;
        char *text;

        assert_int_equal(hs_model_create(&m, cases[n].model, NULL), 0);
        assert_int_equal(hs_sampler_parse(&given, cases[n].given, NULL), 0);
        assert_int_equal(hs_tour_sampler(&made, given, m, NULL), 0);
        text = hs_sampler_print_given(made);
        assert_string_equal(text, cases[n].made);
        hs_free(text);
        hs_sampler_release(made);
        hs_sampler_release(given);
        hs_model_destroy(m);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(hiss_has_defaults_that_fit_the_model),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
