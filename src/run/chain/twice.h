/* twice.h - does a model give the same states the same U twice? */
#ifndef HS_RUN_CHAIN_TWICE_H
#define HS_RUN_CHAIN_TWICE_H

#include "model/model.h"

typedef struct hs_twice {
    bool is_function;
    int states;
    double apart;         /* the largest difference, */
    double allowed;       /* what rounding explains there */
    double first, second; /* and the two values */
} hs_twice;

/* U of the first `lanes` states in p, an even number, then of the same in
 * reversed order, and of the first half alone.  Float sums of 10^5 terms in
 * another order differ by 1e-5 of their size; noise of a minibatch is far
 * larger. */
hiss_status hs_model_twice(const hs_model *m, hs_point *p, int lanes,
                           hs_twice *out, hiss_error *err);

/* The same of some states of its domain, as an error.  A code that the function
 * returns is an error here, too; other faults are left to the run. */
hiss_status hs_model_check_function(const hs_model *m, hiss_error *err);

#endif
