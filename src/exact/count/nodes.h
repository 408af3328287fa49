/* nodes.h - the counted tree, with each part once.
 *
 * A node is a set of variables that share no clause with the others, with the
 * remaining literals of their clauses. It has one or two branches. A branch
 * assigns some of the variables (literals), leaves some free, and splits the
 * others into children, which are older nodes:
 *     total(node)   = sum of total(branch)
 *     total(branch) = weight * product over free variables of the sum of both
 *                     weights * product over children of their totals
 * The tree is a graph: a child may have many parents.
 *
 * A key of 128 bits, a sum of random words over its contents, identifies a
 * node. The probability that two of 10^9 nodes have equal keys is below
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
    double first; /* share of the first branch of the total */
    int64_t at;   /* position of its branches in nodes->word */
    int32_t next; /* next node of its chain, or -1 */
    int branches;
} hs_node;

/* Layout in words: the three numbers, ln of the weight, then the three
 * lists. */
typedef struct hs_branch {
    int literals, frees, children;
    const int *literal, *free, *child; /* borrowed */
    double log_weight;                 /* ln of the weight of its literals and
                                          soft tables */
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

/* Returns -1 if it is not present. */
int32_t hs_nodes_find(const hs_nodes *n, hs_key key);

/* Add the branches afterwards by hs_nodes_branch. */
hiss_status hs_nodes_add(hs_nodes *n, const hs_node *node, int32_t *out,
                         hiss_error *err);
/* Adds a branch to the last node. */
hiss_status hs_nodes_branch(hs_nodes *n, const hs_branch *b, hiss_error *err);

/* Removes the nodes from this one on. */
void hs_nodes_cut(hs_nodes *n, int32_t count);

/* Reads the branch at this position; returns the start of the next one. */
int64_t hs_nodes_read(const hs_nodes *n, int64_t at, hs_branch *b);

#endif
