/* run_off.h - how many jumps after a local move?
 *
 * Where nearly every jump between modes is accepted, one after every local
 * move changes the mode as often as half of the evaluations say; more of them
 * change it more often, and what varies inside a mode less often.  Which of
 * both is slower a trial shows.  Local moves stay: nothing else leads to what
 * the library lacks.  Where a run keeps no more draws than it has independent
 * ones anyway there is nothing to be gained, and jumps take more time. */
#ifndef HS_RUN_PILOT_RUN_OFF_H
#define HS_RUN_PILOT_RUN_OFF_H

#include "run/survey/race.h"

/* After a race.  If *best is sequence(local,bridge) and jumps are accepted,
 * mixtures of the two with more jumps than local moves are entered and run with
 * a part of its budget, and *best is one of them if that is clearly better. */
hiss_status hs_run_off(hs_race *r, int *best, const hs_model *m,
                       const hs_race_request *request,
                       hs_pilot_account *account, hiss_error *err);

#endif
