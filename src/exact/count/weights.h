/* weights.h - weights of the possible entries of tables.
 *
 * A table of one coordinate gives weights to its literals.  A larger one whose
 * possible entries differ is *soft*.  It is decided as soon as all its
 * remaining possible entries are equal, and then multiplies the weight. */
#ifndef HS_EXACT_COUNT_WEIGHTS_H
#define HS_EXACT_COUNT_WEIGHTS_H

#include <stdbool.h>
#include <stdint.h>

#include <hiss/status.h>

#include "exact/count/scaled.h"
#include "model/factors.h"
#include "model/sat/code.h"

typedef struct hs_soft {
    int size;
    int64_t scope; /* index of its first coordinate in weights->scope */
    int64_t value; /* index of its first entry in weights->value */
} hs_soft;

typedef struct hs_weights {
    double constant;  /* constant of U */
    bool has_weights; /* possible states have different weights */
    double *literal;  /* owned, [2 * variables]: ln of the weight */
    int count;
    hs_soft *soft;    /* owned, [count] */
    int *scope;       /* owned */
    int *radix;       /* owned, beside scope: states + 1 */
    double *value;    /* owned: ln of the weight of a decided table, else NaN;
                         the digit `states` means an unassigned coordinate */
    int64_t *user_at; /* owned, [dim + 1] */
    int *user;        /* owned: soft tables of each coordinate */
} hs_weights;

/* HISS_ELIMIT if a soft table is too large. */
hiss_status hs_weights_init(hs_weights *w, const hs_factors *f,
                            const hs_code *code, hiss_error *err);
void hs_weights_clear(hs_weights *w);

#endif
