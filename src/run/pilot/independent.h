/* independent.h - models small or thin enough that elimination draws all their
 * coordinates at once (kernel/gibbs/blocks.c): every draw is independent. */
#ifndef HS_RUN_PILOT_INDEPENDENT_H
#define HS_RUN_PILOT_INDEPENDENT_H

#include <stdbool.h>

#include <hiss/status.h>

#include "model/model.h"

/* Whether U has impossible states that moves of single sites may not be able
 * to pass. */
bool hs_independent_has_constraints(const hs_model *m);

/* Evaluations that such a draw costs, and the entries of the largest table;
 * +infinity: it is not possible, or would cost more than `limit`. */
hiss_status hs_independent_cost(const hs_model *m, double limit, double *cost,
                                int *table, hiss_error *err);

#endif
