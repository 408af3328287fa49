/* code.h - tables with zeros, as clauses over Boolean variables.
 *
 * A coordinate with two states is one variable, true for index 1.  One with
 * more has a variable per state, of which exactly one is true.  A literal is
 * 2 * variable, or 2 * variable + 1 for its negation.  Every clause excludes
 * impossible entries of one table; together they exclude all of them. */
#ifndef HS_MODEL_SAT_CODE_H
#define HS_MODEL_SAT_CODE_H

#include <stdint.h>

#include <hiss/status.h>

#include "model/factors.h"

/* Pairs of states that exclude each other grow with the square. */
#define HS_CODE_STATES 128

typedef struct hs_code {
    int dim;
    int variables;
    int *first;      /* owned, [dim + 1]: first variable of a coordinate */
    int *coordinate; /* owned, [variables] */
    int64_t clauses;
    int64_t *start; /* owned, [clauses + 1] */
    int *literal;   /* owned */
    int64_t room, literal_room;
    bool is_impossible; /* a table has only zeros */
} hs_code;

/* HISS_ELIMIT if a coordinate has more than HS_CODE_STATES states or there are
 * too many clauses. */
hiss_status hs_code_init(hs_code *c, const hs_factors *f, hiss_error *err);
void hs_code_clear(hs_code *c);

/* The literal that is true if coordinate i has this index; states is that of i,
 * at least 2. */
static inline int hs_code_literal(const hs_code *c, int i, int states,
                                  int index)
{
    return states == 2 ? 2 * c->first[i] + (index == 0)
                       : 2 * (c->first[i] + index);
}

#endif
