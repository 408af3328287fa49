/* choice.h - which sampler `auto` becomes.
 *
 * Where local chains from all modes that were found agree, local moves are
 * enough.  Else all arms that apply (run/arms/arms.def) take part in one race
 * (run/survey/race.h).  A score is effective draws of the slowest column per
 * cost: evaluations where these end the run, else time by the table of prices.
 * The winner has the largest lower bound.  An arm that cannot leave the atlas
 * is admissible only if few states are in modes that the atlas lacks.  Where
 * nothing was seen to mix, tempering is mixed with all that may help. */
#ifndef HS_RUN_PILOT_CHOICE_H
#define HS_RUN_PILOT_CHOICE_H

#include <hiss/status.h>

#include "base/text.h"
#include "run/arms/arm.h"

typedef struct hs_choice_request {
    const hs_model *m;      /* borrowed, as are the others */
    const hs_sampler *base; /* the local sampler */
    const hs_survey *found;
    const hs_network_arm *network; /* or NULL */
    hs_flat_arm *flat;             /* NULL: do not try it */
    int swap_every;
    double left; /* evaluations of a chain, HUGE_VAL: no limit */
    bool is_cut; /* the survey was cut short: there is little time */
} hs_choice_request;

/* Appends the reasons to the text, a line each. *each: estimated evaluations in
 * which every replica at the target of a chain makes one effective draw; 0 if
 * unknown. */
hiss_status hs_choice_make(hs_sampler **out, double *each,
                           const hs_choice_request *c,
                           hs_pilot_account *account, hs_text *text,
                           hiss_error *err);

/* Without a pilot: local moves, and clusters where there are any. */
hiss_status hs_choice_cold(hs_sampler **out, const hs_model *m,
                           const hs_sampler *base, hiss_error *err);

#endif
