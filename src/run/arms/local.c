/* local.c - the local sampler by itself. */
#include "run/arms/arm.h"

static bool applies(const hs_arm_view *v, int form)
{
    (void)form;
    return v->base != NULL;
}

static hiss_status make(hs_sampler **out, const hs_arm_view *v, int form,
                        hiss_error *err)
{
    (void)form;
    (void)err;
    *out = hs_sampler_keep(v->base);
    return HISS_OK;
}

/* The chains of the survey have made its trial: many, from all modes. */
static double price(const hs_arm_view *v, int form)
{
    const hs_pilot_chains *c = &v->found->pilots;
    double d = v->found->discord;

    (void)form;
    if (c->lanes == 0 || c->steps == 0)
        return -1.0;
    return d < 0.5 ? (1.0 - d) / (2.0 * c->steps * d * c->cost) : 0.0;
}

const hs_arm_type hs_arm_local = {
    .name = "local moves",
    .words = "changes of single sites",
    .forms = 1,
    .leaves_atlas = true,
    .applies = applies,
    .make = make,
    .price = price,
};
