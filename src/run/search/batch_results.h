/* batch_results.h - collects the results of batches in order.
 *
 * A batch that finishes before an earlier one waits, so the result depends only
 * on the batches' numbers.  If a batch reaches the goal of a search that ends
 * there, it is the last one that counts. */
#ifndef HS_RUN_SEARCH_BATCH_RESULTS_H
#define HS_RUN_SEARCH_BATCH_RESULTS_H

#include <stdbool.h>
#include <stdint.h>

#include <hiss/status.h>

#include "run/search/anneal.h"
#include "run/search/optimize.h"
#include "run/search/recombine.h"
#include "run/search/solutions.h"

typedef struct hs_batch_result hs_batch_result;

typedef struct hs_batch_results {
    const hs_anneal_plan *plan; /* borrowed */
    hs_batch_result *waiting;   /* owned list, by number */
    int64_t next;               /* number of the next one */
    int64_t last;               /* last one that counts */
    hs_solutions solutions;     /* owned */
    hs_recombine mixer;         /* owned, if the plan has components */
    int16_t *child;             /* owned, [dim] */
    hs_search_row row[HS_ROWS_MAX];
    int rows;
    double evals;
    int64_t restarts;
    double best_seconds;
} hs_batch_results;

hiss_status hs_batch_results_init(hs_batch_results *o,
                                  const hs_anneal_plan *plan, int top,
                                  hiss_error *err);
void hs_batch_results_clear(hs_batch_results *o);

/* Adds the outcome of a finished batch (copied).  is_whole: it was not cut
 * short and counts for the statistics. */
hiss_status hs_batch_results_add(hs_batch_results *o, const hs_anneal *a,
                                 bool is_whole, double seconds,
                                 hiss_error *err);
/* No more will come: takes those that still wait. */
hiss_status hs_batch_results_end(hs_batch_results *o, hiss_error *err);

/* -infinity at first. */
double hs_batch_results_best(const hs_batch_results *o);

#endif
