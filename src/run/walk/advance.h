/* advance.h - the loop of a pilot: tune a group of chains, then observe it.
 *
 * Every step is entered in the account of the pilot, so that a step that would
 * overspend is not made. */
#ifndef HS_RUN_WALK_ADVANCE_H
#define HS_RUN_WALK_ADVANCE_H

#include <hiss/status.h>

#include "run/account/pilot_account.h"
#include "run/chain/group.h"

typedef struct hs_advance {
    hs_group *group;
    int64_t tuning; /* steps in which kernels adapt; then they are frozen */
    int64_t steps;  /* steps after these */
    /* Called after each of these; `step` counts from 0.  NULL: nothing is
     * called. */
    hiss_status (*visit)(void *context, hs_group *g, int64_t step,
                         hiss_error *err);
    void *context;
} hs_advance;

/* The group must be new: all its evaluations are entered. */
hiss_status hs_advance_run(const hs_advance *a, hs_pilot_account *account,
                           hiss_error *err);

/* Enters all evaluations of a group that was new at the checkpoint `before`,
 * and reports progress. */
hiss_status hs_advance_pay(const hs_group *g, hs_pilot_mark before,
                           hs_pilot_account *account, hiss_error *err);

/* Mean rejection of the exchange between a level and the next one, over all
 * chains; 0.5 if there was no exchange. */
double hs_advance_rejection(const hs_group *g, int level);

#endif
