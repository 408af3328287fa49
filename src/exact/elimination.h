/* elimination.h - exact answers by variable elimination.
 *
 * For models that are a sum of small tables it computes log Z, every marginal,
 * the most probable state and mean U.  The cost depends on how the factors are
 * connected and not on the number of states. */
#ifndef HS_EXACT_ELIMINATION_H
#define HS_EXACT_ELIMINATION_H

#include <stdint.h>

#include <hiss/status.h>

#include "base/poll.h"
#include "model/factors.h"

/* An order of elimination and its cost. */
typedef struct hs_plan {
    hs_factors rest;     /* owned: the factors without coordinates that have
                            only one possible value */
    int *states;         /* owned, [dim]: including those coordinates */
    int *forced;         /* owned, [dim]: the only possible index, or -1 */
    int64_t *from;       /* owned, [rest.count]: the original factor of each */
    int64_t factors;     /* number of original factors */
    int *order;          /* owned, [dim] */
    const char *name;    /* "min-fill", "min-degree", "given", "frontier" */
    double entries;      /* entries of all visited tables: the work */
    double largest;      /* entries of the largest one */
    double bytes;        /* most bytes of memory during the run */
    double seconds;      /* on one thread, roughly */
    double memory_limit; /* most bytes allowed: a quarter of this machine's
                            memory, or the caller's limit */
    const hs_poll *poll; /* borrowed, set by the caller, or NULL */
} hs_plan;

/* Tries every ordering without doing the work and takes the cheapest.  An order
 * that visits many times more entries than memory can hold is given up before
 * its cost is known; if all are, entries is infinite.  HISS_EINFEASIBLE if the
 * factors are found to contradict each other. */
hiss_status hs_plan_init(hs_plan *plan, const hs_factors *f, hiss_error *err);

/* Limits of a plan and of the search for it. */
typedef struct hs_plan_limits {
    double bytes;        /* 0 means a quarter of this machine's memory */
    double work;         /* entries of neighbor lists read, one or two
                            nanoseconds each; 0 means no limit */
    const hs_poll *poll; /* borrowed, or NULL */
} hs_plan_limits;

/* Finds the best order within the caller's limits; HISS_ESTOP if the poll stops
 * it. */
hiss_status hs_plan_init_within(hs_plan *plan, const hs_factors *f,
                                const hs_plan_limits *limits, hiss_error *err);
/* The same in a few milliseconds, for an estimate: fewer orders are tried, and
 * each is given up after this many seconds. */
hiss_status hs_plan_quick(hs_plan *plan, const hs_factors *f, double seconds,
                          hiss_error *err);
void hs_plan_clear(hs_plan *plan);

/* HISS_ENOMEM, with the required memory, if the plan needs more than its
 * limit. */
hiss_status hs_plan_check(const hs_plan *plan, hiss_error *err);

typedef struct hs_elimination {
    int dim;
    int *first;       /* owned, [dim + 1]: start of each coordinate's
                         marginals */
    double *marginal; /* owned, [first[dim]] */
    int16_t *best;    /* owned, [dim]: a most probable state */
    double *mean;     /* owned, [factors]: mean of each; NaN if its coordinates
                         have no choice */
    double log_z, max_u, mean_u;
} hs_elimination;

/* HISS_ENOMEM as for the plan, HISS_EINFEASIBLE if every state has probability
 * 0, HISS_ESTOP.  The number of threads affects only the time. */
hiss_status hs_elimination_init(hs_elimination *e, const hs_plan *plan,
                                int threads, hiss_error *err);
void hs_elimination_clear(hs_elimination *e);

#endif
