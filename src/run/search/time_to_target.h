/* time_to_target.h - the time to reach a goal, from successes of restarts.
 *
 * If a restart succeeds with probability p, R = ln(1 - 0.99) / ln(1 - p)
 * restarts contain a success with probability 0.99 [Ronnow et al.  2014]; R is
 * at least 1.  p is estimated from k successes among n independent restarts,
 * with the exact 95 % interval of Clopper and Pearson. */
#ifndef HS_RUN_SEARCH_TIME_TO_TARGET_H
#define HS_RUN_SEARCH_TIME_TO_TARGET_H

#include <stdint.h>

typedef struct hs_time_to_target {
    double restarts;  /* R; infinity if none succeeded */
    double low, high; /* its 95 % interval */
} hs_time_to_target;

/* Interval of p at confidence 0.95; k of n, n > 0. */
void hs_time_to_target_interval(int64_t k, int64_t n, double *low,
                                double *high);

hs_time_to_target hs_time_to_target_restarts(int64_t k, int64_t n);

#endif
