/* ordering.h - in what order to eliminate, and what that costs. */
#ifndef HS_EXACT_ORDERING_H
#define HS_EXACT_ORDERING_H

#include <stdint.h>

#include <hiss/status.h>

#include "base/poll.h"
#include "exact/graph.h"

typedef enum hs_rule {
    HS_GIVEN,      /* as `order` says */
    HS_MIN_FILL,   /* fewest neighbors that must be joined */
    HS_MIN_DEGREE, /* smallest table over the neighbors */
} hs_rule;

typedef struct hs_cost {
    double entries;  /* of all tables over a vertex and its neighbors */
    double messages; /* of all tables over the neighbors alone */
    double largest;  /* entries of the largest table */
    double work;     /* of finding the order: entries of lists read */
} hs_cost;

/* Past what a simulation is given up. */
typedef struct hs_order_limits {
    double entries, work;
    const hs_poll *poll; /* borrowed, may be NULL */
} hs_order_limits;

/* Eliminates all vertices of a copy of g by the rule and writes down the
 * order.  Equals are taken as `shuffle` says, 0: ascending.  Given up, with an
 * infinite cost, past a limit; HISS_ESTOP when the poll says so. */
hiss_status hs_order_simulate(int *order, hs_cost *cost, const hs_graph *g,
                              const int *states, hs_rule rule, uint64_t shuffle,
                              const hs_order_limits *limits, hiss_error *err);

/* Layer by layer from a corner (Cuthill and McKee): on a grid, diagonals. */
hiss_status hs_order_frontier(int *order, const hs_graph *g, hiss_error *err);

#endif
