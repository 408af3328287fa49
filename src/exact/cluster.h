/* cluster.h - the computation of one bucket.  Its table is the sum of its
 * factors and of its children's messages.  It is visited block by block and
 * stored as a whole only on request.
 *
 * A block runs through the first coordinates of the cluster, which vary fastest
 * in every message, so the terms of a sum over its own coordinate are adjacent.
 * Threads share the blocks in parts that depend on the block number alone, and
 * parts are added in order. */
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
    int32_t *offset;     /* owned, [block], or NULL if it is constant in a block
                            or the entries of a block are consecutive */
    bool is_factor;
    bool is_flat; /* constant in a block */
} hs_input;

typedef struct hs_cluster {
    hs_tree *tree; /* borrowed */
    int bucket;
    int size;      /* coordinates */
    int inner;     /* number of them in a block */
    int states;    /* states of the bucket's own coordinate */
    int64_t block; /* entries of a block */
    int64_t blocks;
    int64_t *stride; /* owned, [size]: of the cluster's own table */
    hs_input *input; /* owned, [inputs] */
    int inputs;
    hs_cluster_share *share; /* owned, [shares] */
    int shares;
    hs_reduction reduction;
    double *joint; /* owned, [block * blocks], or NULL */
    int64_t *rest; /* owned: offsets of the entries that are summed, from the
                      first one */
    int64_t rests;
} hs_cluster;

/* Call it when the messages of all children exist. */
hiss_status hs_cluster_init(hs_cluster *c, hs_tree *t, int bucket,
                            hiss_error *err);
void hs_cluster_clear(hs_cluster *c);

/* Allocates and fills the message of the bucket. */
hiss_status hs_cluster_send(hs_cluster *c, hs_reduction reduction,
                            hs_pool *pool, hiss_error *err);

/* Goes downwards: the bucket's message holds ln (P(x) / e^message(x)) over the
 * coordinates shared with its parent.  Computes the marginal of its own
 * coordinate and the means of its factors, by their numbers, and replaces the
 * messages of its children by the same quantity. */
hiss_status hs_cluster_return(hs_cluster *c, hs_pool *pool, double *marginal,
                              double *mean, hiss_error *err);

/* Returns the best index of the bucket's own coordinate, given the others
 * (state, by coordinate); messages are maxima. */
int hs_cluster_best(const hs_cluster *c, const int16_t *state);

#endif
