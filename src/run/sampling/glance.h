/* glance.h - statistics of the draws so far, for progress displays. */
#ifndef HS_RUN_SAMPLING_GLANCE_H
#define HS_RUN_SAMPLING_GLANCE_H

#include "run/chain/store.h"

typedef struct hs_glance {
    double log_p, ess, rhat; /* as in hiss_progress */
    double next;             /* time of the next check, in seconds of the run */
} hs_glance;

void hs_glance_init(hs_glance *g);

/* Checks the first n draws of each chain, if the next check is due. */
void hs_glance_take(hs_glance *g, const hs_store *s, int64_t n, double seconds);

#endif
