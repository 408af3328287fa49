/* race.h - compares candidate samplers by effective draws per cost.
 *
 * Successive halving: every round has the same budget, shared among the
 * remaining candidates, and the better half of them goes on.  A candidate that
 * cannot win is dropped.  A score is effective draws per cost, with a lower and
 * an upper bound (trial.h).  A candidate whose score is known takes part
 * without a trial.  The winner has the largest lower bound of the admissible
 * candidates. */
#ifndef HS_RUN_SURVEY_RACE_H
#define HS_RUN_SURVEY_RACE_H

#include <hiss/status.h>

#include "run/survey/trial.h"

#define HS_CANDIDATES 24 /* capacity: of a race */

typedef struct hs_candidate {
    hs_sampler *sampler; /* kept */
    int arm, form;       /* for the caller */
    double evals, price; /* of a step of one chain */
    double work; /* cost of a step in the race: evals, or more if they take much
                    time */
    bool is_known;      /* its score is known or was measured */
    bool was_known;     /* its score was known without a trial */
    bool is_admissible; /* may win; else it eliminates no other candidate */
    bool is_out;
    double sure;      /* factor on the lower bound of its trial: the part that
                         is sure */
    double low, high; /* effective draws per price */
    double mean_discord; /* mean between-chain variance share of its last
                            trial */
    hs_trial trial;      /* owned */
} hs_candidate;

typedef struct hs_race {
    hs_candidate at[HS_CANDIDATES];
    int count;
} hs_race;

/* Takes over the reference to the sampler, even if the race is full. */
void hs_race_enter(hs_race *r, const hs_candidate *c);
void hs_race_clear(hs_race *r);

typedef struct hs_race_request {
    const hs_library *library; /* borrowed, or NULL */
    hs_trial_start from;
    uint32_t first_chain;
    double budget; /* evaluations, about */
} hs_race_request;

/* Tries the candidates whose score is unknown, as far as the budget allows. */
hiss_status hs_race_run(hs_race *r, const hs_model *m,
                        const hs_race_request *request,
                        hs_pilot_account *account, hiss_error *err);

/* Evaluations of the shortest trial of a candidate. */
double hs_race_least(double work);

/* Returns the first one with the largest lower bound; -1 if none mixed. */
int hs_race_best(const hs_race *r);

#endif
