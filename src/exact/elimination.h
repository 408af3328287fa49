/* elimination.h - ground truth by variable elimination.
 *
 * For models that are a sum of small tables: log Z, every marginal, the most
 * probable state and mean U, at a cost that depends on how the factors hang
 * together and not on the number of states. */
#ifndef HS_EXACT_ELIMINATION_H
#define HS_EXACT_ELIMINATION_H

#include <stdint.h>

#include <hiss/status.h>

#include "base/poll.h"
#include "model/factors.h"

/* In what order to eliminate, and what that costs. */
typedef struct hs_plan {
    hs_factors rest;     /* owned: without what the factors leave no choice */
    int *states;         /* owned, [dim]: with it */
    int *forced;         /* owned, [dim]: the only possible index, or -1 */
    int64_t *from;       /* owned, [rest.count]: the factor that became it */
    int64_t factors;     /* that there were */
    int *order;          /* owned, [dim] */
    const char *name;    /* "min-fill", "min-degree", "given", "frontier" */
    double entries;      /* of all tables that are visited: the work */
    double largest;      /* entries of the largest one */
    double bytes;        /* of memory, at most, while it runs */
    double seconds;      /* on one thread, roughly */
    double memory_limit; /* bytes that it may take: a quarter of what this
                            machine has, or what the caller said */
    const hs_poll *poll; /* borrowed, set by the caller; NULL: never asked */
} hs_plan;

/* Tries every ordering without doing the work and takes the cheapest.  An
 * order that visits many times more entries than memory could hold is given
 * up before its cost is known: if all are, entries is infinite.
 * HISS_EINFEASIBLE when the factors are seen to contradict each other. */
hiss_status hs_plan_init(hs_plan *plan, const hs_factors *f, hiss_error *err);

/* Limits of a plan and of the search for it. */
typedef struct hs_plan_limits {
    double bytes;        /* 0: a quarter of what this machine has */
    double work;         /* entries of lists of neighbors that are read, one or
                            two nanoseconds each; 0: no limit */
    const hs_poll *poll; /* borrowed; NULL: never asked */
} hs_plan_limits;

/* The best order that is found within limits of the caller's own; HISS_ESTOP
 * when the poll says so. */
hiss_status hs_plan_init_within(hs_plan *plan, const hs_factors *f,
                                const hs_plan_limits *limits, hiss_error *err);
/* The same in a few milliseconds, for an estimate: an order is given up once
 * it takes more seconds than that, and fewer are tried. */
hiss_status hs_plan_quick(hs_plan *plan, const hs_factors *f, double seconds,
                          hiss_error *err);
void hs_plan_clear(hs_plan *plan);

/* HISS_ENOMEM when the plan needs more memory than its limit allows, with what
 * it would take. */
hiss_status hs_plan_check(const hs_plan *plan, hiss_error *err);

typedef struct hs_elimination {
    int dim;
    int *first;       /* owned, [dim + 1]: of the marginals of a coordinate */
    double *marginal; /* owned, [first[dim]] */
    int16_t *best;    /* owned, [dim]: a most probable state */
    double *mean;     /* owned, [factors]: of each; NaN where its coordinates
                         have no choice */
    double log_z, max_u, mean_u;
} hs_elimination;

/* HISS_ENOMEM as of the plan, HISS_EINFEASIBLE when every state has probability
 * 0, HISS_ESTOP.  The number of threads changes nothing but the time. */
hiss_status hs_elimination_init(hs_elimination *e, const hs_plan *plan,
                                int threads, hiss_error *err);
void hs_elimination_clear(hs_elimination *e);

#endif
