/* clusters.c - local moves and cluster moves in turn. */
#include "run/arms/arm.h"

static bool applies(const hs_arm_view *v)
{
    return hs_arm_fits(v->m, &hs_kernel_cluster, NULL);
}

static hiss_status make(hs_sampler **out, const hs_arm_view *v, hiss_error *err)
{
    return hs_arm_follow(out, v->base, &hs_kernel_cluster, NULL, err);
}

const hs_arm_type hs_arm_clusters = {
    .name = "clusters",
    .words = "clusters of coupled sites change together",
    .leaves_atlas = true,
    .applies = applies,
    .make = make,
};
