/* tables_pilot.c - elimination in place of a pilot, where it leaves most of the
 * evaluations for draws. */
#include "run/pilot/tables_pilot.h"

#include <math.h>

#include "base/clock.h"
#include "base/error.h"
#include "base/poll.h"
#include "run/policy/policy.h"

/* The tables that all chains share, being made. */
struct table_making {
    hs_pilot_account *account;
    hs_descent_price price; /* owned: where they were weighed */
    double began;           /* hs_now() */
    double done;            /* share of them that is made, */
    double next;            /* share of the largest one, which may be almost
                               done */
    bool is_open;           /* auto may do something else */
};

/* Returns true if the tables cost no more than a pilot, or leave most
 * evaluations for independent draws, and if they leave enough time. */
static bool are_cheap(const struct table_making *t, const hs_sampler *full,
                      hs_text *text)
{
    const hs_pilot_account *w = t->account;
    double taken = hs_now() - w->began, most = w->budget;

    if (hs_sampler_number(full, "pilot") >= hs_policy(HS_PILOT_EVALS))
        most = fmax(most, hs_policy(HS_ELIMINATION_SHARE) * w->evals);
    if (t->price.sweeps > most)
        return false;
    if (!(w->limit > 0.0) ||
        taken + t->price.seconds <= hs_policy(HS_ELIMINATION_TIME) * w->limit)
        return true;
    hs_text_print(text, "there is no time for the tables of elimination");
    return false;
}

static hiss_status weigh(struct table_making *t, hs_scheme *s,
                         const hs_sampler *full, hs_text *text, hiss_error *err)
{
    if (hs_sampler_number(full, "independent") == 0.0)
        return HISS_OK;
    HS_TRY(hs_descent_weigh(
        &t->price, s->model,
        hs_policy(HS_ELIMINATION_PLAN_TIME) * t->account->limit, err));
    if (!are_cheap(t, full, text))
        return HISS_OK;
    if (!t->price.counted)
        t->next = t->price.plan.largest / t->price.plan.entries;
    hs_sampler_release(s->sampler);
    return hs_sampler_make(&s->sampler, &hs_kernel_independent, NULL, err);
}

/* Asks the caller.  If `auto` has an alternative and the tables would take too
 * much time even if all goes well, gives them up. */
static int ask(void *context)
{
    struct table_making *t = context;
    hs_pilot_account *w = t->account;
    double taken = hs_now() - t->began, share = fmin(t->done + t->next, 1.0);

    if (hs_pilot_account_report(w, NULL) != HISS_OK)
        return 1;
    if (t->is_open && w->limit > 0.0 &&
        taken > hs_policy(HS_ELIMINATION_PLAN_TIME) * w->limit &&
        t->began + taken / share >
            w->began + hs_policy(HS_ELIMINATION_TIME) * w->limit)
        w->is_late = true;
    return w->is_late;
}

static hiss_status hold(struct table_making *t, hs_scheme *s, hiss_error *err)
{
    hs_patience patience = HS_PATIENCE(ask, t);
    hs_poll poll = {hs_patience_ask, &patience};
    hs_pilot_account *w = t->account;
    double until = w->until;
    hs_descent_request request = {
        .plan = t->is_open ? &t->price.plan : NULL,
        .counted = &t->price.counted,
        .done = &t->done,
        .threads = w->threads > 0 ? w->threads : 1,
        .most = w->evals,
        .poll = &poll,
    };
    hiss_status rc;

    t->began = hs_now();
    if (w->limit > 0.0)
        w->until = w->began + w->limit * hs_policy(HS_ELIMINATION_TIME);
    rc = hs_descent_hold(&s->descent, s->model, &request, err);
    w->until = until;
    if (rc == HISS_OK) {
        w->energy_evals += s->descent->tables;
        s->each = s->descent->cost;
    } else if (t->is_open)
        w->energy_evals += t->done * t->price.sweeps;
    return rc;
}

/* Restores auto. */
static hiss_status give_up(hs_scheme *s, const hs_sampler *full, hs_text *text)
{
    hs_text_print(text, "there is no time for the tables of elimination");
    hs_sampler_release(s->sampler);
    s->sampler = hs_sampler_keep(full);
    return HISS_OK;
}

static hiss_status say(hs_scheme *s, double sweeps, hiss_error *err)
{
    hs_text text = {0};

    hs_text_print(&text,
                  "%s cost %.3g evaluations, "
                  "once:\nthen every draw is independent",
                  s->descent->counted ? "counting the possible states"
                                      : "the tables of variable elimination",
                  sweeps);
    s->text = hs_text_take(&text);
    return s->text ? HISS_OK : hs_fail_memory(err);
}

hiss_status hs_tables_pilot(hs_scheme *s, const hs_sampler *full,
                            hs_pilot_account *account, hs_text *text,
                            hiss_error *err)
{
    struct table_making t = {.account = account,
                             .next = 1.0,
                             .is_open = full->type == &hs_kernel_auto};
    hiss_status rc = t.is_open ? weigh(&t, s, full, text, err) : HISS_OK;

    if (rc == HISS_OK && s->sampler->type == &hs_kernel_independent) {
        rc = hold(&t, s, err);
        if (rc == HISS_OK && t.is_open)
            rc = say(s, t.price.sweeps, err);
        else if (rc == HISS_ESTOP && account->is_late)
            rc = t.is_open ? give_up(s, full, text)
                           : hs_fail(err, HISS_ESTOP,
                                     "there is no time for the tables of "
                                     "elimination");
    }
    hs_descent_price_clear(&t.price);
    return rc;
}
