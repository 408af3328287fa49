/* tree.h - buckets: a coordinate, what is left around it when its turn comes,
 * and the factors that go with it.
 *
 * Bucket b eliminates the b-th coordinate of the order.  Its *cluster* is that
 * coordinate and its neighbors then, in the order of elimination, its own
 * coordinate first and fastest.  The message over the others goes to its
 * parent, the bucket of the first of them. */
#ifndef HS_EXACT_TREE_H
#define HS_EXACT_TREE_H

#include <stdint.h>

#include <hiss/status.h>

#include "base/poll.h"
#include "model/factors.h"

typedef struct hs_bucket {
    int64_t cluster; /* first of its coordinates in tree->coordinate */
    int size;        /* coordinates of the cluster */
    int parent;      /* -1: none */
    int child;       /* the first, -1: none */
    int sibling;     /* the next child of its parent, -1: none */
    int64_t factor;  /* first of its factors in tree->factor */
    int factors;
    int64_t entries; /* of the message */
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

/* order holds every coordinate once.  Messages are not there yet. */
hiss_status hs_tree_init(hs_tree *t, const hs_factors *f, const int *order,
                         hiss_error *err);
void hs_tree_clear(hs_tree *t);

#endif
