/* drawn.h - a model and draws of it, made or the test fails. */
#ifndef HS_TESTS_DRAWN_H
#define HS_TESTS_DRAWN_H

#include <hiss/hiss.h>

struct drawn {
    hiss_model *model;
    hiss_result *result;
};

static inline struct drawn draw(const char *model, const char *sampler,
                                const hiss_settings *set)
{
    struct drawn d = {0};
    hiss_sampler *s = NULL;
    hiss_error err = {0};

    if (hiss_model_create(&d.model, model, &err) ||
        hiss_sampler_create(&s, sampler, &err) ||
        hiss_sample(&d.result, d.model, s, set, &err))
        fail_msg("%s: %s", model, err.message);
    hiss_sampler_destroy(s);
    return d;
}

static inline void drop(struct drawn *d)
{
    hiss_model_destroy(d->model);
    hiss_result_destroy(d->result);
}

#endif
