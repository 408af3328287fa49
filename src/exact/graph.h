/* graph.h - the graph of coordinates that share a factor, under elimination.
 *
 * Eliminating a vertex connects all its neighbors with each other. */
#ifndef HS_EXACT_GRAPH_H
#define HS_EXACT_GRAPH_H

#include <stdbool.h>
#include <stdint.h>

#include <hiss/status.h>

#include "model/factors.h"

/* Neighbors, ascending, in one array that grows. */
typedef struct hs_graph {
    int count;
    int64_t *at; /* owned, [count]: position of a vertex's neighbors */
    int *degree; /* owned, [count] */
    int *room;   /* owned, [count] */
    int *entry;  /* owned, [size] */
    int64_t used, size;
    int *merged; /* owned, [count]: scratch */
    double work; /* number of entries read, about */
} hs_graph;

hiss_status hs_graph_init(hs_graph *g, const hs_factors *f, hiss_error *err);
hiss_status hs_graph_copy(hs_graph *to, const hs_graph *from, hiss_error *err);
void hs_graph_clear(hs_graph *g);

static inline const int *hs_graph_neighbors(const hs_graph *g, int v)
{
    return g->entry + g->at[v];
}

/* Connects the neighbors of v and removes v from their lists; its own list
 * stays. */
hiss_status hs_graph_eliminate(hs_graph *g, int v, hiss_error *err);

/* Removes v from its neighbors' lists without connecting them. */
void hs_graph_remove(hs_graph *g, int v);

/* Number of unconnected pairs of neighbors of v. */
int64_t hs_graph_fill(hs_graph *g, int v);

#endif
