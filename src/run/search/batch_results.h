/* batch_results.h - what the batches of a search found, taken in their order.
 *
 * A batch that is done before an earlier one waits, so that the result is a
 * function of the batches' numbers.  When a batch reaches the goal of a search
 * that ends there, it is the last one that counts. */
#ifndef HS_RUN_OUTCOME_H
#define HS_RUN_OUTCOME_H

#include <stdbool.h>
#include <stdint.h>

#include <hiss/status.h>

#include "run/search/anneal.h"
#include "run/search/optimize.h"
#include "run/search/recombine.h"
#include "run/search/solutions.h"

typedef struct hs_outcome hs_outcome;

typedef struct hs_outcomes {
    const hs_anneal_plan *plan; /* borrowed */
    hs_outcome *waiting;        /* owned list, by number */
    int64_t next;               /* number of the one to take */
    int64_t last;               /* that counts */
    hs_solutions solutions;     /* owned */
    hs_recombine mixer;         /* owned, where the plan has parts */
    int16_t *child;             /* owned, [dim] */
    hs_search_row row[HS_ROWS_MAX];
    int rows;
    double evals;
    int64_t restarts;
    double best_seconds;
} hs_outcomes;

hiss_status hs_outcomes_init(hs_outcomes *o, const hs_anneal_plan *plan,
                             int top, hiss_error *err);
void hs_outcomes_clear(hs_outcomes *o);

/* The outcome of a finished batch (copied).  is_whole: it was not cut short
 * and counts for the statistics. */
hiss_status hs_outcomes_add(hs_outcomes *o, const hs_anneal *a, bool is_whole,
                            double seconds, hiss_error *err);
/* No more will come: those that still wait are taken. */
hiss_status hs_outcomes_end(hs_outcomes *o, hiss_error *err);

/* -infinity at first. */
double hs_outcomes_best(const hs_outcomes *o);

#endif
