/* jumps_components.c - jumps between known modes, and exchanges of components.
 */
#include "run/arms/arm.h"

static bool applies(const hs_arm_view *v, int form)
{
    (void)form;
    return v->found->library != NULL;
}

static hiss_status make(hs_sampler **out, const hs_arm_view *v, int form,
                        hiss_error *err)
{
    hs_setting half[] = {{"components", .number = 0.5}, {0}};

    (void)form;
    return hs_arm_follow(out, v->base, &hs_kernel_bridge, half, err);
}

const hs_arm_type hs_arm_jumps_components = {
    .name = "jumps + components",
    .words = "jumps between known modes, and exchanges of their components",
    .forms = 1,
    .leaves_atlas = true,
    .uses_atlas = true,
    .applies = applies,
    .make = make,
};
