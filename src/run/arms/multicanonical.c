/* multicanonical.c - learned weights of log p, where two phases coexist
 * (flat_arm.h).  Short trials see no round trip between the phases, so its
 * worth comes from those that chains made while the weights were learned. */
#include <math.h>

#include "base/error.h"
#include "run/arms/arm.h"

static bool applies(const hs_arm_view *v, int form)
{
    (void)form;
    return v->flat && v->found->pilots.lanes > 0 && !v->m->domain.is_tour;
}

/* The rate in evaluations that cost what those of the local sampler do. */
static hiss_status convert(const hs_arm_view *v, hiss_error *err)
{
    hs_arm_cost local, own;

    if (!v->is_timed)
        return HISS_OK;
    HS_TRY(hs_arm_cost_of(&local, v, v->base, HUGE_VAL, err));
    HS_TRY(hs_arm_cost_of(&own, v, v->flat->sampler, HUGE_VAL, err));
    v->flat->rate *= local.time / local.evals * own.evals / own.time;
    return HISS_OK;
}

/* *out stays NULL where there are no two phases. */
static hiss_status make(hs_sampler **out, const hs_arm_view *v, int form,
                        hiss_error *err)
{
    bool is_wanted;

    (void)form;
    *out = NULL;
    HS_TRY(hs_flat_arm_is_wanted(&is_wanted, v->m, &v->found->pilots,
                                 v->brought, v->account, err));
    if (!is_wanted)
        return HISS_OK;
    HS_TRY(hs_flat_arm_learn(v->flat, v->m, v->base, v->account, v->text, err));
    if (!v->flat->sampler)
        return HISS_OK;
    HS_TRY(convert(v, err));
    *out = hs_sampler_keep(v->flat->sampler);
    return HISS_OK;
}

static double price(const hs_arm_view *v, int form)
{
    (void)form;
    return v->flat->rate;
}

static void detail(hs_text *to, const hs_arm_view *v, int form)
{
    (void)form;
    hs_text_print(to, ", %d crossings", v->flat->crossings);
}

const hs_arm_type hs_arm_multicanonical = {
    .name = "multicanonical",
    .words = "weights of log p lead through the valley between two phases",
    .forms = 1,
    .leaves_atlas = true,
    .stage = HS_ARM_LAST,
    .applies = applies,
    .make = make,
    .price = price,
    .detail = detail,
};
