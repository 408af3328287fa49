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
    vf rest = vf_fma(-low, whole, part), step = whole * 0x1p-16f;
    vm may = vf_less(vf_set(0.0f), rest);
    vm must = vf_at_most(step, rest);

    if (__builtin_expect(vm_differ(may, must), 0)) {
        vu more[4];
        vf u;

        philox_four(&c->more, (uint32_t)i / 8, more);
        u = low + (coin_half(more[i / 2 % 4], i) + 0.5f) * 0x1p-32f;
        return vi_of(must) | vi_of(vf_less(u * whole, part));
    }
    return vi_of(must);
}

/* Positions i to i + HS_BATCH - 1 of one block, i a multiple of HS_BATCH; 1
 * where yes. */
HS_INLINE void coin_toss_batch(const coin *c, const vu *words, int i,
                               const vf *part, const vf *whole, vi *yes)
{
    const vu *word = words + i / 2 % 4;
    vf low[HS_BATCH], unsure = vf_set(0.0f);

    HS_EACH_BATCH(b)
    low[b] = coin_half(word[b / 2], b) * 0x1p-16f;
    HS_EACH_BATCH(b)
    {
        vf rest = vf_fma(-low[b], whole[b], part[b]);
        vf step = whole[b] * 0x1p-16f;

        /* 0 < rest < step */
        unsure = vf_max(unsure, vf_min(rest, step - rest));
        yes[b] = vi_of(vf_at_most(step, rest));
    }
    if (__builtin_expect(vm_differ(vf_less(vf_set(0.0f), unsure), vm_all(0)),
                         0))
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
