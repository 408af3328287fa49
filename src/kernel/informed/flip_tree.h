/* flip_tree.h - single flips of sparse pair models, in O(degree + log dim).
 *
 * Each lane keeps what every flip would gain, D_i = U(x_i = 1) - U(x_i = 0),
 * and a tree of sixteen children a node over the weights of all flips.  A flip
 * changes D of its neighbors and the sums above them.
 *
 * D is a whole number of 2^-bits: sums of whole numbers have no rounding, so
 * that D, weights and sums are functions of the state alone, however it was
 * reached, and nothing drifts.  Couplings are rounded by so little that no D
 * is off by more than 5e-7; other models have no flips. */
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
    const hs_sparse *j; /* borrowed; NULL: this model has none */
    hs_flip_tree_weight *weigh;
    const void *context; /* borrowed */
    int dim, bits;
    int32_t *coupling; /* owned, [couplings]: what D_i gains by x_j = 1 */
    int32_t *base;     /* owned, [dim]: D_i with all neighbors at 0 */
    int32_t *gain;     /* owned, [lanes][dim]: 2 D_i + x_i */
    float *weight;     /* owned, [lanes][leaves] */
    double *sum;       /* owned, [lanes][nodes], level after level */
    int *touched;      /* owned, [largest degree + 1] */
    int leaves, nodes, levels;
    int first
        [HS_FLIP_TREE_LEVELS]; /* node of each level; the last is the root */
    float beta[HS_LANES];      /* that the weights are of */
    uint64_t clock;            /* at which they were those of the tile */
    bool is_built;
    int64_t waiting; /* steps whose counts wait to be added */
} hs_flip_tree;

/* Leaves f->j NULL where the model has none.  On failure clear is still
 * due. */
hiss_status hs_flip_tree_init(hs_flip_tree *f, const hs_model *m,
                              hs_flip_tree_weight *weigh, const void *context,
                              hiss_error *err);
void hs_flip_tree_clear(hs_flip_tree *f);

/* Whether steps under this tilt are made by flips. */
static inline bool hs_flip_tree_fit(const hs_flip_tree *f, const hs_tilt *t)
{
    return f->j && hs_tilt_form_of(t) == HS_TILT_FLAT;
}

/* After the tick of step number `steps`: counts the evaluations of where the
 * tile stands, makes U afresh at fixed steps, so that rounding does not pile
 * up, and gains and weights those of the tile.  hs_flip_tree_end: at the end of
 * the step. */
hiss_status hs_flip_tree_begin(hs_flip_tree *f, const hs_model *m,
                               const hs_tilt *t, hs_tile *x, uint64_t steps);
void hs_flip_tree_end(hs_flip_tree *f, hs_tile *x);

/* Adds the counts that wait to x->total (tile.h), if there are. */
void hs_flip_tree_flush(hs_flip_tree *f, hs_tile *x);

/* Sum of the weights of a lane. */
static inline double hs_flip_tree_total(const hs_flip_tree *f, int lane)
{
    return f->sum[(size_t)lane * (size_t)f->nodes + (size_t)f->nodes - 1];
}

/* The coordinates at parts u, below 1, of the sums, in the lanes of x where
 * left is above 0; NULL: in all. */
void hs_flip_tree_pick(const hs_flip_tree *f, const hs_tile *x, const double *u,
                       const double *left, int *out);

/* Flips a coordinate, with U. */
void hs_flip_tree_make(hs_flip_tree *f, hs_tile *x, int lane, int i);

#endif
