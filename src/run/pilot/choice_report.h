/* choice_report.h - the report of a race. */
#ifndef HS_RUN_PILOT_CHOICE_REPORT_H
#define HS_RUN_PILOT_CHOICE_REPORT_H

#include "base/text.h"
#include "run/arms/arm.h"
#include "run/survey/race.h"

/* A line for each of the three best, with both bounds, the winner marked and in
 * words; a line for all others.  best: -1 for none. */
void hs_choice_report(const hs_arm_view *v, const hs_race *r, int best,
                      double unseen, hs_text *text);

#endif
