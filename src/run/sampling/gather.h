/* gather.h - moves the data of a run's ranks to rank 0 and back.
 *
 * Draws stay with the rank that made them until rank 0 needs them: for a
 * checkpoint, to check the ESS, at the end.  It then takes the new ones, one
 * block of one chain at a time, into its own store, which is an unnamed file if
 * it is large (store.h).  So no rank has all draws in memory.  States are sent
 * only for checkpoints.  All ranks call these functions in the same order; a
 * single process does its own part.  A lack of memory does not stop the
 * exchange: the gathered data are then broken, which the receiver detects. */
#ifndef HS_RUN_SAMPLING_GATHER_H
#define HS_RUN_SAMPLING_GATHER_H

#include <stdbool.h>

#include <hiss/status.h>

#include "run/chain/blob.h"
#include "run/chain/group_state.h"
#include "run/chain/store.h"
#include "run/sampling/partition.h"

typedef struct hs_gather {
    const hs_partition *partition; /* borrowed */
    hs_group_state
        *state;  /* borrowed: groups of this rank; on rank 0 all groups, without
                    the data that others advance */
    char *block; /* owned: one message */
    size_t room; /* bytes of it */
} hs_gather;

/* store: one of those whose draws will be gathered. */
hiss_status hs_gather_init(hs_gather *x, const hs_partition *partition,
                           hs_group_state *state, const hs_store *store,
                           hiss_error *err);
void hs_gather_clear(hs_gather *x);

/* Moves new draws of all chains to the store of rank 0; which: HS_KEPT,
 * HS_WARM. */
void hs_gather_draws(hs_gather *x, hs_store *store, int which);

/* Serializes all groups on rank 0, with or without their states, each behind
 * its length, so that rank 0 can send them back. */
void hs_gather_states(hs_gather *x, bool with_states, hs_blob *out);
/* The next state of such bytes: a part of them, not to be cleared. */
hs_blob hs_gather_next(hs_blob *from);
/* Sends the states back to the ranks that advance them (hs_group_state_load).
 * False if this rank's data are invalid. */
bool hs_gather_deal(hs_gather *x, hs_blob *from, hs_store *const *store);

/* Sums of every value (marginals.h) to rank 0: out [value_count] and their
 * number; false if memory was short. */
bool hs_gather_sums(hs_gather *x, double *out, double *count);

#endif
