/* nodes.h - the counted tree: what was counted, each part once.
 *
 * A node is a set of variables that the rest does not touch, with what is left
 * of their clauses.  It has one or two branches.  A branch gives some of the
 * variables values (literals), leaves some free, and splits the rest into
 * children, which are older nodes:
 *     total(node)   = sum of total(branch)
 *     total(branch) = weight * product over free variables of the sum of both
 *                     weights * product over children of their totals
 * The tree is a graph: a child may have many parents.
 *
 * Nodes are found again by a key of 128 bits, a sum of random words of what the
 * node is made of.  Among 10^9 nodes two are confused with a probability below
 * 10^-20. */
#ifndef HS_EXACT_COUNT_NODES_H
#define HS_EXACT_COUNT_NODES_H

#include <stdint.h>

#include <hiss/status.h>

#include "exact/count/scaled.h"

typedef struct hs_key {
    uint64_t word[2];
} hs_key;

typedef struct hs_node {
    hs_key key;
    hs_scaled total;
    double first; /* share of the first branch in the total */
    int64_t at;   /* of its branches in nodes->word */
    int32_t next; /* of its chain, or -1 */
    int branches;
} hs_node;

/* In words: the three numbers, ln of the weight, then the three lists. */
typedef struct hs_branch {
    int literals, frees, children;
    const int *literal, *free, *child; /* borrowed */
    double log_weight;                 /* of its literals and soft tables */
} hs_branch;

typedef struct hs_nodes {
    hs_node *node; /* owned */
    int32_t count, room;
    int *word; /* owned */
    int64_t words, word_room;
    int32_t *chain; /* owned, [chains]: newest node, or -1 */
    int64_t chains; /* a power of 2 */
    double bytes;   /* in use */
} hs_nodes;

hiss_status hs_nodes_init(hs_nodes *n, hiss_error *err);
void hs_nodes_clear(hs_nodes *n);

/* -1: not there. */
int32_t hs_nodes_find(const hs_nodes *n, hs_key key);

/* The branches follow by hs_nodes_branch. */
hiss_status hs_nodes_add(hs_nodes *n, const hs_node *node, int32_t *out,
                         hiss_error *err);
/* Of the last node. */
hiss_status hs_nodes_branch(hs_nodes *n, const hs_branch *b, hiss_error *err);

/* Forgets the nodes from this one on. */
void hs_nodes_cut(hs_nodes *n, int32_t count);

/* Reads the branch that starts there; returns where the next one starts. */
int64_t hs_nodes_read(const hs_nodes *n, int64_t at, hs_branch *b);

#endif
