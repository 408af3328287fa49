/* card_pilot.h - the steps of a pilot on a GPU.
 *
 * The same tuning, operation by operation, on the GPU that will make the
 * run's steps: of models that are evaluated as a whole, whose draws are the
 * GPU's own.  Elsewhere the processor's pilot gives the processor's draws. */
#ifndef HS_RUN_PILOT_CARD_PILOT_H
#define HS_RUN_PILOT_CARD_PILOT_H

#include "run/account/pilot_account.h"
#include "run/chain/group.h"

/* Tunes a group, which has begun to tune (hs_group_tune), for this many steps
 * or until the account ends it; *made is the number of steps made.  If the
 * account has no GPU, or the GPU cannot tune this, *is_done is false and
 * nothing changes. */
hiss_status hs_card_pilot_tune(hs_group *g, int64_t steps,
                               hs_pilot_account *account, int64_t *made,
                               bool *is_done, hiss_error *err);

#endif
