/* rates.h - what is said of a race: what each candidate brought. */
#ifndef HS_RUN_PILOT_RATES_H
#define HS_RUN_PILOT_RATES_H

#include "base/text.h"
#include "run/survey/race.h"

typedef struct hs_rates {
    const hs_race *race; /* borrowed, as are the others */
    int best;            /* the one that is taken, -1: none */
    const bool *misses;  /* [race->count]: states that tempering finds */
    bool has_jumps;
    const hs_sampler *base; /* the local sampler */
    int levels;             /* of tempering */
} hs_rates;

/* A line for each that was seen to mix, the best marked, and lists of the
 * others; of those that are far behind, too, where there are many. */
void hs_rates_report(const hs_rates *r, hs_text *text);

#endif
