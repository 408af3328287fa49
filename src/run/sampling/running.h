/* running.h - the state of a run in progress.
 *
 * run.c prepares it, rounds.c advances it round by round, finish.c makes its
 * result.  All ranks make the same calls. */
#ifndef HS_RUN_SAMPLING_RUNNING_H
#define HS_RUN_SAMPLING_RUNNING_H

#include <stdbool.h>
#include <stdint.h>

#include <hiss/run.h>
#include <hiss/status.h>

#include "base/clock.h"
#include "base/pool.h"
#include "model/user/wide.h"
#include "run/chain/group_state.h"
#include "run/device/mirror.h"
#include "run/pilot/scheme.h"
#include "run/sampling/checkpoint.h"
#include "run/sampling/gather.h"
#include "run/sampling/glance.h"
#include "run/sampling/partition.h"
#include "run/sampling/run.h"

#define HS_OPEN_DRAWS 4096 /* draws kept per chain without --samples */

/* A draw of all chains in transfer from a GPU. */
typedef struct hs_coming {
    hs_store *store; /* borrowed; NULL if there is none */
    int64_t draw;
    double proposed; /* decisions of a chain before it */
} hs_coming;

typedef struct hs_running {
    const hs_model *model;    /* borrowed, like the next ones */
    const char *origin;       /* origin of the model */
    const hiss_settings *set; /* without the pilot's share */
    hs_run *run;
    const hs_scheme *scheme;
    hs_partition partition; /* owned, like the next ones */
    hs_gather gather;       /* gathers at rank 0 */
    /* [partition.count], on rank 0 [partition.groups]: other ranks advance
     * those past partition.count, which are filled in at the end */
    hs_group_state *state;
    hs_pool *pool;
    hs_mirror *mirror; /* NULL if the processor makes the steps */
    hs_coming coming[HS_DEVICE_SLOTS]; /* draws from the GPU, by slot */
    int slot;                          /* slot of the next one */
    hs_device_draws arrived;           /* its data, if it is stored at once */
    int chains_here;                   /* number of chains in this process */
    bool is_deferred; /* it is stored while the next steps are made */
    int64_t target;   /* step at the end of this round */
    int64_t looked;   /* step of the last check of the ESS */
    double ess;       /* the ESS found there */
    bool is_enough;   /* the requested ESS is reached */
    double started;
    double began;     /* seconds at the first step of a new run */
    double began_cpu; /* then, those of all threads of this process */
    double before;    /* seconds spent before a run was resumed */
    hs_checkpoint checkpoint;
    bool has_checkpoint;
    hs_store *store[HS_STORES]; /* store of the run; NULL if not kept */
    int64_t most;               /* number of draws of a chain that remain at the
                                   end */
    hs_glance glance;           /* for progress displays */
} hs_running;

/* Calls work for all groups: on the threads, or on fibers if one call evaluates
 * many of them. */
static inline void hs_run_each(hs_running *r,
                               void (*work)(void *context, int index),
                               void *context)
{
    hs_wide_each(r->model, r->pool, work, context, r->partition.count);
}

static inline bool hs_is_first_rank(const hs_running *r)
{
    return hs_ranks_rank(r->partition.ranks) == 0;
}

/* The default warm-up: half of the kept steps; -1, a share of the budget, if
 * their number is open. */
int64_t hs_run_warmup(const hiss_settings *set);

/* Builds the state of a group of the run, without its start. */
hiss_status hs_run_build(hs_running *r, int group, hiss_error *err);

/* Freezes tuning; what follows counts. */
void hs_rounds_end_warmup(hs_group_state *w);

/* Returns the first fault of this rank's groups. */
hiss_status hs_rounds_fault(const hs_running *r, hiss_error *err);

/* Whether the caller wants to stop, before the first step (is_pilot) or after
 * it. */
bool hs_rounds_is_stopped(hs_running *r, bool is_pilot);

/* Sets the first states, unless they come from a checkpoint. */
hiss_status hs_start_states(hs_running *r, hiss_error *err);

/* Runs to the end; run->info.ended says which. */
hiss_status hs_rounds_walk(hs_running *r, hiss_error *err);
/* Writes a checkpoint now.  A failure does not end the run: the last checkpoint
 * stays, and the result mentions it. */
void hs_rounds_save(hs_running *r);

/* Makes the result, on rank 0. */
hiss_status hs_finish_run(hs_running *r, hiss_error *err);

#endif
