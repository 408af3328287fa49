/* checkpoint.h - checkpoints of a run, which can be killed at any moment and
 * resumed.
 *
 * There are two files. FILE has the state of all chains. It is written to a
 * temporary, synced and renamed, so it is always complete. FILE.draws has the
 * kept draws. It only grows: each checkpoint adds the new draws, and FILE has
 * the length that counts. Both have checksums. That of all draws is in FILE,
 * with the number of the run, so draws of another run or another moment do not
 * fit. FILE also has the version of hiss and fingerprints of the model, the
 * sampler and the settings. A checkpoint that does not fit is refused.
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
    char *new_path;   /* owned: name of FILE until it is complete */
    const char *text; /* borrowed: the caller's own text, stored with it */
    double every;     /* seconds */
    double last;      /* time of the last checkpoint */
    int draws;        /* descriptor of FILE.draws, locked; or -1 */
    /* draws per chain in it, and their thinning: those that count, and those of
     * the warm-up */
    int64_t kept[HS_STORES], thin[HS_STORES];
    int64_t states;  /* written so far, with those of an earlier process */
    bool is_done;    /* the run has all its draws */
    uint64_t length; /* its bytes that count */
    uint64_t run;    /* identifies the run: a hash of the fingerprint at the
                       start */
    uint64_t check;  /* a running checksum of the draws */
    hs_fingerprint fingerprint;
    /* the checkpoint that a thread is writing while the chains go on */
    hs_blob state;       /* owned */
    hiss_status earlier; /* outcome of the one before */
    pthread_t thread;
    bool has_thread;     /* to be joined */
    atomic_bool is_over; /* the thread is done */
    bool has_draws;      /* these are on disk: */
    hiss_status rc;      /* all of it did */
    hiss_error error;
} hs_checkpoint;

/* For a new run: HISS_EARG if FILE exists and may not be replaced, is not a
 * checkpoint, or another run holds it. */
hiss_status hs_checkpoint_open(hs_checkpoint *c, const hiss_settings *set,
                               const hs_fingerprint *fingerprint,
                               hiss_error *err);
/* For a resumed run: *states gets the saved states, as made by
 * hs_gather_states, and *seconds the time spent before.  *is_bitwise is false
 * if this machine's BLAS gives the model other bits, which is refused unless
 * may_differ. */
hiss_status hs_checkpoint_read(hs_checkpoint *c, const hiss_settings *set,
                               const hs_fingerprint *fingerprint,
                               bool may_differ, hs_blob *states,
                               double *seconds, bool *is_bitwise,
                               hiss_error *err);
/* Then reads the draws, as many as the first state has.  The second store is
 * NULL if the warm-up is not kept, here and below. */
hiss_status hs_checkpoint_read_draws(hs_checkpoint *c,
                                     const hs_group_state *first,
                                     hs_store *const *store, hiss_error *err);

/* Two calls write a checkpoint: the first writes the new draws and puts the
 * part before the states into c->state, to which the caller adds the states;
 * the second writes everything.  The second returns at once, and another thread
 * waits for the disk.  A later checkpoint may report a fault of an earlier
 * one. */
hiss_status hs_checkpoint_begin(hs_checkpoint *c, const hs_group_state *first,
                                hs_store *const *store, double seconds,
                                hiss_error *err);
hiss_status hs_checkpoint_commit(hs_checkpoint *c, hiss_error *err);
/* Whether the last one is still being written: another would wait. */
bool hs_checkpoint_is_busy(hs_checkpoint *c);
/* Waits for the last one. */
hiss_status hs_checkpoint_wait(hs_checkpoint *c, hiss_error *err);
void hs_checkpoint_close(hs_checkpoint *c);

/* Returns the caller's text in a checkpoint; owned by the caller. */
hiss_status hs_checkpoint_text(const char *path, char **text, hiss_error *err);

#endif
