/* blocks.h - the stochastic block model with its parameters integrated out.
 *
 * A state gives each node of a graph one of K groups.  With n_r nodes and
 * degrees that sum to d_r in group r, e_rs edges between groups r and s and
 * B groups that have nodes,
 *     log p = sum_{r <= s} pair(e_rs, n_r, n_s) + sum_r group(n_r, d_r)
 *             + count(B).
 * Plain, with a probability of an edge for each pair of groups, uniform on
 * [0, 1], and M_rs places for an edge:
 *     pair = ln e! (M - e)! / (M + 1)!,   group = ln n!
 * Degree-corrected, microcanonical [Peixoto 2017], degrees uniform within a
 * group:
 *     pair = ln e!, and e ln 2 more within a group
 *     group = ln n! (n - 1)! / (n + d - 1)!
 * count is the prior of how many groups there are (sbm.c).  log p does not
 * change when groups are renamed. */
#ifndef HS_MODEL_COMMUNITY_BLOCKS_H
#define HS_MODEL_COMMUNITY_BLOCKS_H

#include <stdbool.h>
#include <stdint.h>

#include "model/graph/graph.h"
#include "model/model.h"

#define HS_SBM_GROUPS_MAX HS_FREE_LABELS_MAX

typedef struct hs_sbm {
    hs_model base;
    int nodes, groups; /* K */
    bool is_corrected;
    int64_t edges;
    int64_t *start;    /* owned, [nodes + 1]: into near */
    int *near;         /* owned, [2 * edges] */
    double *factorial; /* owned, [factorials]: ln n! */
    int64_t factorials;
    double *count; /* owned, [groups + 2]: log prior of B groups, with
                      constants */
} hs_sbm;

/* ln n! */
double hs_sbm_factorial(const hs_sbm *m, int64_t n);
double hs_sbm_pair(const hs_sbm *m, bool is_within, int64_t e, int64_t n,
                   int64_t other);
double hs_sbm_group(const hs_sbm *m, int64_t n, int64_t degrees);

extern const hs_model_ops hs_sbm_ops;

/* Bytes of a point's cache for each lane. */
size_t hs_sbm_cache_bytes(const hs_sbm *m);

#endif
