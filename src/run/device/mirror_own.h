/* mirror_own.h - the contents of a mirror, for its own files. */
#ifndef HS_RUN_DEVICE_MIRROR_OWN_H
#define HS_RUN_DEVICE_MIRROR_OWN_H

#include "run/device/mirror.h"

struct hs_mirror {
    const hs_device_table *device;
    hs_device_group *group; /* owned, with the arrays of: */
    hs_device_lanes lanes;
    hs_device_plan plan;
    const hs_model *model;
    hs_group_state *state; /* borrowed, [groups], like the pool */
    int groups;
    hs_pool *pool;
    int each; /* tiles of a full group; the last may have fewer */
    int tiles;
    int *used; /* owned, [tiles]: lanes in use */
    int rows;  /* rows of the marginals of a tile, or 0 */
    bool has_levels, has_best;
    bool is_warmup;         /* the GPU's view */
    bool has_recent;        /* has sums from before */
    bool with_states;       /* the fetch in progress has states */
    int64_t noted;          /* steps being recorded */
    int64_t first_row, end; /* rows of the transfer of states */
};

/* The kernel that the GPU steps: the tree, or the base of pt. */
static inline hs_kernel *hs_mirror_stepper(hs_kernel *k)
{
    return k->type->couple ? k->child[0] : k;
}

/* The number of a group's tile among all. */
static inline int hs_mirror_tile(const hs_mirror *m, int group, int tile)
{
    return group * m->each + tile;
}

/* Moves sums and totals of all tiles to the GPU or back. */
hiss_status hs_mirror_move_sums(hs_mirror *m, bool is_up, hiss_error *err);
/* Adds recent sums to the totals, like hs_marginals_flush. */
hiss_status hs_mirror_fold(hs_mirror *m, hiss_error *err);

#endif
