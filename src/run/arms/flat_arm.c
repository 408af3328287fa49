/* flat_arm.c - multicanonical sampling for `auto`: learned weights of log p,
 * for models in which two phases coexist.
 *
 * Short trials see no round trip between the phases.  So its rate is taken from
 * the round trips that chains made while the weights were learned. */
#include "run/arms/arm.h"

#include <math.h>

#include "base/alloc.h"
#include "base/error.h"
#include "kernel/multicanonical/log_weights.h"
#include "run/flat/flat_pilot.h"
#include "run/flat/flatten.h"
#include "run/flat/peaks.h"
#include "run/policy/policy.h"

void hs_flat_arm_clear(hs_flat_arm *a)
{
    hs_sampler_release(a->sampler);
    hs_free(a->start);
    *a = (hs_flat_arm){0};
}

/* Evaluations that learning may take. */
static double most_evals(const hs_model *m, const hs_pilot_account *account)
{
    double most = hs_flatten_evals(m->domain.dim);

    if (account->evals > 0.0)
        most = fmin(most, hs_policy(HS_PREPARATION_SHARE) * account->evals);
    return most;
}

/* Returns true if log p of the pilot chains has two distant peaks and it pays
 * to learn weights, given the rate of the best trial. */
static hiss_status is_wanted(bool *out, const hs_arm_view *v, hiss_error *err)
{
    const hs_pilot_chains *chains = &v->found->pilots;
    double *u;
    hiss_status rc;

    *out = false;
    if (v->brought * most_evals(v->m, v->account) > hs_policy(HS_WARMUP_DRAWS))
        return HISS_OK;
    u = hs_alloc_array((size_t)chains->lanes, sizeof *u);
    if (!u)
        return hs_fail_memory(err);
    rc = hs_pilot_chains_energies(chains, v->m, u, v->account, err);
    if (rc == HISS_OK)
        *out = hs_has_two_peaks(u, chains->lanes);
    hs_free(u);
    return rc;
}

/* The sampler with all defaults; *out stays NULL if it cannot be the base. */
static hiss_status make_sampler(hs_sampler **out, const hs_sampler *base,
                                hiss_error *err)
{
    hs_sampler *given = NULL;
    hs_kernel *k = NULL;
    hiss_status rc;

    *out = NULL;
    if (hs_sampler_make(&given, &hs_kernel_multicanonical,
                        (hs_setting[]){{"base", .sampler = base}, {0}},
                        NULL) != HISS_OK ||
        hs_kernel_create(&k, given, NULL) != HISS_OK) {
        hs_sampler_release(given);
        return HISS_OK;
    }
    hs_kernel_destroy(k);
    rc = hs_sampler_spell_out(out, given, err);
    hs_sampler_release(given);
    return rc;
}

static hiss_status choose_base(hs_sampler **out, const hs_sampler *local,
                               hiss_error *err)
{
    hs_sampler *gibbs;
    hiss_status rc;

    HS_TRY(make_sampler(out, local, err));
    if (*out)
        return HISS_OK;
    HS_TRY(hs_sampler_make(&gibbs, &hs_kernel_gibbs, NULL, err));
    rc = make_sampler(out, gibbs, err);
    hs_sampler_release(gibbs);
    return rc;
}

/* Learns weights with the local sampler, or single sites where it cannot be the
 * base.  The arm has no sampler where chains do not travel between two
 * phases. */
static hiss_status learn(const hs_arm_view *v, hiss_error *err)
{
    hs_flat_arm *a = v->flat;
    hs_flat_learned learned;
    hs_sampler *full;
    hiss_status rc;

    HS_TRY(choose_base(&full, v->base, err));
    if (!full)
        return HISS_OK;
    rc = hs_flat_learn(&learned, v->m, full, true, v->account, err);
    hs_sampler_release(full);
    HS_TRY(rc);
    a->crossings = (int)learned.crossings;
    a->rate = learned.rate;
    a->barrier = learned.barrier;
    hs_text_line(v->text, "log p of chains has two peaks");
    if (!learned.has_phases)
        hs_text_print(v->text, ", but the target has one phase");
    else
        hs_text_print(v->text, ": its weights learned, %d crossings",
                      a->crossings);
    if (learned.has_phases &&
        learned.crossings < 2.0 * hs_policy(HS_MIN_CHAINS))
        hs_text_print(v->text, ", too few");
    else if (learned.has_phases) {
        a->sampler = learned.sampler;
        a->start = learned.start;
        learned.sampler = NULL;
        learned.start = NULL;
    }
    hs_flat_learned_clear(&learned);
    return HISS_OK;
}

/* --- the arm ------------------------------------------------------------- */

static bool applies(const hs_arm_view *v)
{
    return v->flat && v->found->pilots.lanes > 0 && !v->m->domain.is_tour;
}

/* Converts the rate to evaluations that cost as much as the local sampler's. */
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
static hiss_status make(hs_sampler **out, const hs_arm_view *v, hiss_error *err)
{
    bool may_pay;

    *out = NULL;
    HS_TRY(is_wanted(&may_pay, v, err));
    if (!may_pay)
        return HISS_OK;
    HS_TRY(learn(v, err));
    if (!v->flat->sampler)
        return HISS_OK;
    HS_TRY(convert(v, err));
    *out = hs_sampler_keep(v->flat->sampler);
    return HISS_OK;
}

static double price(const hs_arm_view *v)
{
    return v->flat->rate;
}

static void detail(hs_text *to, const hs_arm_view *v)
{
    hs_text_print(to, ", %d crossings", v->flat->crossings);
}

const hs_arm_type hs_arm_multicanonical = {
    .name = "multicanonical",
    .words = "weights of log p lead through the valley between two phases",
    .leaves_atlas = true,
    .stage = HS_ARM_LAST,
    .applies = applies,
    .make = make,
    .price = price,
    .detail = detail,
};
