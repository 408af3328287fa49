/* run_off.c - how many jumps after a local move? */
#include "run/pilot/run_off.h"

#include <math.h>

#include "base/error.h"
#include "run/account/warmup.h"

#define NEARLY  0.8 /* of the jumps are accepted */
#define SHARE   0.2 /* of the race's budget */
#define CLEARLY 0.8 /* times a rate: no better by chance */

static const double jumps[] = {3.0, 7.0}; /* to a local move */

#define MIXES ((int)(sizeof jumps / sizeof *jumps))

/* mix(local,bridge,weights=[1,jumps]) of a sequence of the two. */
static hiss_status make_mix(hs_sampler **out, const hs_sampler *sequence,
                            double more, hiss_error *err)
{
    double weight[] = {1.0, more};
    hs_reals weights = {weight, 2};

    return hs_sampler_make(out, &hs_kernel_mix,
                           (hs_setting[]){{.sampler = sequence->child[0]},
                                          {.sampler = sequence->child[1]},
                                          {"weights", .list = &weights},
                                          {0}},
                           err);
}

/* sequence(local,bridge), of which nearly every jump is accepted. */
static bool jumps_freely(const hs_candidate *c)
{
    const hs_sampler *s = c->sampler;

    return c->accepted >= NEARLY && s->type == &hs_kernel_sequence &&
           s->children == 2 && s->child[1]->type == &hs_kernel_bridge &&
           !(hs_sampler_number(s->child[1], "pieces") > 0.0);
}

/* Whether independent draws of all that are kept are to be had anyway. */
static bool is_plenty(const hs_candidate *c, const hs_pilot_account *account)
{
    double left = hs_pilot_account_left(account);

    return account->draws > 0 &&
           c->rate * (1.0 - hs_warmup_share(left, 1.0 / c->rate)) * left >=
               (double)account->draws;
}

hiss_status hs_run_off(hs_race *r, int *best, const hs_model *m,
                       const hs_race_request *request,
                       hs_pilot_account *account, hiss_error *err)
{
    hs_race_request left = *request;
    int first = r->count;
    hs_candidate winner;
    double most = 0.0;

    left.budget = fmin(SHARE * request->budget,
                       account->budget - hs_pilot_account_spent(account));
    if (*best < 0 || !jumps_freely(&r->at[*best]) ||
        is_plenty(&r->at[*best], account) || !(left.budget > 0.0) ||
        r->count + MIXES > HS_CANDIDATES)
        return HISS_OK;
    winner = r->at[*best];
    for (int k = 0; k < MIXES; k++) {
        hs_sampler *s;

        HS_TRY(make_mix(&s, winner.sampler, jumps[k], err));
        hs_race_enter(r, s, winner.chains);
    }
    HS_TRY(hs_race_run(r, m, &left, account, err));
    for (int k = first; k < r->count; k++)
        most = fmax(most, r->at[k].rate);
    for (int k = first; CLEARLY * most > winner.rate; k++)
        if (r->at[k].rate >= CLEARLY * most) {
            *best = k;
            break;
        }
    return HISS_OK;
}
