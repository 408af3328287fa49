/* race.c - compares candidate samplers by effective draws per cost. */
#include "run/survey/race.h"

#include <math.h>

#include "base/error.h"
#include "run/policy/policy.h"

void hs_race_enter(hs_race *r, const hs_candidate *c)
{
    if (r->count < HS_CANDIDATES)
        r->at[r->count++] = *c;
    else
        hs_sampler_release(c->sampler);
}

void hs_race_clear(hs_race *r)
{
    for (int k = 0; k < r->count; k++) {
        hs_trial_clear(&r->at[k].trial);
        hs_sampler_release(r->at[k].sampler);
    }
    *r = (hs_race){0};
}

/* Work of the shortest trial of one chain. */
static double least_of(double work)
{
    return (2.0 + hs_trial_least()) * fmax(work, 1.0);
}

double hs_race_least(double work)
{
    return hs_policy(HS_MIN_CHAINS) * least_of(work);
}

/* Chains of a trial: as many as the budget has short trials for, since more of
 * them say how sure a score is, and later rounds make all of them longer. */
static int chains_of(const hs_candidate *c, double budget)
{
    return (int)fmin(budget / least_of(c->work), HS_GROUP_CHAINS);
}

/* One round of one candidate. */
static hiss_status try_out(hs_candidate *c, const hs_model *m,
                           const hs_race_request *request, int number,
                           double budget, hs_pilot_account *account,
                           hiss_error *err)
{
    uint32_t chain =
        request->first_chain + (uint32_t)(number * HS_GROUP_CHAINS);

    budget = fmax(budget, hs_race_least(c->work));
    if (!c->trial.group)
        HS_TRY(hs_trial_init(&c->trial, m, c->sampler, request->library,
                             &request->from, account->seed, chain,
                             chains_of(c, budget), err));
    c->trial.cost = c->evals;
    HS_TRY(hs_trial_run(&c->trial, budget * c->evals / c->work, NULL, account,
                        err));
    c->low = c->sure * c->trial.low / c->price;
    c->high = c->trial.high / c->price;
    c->mean_discord = c->trial.mean_discord;
    return HISS_OK;
}

/* The largest lower bound among the admissible candidates. */
static double most_sure(const hs_race *r)
{
    double most = 0.0;

    for (int k = 0; k < r->count; k++)
        most = fmax(most, r->at[k].is_admissible ? r->at[k].low : 0.0);
    return most;
}

/* Returns true if a is more promising than b.  Candidates that mixed in their
 * trials come first, by upper bound.  The others are compared by their mean
 * between-chain variance share, because their upper bounds only reflect how
 * short the trial was. */
static bool is_ahead(const hs_candidate *a, const hs_candidate *b)
{
    bool a_mixes = a->low > 0.0, b_mixes = b->low > 0.0;

    if (a_mixes != b_mixes)
        return a_mixes;
    return a_mixes ? a->high > b->high : a->mean_discord < b->mean_discord;
}

/* The number of candidates ahead of it, ties in the order of entry. */
static int rank_of(const hs_race *r, int at)
{
    const hs_candidate *own = &r->at[at];
    int before = 0;

    for (int k = 0; k < r->count; k++)
        before += !r->at[k].is_out && (is_ahead(&r->at[k], own) ||
                                       (k < at && !is_ahead(own, &r->at[k])));
    return before;
}

/* Keeps the better half of the remaining candidates, without those that cannot
 * win; returns how many. */
static int halve(hs_race *r, int left)
{
    double sure = most_sure(r);
    int stay = 0, rank[HS_CANDIDATES];

    for (int k = 0; k < r->count; k++)
        rank[k] = rank_of(r, k);
    for (int k = 0; k < r->count; k++) {
        hs_candidate *c = &r->at[k];

        c->is_out |= c->high < sure || rank[k] >= (left + 1) / 2;
        stay += !c->is_out;
        if (c->is_out)
            hs_trial_clear(&c->trial);
    }
    return stay;
}

/* A round; false where time was over in it. */
static hiss_status make_round(hs_race *r, const hs_model *m,
                              const hs_race_request *request, double share,
                              hs_pilot_account *account, hiss_error *err)
{
    for (int k = 0; k < r->count && !account->is_late; k++) {
        hiss_status rc = HISS_OK;

        if (!r->at[k].is_out)
            rc = try_out(&r->at[k], m, request, k, share, account, err);
        if (rc != HISS_OK && !account->is_late)
            return rc;
    }
    return HISS_OK;
}

hiss_status hs_race_run(hs_race *r, const hs_model *m,
                        const hs_race_request *request,
                        hs_pilot_account *account, hiss_error *err)
{
    int left = 0, rounds;

    for (int k = 0; k < r->count; k++) {
        r->at[k].is_out = r->at[k].is_known;
        left += !r->at[k].is_known;
    }
    rounds = left > 1 ? (int)ceil(log2(left)) : 1;
    for (int n = 0; n < rounds && left > 0; n++) {
        HS_TRY(make_round(r, m, request, request->budget / (rounds * left),
                          account, err));
        if (account->is_late)
            break; /* the measurements so far decide */
        left = halve(r, left);
        if (left == 1 && most_sure(r) > 0.0)
            break; /* more would say nothing new */
    }
    for (int k = 0; k < r->count; k++) {
        r->at[k].is_known = true;
        hs_trial_clear(&r->at[k].trial);
    }
    return HISS_OK;
}

int hs_race_best(const hs_race *r)
{
    double most = most_sure(r);

    for (int k = 0; most > 0.0 && k < r->count; k++)
        if (r->at[k].is_admissible && r->at[k].low >= most)
            return k;
    return -1;
}
