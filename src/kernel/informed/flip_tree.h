/* flip_tree.h - single flips of sparse pair models, in O(degree + log dim).
 *
 * Each lane stores the gain of every flip, D_i = U(x_i = 1) - U(x_i = 0), and a
 * tree with sixteen children per node over the weights of all flips.  A flip
 * changes D of its neighbors and the sums above them.
 *
 * D is a whole number of 2^-bits, and sums of whole numbers are exact. So D,
 * weights and sums depend on the state alone and do not drift. Couplings are
 * rounded such that no D is off by more than 5e-7; models where this is
 * impossible have no flips. */
#ifndef HS_KERNEL_INFORMED_FLIP_TREE_H
#define HS_KERNEL_INFORMED_FLIP_TREE_H

#include <stdbool.h>
#include <stdint.h>

#include "kernel/tile.h"
#include "kernel/tilt.h"
#include "lanes/shapes.h"
#include "model/model.h"

/* Turns 16 logarithms ln t of the ratio of probabilities of a flip into ln w,
 * the logarithm of its weight; w(t) = t w(1/t). */
typedef void hs_flip_tree_weight(const void *context, hs_float_row *row);

#define HS_FLIP_TREE_LEVELS 8

typedef struct hs_flip_tree {
    const hs_sparse *j; /* borrowed; NULL if this model has no flips */
    hs_flip_tree_weight *weigh;
    const void *context; /* borrowed */
    int dim, bits;
    int32_t *coupling; /* owned, [couplings]: gain of D_i by x_j = 1 */
    int32_t *base;     /* owned, [dim]: D_i with all neighbors at 0 */
    int32_t *gain;     /* owned, [lanes][dim]: 2 D_i + x_i */
    float *weight;     /* owned, [lanes][leaves] */
    double *sum;       /* owned, [lanes][nodes], level after level */
    int *touched;      /* owned, [largest degree + 1] */
    int leaves, nodes, levels;
    int first
        [HS_FLIP_TREE_LEVELS]; /* start of each level; the last is the root */
    float beta[HS_LANES];      /* beta of the weights */
    uint64_t clock;            /* clock of the tile with these weights */
    bool is_built;
    int64_t waiting; /* steps whose counts are still to be added */
} hs_flip_tree;

/* Leaves f->j NULL if the model has no flips.  Clear it also on failure. */
hiss_status hs_flip_tree_init(hs_flip_tree *f, const hs_model *m,
                              hs_flip_tree_weight *weigh, const void *context,
                              hiss_error *err);
void hs_flip_tree_clear(hs_flip_tree *f);

/* Whether steps under this tilt use flips. */
static inline bool hs_flip_tree_fit(const hs_flip_tree *f, const hs_tilt *t)
{
    return f->j && hs_tilt_form_of(t) == HS_TILT_FLAT;
}

/* Call begin after the tick of step number `steps`.  It counts the evaluations
 * at the tile's state, computes U afresh at fixed steps, so that rounding does
 * not accumulate, and makes gains and weights those of the tile.  Call
 * hs_flip_tree_end at the end of the step. */
hiss_status hs_flip_tree_begin(hs_flip_tree *f, const hs_model *m,
                               const hs_tilt *t, hs_tile *x, uint64_t steps);
void hs_flip_tree_end(hs_flip_tree *f, hs_tile *x);

/* Adds the waiting counts to x->total (tile.h), if there are any. */
void hs_flip_tree_flush(hs_flip_tree *f, hs_tile *x);

/* Sum of the weights of a lane. */
static inline double hs_flip_tree_total(const hs_flip_tree *f, int lane)
{
    return f->sum[(size_t)lane * (size_t)f->nodes + (size_t)f->nodes - 1];
}

/* Finds the coordinates at parts u < 1 of the sums, in the lanes of x where
 * left is above 0; with NULL in all. */
void hs_flip_tree_pick(const hs_flip_tree *f, const hs_tile *x, const double *u,
                       const double *left, int *out);

/* Flips a coordinate and updates U. */
void hs_flip_tree_make(hs_flip_tree *f, hs_tile *x, int lane, int i);

#endif
