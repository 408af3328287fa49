/* mirror_own.h - a mirror as its own files see it. */
#ifndef HS_RUN_DEVICE_MIRROR_OWN_H
#define HS_RUN_DEVICE_MIRROR_OWN_H

#include "run/device/mirror.h"

struct hs_mirror {
    const hs_device_table *device;
    hs_device_group *group; /* owned, with the arrays of: */
    hs_device_lanes lanes;
    hs_device_plan plan;
    const hs_model *model;
    hs_group_state *state; /* borrowed, [groups], as is the pool */
    int groups;
    hs_pool *pool;
    int each; /* tiles of a full group: the last may have fewer */
    int tiles;
    int *used; /* owned, [tiles]: lanes in use */
    int rows;  /* of the marginals of a tile, or 0 */
    bool has_levels, has_best;
    bool is_warmup;         /* as the GPU knows it */
    bool has_recent;        /* sums of before are here */
    bool with_states;       /* of the fetch that is under way */
    int64_t noted;          /* steps that are noted now */
    int64_t first_row, end; /* of the transfer of states */
};

/* The kernel that the GPU makes steps of: the tree, or what pt steps. */
static inline hs_kernel *hs_mirror_stepper(hs_kernel *k)
{
    return k->type->couple ? k->child[0] : k;
}

/* The number of a group's tile among all. */
static inline int hs_mirror_tile(const hs_mirror *m, int group, int tile)
{
    return group * m->each + tile;
}

/* Sums and totals of all tiles, to the GPU or from there. */
hiss_status hs_mirror_move_sums(hs_mirror *m, bool is_up, hiss_error *err);
/* Adds what is recent to the totals, as hs_marginals_flush does. */
hiss_status hs_mirror_fold(hs_mirror *m, hiss_error *err);

#endif
