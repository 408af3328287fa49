/* tile.h - sixteen chains in lockstep: where they stand and who they are.
 *
 * A lane holds one replica of one chain.  Lanes in use come first.  A lane
 * has a level (0 = the target itself); parallel tempering exchanges levels
 * between lanes, never states. */
#ifndef HS_KERNEL_TILE_H
#define HS_KERNEL_TILE_H

#include <stdbool.h>
#include <stdint.h>

#include <hiss/status.h>

#include "base/lane.h"
#include "base/random/rng.h"
#include "kernel/tilt.h"
#include "model/model.h"

/* Which end of the ladder a replica has seen last. */
enum {
    HS_FROM_NOWHERE,
    HS_FROM_COLD,
    HS_FROM_HOT
};

/* In at.have, beside HS_U and HS_GRAD, and gone with them when x changes: a
 * kernel left something of its own that belongs to x. */
enum {
    HS_TILE_KEPT = 4
};

typedef struct hs_tile {
    hs_point at;  /* owned: where the chains stand */
    hs_tilt tilt; /* owned: beta of each lane; flat otherwise */
    hs_rng rng;   /* who draws; rng.clock counts elementary transitions */
    int lanes;    /* in use */
    int level[HS_LANES];
    int heading[HS_LANES];  /* HS_FROM_...: of the replica, not of the level */
    double trips[HS_LANES]; /* from the coldest level to the hottest and back */
    bool is_warmup;         /* what is noted of levels does not count yet */
    bool is_tuning;         /* kernels adapt: in pilots alone */
    /* per lane in use, since the counters were last cleared */
    double energy_evals;
    double gradient_evals;
    hiss_status status; /* of the last step */
    hs_fault fault;     /* after a step that failed */
    /* Marginals (run/chain/marginals.h): a kernel that visits every site
     * once and knows the probability of its values under the tile's own tilt
     * adds it, times the weight, and counts that in `summed`.  A row per
     * coordinate, of its index 1, where all have two states; else a row per
     * value.  There are counts too if all have two states: a kernel that
     * passes over all states when it is done, and finds `summed` 0, may add
     * 1 where the index and the weight are 1, which run/chain/marginals.c
     * does otherwise. */
    hs_float_row *sum;  /* borrowed, or NULL: not wanted */
    hs_byte_row *count; /* borrowed, or NULL */
    float weight[HS_LANES];
    int summed;
    /* Or NULL, borrowed: a kernel that changes few sites a step may add its
     * counts here, over all lanes whose weight is 1, and say so: whole numbers,
     * a sum per coordinate, all of them there when its flush (kernel.h) has
     * been called. */
    double *total;
    bool is_deferred;
} hs_tile;

hiss_status hs_tile_init(hs_tile *t, const hs_model *m, uint64_t seed,
                         hiss_error *err);
void hs_tile_clear(hs_tile *t);

/* Makes `want` valid at a point and counts what that costs: an energy, a
 * gradient, or the states that a gradient is made from.  NaN or +infinity
 * in a lane in use is HISS_ENUMERIC; t->fault says what failed and where. */
hiss_status hs_tile_evaluate(hs_tile *t, const hs_model *m, hs_point *p,
                             unsigned want);

/* The two halves of it, for a kernel that evaluates in a pass of its own. */
hiss_status hs_tile_check(hs_tile *t, const hs_point *p);
void hs_tile_count(hs_tile *t, unsigned made);

/* Counts what an evaluation of where it stands would have cost, and that it is
 * known there: for a kernel whose steps were made elsewhere. */
static inline void hs_tile_presume(hs_tile *t, unsigned want)
{
    hs_tile_count(t, want & ~t->at.have);
    t->at.have |= want;
}

/* Counts `sites` single-site updates: 1/dim of an energy evaluation each. */
void hs_tile_count_sites(hs_tile *t, const hs_model *m, double sites);

/* A new elementary transition: fresh random numbers from here on. */
static inline void hs_tile_tick(hs_tile *t)
{
    t->rng.clock++;
}

/* ln p(y) - ln p(x) under a tilt; -infinity where y is impossible. */
void hs_tile_log_ratio(const hs_model *m, const hs_tilt *t, const hs_point *x,
                       const hs_point *y, double *log_ratio);

/* e^min(0, log_ratio) per lane: the probability that y is accepted. */
void hs_tile_acceptance(const double *log_ratio, float *probability);

/* Which lanes accept y: ln u < ratio, or the ratio is not negative.  accept[l]
 * is 0 or 1; a ratio of NaN (an impossible proposal met from an impossible
 * place) rejects. */
void hs_tile_decide(hs_tile *t, const double *log_ratio, int32_t *accept);

/* Moves the accepting lanes to y: states, U, gradient and cache. */
void hs_tile_move(hs_tile *t, const hs_model *m, const hs_point *y,
                  const int32_t *accept);

#endif
