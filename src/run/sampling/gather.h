/* gather.h - what the ranks of a run have, to rank 0 and back.
 *
 * Draws stay with the rank that made them until rank 0 needs them: for a
 * checkpoint, to check the ESS, at the end.  It then takes what is new, one
 * block of one chain at a time, into its own store, which is a file without a
 * name where it is large (store.h): no rank has all draws in memory.  States
 * travel only for checkpoints.
 *
 * All ranks call these functions, in the same order; alone they do what
 * there is to do in this process.  A fault of memory does not end the
 * exchange: what is gathered is broken then, which its receiver sees. */
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
        *state;  /* borrowed: of this rank; of rank 0 those of all groups,
                          without what others advance */
    char *block; /* owned: one message */
    size_t room; /* bytes of it */
} hs_gather;

/* store: one of those whose draws will be gathered. */
hiss_status hs_gather_init(hs_gather *x, const hs_partition *partition,
                           hs_group_state *state, const hs_store *store,
                           hiss_error *err);
void hs_gather_clear(hs_gather *x);

/* New draws of all chains to the store of rank 0; which: HS_KEPT, HS_WARM. */
void hs_gather_draws(hs_gather *x, hs_store *store, int which);

/* The states of all groups to bytes on rank 0, with their states or without:
 * each behind its length, so that rank 0 can give them back. */
void hs_gather_states(hs_gather *x, bool with_states, hs_blob *out);
/* The next state of such bytes: a piece of them, not to be cleared. */
hs_blob hs_gather_next(hs_blob *from);
/* And back to those who advance them (hs_group_state_load).  False when what
 * this rank got cannot be. */
bool hs_gather_deal(hs_gather *x, hs_blob *from, hs_store *const *store);

/* Sums of every value (marginals.h) to rank 0: out [value_count] and their
 * number; false when memory was missing. */
bool hs_gather_sums(hs_gather *x, double *out, double *count);

#endif
