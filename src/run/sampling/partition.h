/* partition.h - assigns the groups of a run to ranks.
 *
 * With at least as many groups as ranks, each rank has several consecutive
 * ones.  With fewer, every group has a team of ranks.  If the replicas of a
 * chain only exchange levels, the team shares the tiles of the group; otherwise
 * its first member has them all and the others wait.  Rank 0 always has the
 * first group, or its first tiles. */
#ifndef HS_RUN_SAMPLING_PARTITION_H
#define HS_RUN_SAMPLING_PARTITION_H

#include <stdbool.h>

#include <hiss/status.h>

#include "kernel/sampler.h"
#include "run/comm/ranks.h"

typedef struct hs_partition {
    hs_ranks *ranks; /* borrowed, or NULL for a single process */
    int chains;      /* chains of the run */
    int replicas;
    int groups;       /* groups of the run */
    int first, count; /* groups of this rank, or of which it has a part */
    bool is_split;    /* a team may share groups */
    hs_ranks *team;   /* owned: ranks that share this rank's group, or NULL */
} hs_partition;

/* Plans the assignment without communication and without teams.  can_split:
 * replicas only exchange levels. */
void hs_partition_plan(hs_partition *s, hs_ranks *ranks, int chains,
                       int replicas, bool can_split);
/* The same with teams; is_whole: groups are not split, as required by GPUs.
 * All ranks call it. */
hiss_status hs_partition_init(hs_partition *s, hs_ranks *ranks, int chains,
                              const hs_sampler *sampler, bool is_whole,
                              hiss_error *err);
void hs_partition_clear(hs_partition *s);

/* Number of chains of a group. */
int hs_partition_chains(const hs_partition *s, int group);
/* The first rank with a part of a group, and the number of such ranks. */
int hs_partition_owner(const hs_partition *s, int group, int *members);
/* Whether this rank has a part of it. */
bool hs_partition_has(const hs_partition *s, int group);

/* Sets the tiles of a group that this process advances: all, its member's part,
 * or none. */
void hs_partition_tiles(const hs_partition *s, int index, hs_group *g);

#endif
