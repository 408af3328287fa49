/* components.c - exchanges the connected components in which known modes
 * differ. They combine parts of several modes, so they reach new modes. */
#include "run/arms/arm.h"

/* If the local sampler moves all sites at once, form 1 moves one site. */
static bool applies(const hs_arm_view *v)
{
    return v->form == 0 || v->base->type == &hs_kernel_dmala;
}

static hiss_status make(hs_sampler **out, const hs_arm_view *v, hiss_error *err)
{
    hs_setting all[] = {{"components", .number = 1.0}, {0}};
    hs_sampler *gwg;
    hiss_status rc;

    if (v->form == 0)
        return hs_arm_follow(out, v->base, &hs_kernel_bridge, all, err);
    HS_TRY(hs_sampler_make(&gwg, &hs_kernel_gwg, NULL, err));
    rc = hs_arm_follow(out, gwg, &hs_kernel_bridge, all, err);
    hs_sampler_release(gwg);
    return rc;
}

const hs_arm_type hs_arm_components = {
    .name = "components",
    .words = "components in which known modes differ are exchanged",
    .forms = 2,
    .leaves_atlas = true,
    .uses_atlas = true,
    .applies = applies,
    .make = make,
};
