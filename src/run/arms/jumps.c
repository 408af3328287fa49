/* jumps.c - jumps between known modes, one or more of them to a local move. */
#include "run/arms/arm.h"

#define FORMS 3 /* capacity: 1, 3 and 7 jumps to a local move */

static double jumps_of(int form)
{
    return (double)((2 << form) - 1);
}

static hiss_status make(hs_sampler **out, const hs_arm_view *v, hiss_error *err)
{
    hs_setting whole[] = {{"components", .number = 0.0}, {0}};
    double weight[] = {1.0, jumps_of(v->form)};
    hs_reals weights = {weight, 2};
    hs_sampler *bridge;
    hiss_status rc;

    if (v->form == 0)
        return hs_arm_follow(out, v->base, &hs_kernel_bridge, whole, err);
    HS_TRY(hs_sampler_make(&bridge, &hs_kernel_bridge, whole, err));
    rc = hs_sampler_make(out, &hs_kernel_mix,
                         (hs_setting[]){{.sampler = v->base},
                                        {.sampler = bridge},
                                        {"weights", .list = &weights},
                                        {0}},
                         err);
    hs_sampler_release(bridge);
    return rc;
}

static void detail(hs_text *to, const hs_arm_view *v)
{
    if (v->form > 0)
        hs_text_print(to, ", %.0f to a local move", jumps_of(v->form));
}

const hs_arm_type hs_arm_jumps = {
    .name = "jumps",
    .words = "jumps between known modes",
    .forms = FORMS,
    .uses_atlas = true,
    .make = make,
    .detail = detail,
};
