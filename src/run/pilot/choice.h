/* choice.h - which sampler `auto` becomes: candidates, compared by evidence.
 *
 * Where local chains from all modes that were found agree, the local sampler
 * is enough.  Else everything that applies to the model takes part in a race
 * (run/survey/race.h): local moves, with clusters, blocks of several widths,
 * jumps between modes of every kind, and tempering with what was measured of
 * it.  The best jump between whole modes takes part inside tempering, too, and
 * a truncated network by its price.
 * What has the most effective draws per evaluation is run. */
#ifndef HS_RUN_PILOT_CHOICE_H
#define HS_RUN_PILOT_CHOICE_H

#include <hiss/status.h>

#include "base/text.h"
#include "run/arms/network_arm.h"
#include "run/scouts/survey.h"

typedef struct hs_choice_request {
    const hs_model *m;      /* borrowed, as are the others */
    const hs_sampler *base; /* the local sampler */
    const hs_survey *found;
    const hs_network_arm *network;
    int swap_every;
    double left; /* evaluations of a chain, HUGE_VAL: no limit */
} hs_choice_request;

/* Reasons are added to the text, a line each; *each is the evaluations of a
 * chain in which every one of its strands makes an effective draw, 0 where
 * nothing is known. */
hiss_status hs_choice_make(hs_sampler **out, double *each,
                           const hs_choice_request *c,
                           hs_pilot_account *account, hs_text *text,
                           hiss_error *err);

/* Whether there are temperatures: tuned, or a first guess where there was no
 * budget to, but there is for steps; those of a pilot that was cut short may be
 * of very slow steps. */
bool hs_choice_has_ladder(const hs_choice_request *c, bool is_cut,
                          hs_text *text);

/* After a survey that was cut short: local moves if chains agreed, else
 * temperatures where they were tuned, and clusters where there were none or a
 * short trial has them bring more. */
hiss_status hs_choice_hasty(hs_sampler **out, const hs_choice_request *c,
                            hs_pilot_account *account, hs_text *text,
                            hiss_error *err);

/* Without a pilot: local moves, and clusters where there are any. */
hiss_status hs_choice_cold(hs_sampler **out, const hs_model *m,
                           const hs_sampler *base, hiss_error *err);

#endif
