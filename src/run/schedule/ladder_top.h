/* ladder_top.h - how hot tempering needs to be.
 *
 * Levels that lead to infinite temperature are wanted where modes part late.
 * In a glass local moves forget where they came from far below that, and every
 * level beyond is a replica for nothing: of 42 levels of a 10 x 10 x 10 lattice
 * 8 to 12 are enough.
 *
 * With levels 0 .. k, of which level j forgets by itself in 1 / f_j steps, and
 * which make t_k round trips per step (hs_survey_trips), fresh states come
 * every
 *     TOP_DRAG / t_k + 1 / sum_j f_j
 * steps, each of k + 1 evaluations.  f is measured at some levels, by trials
 * from states of all modes at that temperature (trial.h), and interpolated;
 * levels colder than those that are seen to forget are given what a longer
 * trial allows, less by the same factor from level to level.
 *
 * Time goes by tiles of sixteen lanes.  Where the chains of a group leave some
 * idle there may be levels in between, and what is compared is the geometric
 * mean of evaluations and lanes.  Of the ladders within a fifth of the cheapest
 * the coldest is taken: on what forgets fast anywhere, U as a rule, replicas
 * near the target are worth more. */
#ifndef HS_RUN_SCHEDULE_LADDER_TOP_H
#define HS_RUN_SCHEDULE_LADDER_TOP_H

#include <hiss/status.h>

#include "run/schedule/ladder.h"
#include "run/survey/trial.h"

typedef struct hs_ladder_top_request {
    const hs_sampler *base; /* borrowed: of every level */
    hs_trial_start from;
    uint32_t first_chain;
    double budget; /* evaluations; too few for a trial: nothing is changed */
} hs_ladder_top_request;

/* Takes the levels off that are not needed; *gain: how many times less a fresh
 * state costs then. */
hiss_status hs_ladder_top_lower(hs_ladder *l, const hs_model *m,
                                const hs_ladder_top_request *request,
                                hs_pilot_account *account, double *gain,
                                hiss_error *err);

#endif
