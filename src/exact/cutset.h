/* cutset.h - chooses coordinates that can be drawn together, given the others.
 *
 * Eliminating a coordinate takes a table over it and its neighbors.  Those
 * whose tables stay small are members of a block, in order of elimination. The
 * others are held fixed, which keeps the tables small (a cutset).  A tree, or
 * any model whose tables are small, is one block without a cutset. */
#ifndef HS_EXACT_CUTSET_H
#define HS_EXACT_CUTSET_H

#include <stdint.h>

#include <hiss/status.h>

#include "exact/graph.h"

typedef struct hs_cutset {
    int count;           /* members */
    int *member;         /* owned, [count]: in the order of elimination */
    int64_t *cluster_at; /* owned, [count + 1]: starts of the clusters */
    int *cluster;        /* owned: a member, then its neighbors in the block at
                            its elimination, in that order */
} hs_cutset;

/* No table of a block has more than `largest` entries, unless a coordinate
 * alone has more, and all together have about `total` at most.  drawn[v] counts
 * the blocks that v was a member of and is updated.  Coordinates drawn least
 * stay, at least one of them.  `shuffle` breaks ties. */
hiss_status hs_cutset_init(hs_cutset *c, const hs_graph *g, const int *states,
                           double largest, double total, int *drawn,
                           uint64_t shuffle, hiss_error *err);
void hs_cutset_clear(hs_cutset *c);

#endif
