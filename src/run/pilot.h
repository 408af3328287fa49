/* pilot.h - values for `auto` options, found once and then frozen.
 *
 * Sixteen pilot chains with reserved numbers start from exact draws, warm up
 * for HS_PILOT_STEPS steps and freeze.  Every lane column of every level then
 * gets the (lower) median of the sixteen.  None of this depends on threads or
 * on the number of replicates. */
#ifndef HS_RUN_PILOT_H
#define HS_RUN_PILOT_H

#include <hiss/status.h>

#include "run/replicate.h"

#define HS_PILOT_STEPS 2000

typedef struct hs_pilot {
    hs_group *group; /* owned, or NULL: nothing is tuned */
    char *text;      /* owned: what was found, or NULL */
} hs_pilot;

hiss_status hs_pilot_init(hs_pilot *p, const hs_replication *shared,
                          const hs_model *m, const hs_spec *sampler,
                          hiss_error *err);
void hs_pilot_clear(hs_pilot *p);

/* Gives the trees of a fresh group what the pilot found. */
void hs_pilot_apply(const hs_pilot *p, hs_group *g);

#endif
