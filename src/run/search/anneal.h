/* anneal.h - one batch of a search: sixteen restarts in the lanes of a tile.
 *
 * A batch is a function of (seed, number, plan) alone.  In a *plain* batch
 * every lane is an independent restart: beta rises geometrically from hot to
 * cold.  If the model (hs_model_scatter) or a network (cold_start.h) proposes
 * starting states, every fourth lane has one of those, and a lower temperature.
 * In a *bred* batch a short anneal is followed by many cycles: the lanes climb,
 * the best components of all are combined (recombine.h), and every lane starts
 * again from that state, reheated to its own temperature.  The best state of
 * each lane is stored on the way and climbs at the end, and its U is computed
 * afresh. */
#ifndef HS_RUN_SEARCH_ANNEAL_H
#define HS_RUN_SEARCH_ANNEAL_H

#include <stdbool.h>
#include <stdint.h>

#include <hiss/status.h>

#include "kernel/sampler.h"
#include "run/chain/ascend.h"
#include "run/chain/group.h"
#include "run/search/cold_start.h"
#include "run/search/recombine.h"

/* Data that all batches of a search share; borrowed. */
typedef struct hs_anneal_plan {
    const hs_model *model;
    const hs_sampler *kernel;
    const hs_recombine_parts *parts; /* or NULL if nothing can be combined */
    const hs_cold_start *begin;      /* or NULL without a network */
    uint64_t seed;
    double hot, cold;
    double goal;      /* U that counts as a hit; infinity for none */
    bool is_mirrored; /* U(x) = U(1 - x) */
    bool may_ascend;  /* climbing is cheap */
    bool stops;       /* a batch ends with its first hit */
} hs_anneal_plan;

typedef struct hs_anneal {
    const hs_anneal_plan *plan; /* borrowed */
    int64_t number;
    int lanes;
    bool is_bred;
    int64_t steps; /* in all */
    int64_t step;  /* made */
    int64_t leg;   /* first step of the present section of the schedule */
    int64_t leg_steps;
    double from[HS_LANES];  /* beta at the start of the section */
    double ratio[HS_LANES]; /* ratio of beta from one step to the next */
    double beta[HS_LANES];
    hs_group *group;           /* owned, or NULL without a batch */
    hs_ascent ascent;          /* owned */
    hs_recombine mixer;        /* owned */
    hs_index_row *best;        /* owned, [dim] */
    double u[HS_LANES];        /* log p of best */
    bool is_hit[HS_LANES];     /* reached the goal */
    int16_t *elite;            /* owned, [dim] */
    int16_t *other;            /* owned, [dim] */
    double climbs;             /* evaluations of ascents, per lane */
    hs_network_scratch *draws; /* owned, if the plan has a network */
} hs_anneal;

/* Allocates for batches of this plan. */
hiss_status hs_anneal_init(hs_anneal *a, const hs_anneal_plan *plan,
                           hiss_error *err);
void hs_anneal_clear(hs_anneal *a);

/* Begins batch `number` with this many lanes and steps. */
hiss_status hs_anneal_begin(hs_anneal *a, int64_t number, int lanes,
                            int64_t steps, bool is_bred, hiss_error *err);
/* Makes one step; *is_done after the last. */
hiss_status hs_anneal_step(hs_anneal *a, bool *is_done, hiss_error *err);
/* The parts of a step, if a GPU makes it (card_wave.h).  heat: sets beta of the
 * next one.  keeps: whether better states are kept after it.  turn: does what
 * follows the last step of every section but the last. */
void hs_anneal_heat(hs_anneal *a);
bool hs_anneal_keeps(const hs_anneal *a);
bool hs_anneal_is_turning(const hs_anneal *a);
hiss_status hs_anneal_turn(hs_anneal *a, hiss_error *err);
/* Climbs from the best states and computes U afresh: best, u and is_hit stay
 * until the next batch.  May be called before the last step. */
hiss_status hs_anneal_finish(hs_anneal *a, hiss_error *err);

/* Number of climbs of a batch. */
double hs_anneal_climbs(int64_t steps, bool is_bred);

/* Best U so far of any lane; -infinity at first. */
double hs_anneal_best(const hs_anneal *a);
/* Evaluations of the batch, all lanes. */
double hs_anneal_evals(const hs_anneal *a);

#endif
