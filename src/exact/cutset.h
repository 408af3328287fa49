/* cutset.h - which coordinates can be drawn together, given the others.
 *
 * Eliminating a coordinate takes a table over it and its neighbors.  Those
 * whose tables stay small are members of a block, in the order in which they
 * are eliminated; the others are held fixed and take no part, which is what
 * keeps the tables small (a cutset).  A tree, or any model whose tables are
 * small, is one block without a cutset. */
#ifndef HS_EXACT_CUTSET_H
#define HS_EXACT_CUTSET_H

#include <stdint.h>

#include <hiss/status.h>

#include "exact/graph.h"

typedef struct hs_cutset {
    int count;           /* members */
    int *member;         /* owned, [count]: in the order of elimination */
    int64_t *cluster_at; /* owned, [count + 1]: where clusters start */
    int *cluster;        /* owned: a member, then its neighbors in the block
                            when its turn comes, by that order */
} hs_cutset;

/* No table of a block has more than `largest` entries, unless a coordinate
 * alone has more, and all together no more than `total` by much.  drawn[v]
 * counts the blocks that v was a member of so far: those that were drawn least
 * stay, at least one of them, and the counts are brought up to date.  Equals
 * are taken as `shuffle` says. */
hiss_status hs_cutset_init(hs_cutset *c, const hs_graph *g, const int *states,
                           double largest, double total, int *drawn,
                           uint64_t shuffle, hiss_error *err);
void hs_cutset_clear(hs_cutset *c);

#endif
