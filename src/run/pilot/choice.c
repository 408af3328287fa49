/* choice.c - which sampler `auto` becomes: one race of all arms. */
#include "run/pilot/choice.h"

#include <math.h>

#include "base/alloc.h"
#include "base/error.h"
#include "base/random/streams.h"
#include "run/pilot/choice_report.h"
#include "run/policy/policy.h"
#include "run/survey/race.h"

#define PERCENT 100.0 /* mathematics: of a share */

struct contest {
    const hs_choice_request *c;
    hs_arm_view view;
    hs_race race;      /* owned */
    double unit;       /* price of an evaluation of the local sampler, */
    double local_time; /* price of one evaluation of the local sampler */
    double unseen;
    hs_text *text;
};

/* Returns true if there are temperatures: tuned, or the first guess if the
 * budget allowed no tuning but allows steps. */
static bool has_ladder(const hs_choice_request *c)
{
    const hs_ladder *l = &c->found->ladder;

    return l->rounds > 0 ||
           (!c->is_cut && l->levels > 1 &&
            c->left >= hs_policy(HS_GUESSED_STEPS) * l->levels);
}

static double left_of(const hs_pilot_account *account)
{
    return fmax(account->budget - hs_pilot_account_spent(account), 0.0);
}

/* Enters an arm in one of its forms, if it applies. */
static hiss_status enter(struct contest *n, int arm, int form, hiss_error *err)
{
    const hs_arm_type *a = hs_arm_types[arm];
    hs_arm_view *v = &n->view;
    hs_candidate c = {.arm = arm,
                      .form = form,
                      .is_admissible = a->leaves_atlas ||
                                       n->unseen <= hs_policy(HS_MAX_UNSEEN),
                      .sure = a->uses_atlas ? 1.0 - 0.5 * n->unseen : 1.0,
                      .high = HUGE_VAL};
    hs_arm_cost cost = {1.0, 0.0, 1.0};
    double slow = n->local_time * hs_policy(HS_RACE_MAX_SLOWNESS);
    double most = hs_policy(HS_RACE_SHARE) * left_of(v->account);
    hiss_status rc = HISS_OK;
    double known;

    v->form = form;
    if ((a->uses_atlas && !v->found->library) || (a->applies && !a->applies(v)))
        return HISS_OK;
    HS_TRY(a->make(&c.sampler, v, err));
    if (!c.sampler)
        return HISS_OK;
    known = a->price ? a->price(v) : -1.0;
    c.is_known = c.was_known = known >= 0.0;
    if (c.is_known)
        c.low = c.high = known / n->unit;
    else
        rc = hs_arm_cost_of(&cost, v, c.sampler,
                            slow * most / hs_race_least(1.0), err);
    c.evals = cost.evals;
    c.price = cost.price;
    c.work = fmax(cost.evals, cost.time / slow);
    if (rc == HISS_OK && (c.is_known || hs_race_least(c.work) <= most))
        hs_race_enter(&n->race, &c);
    else
        hs_sampler_release(c.sampler);
    return rc;
}

/* Enters all arms of a stage that apply.  If the race is decided, omits those
 * that have no price. */
static hiss_status enter_all(struct contest *n, hs_arm_stage stage,
                             bool is_decided, hiss_error *err)
{
    for (int k = 0; hs_arm_types[k]; k++) {
        const hs_arm_type *a = hs_arm_types[k];

        for (int form = 0; form == 0 || form < a->forms; form++)
            if (a->stage == stage && (a->price || !is_decided))
                HS_TRY(enter(n, k, form, err));
    }
    return HISS_OK;
}

static hiss_status run(struct contest *n, double budget,
                       hs_pilot_account *account, hiss_error *err)
{
    hs_race_request request = {.library = n->c->found->library,
                               .from = n->view.from,
                               .first_chain = hs_stream(HS_STREAM_RACE, 0),
                               .budget = budget};

    return hs_race_run(&n->race, n->c->m, &request, account, err);
}

/* Takes the jumps with the most effective draws, even if they reach no new
 * modes: temperatures around them do. */
static void find_jumps(struct contest *n)
{
    for (int k = 0; k < n->race.count; k++) {
        const hs_candidate *c = &n->race.at[k];
        double brought = c->low * c->price;

        if (c->sampler->type->is_outermost || /* cannot be an inner kernel */
            !hs_sampler_find(c->sampler, &hs_kernel_bridge) ||
            !(brought > n->view.brought))
            continue;
        n->view.inside = c->sampler;
        n->view.brought = brought;
    }
}

/* Enters arms whose rate is known, or that are made of others, and those that
 * are worth a part of the budget only if nothing but tempering remains. */
