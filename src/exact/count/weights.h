/* weights.h - what the entries of tables that are possible weigh.
 *
 * A table of one coordinate gives its literals weights.  A larger one whose
 * possible entries differ is *soft*.  It is decided as soon as all its possible
 * entries are equal, and multiplies the weight then. */
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
    int64_t scope; /* first of its coordinates in weights->scope */
    int64_t value; /* first of its entries in weights->value */
} hs_soft;

typedef struct hs_weights {
    double constant;  /* of U */
    bool has_weights; /* not all possible states weigh the same */
    double *literal;  /* owned, [2 * variables]: ln of the weight */
    int count;
    hs_soft *soft;    /* owned, [count] */
    int *scope;       /* owned */
    int *radix;       /* owned, beside scope: states + 1 */
    double *value;    /* owned: ln of the weight of a decided table, else NaN; a
                         digit that equals the states is a coordinate without
                         value */
    int64_t *user_at; /* owned, [dim + 1] */
    int *user;        /* owned: soft tables of a coordinate */
} hs_weights;

/* HISS_ELIMIT where a soft table is too large. */
hiss_status hs_weights_init(hs_weights *w, const hs_factors *f,
                            const hs_code *code, hiss_error *err);
void hs_weights_clear(hs_weights *w);

#endif
