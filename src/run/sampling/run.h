/* run.h - all chains of a run: warm-up, kept draws, budgets, threads.
 *
 * Groups of up to 16 chains advance in rounds; a round takes every group to the
 * same step, spread over the threads.  Between rounds the caller gets the
 * progress and may stop the run.  The draws of a chain depend only on its own
 * steps, never on rounds, threads or other groups. */
#ifndef HS_RUN_SAMPLING_RUN_H
#define HS_RUN_SAMPLING_RUN_H

#include <hiss/result.h>
#include <hiss/status.h>

#include "kernel/sampler.h"
#include "run/chain/group.h"
#include "run/chain/store.h"
#include "run/flat/flat_report.h"
#include "run/sampling/smc_report.h"
#include "run/sampling/tempering_report.h"

#define HS_COUNTERS_MAX 32
#define HS_COUNTER_NAME 48

/* Acceptance of one kernel over all chains (at level 0). */
typedef struct hs_counter {
    char name[HS_COUNTER_NAME];
    hiss_counted counted;
    double proposed, accepted;
} hs_counter;

/* The events that a kernel type counts. */
static inline hiss_counted hs_kernel_counts(const hs_kernel_type *type)
{
    if (!type->counter)
        return HISS_COUNTED_STEPS;
    return type->couple ? HISS_COUNTED_SWAPS : HISS_COUNTED_JUMPS;
}

/* Statistics of a temperature level, over all chains. */
typedef struct hs_level {
    double temperature;
    double proposed, accepted; /* decisions of its kernels */
    double swaps, swapped;     /* exchanges with the next hotter level */
    char *tuning;              /* owned: of the first chain, or NULL */
} hs_level;

/* Results of a run. */
typedef struct hs_run {
    hiss_run_info info;
    hs_store store; /* owned */
    hs_store warm;  /* owned: draws of the warm-up, if kept */
    /* owned: draws of all levels, if kept, of level j of chain c in row c *
     * replicas + j; impossible states have log p -infinity */
    hs_store at_level;
    int16_t *by_level; /* owned, [chains][replicas][dim]: final states by level,
                          as indices; NULL if not requested */
    double *marginal;  /* owned, [value_count], or NULL: P(x_i = v) */
    hs_counter counter[HS_COUNTERS_MAX];
    int counters;
    char *tuning;                  /* owned: of the first chain, or NULL */
    hs_tempering_report tempering; /* owned */
    hs_smc_report population;      /* owned */
    hs_flat_report flat;           /* owned */
    hiss_network_weights network;  /* of sampler network; bond 0 if none */
    hs_store particles;            /* owned: its replicas, if they are kept, */
    double *weight;                /* owned, [chains][replicas]; or NULL */
    char *resolved;                /* owned: the resolved sampler */
    char *device;                  /* owned: the device, and the reason for
                                      it */
    char *pilot;                   /* owned: the description of a pilot's
                                      results, or NULL */
    char *doubt;     /* owned: the reason why the draws should not be trusted,
                        or NULL */
    hs_level *level; /* owned, [levels], or NULL */
    int levels;
    int checkpoints;              /* number written by this process, */
    double checkpoint_seconds;    /* and their time */
    char warning[HISS_ERROR_MAX]; /* the message if a checkpoint could not be
                                     written; or "" */
} hs_run;

/* settings must be checked already.  Runs with a checkpoint need origin
 * (fingerprint.h).  On failure *run is empty. */
hiss_status hs_run_all(hs_run *run, const hs_model *m, const char *origin,
                       const hs_sampler *sampler, const hiss_settings *settings,
                       hiss_error *err);
void hs_run_clear(hs_run *run);

/* Gathers acceptances and tuning of the groups' trees into run. */
void hs_run_report(hs_run *run, hs_group *const *group, int groups);

#endif
