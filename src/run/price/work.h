/* work.h - a work limit that does not depend on a clock.
 *
 * Work is counted in priced seconds: evaluations times the prices of the table
 * (price.h).  So what fits into a limit depends on the result and the model,
 * and not on the machine.  The limit is the work that the run states, at least
 * HS_WORK_LEAST and at most HS_WORK_MOST.  No table knows the price of a
 * function: its evaluations cost what the run states. */
#ifndef HS_RUN_PRICE_WORK_H
#define HS_RUN_PRICE_WORK_H

#include "model/model.h"

#define HS_WORK_LEAST 2.0    /* priced seconds: a user waits that long */
#define HS_WORK_MOST  3600.0 /* whatever a file states */

/* The work that a run states; 0 if unknown. */
typedef struct hs_work_said {
    double seconds, evals;
} hs_work_said;

double hs_work_limit(const hs_work_said *said, double times);

/* Priced seconds of one evaluation of one state. */
double hs_work_evaluation(const hs_model *m, const hs_work_said *said);

/* Priced seconds of all single changes of one state, about. */
double hs_work_sweep(const hs_model *m, const hs_work_said *said);

/* Priced seconds of climbs from this many states to their optima. */
double hs_work_climbs(const hs_model *m, const hs_work_said *said,
                      double states);

#endif
