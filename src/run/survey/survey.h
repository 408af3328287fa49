/* survey.h - what a pilot finds out about a model.
 *
 *   1. chains are cooled from uniform states to the target (cooling.h);
 *   2. temperatures are tuned (ladder.h), keeping cold states on the way;
 *   3. pilot chains from all these states make steps of the local sampler: do
 *      they agree?  Tempering looks for states that they have not seen
 *      (unseen_modes.h), from which more chains start;
 *   4. if chains disagree, cluster moves are tried where the model has them,
 *      and a long walk of a few chains with blocks;
 *   5. if that is no help, the modes are told apart and learnt (mode_laws.h),
 *      and jumps between them are tried.
 * Later parts are left out when they are not needed.  Everything depends on
 * (model, local sampler, seed, budget) alone. */
#ifndef HS_RUN_SURVEY_SURVEY_H
#define HS_RUN_SURVEY_SURVEY_H

#include <hiss/status.h>

#include "kernel/library.h"
#include "run/survey/ladder.h"
#include "run/survey/pilot_account.h"
#include "run/survey/pilot_chains.h"

typedef struct hs_survey {
    hs_ladder ladder;    /* owned */
    hs_library *library; /* owned, or NULL */
    double discord;      /* of pilot chains with the local sampler */
    bool is_large;       /* too many coordinates to look around */
    bool has_clusters;   /* cluster moves are possible */
    double cluster_discord;
    double block_rate; /* effective draws per evaluation of blocks alone;
                          0: none, or chains do not agree by them */
    double freshness;  /* of what tempering brings (unseen_modes.h) */
    int modes;         /* told apart */
    double coverage;   /* share of tempering's states that the library knows */
    double carried, swapped; /* acceptance of the two kinds of jump */
} hs_survey;

/* Chains agree when their discord (pilot_chains.h) is below this. */
#define HS_AGREED 0.15

/* Blocks that are tried beside the local sampler: narrow ones, which cost a
 * few evaluations. */
#define HS_NARROW_TABLE 16

typedef struct hs_survey_request {
    const hs_sampler *base; /* borrowed */
    double hottest;
    int swap_every, parts;
    const char *modes; /* borrowed: file of states, or NULL */
    bool learn;        /* the file's states are starting points */
    bool wants_ladder; /* temperatures are needed */
    bool wants_modes;  /* a library is needed even if chains agree */
    bool wants_choice; /* what step 3 and 4 measure is needed */
} hs_survey_request;

hiss_status hs_survey_init(hs_survey *f, const hs_model *m,
                           const hs_survey_request *search,
                           hs_pilot_account *account, hiss_error *err);
void hs_survey_clear(hs_survey *f);

/* Fresh states that a step of tempering brings to the target, were its levels
 * to forget as fast as they exchange: 1 / (2 + 2 sum r / (1 - r)). */
double hs_survey_trips(const hs_survey *f);

#endif
