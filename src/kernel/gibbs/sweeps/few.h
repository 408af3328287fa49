/* few.h - steps of few chains, several at once: the lanes of a vector are
 * visits of one chain, while a tile would have unused lanes.
 *
 * Draws, marginals and counts are those of the sweeps of sweeps.def, so a chain
 * does not depend on the number of chains.  Between steps the states have a
 * special form; flush writes them, and marginals, to the tile.  A way is one
 * file that exports one row, and one line in few.def. */
#ifndef HS_KERNEL_GIBBS_SWEEPS_FEW_H
#define HS_KERNEL_GIBBS_SWEEPS_FEW_H

#include "kernel/gibbs/sweeps/sweeps.h"
#include "kernel/kernel.h"

typedef struct hs_few_way {
    hs_path base;
    int chains; /* up to this many chains it is faster */
    /* for a model whose sites are all visited, in m->order, under a flat
     * tilt */
    bool (*applies)(const hs_model *m);
    /* Makes job->count steps over all sites in order. */
    hiss_status (*walk)(void *state, const hs_sweep_job *job);
    /* Can be called if there is nothing to write. */
    hiss_status (*flush)(void *state, const hs_model *m, hs_tile *x);
} hs_few_way;

/* Part of a kernel; zero before use. */
typedef struct hs_few_ways {
    const hs_few_way *way; /* NULL if none applies, or before the choice */
    void *state;           /* owned, made by the first walk */
} hs_few_ways;

/* Takes the first row that applies. */
void hs_few_choose(hs_few_ways *f, const hs_model *m);
void hs_few_clear(hs_few_ways *f);

/* Whether the tile has few chains and a way applies. */
bool hs_few_applies(const hs_few_ways *f, const hs_tile *x);
hiss_status hs_few_walk(hs_few_ways *f, const hs_sweep_job *job);

/* Makes the steps of a job: several of few chains, or as the path of its tilt
 * makes them.  Advances the clock and counts visits and changes. */
hiss_status hs_few_make(hs_few_ways *f, const hs_paths *sweeps, hs_kernel *k,
                        hs_sweep_job *job, bool is_few);
hiss_status hs_few_flush(hs_few_ways *f, const hs_model *m, hs_tile *x);

#endif
