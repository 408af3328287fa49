/* race.h - candidates for a run, compared by what they bring per evaluation.
 *
 * Every candidate has the same budget in a round (trial.h); those that are far
 * behind are out, the others go on with more: successive halving.  A candidate
 * whose rate is known takes part without a trial. */
#ifndef HS_RUN_SURVEY_RACE_H
#define HS_RUN_SURVEY_RACE_H

#include <hiss/status.h>

#include "run/survey/trial.h"

#define HS_CANDIDATES 16

typedef struct hs_candidate {
    hs_sampler *sampler; /* kept */
    int chains;          /* of its trial */
    bool is_known;       /* its rate was measured before */
    bool is_partial;     /* it is of a part of the law: others stay in */
    double rate;         /* effective draws per evaluation, 0: none seen */
    double discord, accepted, left, cost; /* of its last trial */
    bool is_out;
    hs_trial trial; /* owned */
} hs_candidate;

typedef struct hs_race {
    hs_candidate at[HS_CANDIDATES];
    int count;
} hs_race;

/* The race keeps the sampler, also when there is no room for it. */
void hs_race_enter(hs_race *r, hs_sampler *sampler, int chains);
/* The same with a rate that is known. */
void hs_race_enter_known(hs_race *r, hs_sampler *sampler, double rate);
void hs_race_clear(hs_race *r);

typedef struct hs_race_request {
    const hs_library *library; /* borrowed, or NULL */
    hs_trial_start from;
    uint32_t first_chain;
    double budget; /* evaluations, about */
} hs_race_request;

/* Runs those that have not run yet, as far as there is time. */
hiss_status hs_race_run(hs_race *r, const hs_model *m,
                        const hs_race_request *request,
                        hs_pilot_account *account, hiss_error *err);

/* The one with the largest rate, the first of those within a fifth of it; -1:
 * none is known to move. */
int hs_race_best(const hs_race *r);

#endif
