/* graph.h - which coordinates share a factor, while vertices are eliminated.
 *
 * Eliminating a vertex joins all its neighbors to each other. */
#ifndef HS_EXACT_GRAPH_H
#define HS_EXACT_GRAPH_H

#include <stdbool.h>
#include <stdint.h>

#include <hiss/status.h>

#include "model/factors.h"

/* Neighbors, ascending, in one array that grows. */
typedef struct hs_graph {
    int count;
    int64_t *at; /* owned, [count]: where a vertex has its neighbors */
    int *degree; /* owned, [count] */
    int *room;   /* owned, [count] */
    int *entry;  /* owned, [size] */
    int64_t used, size;
    int *merged; /* owned, [count]: scratch */
    double work; /* entries that were read, about */
} hs_graph;

hiss_status hs_graph_init(hs_graph *g, const hs_factors *f, hiss_error *err);
hiss_status hs_graph_copy(hs_graph *to, const hs_graph *from, hiss_error *err);
void hs_graph_clear(hs_graph *g);

static inline const int *hs_graph_neighbors(const hs_graph *g, int v)
{
    return g->entry + g->at[v];
}

/* Joins the neighbors of v and takes v out of their lists; its own is left as
 * it was. */
hiss_status hs_graph_eliminate(hs_graph *g, int v, hiss_error *err);

/* Takes v out of its neighbors' lists and joins none of them. */
void hs_graph_remove(hs_graph *g, int v);

/* How many pairs of neighbors of v are not joined. */
int64_t hs_graph_fill(hs_graph *g, int v);

#endif
