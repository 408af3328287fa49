/* sums.cu - sums of marginals become totals. */
#include "cuda/group.h"

/* One row of a tile, lane by lane: hs_marginals_flush. */
HS_KERNEL void fold(hs_card_group g)
{
    int64_t tile = hs_card_thread() / g.totals;
    int64_t row = hs_card_thread() % g.totals;
    float *sum;
    uint8_t *count;
    double total = 0.0;

    if (tile >= g.tiles)
        return;
    sum = g.lanes.sum[tile * g.sums + row];
    count = (uint8_t *)g.lanes.sum[tile * g.sums + g.counted] + row * HS_LANES;
    for (int l = 0; l < HS_LANES; l++) {
        total += (double)sum[l];
        sum[l] = 0.0f;
    }
    for (int l = 0; g.counted && l < HS_LANES; l++) {
        total += count[l];
        count[l] = 0;
    }
    g.lanes.total[tile * g.totals + row] += total;
}

void hs_card_fold(const hs_card_group *g)
{
    HS_LAUNCH(fold, (int64_t)g->tiles * g->totals, *g);
}
