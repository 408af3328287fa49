/* few.h - steps of few chains, several at once: the lanes of a vector are
 * visits of one chain, where a tile would have lanes without a chain.
 *
 * The same draws, marginals and counts as the sweeps of sweeps.def, so that a
 * chain does not depend on how many there are.  States are kept in a form of
 * their own between steps; flush writes them, and marginals, to the tile.  A
 * way is one file that exports one row, and one line in few.def. */
#ifndef HS_KERNEL_GIBBS_SWEEPS_FEW_H
#define HS_KERNEL_GIBBS_SWEEPS_FEW_H

#include "kernel/gibbs/sweeps/sweeps.h"

typedef struct hs_few_way {
    hs_path base;
    int chains; /* up to so many are faster this way */
    /* of a model whose sites are all visited, in m->order, under a flat tilt */
    bool (*applies)(const hs_model *m);
    /* job->count steps, all sites in order each. */
    hiss_status (*walk)(void *state, const hs_sweep_job *job);
    /* Also where there is nothing to write. */
    hiss_status (*flush)(void *state, const hs_model *m, hs_tile *x);
} hs_few_way;

/* Of a kernel; all 0 before it is used. */
typedef struct hs_few_ways {
    const hs_few_way *way; /* NULL: none applies, or it is not known yet */
    void *state;           /* owned, made by the first walk */
} hs_few_ways;

/* Takes the first row that applies. */
void hs_few_choose(hs_few_ways *f, const hs_model *m);
void hs_few_clear(hs_few_ways *f);

/* Whether the tile has few chains, for which there is a way. */
bool hs_few_applies(const hs_few_ways *f, const hs_tile *x);
hiss_status hs_few_walk(hs_few_ways *f, const hs_sweep_job *job);
hiss_status hs_few_flush(hs_few_ways *f, const hs_model *m, hs_tile *x);

#endif
