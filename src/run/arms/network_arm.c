/* network_arm.c - independent draws from a truncated network: their cost and
 * their rate. */
#include "run/arms/arm.h"

#include <math.h>

#include "base/clock.h"
#include "base/error.h"
#include "base/poll.h"
#include "kernel/kernel.h"
#include "model/factors.h"
#include "run/policy/policy.h"
#include "run/price/price.h"

#define PERCENT 100.0 /* mathematics: of a share */

void hs_network_arm_clear(hs_network_arm *a)
{
    hs_network_release(a->held);
    hs_sampler_release(a->sampler);
    *a = (hs_network_arm){0};
}

static hiss_status find_sweep(double *sweep, const hs_model *m, hiss_error *err)
{
    hs_factors f;

    HS_TRY(m->ops->factors(m, &f, err));
    *sweep = fmax(1.0, hs_factors_sweep(&f));
    hs_factors_clear(&f);
    return HISS_OK;
}

/* Multiplications that the set-up may take. */
static double most_work(const hs_pilot_account *w, double sweep)
{
    double evals = fmax(w->budget, hs_policy(HS_NETWORK_SHARE) * w->evals);
    double most = fmin(hs_policy(HS_NETWORK_MAX_WORK), evals * sweep), left;

    if (!(w->limit > 0.0))
        return most;
    left = w->limit - (hs_now() - w->began);
    return fmin(most, hs_policy(HS_NETWORK_SHARE) * left *
                          hs_policy(HS_WORK_PER_SECOND));
}

/* Makes the network, or leaves a->held NULL where that costs too much. */
static hiss_status hold(hs_network_arm *a, const hs_model *m,
                        hs_pilot_account *account, hiss_error *err)
{
    hs_poll poll = {hs_pilot_account_ask, account};
    hs_network_request request = {.poll = &poll};
    hs_network_price price;
    double sweep;
    hiss_status rc;

    if (!m->ops->factors || m->is_dense)
        return HISS_OK;
    HS_TRY(find_sweep(&sweep, m, err));
    request.most = most_work(account, sweep);
    HS_TRY(hs_network_weigh(&price, m, HS_NETWORK_BOND_FIRST, err));
    if (!(price.set_up <= request.most))
        return HISS_OK;
    rc = hs_network_hold(&a->held, m, &request, err);
    if (rc == HISS_OK)
        a->evals = hs_network_about(a->held)->sweeps;
    else if (rc == HISS_ENOMEM || account->is_late)
        rc = HISS_OK; /* other samplers remain */
    return rc;
}

/* Nanoseconds of a step of a tile. */
static hiss_status find_price(double *price, const hs_model *m,
                              const hs_sampler *s, hiss_error *err)
{
    hs_kernel *k = NULL;
    hiss_status rc = hs_kernel_create(&k, s, err);

    if (rc == HISS_OK)
        rc = hs_kernel_setup(k, m, err);
    if (rc == HISS_OK)
        *price = hs_price_step(k, m);
    hs_kernel_destroy(k);
    return rc;
}

/* If weights p / q are log-normal, with the acceptance a, a draw is worth about
 * a / (2 - a) independent ones. */
static hiss_status find_rate(hs_network_arm *a, const hs_model *m,
                             const hs_sampler *base, double base_evals,
                             hiss_error *err)
{
    double accepted = hs_network_about(a->held)->accepted, own, local;

    HS_TRY(hs_sampler_make(&a->sampler, &hs_kernel_network, NULL, err));
    HS_TRY(find_price(&own, m, a->sampler, err));
    HS_TRY(find_price(&local, m, base, err));
    a->rate = accepted / (2.0 - accepted) * local / (own * base_evals);
    return HISS_OK;
}

hiss_status hs_network_arm_init(hs_network_arm *a, const hs_model *m,
                                const hs_sampler *base, double base_evals,
                                hs_pilot_account *account, hs_text *text,
                                hiss_error *err)
{
    const hs_network_facts *f;
    hiss_status rc;

    *a = (hs_network_arm){0};
    rc = hold(a, m, account, err);
    if (rc != HISS_OK || !a->held)
        return rc;
    f = hs_network_about(a->held);
    hs_text_line(text,
                 "a tensor network with bonds up to %d: %.0f %% of its draws "
                 "are accepted",
                 f->bond, PERCENT * f->accepted);
    if (f->accepted >= hs_policy(HS_NETWORK_MIN_ACCEPTED))
        rc = find_rate(a, m, base, base_evals, err);
    if (rc != HISS_OK || !a->sampler) {
        hs_network_release(a->held);
        a->held = NULL;
    }
    return rc;
}

/* --- the arm ------------------------------------------------------------- */

static bool applies(const hs_arm_view *v)
{
    return v->network && v->network->sampler;
}

static hiss_status make(hs_sampler **out, const hs_arm_view *v, hiss_error *err)
{
    (void)err;
    *out = hs_sampler_keep(v->network->sampler);
    return HISS_OK;
}

static double price(const hs_arm_view *v)
{
    return v->network->rate;
}

const hs_arm_type hs_arm_network = {
    .name = "network",
    .words = "independent draws from a truncated tensor network",
    .leaves_atlas = true,
    .applies = applies,
    .make = make,
    .price = price,
};
