/* exchange.cu - levels of parallel tempering: a thread has two of a chain. */
#include "cuda/exchange.h"

HS_KERNEL void exchange(hs_card_group g, hs_card_exchange e)
{
    int each = g.ladder.levels / 2 + 1;
    int64_t chain = hs_card_thread() / each;

    if (chain < g.ladder.chains)
        hs_card_exchange_pair(&g, &e, chain,
                              (int)(hs_card_thread() % each) * 2 - e.parity);
}

void hs_card_exchange_levels(const hs_card_group *g, const hs_card_exchange *e)
{
    HS_LAUNCH(exchange, (int64_t)g->ladder.chains * (g->ladder.levels / 2 + 1),
              *g, *e);
}

HS_KERNEL void find_levels(hs_card_group g)
{
    int64_t chain = hs_card_thread() / g.ladder.levels, first;
    int replica = (int)(hs_card_thread() % g.ladder.levels);

    if (chain >= g.ladder.chains)
        return;
    first = hs_card_chain_lane(&g.ladder, chain);
    g.place[first + g.lanes.level[0][first + replica]] = replica;
}

void hs_card_find_levels(const hs_card_group *g)
{
    HS_LAUNCH(find_levels, (int64_t)g->ladder.chains * g->ladder.levels, *g);
}
