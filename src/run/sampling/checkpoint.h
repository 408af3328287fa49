/* checkpoint.h - a run that can be killed at any moment and go on.
 *
 * Two files.  FILE holds the state of all chains: written to a temporary,
 * synced and renamed, so that it is always whole.  FILE.draws holds the kept
 * draws: it only grows, each checkpoint adding what is new since the last one,
 * and FILE says how much of it counts.  Both carry checksums, and that of the
 * draws runs over all of them and stands in FILE, with the number of the run
 * that both have: draws of another run, or of another moment, do not fit.  FILE
 * has the version of hiss and fingerprints of the model, the sampler and the
 * settings.  What does not fit is refused.
 * FILE.draws is locked while a run writes to it. */
#ifndef HS_RUN_SAMPLING_CHECKPOINT_H
#define HS_RUN_SAMPLING_CHECKPOINT_H

#include <pthread.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>

#include <hiss/run.h>
#include <hiss/status.h>

#include "run/chain/blob.h"
#include "run/chain/fingerprint.h"
#include "run/chain/group_state.h"
#include "run/chain/store.h"

typedef struct hs_checkpoint {
    char *path;       /* owned */
    char *draws_path; /* owned */
    char *new_path;   /* owned: FILE before it is whole */
    const char *text; /* borrowed: the caller's own words, kept with it */
    double every;     /* seconds */
    double last;      /* when it was written last */
    int draws;        /* descriptor of FILE.draws, locked; -1 */
    /* draws per chain that are in it, and at which thinning: those that
     * count, and those of the warm-up */
    int64_t kept[HS_STORES], thin[HS_STORES];
    uint64_t length; /* bytes of it that count */
    uint64_t run;   /* whose they are: a hash of the fingerprint at the start */
    uint64_t check; /* a checksum that runs over them */
    hs_fingerprint fingerprint;
    /* the one that is being written: by a thread, while the chains go on */
    hs_blob state;       /* owned */
    hiss_status earlier; /* how the one before it ended */
    pthread_t thread;
    bool has_thread;     /* to be joined */
    atomic_bool is_over; /* and will not wait */
    bool has_draws;      /* these reached the disk; */
    hiss_status rc;      /* all of it did */
    hiss_error error;
} hs_checkpoint;

/* For a new run: HISS_EARG if FILE is there already and may not be replaced,
 * is no checkpoint, or another run holds it. */
hiss_status hs_checkpoint_open(hs_checkpoint *c, const hiss_settings *set,
                               const hs_fingerprint *fingerprint,
                               hiss_error *err);
/* For a run that goes on: *states gets the saved states, as hs_gather_states
 * made them, and *seconds what was spent before.  *is_bitwise is false where
 * this machine's BLAS gives the model other bits, which is refused unless
 * may_differ. */
hiss_status hs_checkpoint_read(hs_checkpoint *c, const hiss_settings *set,
                               const hs_fingerprint *fingerprint,
                               bool may_differ, hs_blob *states,
                               double *seconds, bool *is_bitwise,
                               hiss_error *err);
/* Then the draws, of as many as the first state says.  The second store is
 * NULL when the warm-up is not kept, here and below. */
hiss_status hs_checkpoint_read_draws(hs_checkpoint *c,
                                     const hs_group_state *first,
                                     hs_store *const *store, hiss_error *err);

/* Two calls that write one: the new draws, and what comes before the states
 * in c->state, to which the caller adds them; then all of it.  The second
 * returns at once; the disk is waited for by another thread.  A fault of an
 * earlier checkpoint may be reported by a later one. */
hiss_status hs_checkpoint_begin(hs_checkpoint *c, const hs_group_state *first,
                                hs_store *const *store, double seconds,
                                hiss_error *err);
hiss_status hs_checkpoint_commit(hs_checkpoint *c, hiss_error *err);
/* Whether the last one is still on its way: writing another would wait. */
bool hs_checkpoint_is_busy(hs_checkpoint *c);
/* Waits for the last one. */
hiss_status hs_checkpoint_wait(hs_checkpoint *c, hiss_error *err);
void hs_checkpoint_close(hs_checkpoint *c);

/* The caller's words in a checkpoint; owned by the caller. */
hiss_status hs_checkpoint_text(const char *path, char **text, hiss_error *err);

#endif