static hiss_status race_late(struct contest *n, hs_pilot_account *account,
                             hiss_error *err)
{
    int best = hs_race_best(&n->race);
    bool is_decided =
        best >= 0 && n->race.at[best].sampler->type != &hs_kernel_pt;

    find_jumps(n);
    HS_TRY(enter_all(n, HS_ARM_LATE, is_decided, err));
    return run(n, left_of(account), account, err);
}

/* The local sampler's evaluations and their price come first. */
static hiss_status race(struct contest *n, hs_pilot_account *account,
                        hiss_error *err)
{
    double late = n->c->found->library ? hs_policy(HS_RACE_SHARE) : 0.0;
    hs_arm_cost local;
    double budget;

    HS_TRY(hs_arm_cost_of(&local, &n->view, n->c->base, HUGE_VAL, err));
    n->unit = local.evals > 0.0 ? local.price / local.evals : 1.0;
    n->local_time = local.time / fmax(local.evals, 1.0);
    if (n->c->is_cut)
        hs_pilot_account_prolong(account);
    else
        hs_pilot_account_calibrate(account);
    HS_TRY(enter_all(n, HS_ARM_FIRST, false, err));
    budget = left_of(account);
    if (n->c->is_cut)
        budget = fmin(budget, 0.5 * hs_policy(HS_PILOT_LEAST));
    HS_TRY(run(n, (1.0 - late) * budget, account, err));
    return n->c->is_cut ? HISS_OK : race_late(n, account, err);
}

static bool is_tempered(const hs_candidate *c)
{
    return c->sampler->type == &hs_kernel_pt;
}

/* The best rate in a trial.  The rate of tempering was estimated from its
 * exchanges, which a valley between two phases does not hinder.  If that
 * estimate alone would decide, this returns 0. */
static double best_trial(const struct contest *n)
{
    int winner = hs_race_best(&n->race);
    double best = 0.0;

    if (winner >= 0 && n->race.at[winner].was_known &&
        is_tempered(&n->race.at[winner]))
        return 0.0;
    for (int k = 0; k < n->race.count; k++) {
        const hs_candidate *c = &n->race.at[k];

        if (c->is_admissible && !(c->was_known && is_tempered(c)))
            best = fmax(best, c->low * n->unit);
    }
    return best;
}

/* Arms whose set-up is worth it only if the race has found little. */
static hiss_status race_last(struct contest *n, hiss_error *err)
{
    n->view.brought = best_trial(n);
    HS_TRY(enter_all(n, HS_ARM_LAST, false, err));
    for (int k = 0; n->view.flat && k < n->race.count; k++) {
        hs_candidate *c = &n->race.at[k];

        if (c->was_known && is_tempered(c)) { /* it has to cross the valley */
            c->low *= exp(-n->view.flat->barrier);
            c->high = c->low;
        }
    }
    return HISS_OK;
}

/* No arm mixed in its trial: combines the arms that may help, with
 * tempering. */
static hiss_status take_all(struct contest *n, hs_sampler **out,
                            hiss_error *err)
{
    const hs_choice_request *c = n->c;
    bool is_hurried = c->is_cut || n->view.account->is_lowered;
    hs_sampler *base = NULL;
    hiss_status rc;

    hs_text_line(n->text, "all that may help is mixed");
    if (c->found->library && !is_hurried && n->unseen <= 0.5)
        rc = hs_arm_follow(&base, c->base, &hs_kernel_bridge,
                           (hs_setting[]){{"components", .number = 0.5}, {0}},
                           err);
    else if (n->view.has_ladder && (c->found->is_rugged || is_hurried)) {
        base = hs_sampler_keep(c->base); /* a step of clusters costs more */
        rc = HISS_OK;
    } else
        rc = hs_choice_cold(&base, c->m, c->base, err);
    if (rc == HISS_OK && n->view.has_ladder)
        rc = hs_arm_temper(out, &n->view, base, 0, err);
    else if (rc == HISS_OK)
        *out = hs_sampler_keep(base);
    hs_sampler_release(base);
    return rc;
}

/* Takes a sampler whose step brings `brought` draws, with several replicas at
 * the target if that is faster. */
static hiss_status spread(hs_sampler **out, double *each, const hs_sampler *s,
                          double evals, double brought,
                          const hs_pilot_account *account, hs_text *text,
                          hiss_error *err)
{
    HS_TRY(hs_arm_replicas(out, s, brought, evals, account, err));
    if ((*out)->type == &hs_kernel_replicas && s->type != &hs_kernel_replicas)
        hs_text_line(text, "a step brings %.2g draws: %d replicas of a chain",
                     brought, (*out)->replicas);
    *each = brought > 0.0 ? evals / brought : 0.0;
    if ((*out)->type == &hs_kernel_replicas)
        *each *= (*out)->replicas;
    return HISS_OK;
}

