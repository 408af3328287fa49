/* tree.h - buckets: a coordinate, its neighbors at its elimination, and its
 * factors.
 *
 * Bucket b eliminates the b-th coordinate of the order.  Its *cluster* is that
 * coordinate and its neighbors at that time, in order of elimination, its own
 * coordinate first and fastest.  Its message over the others goes to its
 * parent, the bucket of the first of them. */
#ifndef HS_EXACT_TREE_H
#define HS_EXACT_TREE_H

#include <stdint.h>

#include <hiss/status.h>

#include "base/poll.h"
#include "model/factors.h"

typedef struct hs_bucket {
    int64_t cluster; /* index of its first coordinate in tree->coordinate */
    int size;        /* coordinates of the cluster */
    int parent;      /* -1: none */
    int child;       /* the first child, or -1 */
    int sibling;     /* the next child of its parent, or -1 */
    int64_t factor;  /* index of its first factor in tree->factor */
    int factors;
    int64_t entries; /* entries of the message */
    double *message; /* owned, [entries], or NULL */
} hs_bucket;

typedef struct hs_tree {
    const hs_factors *f; /* borrowed */
    int count;
    hs_bucket *bucket;   /* owned, [count] */
    int *coordinate;     /* owned: of all clusters */
    int64_t *factor;     /* owned, [f->count]: by bucket */
    const hs_poll *poll; /* borrowed, or NULL */
} hs_tree;

/* order has every coordinate once.  Messages do not exist yet. */
hiss_status hs_tree_init(hs_tree *t, const hs_factors *f, const int *order,
                         hiss_error *err);
void hs_tree_clear(hs_tree *t);

#endif
