/* twice.h - tests whether a model gives equal states equal U. */
#ifndef HS_RUN_CHAIN_TWICE_H
#define HS_RUN_CHAIN_TWICE_H

#include "model/model.h"

typedef struct hs_twice {
    bool is_function;
    int states;
    double apart;         /* the largest difference, */
    double allowed;       /* the difference that rounding explains, */
    double first, second; /* and the two values */
} hs_twice;

/* Computes U of the first `lanes` states in p, an even number, then of the same
 * states in reversed order, and of the first half alone.  Float sums of 10^5
 * terms in another order differ by 1e-5 of their size; the noise of a minibatch
 * is far larger. */
hiss_status hs_model_twice(const hs_model *m, hs_point *p, int lanes,
                           hs_twice *out, hiss_error *err);

/* The same for some states of its domain, as an error.  A code that the
 * function returns is an error here too; the run reports other faults. */
hiss_status hs_model_check_function(const hs_model *m, hiss_error *err);

#endif
