/* cluster.h - one bucket at work: its table is the sum of its factors and of
 * the messages of its children, visited block by block and never stored whole
 * unless it is asked for.
 *
 * A block runs through the first coordinates of the cluster, which are the
 * fastest in every message, so that its own coordinate is summed over next to
 * each other.  Blocks are shared out to threads in parts that depend on their
 * number alone, and what parts add up is added in order. */
#ifndef HS_EXACT_CLUSTER_H
#define HS_EXACT_CLUSTER_H

#include <stdint.h>

#include <hiss/status.h>

#include "base/pool.h"
#include "exact/tree.h"

typedef enum hs_reduction {
    HS_LOG_SUM, /* ln sum e^u */
    HS_MAXIMUM,
} hs_reduction;

/* A part of the blocks. */
typedef struct hs_cluster_share {
    double *table;    /* owned, [block] */
    double *marginal; /* owned, [states of the bucket's own coordinate] */
    double *mean;     /* owned, [inputs]: of the factors among them */
    int *digit;       /* owned, [size] */
    int64_t *base;    /* owned, [inputs] */
} hs_cluster_share;

/* A factor or a message in the cluster. */
typedef struct hs_input {
    const double *table; /* borrowed */
    int64_t *stride;     /* owned, [size]: of the cluster's coordinates */
    int32_t *offset;     /* owned, [block], or NULL: it is the same all over a
                            block, or the block's own entries in a row */
    bool is_factor;
    bool is_flat; /* the same all over a block */
} hs_input;

typedef struct hs_cluster {
    hs_tree *tree; /* borrowed */
    int bucket;
    int size;      /* coordinates */
    int inner;     /* of them in a block */
    int states;    /* of its own coordinate */
    int64_t block; /* entries of a block */
    int64_t blocks;
    int64_t *stride; /* owned, [size]: of the cluster's own table */
    hs_input *input; /* owned, [inputs] */
    int inputs;
    hs_cluster_share *share; /* owned, [shares] */
    int shares;
    hs_reduction reduction;
    double *joint; /* owned, [block * blocks], or NULL */
    int64_t *rest; /* owned: entries summed over, from the first of them */
    int64_t rests;
} hs_cluster;

/* The messages of all children are there. */
hiss_status hs_cluster_init(hs_cluster *c, hs_tree *t, int bucket,
                            hiss_error *err);
void hs_cluster_clear(hs_cluster *c);

/* Fills the message of the bucket, which is allocated here. */
hiss_status hs_cluster_send(hs_cluster *c, hs_reduction reduction,
                            hs_pool *pool, hiss_error *err);

/* The other way: the bucket's message holds ln (P(x) / e^message(x)) over the
 * coordinates that it shares with its parent.  Gives the marginal of its own
 * coordinate and, by their numbers, the means of its factors, and turns the
 * messages of its children into the same about them. */
hiss_status hs_cluster_return(hs_cluster *c, hs_pool *pool, double *marginal,
                              double *mean, hiss_error *err);

/* The best index of the bucket's own coordinate when the others have theirs
 * (state, by coordinate); the messages are maxima. */
int hs_cluster_best(const hs_cluster *c, const int16_t *state);

#endif
