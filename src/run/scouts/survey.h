/* survey.h - what a pilot finds out about a model.
 *
 *   1. chains are cooled from uniform states to the target (cooling.h);
 *   2. temperatures are tuned (ladder.h), keeping cold states on the way;
 *   3. thousands of short climbs find the optima, including narrow ones that no
 *      temperature leads to (run/scouts/quench.h);
 *   4. pilot chains from all these states make steps of the local sampler: do
 *      they agree?  Tempering searches for states that they have not visited
 *      (unseen_modes.h).  More chains start there, for longer and longer;
 *   5. if chains disagree, the modes are distinguished, learned and weighed
 *      (mode_laws.h).
 * Later parts are omitted if they are not needed.  Every part has a share of
 * the budget, and of what earlier parts have left.  The result depends only on
 * (model, local sampler, seed, budget). */
#ifndef HS_RUN_SCOUTS_SURVEY_H
#define HS_RUN_SCOUTS_SURVEY_H

#include <hiss/status.h>

#include "kernel/library.h"
#include "run/account/pilot_account.h"
#include "run/atlas/pilot_chains.h"
#include "run/policy/policy.h"
#include "run/schedule/ladder.h"
#include "run/scouts/quench.h"

typedef struct hs_survey {
    hs_ladder ladder;       /* owned */
    hs_quench quench;       /* owned */
    hs_pilot_chains pilots; /* owned: chains in all modes */
    int *of;                /* owned, [pilots.lanes]: their modes */
    hs_library *library;    /* owned, or NULL */
    double discord;  /* variance share of pilot chains with the local sampler */
    double tempered; /* effective draws per evaluation of tempering, 0 if
                        unknown, and the same with Houdayer moves */
    double in_parts;
    bool is_rugged; /* glassy: too many optima to distinguish modes */
    bool is_sketch; /* the library is provisional: optima, for the pieces */
    int modes;      /* distinguished */
    int16_t *look;  /* owned, [looks][dim]: states that tempering found */
    int looks;
    double coverage; /* share of them that the library knows; 1 if tempering
                        found none */
} hs_survey;

/* Chains agree if their between-chain variance share (pilot_chains.h) is below
 * this. */
#define HS_AGREED hs_policy(HS_AGREEMENT)

typedef struct hs_survey_request {
    const hs_sampler *base; /* borrowed */
    double hottest;
    int swap_every, parts;
    const char *modes;     /* borrowed: file of states, or NULL */
    bool learn;            /* the file's states are starting points */
    bool wants_ladder;     /* temperatures are needed */
    bool wants_modes;      /* a library is needed even if chains agree */
    bool wants_law;        /* even if there is only one mode */
    bool wants_choice;     /* the measurements of step 4 are needed */
    const char *reference; /* borrowed: of the tempering whose levels are tuned,
                              or NULL */
    bool lowers_top;       /* temperatures no hotter than they have to be */
} hs_survey_request;

/* If its time runs out (account->is_late), it has the temperatures and the
 * between-chain variance share found so far, and nothing else. */
hiss_status hs_survey_init(hs_survey *f, const hs_model *m,
                           const hs_survey_request *search,
                           hs_pilot_account *account, hiss_error *err);
void hs_survey_clear(hs_survey *f);

/* Start states of trials, [*count][dim]: pilot chains, one of every mode first,
 * alternating with states that tempering found and from which nothing was
 * learned. Owned by the caller; NULL without memory. */
int16_t *hs_survey_starts(const hs_survey *f, int *count);

/* Returns true if nearly every climb ended in an optimum of its own.  That
 * share estimates what further climbs would find [Good 1953], and no library
 * can hold so many optima. */
bool hs_survey_is_open(const hs_survey *f);

/* The share of pilot chains that are alone in their mode. */
double hs_survey_single_chains(const hs_survey *f);

/* An upper estimate of the share of the distribution in modes that the library
 * lacks: 1 if there is no library or it cannot hold all modes.  Else the larger
 * of two shares: tempering's states that the library does not know, and the
 * mass of all optima that are in none of its modes. */
double hs_survey_unseen(const hs_survey *f, const hs_domain *d);

/* Fresh states that a step of tempering brings to the target, were its levels
 * to forget as fast as they exchange: 1 / (2 + 2 sum r / (1 - r)). */
double hs_survey_trips(const hs_survey *f);

#endif
