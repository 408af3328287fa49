/* gram.h - inner products of the columns of a regression.
 *
 * Rows of X'X are computed when a variable first enters a model and stored
 * while there is room: of 100 000 variables a chain visits a few hundred.  A
 * product has the same bits whether it was stored or not. */
#ifndef HS_MODEL_REGRESS_GRAM_H
#define HS_MODEL_REGRESS_GRAM_H

#include <hiss/status.h>

#include "model/regress/design.h"

typedef struct hs_gram {
    const hs_design *design; /* borrowed; columns are standardized */
    int room;                /* most rows that can be stored */
    int *used;               /* owned: number of stored rows; several threads
                                add to it */
    double **row;            /* owned array, [terms]: into block, or NULL */
    double *block;           /* owned, [room][terms] */
} hs_gram;

hiss_status hs_gram_init(hs_gram *g, const hs_design *design, hiss_error *err);
void hs_gram_clear(hs_gram *g);

/* x_i' x_j */
double hs_gram_at(const hs_gram *g, int i, int j);

/* x_j' x_i for first <= i < first + count: stored ones, or computed in `out`.
 * Stores the row if there is room. */
const double *hs_gram_row(const hs_gram *g, int j, int first, int count,
                          double *out);

/* a' b of padded columns, in a fixed order of summation. */
double hs_gram_dot(const double *a, const double *b, int stride);

#endif
