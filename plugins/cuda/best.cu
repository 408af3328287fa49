/* best.cu - the best states of a search (run/search/anneal.c). */
#include "cuda/group.h"

/* A tile's batch has hit the goal when one of its lanes has. */
HS_KERNEL void find_better(hs_card_group g, double goal, uint32_t *take)
{
    int64_t tile = hs_card_thread();
    const hs_device_lanes *all = &g.lanes;
    uint32_t better = 0;
    int is_hit = 0;

    if (tile >= g.tiles)
        return;
    for (int l = 0; l < HS_LANES; l++) {
        if (all->weight[tile][l] >= 0.0f && all->u[tile][l] >= goal)
            all->hit[tile][l] = 1;
        is_hit |= all->hit[tile][l];
    }
    for (int l = 0; l < HS_LANES; l++)
        if ((is_hit || all->weight[tile][l] > 0.0f) &&
            all->u[tile][l] > all->best[tile][l]) {
            all->best[tile][l] = all->u[tile][l];
            better |= 1u << l;
        }
    take[tile] = better;
}

void hs_card_find_better(const hs_card_group *g, double goal, uint32_t *take)
{
    HS_LAUNCH(find_better, (int64_t)g->tiles, *g, goal, take);
}

HS_KERNEL void take_rows(hs_card_group g, const uint32_t *take,
                         int16_t (*to)[HS_LANES])
{
    int64_t row = hs_card_thread(), tile = row / g.model.dim;

    if (tile >= g.tiles)
        return;
    for (int l = 0; take[tile] && l < HS_LANES; l++)
        if (take[tile] >> l & 1)
            to[row][l] = g.lanes.x[row][l];
}

void hs_card_take_rows(const hs_card_group *g, const uint32_t *take,
                       int16_t (*to)[HS_LANES])
{
    HS_LAUNCH(take_rows, (int64_t)g->tiles * g->model.dim, *g, take, to);
}
