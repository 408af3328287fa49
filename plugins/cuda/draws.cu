/* draws.cu - what is kept of all chains, packed for the way to the processor:
 * the lanes at level 0, a bit per coordinate where all have two values, else a
 * byte. */
#include "cuda/group.h"

HS_ON_CARD int64_t target_lane(const hs_card_group *g, int64_t chain)
{
    int64_t first = hs_card_chain_lane(&g->ladder, chain);

    return g->place ? first + g->place[first] : first;
}

HS_KERNEL void pack_numbers(hs_card_group g, double *u, double *changed)
{
    int64_t chain = hs_card_thread(), chains = g.ladder.chains, lane;

    if (chain >= chains)
        return;
    lane = target_lane(&g, chain);
    u[chain] = g.lanes.u[0][lane];
    for (int n = 0; n < g.nodes; n++)
        changed[n * chains + chain] =
            g.lanes.changed[(int64_t)n * g.tiles][lane];
}

void hs_card_pack_numbers(const hs_card_group *g, double *u, double *changed)
{
    HS_LAUNCH(pack_numbers, (int64_t)g->ladder.chains, *g, u, changed);
}

/* A thread has a word of a chain; threads side by side have chains side by
 * side, which read what lies side by side. */
HS_KERNEL void pack_states(hs_card_group g, const uint32_t *words, int stride,
                           int bits, uint32_t *to)
{
    int64_t n = hs_card_thread(), chains = g.ladder.chains, lane;
    int each = 32 / bits, first = (int)(n / chains) * each;
    uint32_t packed = 0;

    if (first >= g.model.dim)
        return;
    lane = target_lane(&g, n % chains);
    for (int k = 0; k < each && first + k < g.model.dim; k++) {
        int64_t i = first + k;
        uint32_t x = words ? words[i * stride + lane / 32] >> lane % 32 & 1
                           : (uint32_t)hs_card_row(&g, lane, (int)i)[0];

        packed |= x << k * bits;
    }
    to[n] = packed;
}

void hs_card_pack_states(const hs_card_group *g, const uint32_t *words,
                         int stride, int bits, uint32_t *to)
{
    int64_t each = 32 / bits;
    int64_t count = (g->model.dim + each - 1) / each;

    HS_LAUNCH(pack_states, count * g->ladder.chains, *g, words, stride, bits,
              to);
}
