/* tile.h - sixteen chains in lockstep: their states and identities.
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

/* The end of the ladder that a replica visited last. */
enum {
    HS_FROM_NOWHERE,
    HS_FROM_COLD,
    HS_FROM_HOT
};

/* A bit of at.have, beside HS_U and HS_GRAD, cleared with them when x changes:
 * a kernel has stored its own data that belong to x. */
enum {
    HS_TILE_KEPT = 4
};

typedef struct hs_tile {
    hs_point at;  /* owned: states of the chains */
    hs_tilt tilt; /* owned: beta of each lane; flat otherwise */
    hs_rng rng;   /* addresses of draws; rng.clock counts elementary
                     transitions */
    int lanes;    /* in use */
    int level[HS_LANES];
    int heading[HS_LANES];  /* HS_FROM_...: belongs to the replica, not to the
                               level */
    double trips[HS_LANES]; /* round trips between the coldest and the hottest
                               level */
    bool is_warmup;         /* statistics of levels do not count yet */
    bool is_tuning;         /* kernels adapt; only in pilots */
    /* per lane in use, since the counters were last cleared */
    double energy_evals;
    double gradient_evals;
    hiss_status status; /* status of the last step */
    hs_fault fault;     /* after a step that failed */
    /* Marginals (run/chain/marginals.h).  A kernel that visits every site once
     * and knows the probability of its values under the tile's own tilt adds
     * it, times the weight, and counts that in `summed`.  There is a row per
     * coordinate, for its index 1, if all have two states; else a row per
     * value.  If all have two states there are counts too: a kernel that passes
     * over all states at its end, and finds `summed` 0, may add 1 where the
     * index and the weight are 1.  Otherwise run/chain/marginals.c does it. */
    hs_float_row *sum;  /* borrowed, or NULL if not requested */
    hs_byte_row *count; /* borrowed, or NULL */
    float weight[HS_LANES];
    int summed;
    /* Borrowed, or NULL.  A kernel that changes few sites a step may add its
     * counts here, over all lanes with weight 1: whole numbers, a sum per
     * coordinate, complete after its flush (kernel.h). */
    double *total;
    bool is_deferred;
} hs_tile;

hiss_status hs_tile_init(hs_tile *t, const hs_model *m, uint64_t seed,
                         hiss_error *err);
void hs_tile_clear(hs_tile *t);

/* Makes `want` valid at a point and counts the cost: an energy, a gradient, or
 * the states evaluated for a gradient.  NaN or +infinity in a lane in use is
 * HISS_ENUMERIC; t->fault has the kind and the place. */
hiss_status hs_tile_evaluate(hs_tile *t, const hs_model *m, hs_point *p,
                             unsigned want);

/* Its two halves, for a kernel that evaluates in its own pass. */
hiss_status hs_tile_check(hs_tile *t, const hs_point *p);
void hs_tile_count(hs_tile *t, unsigned made);

/* Counts an evaluation of the present state and marks it valid, for a kernel
 * whose steps were made elsewhere. */
static inline void hs_tile_presume(hs_tile *t, unsigned want)
{
    hs_tile_count(t, want & ~t->at.have);
    t->at.have |= want;
}

/* Counts `sites` single-site updates: 1/dim of an energy evaluation each. */
void hs_tile_count_sites(hs_tile *t, const hs_model *m, double sites);

/* Starts a new elementary transition with fresh random numbers. */
static inline void hs_tile_tick(hs_tile *t)
{
    t->rng.clock++;
}

/* Computes ln p(y) - ln p(x) under a tilt; -infinity if y is impossible. */
void hs_tile_log_ratio(const hs_model *m, const hs_tilt *t, const hs_point *x,
                       const hs_point *y, double *log_ratio);

/* e^min(0, log_ratio) per lane: the probability that y is accepted. */
void hs_tile_acceptance(const double *log_ratio, float *probability);

/* Decides which lanes accept y: ln u < ratio, or the ratio is not negative.
 * accept[l] is 0 or 1; a ratio of NaN (both states are impossible) rejects. */
void hs_tile_decide(hs_tile *t, const double *log_ratio, int32_t *accept);

/* Moves the accepting lanes to y: states, U, gradient and cache. */
void hs_tile_move(hs_tile *t, const hs_model *m, const hs_point *y,
                  const int32_t *accept);

#endif
