/* coin.h - yes with probability p = part / whole, from sixteen random bits.
 *
 * Sixteen bits k decide unless p lies between k / 2^16 and (k + 1) / 2^16, one
 * case in 2^16;
 * there, sixteen more are drawn under an address of their own, so that what is
 * drawn is the same as with 32 bits at once and half the random words are
 * needed.  The coin of position i is half i % 2 of word i / 2. */
#ifndef HS_LANES_COIN_H
#define HS_LANES_COIN_H

#include "lanes/batch.h"
#include "lanes/philox.h"
#include "lanes/vec.h"

typedef struct coin {
    philox_at at, more;
} coin;

HS_INLINE coin coin_begin(const hs_rng *rng, hs_purpose purpose, int l)
{
    return (coin){philox_begin(rng, purpose, l),
                  philox_begin(rng, HS_DRAW_TIE, l)};
}

HS_INLINE vf coin_half(vu word, int i)
{
    return vf_of((vi)(i % 2 ? word >> 16 : word & 0xffff));
}

/* 1: yes.  words: of block i / 8 at c->at. */
HS_INLINE vi coin_toss(const coin *c, const vu *words, int i, vf part, vf whole)
{
    vf low = coin_half(words[i / 2 % 4], i) * 0x1p-16f;
    vm may = vf_less(low * whole, part);
    vm must = vf_at_most((low + 0x1p-16f) * whole, part);

    if (__builtin_expect(vm_differ(may, must), 0)) {
        vu more[4];
        vf u;

        philox_four(&c->more, (uint32_t)i / 8, more);
        u = low + (coin_half(more[i / 2 % 4], i) + 0.5f) * 0x1p-32f;
        return vi_of(must) | vi_of(vf_less(u * whole, part));
    }
    return vi_of(must);
}

/* Positions i to i + HS_BATCH - 1 of one block; bits where yes. */
HS_INLINE void coin_toss_batch(const coin *c, const vu *words, int i,
                               const vf *part, const vf *whole, vi *yes)
{
    vf low[HS_BATCH];
    vm unsure = vm_all(0);

    HS_EACH_BATCH(b)
    low[b] = coin_half(words[(i + b) / 2 % 4], i + b) * 0x1p-16f;
    HS_EACH_BATCH(b)
    {
        vm may = vf_less(low[b] * whole[b], part[b]);
        vm must = vf_at_most((low[b] + 0x1p-16f) * whole[b], part[b]);

        unsure |= may ^ must;
        yes[b] = vi_of(must);
    }
    if (__builtin_expect(vm_differ(unsure, vm_all(0)), 0))
        for (int b = 0; b < HS_BATCH; b++)
            yes[b] = coin_toss(c, words, i + b, part[b], whole[b]);
}

/* With probability sigma(z) = (z < 0 ? e : 1) / (1 + e), e = e^-|z|. */
HS_INLINE vi coin_sigma(const coin *c, const vu *words, int i, vf e,
                        vm is_negative)
{
    return coin_toss(c, words, i, vf_select(is_negative, e, vf_set(1.0f)),
                     1.0f + e);
}

#endif
