/* hasty.c - which sampler `auto` becomes where there was no time to compare. */
#include <math.h>

#include "base/error.h"
#include "base/random/streams.h"
#include "run/pilot/choice.h"
#include "run/survey/race.h"

#define HASTY 1e4 /* evaluations of a trial of clusters */

/* Whether clusters bring more than these temperatures could, were their levels
 * to forget everything between two exchanges: a short trial, from pilot chains
 * or states that tempering brought to the target. */
static hiss_status try_clusters(const hs_choice_request *c,
                                const hs_sampler *cold,
                                hs_pilot_account *account, bool *is_better,
                                hiss_error *err)
{
    const hs_ladder *l = &c->found->ladder;
    const hs_pilot_chains *p = &c->found->pilots;
    hs_race_request request = {.from = {p->state, p->lanes},
                               .first_chain =
                                   hs_stream(HS_STREAM_CLUSTER_TRIAL, 0),
                               .budget = HASTY};
    hs_race race = {0};
    hiss_status rc;

    *is_better = false;
    if (p->lanes == 0)
        request.from =
            (hs_trial_start){l->cold, (int)fmin(l->colds, HS_LADDER_COLD)};
    if (cold == c->base || request.from.count < 2)
        return HISS_OK;
    hs_pilot_account_prolong(account);
    hs_race_enter(&race, hs_sampler_keep(cold), HS_GROUP_CHAINS);
    rc = hs_race_run(&race, c->m, &request, account, err);
    *is_better = rc == HISS_OK &&
                 race.at[0].rate * l->levels > hs_survey_trips(c->found);
    hs_race_clear(&race);
    return rc;
}

hiss_status hs_choice_hasty(hs_sampler **out, const hs_choice_request *c,
                            hs_pilot_account *account, hs_text *text,
                            hiss_error *err)
{
    hs_ladder_request ladder = {.base = c->base, .swap_every = c->swap_every};
    bool is_cut = c->found->pilots.lanes == 0, is_better = true;
    hs_sampler *cold;
    hiss_status rc = HISS_OK;

    if (c->found->discord < HS_AGREED) {
        *out = hs_sampler_keep(c->base);
        return HISS_OK;
    }
    HS_TRY(hs_choice_cold(&cold, c->m, c->base, err));
    if (hs_choice_has_ladder(c, is_cut, text))
        rc = try_clusters(c, cold, account, &is_better, err);
    if (rc == HISS_OK && is_better)
        *out = hs_sampler_keep(cold);
    else if (rc == HISS_OK)
        rc = hs_ladder_sampler(out, &c->found->ladder, &ladder, err);
    hs_sampler_release(cold);
    return rc;
}
