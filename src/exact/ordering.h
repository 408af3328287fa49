/* ordering.h - simulates orders of elimination and their cost. */
#ifndef HS_EXACT_ORDERING_H
#define HS_EXACT_ORDERING_H

#include <stdint.h>

#include <hiss/status.h>

#include "base/poll.h"
#include "exact/graph.h"

typedef enum hs_rule {
    HS_GIVEN,      /* as given in `order` */
    HS_MIN_FILL,   /* fewest pairs of neighbors to connect */
    HS_MIN_DEGREE, /* smallest table over the neighbors */
} hs_rule;

typedef struct hs_cost {
    double entries;  /* entries of all tables over a vertex and its neighbors */
    double messages; /* entries of all tables over the neighbors alone */
    double largest;  /* entries of the largest table */
    double work;     /* work of finding the order: list entries read */
} hs_cost;

/* Limits past which a simulation is given up. */
typedef struct hs_order_limits {
    double entries, work;
    const hs_poll *poll; /* borrowed, may be NULL */
} hs_order_limits;

/* Eliminates all vertices of a copy of g by the rule and stores the order.
 * `shuffle` breaks ties, 0: ascending.  Past a limit it gives up, with an
 * infinite cost; HISS_ESTOP if the poll stops it. */
hiss_status hs_order_simulate(int *order, hs_cost *cost, const hs_graph *g,
                              const int *states, hs_rule rule, uint64_t shuffle,
                              const hs_order_limits *limits, hiss_error *err);

/* Orders layer by layer from a corner (Cuthill-McKee): diagonals on a grid. */
hiss_status hs_order_frontier(int *order, const hs_graph *g, hiss_error *err);

#endif
