/* jumps_components.c - jumps between known modes, and exchanges of components.
 */
#include "run/arms/arm.h"

static hiss_status make(hs_sampler **out, const hs_arm_view *v, hiss_error *err)
{
    hs_setting half[] = {{"components", .number = 0.5}, {0}};

    return hs_arm_follow(out, v->base, &hs_kernel_bridge, half, err);
}

const hs_arm_type hs_arm_jumps_components = {
    .name = "jumps + components",
    .words = "jumps between known modes, and exchanges of their components",
    .leaves_atlas = true,
    .uses_atlas = true,
    .make = make,
};
