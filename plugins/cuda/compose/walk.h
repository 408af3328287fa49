/* walk.h - steps of a tree of kernels, for all lanes.
 *
 * The tree is walked here, node by node; what a node does is launched for all
 * lanes.  Clocks, and choices that all lanes share, are known here. */
#ifndef HS_CUDA_COMPOSE_WALK_H
#define HS_CUDA_COMPOSE_WALK_H

#include "cuda/langevin/lattice.h"
#include "cuda/point.h"

typedef struct hs_card_walk {
    const hs_card_group *group; /* borrowed */
    hs_card_work work;
    hs_card_tilt tilt;       /* memory for that of hiss */
    hs_card_lattice lattice; /* used if it has groups */
    hs_device_sampler node[HS_DEVICE_NODES];
    int nodes;
    uint64_t made[HS_DEVICE_NODES]; /* steps of each node so far */
    /* How systematic sweeps over pairs are made under a flat tilt. */
    void (*sweep)(void *context, const hs_card_group *g,
                  const hs_card_steps *s);
    void *context;
    int has; /* HS_CARD_...: what is valid where the lanes stand */
    uint64_t clock;
    int is_summed;                 /* marginals are wanted, */
    int summed;                    /* and were added so often in this step */
    int is_pilot;                  /* nodes learn */
    struct hs_card_replay *replay; /* owned, or NULL (replay.h) */
    int couples; /* levels are exchanged behind the step: states are counted
                      behind that, by others */
} hs_card_walk;

#ifdef __cplusplus
extern "C" {
#endif
void hs_card_walk_steps(hs_card_walk *w, const hs_card_steps *s);

/* Makes what is wanted valid where the lanes stand. */
void hs_card_walk_want(hs_card_walk *w, int want);
#ifdef __cplusplus
}
#endif

#endif
