/* ranking.h - who won a race, and how sure that is. */
#ifndef HS_API_COMPARE_RANKING_H
#define HS_API_COMPARE_RANKING_H

#include <hiss/compare.h>

#include <stdbool.h>

#include "api/compare/racer.h"

/* Of `count` racers of the same race: sets is_best and p_value of each. */
hiss_status hs_ranking_decide(hiss_race_outcome *out, hs_racer *racers,
                              int count, bool is_law_known, hiss_error *err);

#endif
