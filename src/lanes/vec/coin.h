/* coin.h - yes with probability p = part / whole, from sixteen random bits.
 *
 * Sixteen bits k decide unless p lies between k / 2^16 and (k + 1) / 2^16, one
 * case in 2^16;
 * there, sixteen more are drawn under an address of their own, so that what is
 * drawn is the same as with 32 bits at once and half the random words are
 * needed.  The coin of position i is half i % 2 of word i / 2. */
#ifndef HS_LANES_VEC_COIN_H
#define HS_LANES_VEC_COIN_H

#include "lanes/vec/batch.h"
#include "lanes/vec/philox.h"
#include "lanes/vec/vec.h"

typedef struct coin {
    philox_at at, more;
} coin;

/* ahead: as in philox_begin. */
HS_INLINE coin coin_begin(const hs_rng *rng, hs_purpose purpose, int l,
                          philox_ahead *ahead)
{
    return (coin){philox_begin(rng, purpose, l, ahead),
                  philox_begin(rng, HS_DRAW_TIE, l, NULL)};
}

/* The sixteen bits k of position i. */
HS_INLINE vf coin_half(vu word, int i)
{
    return vf_of((vi)(i % 2 ? word >> 16 : word & 0xffff));
}

/* part - k / 2^16 whole: yes if at least a step, no if at most 0. */
HS_INLINE vf coin_rest(vf k, vf part, vf step)
{
    return vf_fma(-k, step, part);
}

/* 1: yes.  words: of block i / 8 at c->at. */
HS_INLINE vi coin_toss(const coin *c, const vu *words, int i, vf part, vf whole)
{
    vf k = coin_half(words[i / 2 % 4], i), step = whole * 0x1p-16f;
    vf rest = coin_rest(k, part, step);
    vm may = vf_less(vf_set(0.0f), rest);
    vm must = vf_at_most(step, rest);

    if (__builtin_expect(vm_differ(may, must), 0)) {
        vu more[4];
        vf u;

        philox_four(&c->more, (uint32_t)i / 8, more);
        u = k * 0x1p-16f + (coin_half(more[i / 2 % 4], i) + 0.5f) * 0x1p-32f;
        return vi_of(must) | vi_of(vf_less(u * whole, part));
    }
    return vi_of(must);
}

/* Where sixteen bits may not do. */
static __attribute__((noinline, unused)) void coin_toss_again(
    const coin *c, const vu *words, int i, const vf *part, const vf *whole,
    vm *yes)
{
    for (int b = 0; b < HS_BATCH; b++)
        yes[b] = vm_of(coin_toss(c, words, i + b, part[b], whole[b]));
}

/* Positions i to i + HS_BATCH - 1 of one block, i a multiple of HS_BATCH. */
HS_INLINE void coin_toss_batch(const coin *c, const vu *words, int i,
                               const vf *part, const vf *whole, vm *yes)
{
    const vu *word = words + i / 2 % 4;
    vm unsure = vm_all(0);

    HS_EACH_BATCH(b)
    {
        vf step = whole[b] * 0x1p-16f;
        vf rest = coin_rest(coin_half(word[b / 2], b), part[b], step);

        yes[b] = vf_at_most(step, rest);
        unsure = unsure | vf_below(rest, step);
    }
    if (__builtin_expect(vm_differ(unsure, vm_all(0)), 0)) {
        /* copies: what is handed over by address is not kept in registers */
        vf parts[HS_BATCH], wholes[HS_BATCH];
        vm again[HS_BATCH];

        HS_EACH_BATCH(b)
        {
            parts[b] = part[b];
            wholes[b] = whole[b];
        }
        coin_toss_again(c, words, i, parts, wholes, again);
        HS_EACH_BATCH(b)
        yes[b] = again[b];
    }
}

/* With probability sigma(z) = (z < 0 ? e : 1) / (1 + e), e = e^-|z|. */
HS_INLINE vi coin_sigma(const coin *c, const vu *words, int i, vf e,
                        vm is_negative)
{
    return coin_toss(c, words, i, vf_select(is_negative, e, vf_set(1.0f)),
                     1.0f + e);
}

#endif