/* The winner; everything where nothing was seen to mix. */
static hiss_status take_best(struct contest *n, hs_pilot_account *account,
                             hs_sampler **out, double *each, hiss_error *err)
{
    int best = hs_race_best(&n->race);
    const hs_candidate *c = &n->race.at[best < 0 ? 0 : best];

    hs_choice_report(&n->view, &n->race, best, n->unseen, n->text);
    if (best < 0)
        return take_all(n, out, err);
    if (c->was_known) { /* low is per evaluation here */
        *out = hs_sampler_keep(c->sampler);
        *each = 1.0 / (c->low * n->unit);
        return HISS_OK;
    }
    return spread(out, each, c->sampler, c->evals, c->low * c->price, account,
                  n->text, err);
}

hiss_status hs_choice_cold(hs_sampler **out, const hs_model *m,
                           const hs_sampler *base, hiss_error *err)
{
    if (hs_arm_fits(m, &hs_kernel_cluster, NULL))
        return hs_arm_follow(out, base, &hs_kernel_cluster, NULL, err);
    *out = hs_sampler_keep(base);
    return HISS_OK;
}

/* Chains agree: local moves, or a network that brings more. */
static hiss_status take_local(const hs_choice_request *c, hs_sampler **out,
                              double *each, hs_pilot_account *account,
                              hs_text *text, hiss_error *err)
{
    const hs_pilot_chains *chains = &c->found->pilots;
    const hs_network_arm *network = c->network;
    double discord = c->found->discord, brought = 0.0;
    double evals = fmax(chains->cost, 1.0);

    if (chains->steps > 0)
        brought = fmin((1.0 - discord) / (2.0 * chains->steps * discord), 1.0);
    if (network && network->rate * evals > brought) {
        hs_text_line(text, "chains of local moves agree, but bring less");
        *out = hs_sampler_keep(network->sampler);
        *each = 1.0 / network->rate;
        return HISS_OK;
    }
    hs_text_line(text, "chains from %d states all over the space agree",
                 chains->lanes);
    hs_text_line(text, "(they differ by %.2g %%): local moves are enough",
                 PERCENT * discord);
    return spread(out, each, c->base, evals, brought, account, text, err);
}

/* Start states of the trials: of all modes, or those that tempering had before
 * the survey was cut short.  Owned by the caller. */
static int16_t *starts_of(const hs_survey *f, int dim, int *count)
{
    const hs_ladder *l = &f->ladder;
    int colds = l->colds < HS_LADDER_COLD ? l->colds : HS_LADDER_COLD;
    size_t size = (size_t)colds * (size_t)dim;
    int16_t *out;

    if (f->pilots.lanes > 0)
        return hs_survey_starts(f, count);
    *count = colds;
    out = hs_alloc_array(size + 1, sizeof *out);
    for (size_t n = 0; out && n < size; n++)
        out[n] = l->cold[n];
    return out;
}

hiss_status hs_choice_make(hs_sampler **out, double *each,
                           const hs_choice_request *c,
                           hs_pilot_account *account, hs_text *text,
                           hiss_error *err)
{
    const hs_survey *f = c->found;
    struct contest n = {.c = c, .text = text, .unit = 1.0};
    int16_t *start;
    hiss_status rc = HISS_OK;

    *each = 0.0;
    if (f->discord < HS_AGREED)
        return take_local(c, out, each, account, text, err);
    if (f->pilots.lanes > 0)
        hs_text_line(text,
                     "local moves do not mix: chains differ by %.0f %% of the "
                     "variance",
                     PERCENT * fmin(f->discord, 1.0));
    start = starts_of(f, c->m->domain.dim, &n.view.from.count);
    if (!start)
        return hs_fail_memory(err);
    n.view = (hs_arm_view){.m = c->m,
                           .base = c->base,
                           .found = f,
                           .network = c->network,
                           .flat = c->flat,
                           .text = text,
                           .account = account,
                           .from = {start, n.view.from.count},
                           .swap_every = c->swap_every,
                           .has_ladder = has_ladder(c),
                           .is_timed = !(account->evals > 0.0)};
    n.unseen = hs_survey_unseen(f, &c->m->domain);
    if (n.view.from.count > 1 && f->pilots.lanes != 1)
        rc = race(&n, account, err);
    if (rc == HISS_OK && !c->is_cut)
        rc = race_last(&n, err);
    if (rc == HISS_OK)
        rc = take_best(&n, account, out, each, err);
    hs_race_clear(&n.race);
    hs_free(start);
    return rc;
}
