/* race.c - candidates for a run, compared by what they bring per evaluation. */
#include "run/survey/race.h"

#include <math.h>

#include "base/error.h"

#define ROUNDS 3
#define BEHIND                                                                 \
  4.0               /* times worse than the best in the first round: out; half
                      as much in the next */
#define CHEAP  72.0 /* evaluations of a chain: fewer chains before less */
#define FEWEST 4    /* chains */
#define HOPE   0.2  /* effective draws that a trial may have missed */
#define TIE    0.8  /* of the best is as good */

static void enter(hs_race *r, hs_candidate c)
{
    if (r->count < HS_CANDIDATES)
        r->at[r->count++] = c;
    else
        hs_sampler_release(c.sampler);
}

void hs_race_enter(hs_race *r, hs_sampler *sampler, int chains)
{
    enter(r, (hs_candidate){.sampler = sampler, .chains = chains});
}

void hs_race_enter_known(hs_race *r, hs_sampler *sampler, double rate)
{
    enter(r,
          (hs_candidate){.sampler = sampler, .is_known = true, .rate = rate});
}

void hs_race_clear(hs_race *r)
{
    for (int k = 0; k < r->count; k++) {
        hs_trial_clear(&r->at[k].trial);
        hs_sampler_release(r->at[k].sampler);
    }
    *r = (hs_race){0};
}

/* One round of one candidate. */
static hiss_status run(hs_candidate *c, const hs_model *m,
                       const hs_race_request *request, int number,
                       double budget, hs_pilot_account *account,
                       hiss_error *err)
{
    uint32_t chain =
        request->first_chain + (uint32_t)(number * HS_GROUP_CHAINS);
    int chains = budget > CHEAP * c->chains ? c->chains : (int)(budget / CHEAP);

    if (!c->trial.group)
        HS_TRY(hs_trial_init(&c->trial, m, c->sampler, request->library,
                             &request->from, account->seed, chain,
                             chains > FEWEST ? chains : FEWEST, err));
    HS_TRY(hs_trial_run(&c->trial, budget, NULL, account, err));
    c->rate = c->trial.rate;
    c->discord = c->trial.discord;
    c->accepted = c->trial.accepted;
    c->left = c->trial.left;
    c->cost = c->trial.cost;
    return HISS_OK;
}

/* What the rate may be: in few steps not even a good sampler is seen to mix,
 * and one that has had too little for any may be all. */
static double hoped(const hs_candidate *c)
{
    const hs_trial *t = &c->trial;

    return t->steps > 0 ? fmax(c->rate, HOPE / (t->steps * t->cost)) : HUGE_VAL;
}

/* Those that are far behind the best are out; returns how many are left. */
static int halve(hs_race *r, double behind)
{
    double best = 0.0;
    int left = 0;

    for (int k = 0; k < r->count; k++)
        best = fmax(best, r->at[k].is_partial ? 0.0 : r->at[k].rate);
    for (int k = 0; k < r->count; k++) {
        hs_candidate *c = &r->at[k];

        c->is_out |= c->is_known || !(behind * hoped(c) > best);
        left += !c->is_out;
        if (c->is_out)
            hs_trial_clear(&c->trial);
    }
    return left;
}

/* Whether the best is the only one that is left: more would say nothing new. */
static bool is_won(const hs_race *r)
{
    double best = 0.0, known = 0.0;
    int left = 0;

    for (int k = 0; k < r->count; k++) {
        const hs_candidate *c = &r->at[k];

        left += !c->is_out;
        if (c->is_out)
            known = fmax(known, c->is_partial ? 0.0 : c->rate);
        else
            best = fmax(best, c->is_partial ? 0.0 : c->rate);
    }
    return left == 1 && best > known;
}

hiss_status hs_race_run(hs_race *r, const hs_model *m,
                        const hs_race_request *request,
                        hs_pilot_account *account, hiss_error *err)
{
    double behind = BEHIND;
    double budget = request->budget / ((1 << ROUNDS) - 1); /* it doubles */
    int left = 0;

    for (int k = 0; k < r->count; k++)
        left += !r->at[k].is_out && !r->at[k].is_known;
    for (int round = 0; round < ROUNDS && left > 0; round++, budget *= 2.0) {
        double share = budget / left;

        for (int k = 0; k < r->count; k++) {
            hiss_status rc = HISS_OK;

            if (!r->at[k].is_out && !r->at[k].is_known && !account->is_late)
                rc = run(&r->at[k], m, request, k, share, account, err);
            if (rc != HISS_OK && !account->is_late)
                return rc;
        }
        if (account->is_late)
            break; /* what was measured so far decides */
        left = halve(r, behind);
        if (is_won(r))
            break;
        behind = 1.0 + 0.5 * (behind - 1.0);
    }
    for (int k = 0; k < r->count; k++) { /* what has run has a rate */
        r->at[k].is_out = r->at[k].is_known = true;
        hs_trial_clear(&r->at[k].trial);
    }
    return HISS_OK;
}

int hs_race_best(const hs_race *r)
{
    double best = 0.0;

    for (int k = 0; k < r->count; k++)
        best = fmax(best, r->at[k].rate);
    for (int k = 0; best > 0.0 && k < r->count; k++)
        if (r->at[k].rate >= TIE * best)
            return k;
    return -1;
}
