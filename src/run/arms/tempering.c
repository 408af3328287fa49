/* tempering.c - local moves at tuned temperatures.  Its rate is known if it was
 * used to search for unknown modes. */
#include "run/arms/arm.h"

static bool applies(const hs_arm_view *v)
{
    return v->has_ladder;
}

static hiss_status make(hs_sampler **out, const hs_arm_view *v, hiss_error *err)
{
    return hs_arm_temper(out, v, v->base, 0, err);
}

static double price(const hs_arm_view *v)
{
    return v->found->tempered;
}

static void detail(hs_text *to, const hs_arm_view *v)
{
    hs_text_print(to, ", %d temperatures", v->found->ladder.levels);
}

const hs_arm_type hs_arm_tempering = {
    .name = "tempering",
    .words = "replicas at higher temperatures carry states between modes",
    .leaves_atlas = true,
    .applies = applies,
    .make = make,
    .price = price,
    .detail = detail,
};
