/* ladder_top.h - how hot tempering needs to be.
 *
 * Levels up to infinite temperature are useful if modes separate late.  In a
 * glass, local moves forget their starting point far below that, and every
 * hotter level is a wasted replica: 8 to 12 of the 42 levels of a 10 x 10 x 10
 * lattice are enough.
 *
 * Let the levels be 0 .. k.  Level j by itself forgets its state in 1 / f_j
 * steps, and there are t_k round trips per step (hs_survey_trips).  Then a
 * fresh state comes every
 *     TOP_DRAG / t_k + 1 / sum_j f_j
 * steps, each of k + 1 evaluations.  f is measured at some levels, by trials
 * from states of all modes at that temperature (trial.h), and interpolated.
 * Colder levels, where no forgetting was seen, get the largest f that a longer
 * trial allows, decreasing by the same factor from level to level.
 *
 * Time is spent on tiles of sixteen lanes.  If the chains of a group leave some
 * lanes idle, levels are inserted.  Ladders are compared by the geometric mean
 * of evaluations and lanes.  Of the ladders within a fifth of the least
 * expensive one, the coldest is taken: for quantities that are forgotten fast
 * everywhere, usually U, replicas near the target are worth more. */
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

/* Removes the levels that are not needed.  *gain is the factor by which a fresh
 * state costs less then. */
hiss_status hs_ladder_top_lower(hs_ladder *l, const hs_model *m,
                                const hs_ladder_top_request *request,
                                hs_pilot_account *account, double *gain,
                                hiss_error *err);

#endif
