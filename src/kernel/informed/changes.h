/* changes.h - every change of one coordinate, weighed: what locally informed
 * proposals share [Zanella 2020].
 *
 *     w(i, v) = g(t),   t = p(x with x_i = v) / p(x),
 * with a balancing function g, one for which g(t) = t g(1/t): then a proposal
 * (i, v) ~ w / Z(x) is accepted with min(1, Z(x) / Z(y)).  Where t is known to
 * first order only, from a gradient, it is accepted with the ratio of the
 * probabilities of both ways, which is right for any weights. */
#ifndef HS_KERNEL_INFORMED_CHANGES_H
#define HS_KERNEL_INFORMED_CHANGES_H

#include <stdbool.h>
#include <stdint.h>

#include "kernel/tile.h"
#include "kernel/tilt.h"
#include "lanes/shapes.h"
#include "model/model.h"

/* Where ln t comes from.  Gradients are exact for models that are linear in
 * each coordinate, and for tables with labels; else t is then an estimate. */
typedef enum hs_gain {
    HS_GAIN_GRADIENT,
    HS_GAIN_EXACT, /* differences of U, coordinate by coordinate */
    HS_GAIN_AUTO,  /* exact where that costs one evaluation or less */
} hs_gain;

#define HS_BALANCES "sqrt|barker|min|max"
#define HS_GAINS    "gradient|exact|auto"

typedef struct hs_changes {
    hs_balance balance;
    bool is_plain;        /* set after init: logits are ln t, and not summed */
    int rows;             /* a flip each on a pair domain, else a value each */
    int *owner;           /* owned, [rows]: the coordinate of each */
    hs_float_row *logits; /* owned, [rows]: ln w at the point last scored */
    float max[HS_LANES];  /* of them, and the sum of e^(logit - max) */
    double sum[HS_LANES];
    hs_float_row *buffer; /* owned: rows of a local gradient */

    /* differences of U by coordinate, all values; NULL: from gradients */
    hs_float_row *here;  /* owned, [values]: at x */
    hs_float_row *there; /* owned: at the proposal last scored */
    hs_float_row *value; /* owned, [states_max] */
    hs_point spare;      /* owned */
    /* Borrowed, a column of the kernel: the clock at which `here` was that of
     * the tile.  A checkpoint keeps it, though not `here`: differences that are
     * made again after one are not counted again. */
    double *clock;
    bool is_kept;
} hs_changes;

/* On failure clear is still due. */
hiss_status hs_changes_init(hs_changes *c, const hs_model *m,
                            hs_balance balance, hs_gain gain, double *clock,
                            hiss_error *err);
void hs_changes_clear(hs_changes *c);

/* What a point must have been evaluated for before it is scored. */
unsigned hs_changes_want(const hs_changes *c);

/* Weighs all changes from p, a point of tile x or a proposal. */
hiss_status hs_changes_score(hs_changes *c, const hs_model *m, const hs_tilt *t,
                             hs_tile *x, hs_point *p);

/* The uniforms, one per lane, that choose the change of a block. */
void hs_changes_uniforms(const hs_changes *c, const hs_tile *x, uint32_t block,
                         double *u);

/* One change per lane, drawn from the weights with random words of a block:
 * its row, and its ln w. */
void hs_changes_pick(const hs_changes *c, const hs_tile *x, uint32_t block,
                     int32_t *row, float *logit);

/* ln w / Z of rows with these logits. */
void hs_changes_log_q(const hs_changes *c, const float *logit, double *out);

/* Makes the change of each lane at y; gives the rows that lead back. */
void hs_changes_make(const hs_changes *c, const hs_domain *d,
                     const int32_t *row, hs_point *y, int32_t *back);

/* After the tile has moved to the proposal last scored, in the lanes that
 * accept. */
void hs_changes_keep(hs_changes *c, const hs_model *m, hs_tile *x,
                     const int32_t *accept);

#endif
