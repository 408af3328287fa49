/* ranking.h - the winner of a race, and its p-value. */
#ifndef HS_API_COMPARE_RANKING_H
#define HS_API_COMPARE_RANKING_H

#include <hiss/compare.h>

#include <stdbool.h>

#include "api/compare/racer.h"

/* For `count` racers of the same race: sets is_best and p_value of each. */
hiss_status hs_ranking_decide(hiss_race_outcome *out, hs_racer *racers,
                              int count, bool is_law_known, hiss_error *err);

#endif
