/* network.c - independent draws from a truncated network (network_arm.h). */
#include "run/arms/arm.h"

static bool applies(const hs_arm_view *v, int form)
{
    (void)form;
    return v->network && v->network->sampler;
}

static hiss_status make(hs_sampler **out, const hs_arm_view *v, int form,
                        hiss_error *err)
{
    (void)form;
    (void)err;
    *out = hs_sampler_keep(v->network->sampler);
    return HISS_OK;
}

static double price(const hs_arm_view *v, int form)
{
    (void)form;
    return v->network->rate;
}

const hs_arm_type hs_arm_network = {
    .name = "network",
    .words = "independent draws from a truncated tensor network",
    .forms = 1,
    .leaves_atlas = true,
    .applies = applies,
    .make = make,
    .price = price,
};
