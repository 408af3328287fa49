/* run_fixture.h - a run that has to succeed.  Include after <cmocka.h>. */
#ifndef HS_TESTS_RUN_FIXTURE_H
#define HS_TESTS_RUN_FIXTURE_H

#include <hiss/hiss.h>

static inline hiss_result *run(const char *model, const char *spec,
                               const hiss_settings *settings)
{
    hiss_model *m;
    hiss_sampler *s = NULL;
    hiss_result *r = NULL;
    hiss_error err = {0};

    if (hiss_model_create(&m, model, &err) ||
        hiss_sampler_create(&s, spec, &err) ||
        hiss_sample(&r, m, s, settings, &err))
        fail_msg("%s with %s: %s", model, spec, err.message);
    hiss_model_destroy(m);
    hiss_sampler_destroy(s);
    return r;
}

#endif
