/* partition.c - assigns the groups of a run to ranks. */
#include "run/sampling/partition.h"

#include "base/error.h"
#include "run/chain/group.h"

int hs_partition_chains(const hs_partition *s, int group)
{
    int left = s->chains - group * HS_GROUP_CHAINS;

    return left < HS_GROUP_CHAINS ? left : HS_GROUP_CHAINS;
}

static int tiles_of(const hs_partition *s, int group)
{
    int lanes = hs_partition_chains(s, group) * s->replicas;

    return s->is_split ? (lanes + HS_LANES - 1) / HS_LANES : 1;
}

int hs_partition_owner(const hs_partition *s, int group, int *members)
{
    int64_t size = hs_ranks_size(s->ranks), groups = s->groups;
    int first, next, tiles = tiles_of(s, group);

    *members = 1;
    if (groups >= size)
        return (int)(((group + 1) * size - 1) / groups);
    first = (int)(group * size / groups);
    next = (int)((group + 1) * size / groups);
    *members = next - first < tiles ? next - first : tiles;
    return first;
}

bool hs_partition_has(const hs_partition *s, int group)
{
    int members, first = hs_partition_owner(s, group, &members);
    int rank = hs_ranks_rank(s->ranks);

    return rank >= first && rank < first + members;
}

void hs_partition_plan(hs_partition *s, hs_ranks *ranks, int chains,
                       int replicas, bool can_split)
{
    *s = (hs_partition){.ranks = ranks,
                        .chains = chains,
                        .replicas = replicas,
                        .groups =
                            (chains + HS_GROUP_CHAINS - 1) / HS_GROUP_CHAINS};
    s->is_split = can_split && replicas > 1 && s->groups < hs_ranks_size(ranks);
    for (int g = s->groups - 1; g >= 0; g--)
        if (hs_partition_has(s, g)) {
            s->first = g;
            s->count++;
        }
}

hiss_status hs_partition_init(hs_partition *s, hs_ranks *ranks, int chains,
                              const hs_sampler *sampler, bool is_whole,
                              hiss_error *err)
{
    int members = 1;
    hiss_status rc;

    hs_partition_plan(s, ranks, chains, sampler->replicas,
                      sampler->type->couple && !sampler->traits.mixes &&
                          !is_whole);
    if (!s->is_split)
        return HISS_OK;
    if (s->count > 0)
        hs_partition_owner(s, s->first, &members);
    rc = hs_ranks_split(&s->team, ranks, members > 1 ? s->first : -1, err);
    return hs_ranks_agree(ranks, rc, err);
}

void hs_partition_clear(hs_partition *s)
{
    hs_ranks_destroy(s->team);
    s->team = NULL;
}

void hs_partition_tiles(const hs_partition *s, int index, hs_group *g)
{
    int size = hs_ranks_size(s->team), rank = hs_ranks_rank(s->team);

    g->first_tile = 0;
    g->end_tile = g->tiles;
    g->team = NULL;
    if (!hs_partition_has(s, index)) {
        g->end_tile = 0;
    } else if (s->team) {
        g->first_tile = hs_group_part(g, rank, size);
        g->end_tile = hs_group_part(g, rank + 1, size);
        g->team = s->team;
    }
}
