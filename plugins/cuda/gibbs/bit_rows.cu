/* bit_rows.cu - states of all chains, from rows of lanes to words and back. */
#include "cuda/gibbs/bit_visits.h"

#define THREADS 256
#define WORDS   16 /* of a warp */

/* Some words of one site; false: there are none. */
HS_ON_CARD int view_of(const hs_card_group *g, const hs_card_bits *b,
                       hs_bit_view *a, int *words, int *site)
{
    int64_t warp =
        (int64_t)blockIdx.x * (blockDim.x / HS_WARP) + threadIdx.x / HS_WARP;
    int chunks = (b->stride + WORDS - 1) / WORDS;

    if (warp >= (int64_t)g->model.dim * chunks)
        return 0;
    *site = (int)(warp / chunks);
    a->g = g;
    a->b = b;
    a->first = warp % chunks * WORDS;
    a->word = b->all + a->first;
    a->stride = b->stride;
    *words = b->stride - (int)a->first;
    *words = *words < WORDS ? *words : WORDS;
    return 1;
}

HS_KERNEL void pack(hs_card_group g, hs_card_bits b)
{
    hs_bit_view a;
    int words, site;

    if (view_of(&g, &b, &a, &words, &site))
        hs_bit_load(&a, words, site);
}

HS_KERNEL void unpack(hs_card_group g, hs_card_bits b)
{
    hs_bit_view a;
    int words, site;

    if (view_of(&g, &b, &a, &words, &site))
        hs_bit_store(&a, words, site);
}

HS_KERNEL void take_words(hs_card_group g, hs_card_bits b, const uint32_t *take,
                          uint32_t *to)
{
    int64_t n = hs_card_thread(), tile = n % b.stride * 2;
    uint32_t mask;

    if (n >= (int64_t)g.model.dim * b.stride || tile >= g.tiles)
        return;
    mask = take[tile] | (tile + 1 < g.tiles ? take[tile + 1] << HS_LANES : 0);
    if (mask)
        to[n] = (to[n] & ~mask) | (b.all[n] & mask);
}

void hs_card_take_words(const hs_card_group *g, const hs_card_bits *b,
                        const uint32_t *take, uint32_t *to)
{
    HS_LAUNCH(take_words, (int64_t)g->model.dim * b->stride, *g, *b, take, to);
}

static int64_t warps_of(const hs_card_group *g, const hs_card_bits *b)
{
    return (int64_t)g->model.dim * ((b->stride + WORDS - 1) / WORDS);
}

void hs_card_bits_pack(const hs_card_group *g, const hs_card_bits *b)
{
    HS_LAUNCH_WARPS(pack, warps_of(g, b), THREADS, *g, *b);
}

void hs_card_bits_unpack(const hs_card_group *g, const hs_card_bits *b)
{
    HS_LAUNCH_WARPS(unpack, warps_of(g, b), THREADS, *g, *b);
}
