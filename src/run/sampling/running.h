/* running.h - a run while it lasts: what its parts share.
 *
 * run.c prepares it, rounds.c advances it round by round, finish.c makes the
 * result of it.  All ranks go through the same calls. */
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

#define HS_OPEN_DRAWS 4096 /* kept per chain when --samples is not given */

/* A draw of all chains that is on its way from a GPU. */
typedef struct hs_coming {
    hs_store *store; /* borrowed, or NULL: there is none */
    int64_t draw;
    double proposed; /* decisions of a chain before it */
} hs_coming;

typedef struct hs_running {
    const hs_model *model;    /* borrowed, as are the next ones */
    const char *origin;       /* of the model */
    const hiss_settings *set; /* less what the pilot took */
    hs_run *run;
    const hs_scheme *scheme;
    hs_partition partition; /* owned, as are the next ones */
    hs_gather gather;       /* to rank 0 */
    /* [partition.count], on rank 0 [partition.groups]: those behind
     * partition.count are advanced by others and filled in at the end */
    hs_group_state *state;
    hs_pool *pool;
    hs_mirror *mirror; /* NULL: steps are made by the processor */
    hs_coming coming[HS_DEVICE_SLOTS]; /* of it, by slot */
    int slot;                          /* of the next one */
    hs_device_draws arrived; /* where it is, if it is stored at once */
    int chains_here;         /* of this process */
    bool is_deferred; /* it is stored when the next steps are under way */
    int64_t target;   /* step that this round leads to */
    int64_t looked;   /* step of the last check of the ESS */
    double ess;       /* that was found there */
    bool is_enough;   /* and is what was asked for */
    double started;
    double began;  /* seconds at which a new run made its first step */
    double before; /* seconds spent before a resumed run */
    hs_checkpoint checkpoint;
    bool has_checkpoint;
    hs_store *store[HS_STORES]; /* of the run; NULL: not kept */
    int64_t most;               /* draws of a chain that are left at the end */
    hs_glance glance;           /* for those who watch */
} hs_running;

/* Work on all groups: on the threads, or on fibers where one call evaluates
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

/* Half of the steps that are kept; -1, a share of the budget, when their
 * number is open. */
int64_t hs_run_warmup(const hiss_settings *set);

/* A state of a group of the run, without its start. */
hiss_status hs_run_build(hs_running *r, int group, hiss_error *err);

/* Tuning is frozen, and what follows counts. */
void hs_rounds_end_warmup(hs_group_state *w);

/* The first fault of this rank's groups. */
hiss_status hs_rounds_fault(const hs_running *r, hiss_error *err);

/* Whether the caller wants it to stop, before the first step (is_pilot) or
 * after it. */
bool hs_rounds_is_stopped(hs_running *r, bool is_pilot);

/* States to begin with, unless they come from a checkpoint. */
hiss_status hs_start_states(hs_running *r, hiss_error *err);

/* To its end; run->info.ended says which. */
hiss_status hs_rounds_walk(hs_running *r, hiss_error *err);
/* Writes a checkpoint now.  One that cannot be written does not end the run:
 * the last one stays, and the result says so. */
void hs_rounds_save(hs_running *r);

/* The result, on rank 0. */
hiss_status hs_finish_run(hs_running *r, hiss_error *err);

#endif
