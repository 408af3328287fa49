/* reference_path.c - tempering towards the learned distributions of the modes.
 *
 * Its levels are placed first, which costs a share of the remaining budget; it
 * uses no temperatures.  Every step computes the densities of all modes, which
 * would be most of its time in models of sparse tables. */
#include <math.h>

#include "base/error.h"
#include "run/arms/arm.h"
#include "run/schedule/reference_path.h"

static bool applies(const hs_arm_view *v)
{
    const hs_survey *f = v->found;
    bool is_sparse = v->m->ops->factors && !v->m->is_dense;

    return f->ladder.rounds > 0 && !is_sparse;
}

/* *out stays NULL where no levels could be placed. */
static hiss_status make(hs_sampler **out, const hs_arm_view *v, hiss_error *err)
{
    hs_leg_request request = {
        .base = v->base,
        .swap_every = v->swap_every,
        .reference = "modes",
        .library = v->found->library,
        .from = v->from,
        .budget =
            0.5 *
            fmax(v->account->budget - hs_pilot_account_spent(v->account), 0.0)};
    hs_leg leg;

    *out = NULL;
    HS_TRY(hs_leg_tune(&leg, v->m, &request, v->account, err));
    if (leg.rounds == 0 || leg.barrier > v->found->ladder.barrier)
        return HISS_OK;
    return hs_leg_sampler(out, &leg, &request, NULL, err);
}

const hs_arm_type hs_arm_reference_path = {
    .name = "reference path",
    .words = "replicas between the target and the learned modes",
    .stage = HS_ARM_LATE,
    .uses_atlas = true,
    .applies = applies,
    .make = make,
};
