/* partition.h - which rank advances which groups of a run.
 *
 * With at least as many groups as ranks, each rank has some of them, one after
 * the other.  With fewer, every group has a team of ranks; where a chain has
 * replicas that only exchange levels, the tiles of the group are shared out
 * among its team, else the first of the team has them all and the others wait.
 * Rank 0 always has the first group, or its first tiles. */
#ifndef HS_RUN_SAMPLING_PARTITION_H
#define HS_RUN_SAMPLING_PARTITION_H

#include <stdbool.h>

#include <hiss/status.h>

#include "kernel/sampler.h"
#include "run/comm/ranks.h"

typedef struct hs_partition {
    hs_ranks *ranks; /* borrowed, or NULL: alone */
    int chains;      /* of the run */
    int replicas;
    int groups;       /* of the run */
    int first, count; /* groups of this rank, or that it has a part of */
    bool is_split;    /* groups may be shared by a team */
    hs_ranks *team;   /* owned: those that share this rank's group, or NULL */
} hs_partition;

/* Which rank has what, without communication: no team.  can_split: replicas
 * only exchange levels. */
void hs_partition_plan(hs_partition *s, hs_ranks *ranks, int chains,
                       int replicas, bool can_split);
/* The same with the team; is_whole: groups are not shared out, as GPUs need
 * it.  All ranks call it. */
hiss_status hs_partition_init(hs_partition *s, hs_ranks *ranks, int chains,
                              const hs_sampler *sampler, bool is_whole,
                              hiss_error *err);
void hs_partition_clear(hs_partition *s);

/* Chains of a group. */
int hs_partition_chains(const hs_partition *s, int group);
/* The first rank that has a part of a group, and how many have one. */
int hs_partition_owner(const hs_partition *s, int group, int *members);
/* Whether this rank has a part of it. */
bool hs_partition_has(const hs_partition *s, int group);

/* Sets which tiles of a group this process advances: all, its member's
 * part, or none where it has no part of the group. */
void hs_partition_tiles(const hs_partition *s, int index, hs_group *g);

#endif
