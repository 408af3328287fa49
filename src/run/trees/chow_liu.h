/* chow_liu.h - fits the best tree to the pair sums of every mode.
 *
 * The forest with the largest
 *     sum of I(x_i; x_parent(i)),   I = sum_wv p(w, v) ln p(w, v) / p(w) p(v),
 * has the distribution that is nearest to the mode's (Chow and Liu, 1968).  It
 * is a maximum spanning tree of the pairs.  Pairs that chance could explain are
 * omitted: with n states, a pair of f degrees of freedom must have
 *     2 n I > f (ln n + 2 ln d),
 * the extended information criterion for one of d^2 pairs (Chen and Chen,
 * 2008). */
#ifndef HS_RUN_TREES_CHOW_LIU_H
#define HS_RUN_TREES_CHOW_LIU_H

#include <hiss/status.h>

#include "kernel/library.h"
#include "run/trees/pair_sums.h"

/* The observed counts of every mode. */
typedef struct hs_tree_evidence {
    const hs_pair_sums *pairs; /* borrowed */
    const double *states;      /* borrowed, [modes]: how many */
    const double *worth;       /* borrowed, [modes]: draws that each is worth */
} hs_tree_evidence;

/* Gives a library that has product laws trees where they are of use: where all
 * pairs of some mode's tree bring a part of a unit of ln q_k or more. */
hiss_status hs_chow_liu_learn(hs_library *b, const hs_domain *d,
                              const hs_tree_evidence *seen, hiss_error *err);

#endif
