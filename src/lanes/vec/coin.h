/* coin.h - coins (toss.h) on lanes, several at once. */
#ifndef HS_LANES_VEC_COIN_H
#define HS_LANES_VEC_COIN_H

#include "lanes/vec/batch.h"
#include "lanes/vec/philox.h"
#include "lanes/vec/toss.h"
#include "lanes/vec/vec.h"

/* ahead: see philox_begin. */
HS_INLINE coin coin_begin(const hs_rng *rng, hs_purpose purpose, int l,
                          philox_ahead *ahead)
{
    return (coin){philox_begin(rng, purpose, l, ahead),
                  philox_begin(rng, HS_DRAW_TIE, l, NULL)};
}

/* Decides if sixteen bits may not suffice. */
static __attribute__((noinline, unused)) void coin_toss_again(
    const coin *c, const vu *words, int i, const vf *part, const vf *whole,
    vm *yes)
{
    for (int b = 0; b < HS_BATCH; b++)
        yes[b] = vm_of(coin_toss(c, words, i + b, part[b], whole[b]));
}

/* Tosses positions i to i + HS_BATCH - 1 of one block, i a multiple of
 * HS_BATCH. */
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
        /* copies, because values passed by address do not stay in registers */
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

/* A coin compares sixteen random bits k with its probability p.  Below the
 * threshold floor(2^16 p) - 2, k means yes; from HS_UNCERTAIN values later on,
 * no.  In between the full coin decides, so the outcome is the same bit for
 * bit: rounding moves its bounds by less than 1. */
#define HS_UNCERTAIN 5
HS_INLINE vu coin_threshold(vf part, vf whole)
{
    vi k = __builtin_convertvector(part / whole * 0x1p16f, vi) - 2;
    vi most = vi_set(0x10000 - HS_UNCERTAIN);

    k = vi_select(vi_less(k, vi_set(0)), vi_set(0), k);
    return (vu)vi_select(vi_less(most, k), most, k);
}

/* Tosses with probability sigma(z) = (z < 0 ?  e : 1) / (1 + e), e = e^-|z|. */
HS_INLINE vi coin_sigma(const coin *c, const vu *words, int i, vf e,
                        vm is_negative)
{
    return coin_toss(c, words, i, vf_select(is_negative, e, vf_set(1.0f)),
                     1.0f + e);
}

#endif
