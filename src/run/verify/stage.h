/* stage.h - moves many replicates by a sampler and compares the
 * distributions.
 *
 * Threads share rounds of batches, each with its own group that it reuses.
 * Between rounds the caller's thread counts and may stop.  The counts do not
 * depend on rounds or threads. */
#ifndef HS_RUN_VERIFY_STAGE_H
#define HS_RUN_VERIFY_STAGE_H

#include <hiss/status.h>
#include <hiss/verify.h>

#include "base/pool.h"
#include "device/device.h"
#include "run/device/mirror.h"
#include "run/pilot/scheme.h"
#include "run/verify/replicate.h"
#include "run/verify/shift.h"
#include "run/verify/tally.h"

struct hs_stage_worker;

/* Data common to stages; all borrowed. */
typedef struct hs_staging {
    const hs_model *model;
    const hs_sampler *sampler;
    const hiss_verify_settings *set;
    const hs_scheme *scheme;
    const hs_features *features;
    double started; /* hs_now */
    /* The GPU that moves them; NULL for the processor. */
    const hs_device_table *device;
    int card;
} hs_staging;

/* Batches that a GPU moves, those of one clock together.  Its draws, and so the
 * verdict, equal those of the processor. */
typedef struct hs_card_batches {
    hs_replicator *replicator; /* owned, [most], like: */
    hs_group_state *state;     /* its groups in the form for the mirror */
    hs_mirror *mirror;
    int most; /* most batches at once */
} hs_card_batches;

typedef struct hs_stage {
    const hs_staging *common; /* borrowed */
    hs_replication plan;
    int64_t replicates;
    double from, upto;       /* range within the whole, for progress */
    int64_t replicates_done; /* in earlier stages */
    double evaluations_done;
    double evaluations; /* all evaluations so far */
    hs_tally tally;
    struct hs_stage_worker *worker; /* owned, [workers] */
    int workers;                    /* threads or fibers; 1 for a GPU */
    hs_card_batches cards;          /* owned, used with a GPU */
    hs_pool *pool;                  /* owned */
    uint32_t *before;               /* owned, of a round: [replicate] */
    uint32_t *after;                /* owned, of a round: [replicate][level] */
    int64_t first, count, most;     /* batches: of this round, of any */
} hs_stage;

/* plan, replicates, from, upto and finished counts must be set. */
hiss_status hs_stage_run(hs_stage *s, const hs_staging *common, bool has_pairs,
                         hiss_error *err);
void hs_stage_clear(hs_stage *s);

/* The comparison before and after, over all threads, after the stage has
 * run. */
hs_shift *hs_stage_shift(hs_stage *s);

#endif
