/* pilot_chains.h - pilot chains at the target that explore where they
 * start.
 *
 * Every chain (a lane) counts the values of its coordinates, separately for
 * the two halves of a run, so that what differs between chains can be told
 * from what differs in time. */
#ifndef HS_RUN_ATLAS_PILOT_CHAINS_H
#define HS_RUN_ATLAS_PILOT_CHAINS_H

#include <hiss/status.h>

#include "kernel/library.h"
#include "kernel/sampler.h"
#include "run/account/pilot_account.h"
#include "run/chain/group.h"

typedef struct hs_pilot_chains {
    int lanes;
    int dim, values;
    int16_t *state;  /* owned, [lanes][dim]: present states */
    float *count[2]; /* owned, [lanes][values]: of each half */
    int steps;       /* counted per half in the last run */
    double cost;     /* evaluations of a step in the last run, 0: no run yet */
    double proposed, taken;    /* decisions of the last kernel of the tree */
    double (*tuned)[HS_LANES]; /* owned, [tunings]: tuned values of its kernels
                                  after the last run, or NULL */
    int tunings;
} hs_pilot_chains;

hiss_status hs_pilot_chains_init(hs_pilot_chains *c, const hs_model *m,
                                 int lanes, hiss_error *err);
void hs_pilot_chains_clear(hs_pilot_chains *c);

/* Takes the state of a group's lane as that of lane `to`. */
void hs_pilot_chains_take(hs_pilot_chains *c, int to, const hs_tile *t,
                          int lane);

/* What a part of a pilot may use. */
typedef struct hs_pilot_request {
    const hs_sampler *base; /* borrowed: the local sampler */
    uint32_t first_chain;   /* number of its first reserved chain */
    double budget;          /* evaluations, about, */
    double more;            /* the same for distributions that are trees */
    bool takes_one;         /* learn a single mode as well */
} hs_pilot_request;

typedef struct hs_pilot_walk {
    const hs_sampler *sampler; /* borrowed, not tempered */
    const hs_library *library; /* borrowed, or NULL */
    uint32_t first_chain;
    int discard;  /* steps that tune the sampler; 0: use the tuning of the last
                     walk that had any */
    int steps;    /* steps after these; hs_pilot_chains_count: in each half */
    int16_t *end; /* [lanes][dim]: receives the last states; NULL: the chains
                     go on from there */
    /* Called after each of the steps for every group; `first` is the lane of
     * its first chain. */
    hiss_status (*visit)(void *context, hs_group *g, int first, int64_t step,
                         hiss_error *err);
    void *context;
} hs_pilot_walk;

/* Moves all chains. */
hiss_status hs_pilot_chains_walk(hs_pilot_chains *c, const hs_model *m,
                                 const hs_pilot_walk *run,
                                 hs_pilot_account *account, hiss_error *err);

/* The same, and counts values; run->visit is not used. */
hiss_status hs_pilot_chains_count(hs_pilot_chains *c, const hs_model *m,
                                  const hs_pilot_walk *run,
                                  hs_pilot_account *account, hiss_error *err);

/* Counts of both halves, of the lanes of a mode, to sum[values]; returns their
 * steps.  of: modes of the lanes, NULL: all lanes. */
double hs_pilot_chains_sum(const hs_pilot_chains *c, const int *of, int mode,
                           double *sum);

/* log p of the present states under this model: u[lanes]. */
hiss_status hs_pilot_chains_energies(const hs_pilot_chains *c,
                                     const hs_model *m, double *u,
                                     hs_pilot_account *account,
                                     hiss_error *err);

/* How far the chains are from agreeing: for the worst coordinate, the variance
 * between chains of the share of a value, relative to that of the value
 * itself.  1 / steps for independent draws, about 1 when chains are stuck in
 * different places, 0 when nothing ever changes. */
double hs_pilot_chains_discord(const hs_pilot_chains *c);

#endif
