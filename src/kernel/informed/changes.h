/* changes.h - weights of every change of one coordinate, for locally informed
 * proposals [Zanella 2020].
 *
 *     w(i, v) = g(t),   t = p(x with x_i = v) / p(x),
 * with a balancing function g, one for which g(t) = t g(1/t): then a proposal
 * (i, v) ~ w / Z(x) is accepted with min(1, Z(x) / Z(y)).  If t is known only
 * to first order, from a gradient, the ratio of the probabilities of both
 * directions decides, which is right for any weights. */
#ifndef HS_KERNEL_INFORMED_CHANGES_H
#define HS_KERNEL_INFORMED_CHANGES_H

#include <stdbool.h>
#include <stdint.h>

#include "kernel/tile.h"
#include "kernel/tilt.h"
#include "lanes/shapes.h"
#include "model/model.h"

/* Source of ln t.  Gradients are exact for models that are linear in each
 * coordinate, and for tables with labels; otherwise t is an estimate. */
typedef enum hs_gain {
    HS_GAIN_GRADIENT,
    HS_GAIN_EXACT, /* differences of U, coordinate by coordinate */
    HS_GAIN_AUTO,  /* exact if that costs at most one evaluation */
} hs_gain;

#define HS_BALANCES "sqrt|barker|min|max"
#define HS_GAINS    "gradient|exact|auto"

typedef struct hs_changes {
    hs_balance balance;
    bool is_plain;        /* set after init: logits are ln t, without sums */
    int rows;             /* one per flip on a pair domain, else one per
                             value */
    int *owner;           /* owned, [rows]: the coordinate of each */
    hs_float_row *logits; /* owned, [rows]: ln w at the point last scored */
    float max[HS_LANES];  /* their maximum, and the sum of e^(logit - max) */
    double sum[HS_LANES];
    hs_float_row *buffer; /* owned: rows of a local gradient */

    /* Differences of U by coordinate, for all values; NULL if gradients are
     * used. */
    hs_float_row *here;  /* owned, [values]: at x */
    hs_float_row *there; /* owned: at the last scored proposal */
    hs_float_row *value; /* owned, [states_max] */
    hs_point spare;      /* owned */
    /* Borrowed, a column of the kernel: the clock of the tile for which `here`
     * is valid.  A checkpoint stores it, but not `here`: differences that are
     * computed again after a restart are not counted again. */
    double *clock;
    bool is_kept;
} hs_changes;

/* Clear it also on failure. */
hiss_status hs_changes_init(hs_changes *c, const hs_model *m,
                            hs_balance balance, hs_gain gain, double *clock,
                            hiss_error *err);
void hs_changes_clear(hs_changes *c);

/* What must be evaluated at a point before it is scored. */
unsigned hs_changes_want(const hs_changes *c);

/* Weighs all changes from p, a point of tile x or a proposal. */
hiss_status hs_changes_score(hs_changes *c, const hs_model *m, const hs_tilt *t,
                             hs_tile *x, hs_point *p);

/* The uniforms, one per lane, that choose the change of a block. */
void hs_changes_uniforms(const hs_changes *c, const hs_tile *x, uint32_t block,
                         double *u);

/* Draws one change per lane by weight, with random words of a block: its row,
 * and its ln w. */
void hs_changes_pick(const hs_changes *c, const hs_tile *x, uint32_t block,
                     int32_t *row, float *logit);

/* Computes ln w / Z of rows with these logits. */
void hs_changes_log_q(const hs_changes *c, const float *logit, double *out);

/* Makes the change of each lane at y; returns the rows of the reverse
 * changes. */
void hs_changes_make(const hs_changes *c, const hs_domain *d,
                     const int32_t *row, hs_point *y, int32_t *back);

/* Call it after the tile has moved to the last scored proposal in the accepting
 * lanes. */
void hs_changes_keep(hs_changes *c, const hs_model *m, hs_tile *x,
                     const int32_t *accept);

#endif
