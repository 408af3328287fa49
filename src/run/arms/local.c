/* local.c - the local sampler by itself. */
#include "run/arms/arm.h"

static hiss_status make(hs_sampler **out, const hs_arm_view *v, hiss_error *err)
{
    (void)err;
    *out = hs_sampler_keep(v->base);
    return HISS_OK;
}

/* The chains of the survey have made its trial: many, from all modes. */
static double price(const hs_arm_view *v)
{
    const hs_pilot_chains *c = &v->found->pilots;
    double d = v->found->discord;

    if (c->lanes == 0 || c->steps == 0)
        return -1.0;
    return d < 0.5 ? (1.0 - d) / (2.0 * c->steps * d * c->cost) : 0.0;
}

const hs_arm_type hs_arm_local = {
    .name = "local moves",
    .words = "changes of single sites",
    .leaves_atlas = true,
    .make = make,
    .price = price,
};
