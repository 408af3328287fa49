/* houdayer.c - tempering whose replicas exchange the parts in which they
 * differ: Houdayer moves. */
#include "run/arms/arm.h"

static bool applies(const hs_arm_view *v)
{
    return v->has_ladder && v->found->in_parts > 0.0;
}

static hiss_status make(hs_sampler **out, const hs_arm_view *v, hiss_error *err)
{
    return hs_arm_temper(out, v, v->base, 1, err);
}

static double price(const hs_arm_view *v)
{
    return v->found->in_parts;
}

const hs_arm_type hs_arm_houdayer = {
    .name = "tempering + Houdayer moves",
    .words = "replicas also exchange the parts in which they differ",
    .leaves_atlas = true,
    .applies = applies,
    .make = make,
    .price = price,
};
