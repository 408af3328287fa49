/* pool.cu - what the chains of a pilot have learnt, shared: hs_group_pool of
 * run/chain/group.c. */
#include "cuda/langevin/flip.h"

/* A thread has a column of the lanes at one level, and takes them in their
 * order. */
HS_KERNEL void pool(hs_card_group g)
{
    int64_t lanes = (int64_t)g.ladder.chains * g.ladder.levels;
    int column = (int)(hs_card_thread() % g.columns);
    int level = (int)(hs_card_thread() / g.columns);
    double mean = 0.0;

    if (level >= g.ladder.levels)
        return;
    for (int64_t n = 0; n < lanes; n++)
        if (g.ladder.levels == 1 || g.lanes.level[0][n] == level)
            mean = mean + HS_CARD_ROW(g.lanes.column, n / HS_LANES, g.columns,
                                      column, n % HS_LANES) /
                              (double)g.ladder.chains;
    for (int64_t n = 0; n < lanes; n++)
        if (g.ladder.levels == 1 || g.lanes.level[0][n] == level)
            HS_CARD_ROW(g.lanes.column, n / HS_LANES, g.columns, column,
                        n % HS_LANES) = mean;
}

void hs_card_pool(const hs_card_group *g)
{
    HS_LAUNCH(pool, (int64_t)g->columns * g->ladder.levels, *g);
}
