/* colors.c - moves all sites of a color at once.  Its moves are those of single
 * sites, so it is worth a trial only if the cost is time. */
#include "run/arms/arm.h"

static bool applies(const hs_arm_view *v)
{
    return v->is_timed && hs_arm_fits(v->m, &hs_kernel_chromatic, NULL);
}

static hiss_status make(hs_sampler **out, const hs_arm_view *v, hiss_error *err)
{
    (void)v;
    return hs_sampler_make(out, &hs_kernel_chromatic, NULL, err);
}

const hs_arm_type hs_arm_colors = {
    .name = "colors",
    .words = "all sites of a color change at once",
    .leaves_atlas = true,
    .applies = applies,
    .make = make,
};
