/* pilot_account.c - what a pilot costs, and whether the caller still wants
 * it. */
#include "run/account/pilot_account.h"

#include <math.h>

#include "base/clock.h"
#include "base/error.h"
#include "base/lane.h"
#include "run/account/budget.h"

#define PROGRESS 0.02 /* precision: seconds between two reports */

double hs_pilot_account_room(const hs_pilot_account *w)
{
    return w->evals > 0.0 ? 0.5 * w->evals - hs_pilot_account_spent(w)
                          : HUGE_VAL;
}

bool hs_pilot_account_has_overspent(const hs_pilot_account *w)
{
    return hs_pilot_account_room(w) < w->latest;
}

hs_pilot_mark hs_pilot_account_mark(const hs_pilot_account *w)
{
    return (hs_pilot_mark){w->energy_evals, w->gradient_evals};
}

void hs_pilot_account_enter(hs_pilot_account *w, hs_pilot_mark before,
                            double energy, double gradient)
{
    double spent = hs_pilot_account_spent(w);

    w->energy_evals = before.energy_evals + energy;
    w->gradient_evals = before.gradient_evals + gradient;
    w->latest = hs_pilot_account_spent(w) - spent;
}

hiss_status hs_pilot_account_report(hs_pilot_account *w, hiss_error *err)
{
    double now = hs_now();
    hiss_progress p = {.size = sizeof p,
                       .evaluations = hs_pilot_account_spent(w),
                       .is_warmup = 1,
                       .is_pilot = 1};

    if (w->until > 0.0 && now > w->until) {
        w->is_late = true;
        return hs_fail(err, HISS_ESTOP, "the time of the pilot is over");
    }
    if (hs_pilot_account_has_overspent(w)) {
        w->is_late = true;
        return hs_fail(err, HISS_ESTOP, "the pilot has spent too much");
    }
    if (!w->progress || now < w->next)
        return HISS_OK;
    w->next = now + PROGRESS;
    if (w->began > 0.0)
        p.seconds = now - w->began;
    if (w->budget > 0.0)
        p.fraction = w->share * p.evaluations / w->budget;
    if (p.fraction > w->share)
        p.fraction = w->share;
    if (w->progress(w->context, &p))
        return hs_fail(err, HISS_ESTOP, "stopped on request in the pilot");
    return HISS_OK;
}

int hs_pilot_account_ask(void *account)
{
    return hs_pilot_account_report(account, NULL) != HISS_OK;
}

void hs_pilot_account_restart(hs_pilot_account *w)
{
    double now = hs_now(), left;

    w->is_late = false;
    if (!(w->limit > 0.0))
        return;
    left = fmax(w->limit - (now - w->began), 0.0);
    w->walk *= left / w->limit;
    w->until = now + w->share * left;
    w->from = now;
    w->untimed = hs_pilot_account_spent(w);
}

void hs_pilot_account_prolong(hs_pilot_account *w)
{
    double end = w->from + w->share * (w->limit - (w->from - w->began));

    w->is_late = false;
    if (w->limit > 0.0)
        w->until =
            fmax(end, hs_now() + hs_policy(HS_PREPARATION_SHARE) *
                                     hs_budget_share(HS_SHARE_RACE) * w->limit);
}

/* Evaluations that are timed. */
static double timed(const hs_pilot_account *w)
{
    return hs_pilot_account_spent(w) - w->untimed;
}

void hs_pilot_account_calibrate(hs_pilot_account *w)
{
    double spent = timed(w), now = hs_now(), most;

    if (!(w->until > 0.0) || spent < 2.0 * HS_LANES || !(now > w->from))
        return;
    most = w->untimed + spent * (w->until - w->from) / (now - w->from);
    if (most < w->budget) {
        w->budget = most;
        w->is_lowered = true;
    }
}

double hs_pilot_account_left(const hs_pilot_account *w)
{
    if (!(w->evals > 0.0))
        return HUGE_VAL;
    return (w->evals - hs_pilot_account_spent(w)) /
           (w->chains > 1 ? w->chains : 1);
}

double hs_pilot_account_replicas(const hs_pilot_account *w)
{
    double spent = timed(w);

    if (!(w->until > 0.0) || spent < 2.0 * HS_LANES)
        return HUGE_VAL;
    return w->walk * spent / ((hs_now() - w->from) * hs_policy(HS_RUN_STEPS));
}

double hs_pilot_account_hurry(const hs_pilot_account *w)
{
    return w->until > 0.0 ? (hs_now() - w->from) / (w->until - w->from) : 0.0;
}
