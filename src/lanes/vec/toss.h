/* toss.h - yes with probability p = part / whole, from sixteen random bits.
 *
 * Sixteen bits k decide unless p lies between k / 2^16 and (k + 1) / 2^16, one
 * case in 2^16;
 * there, sixteen more are drawn under an address of their own, so that what is
 * drawn is the same as with 32 bits at once and half the random words are
 * needed.  The coin of position i is half i % 2 of word i / 2.
 *
 * One text for the vectors of vec.h and for a thread on a GPU, as
 * elementary.h; philox_at and philox_four come from the includer. */
#ifndef HS_LANES_VEC_TOSS_H
#define HS_LANES_VEC_TOSS_H

#ifndef HS_CUDA_THREAD_H
#  include "lanes/vec/philox.h"
#  include "lanes/vec/vec.h"
#endif

typedef struct coin {
    philox_at at, more;
} coin;

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

/* 1: yes.  k: the sixteen bits of position i. */
HS_INLINE vi coin_decide(const coin *c, vf k, int i, vf part, vf whole)
{
    vf step = whole * 0x1p-16f;
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

/* The same with the words of block i / 8 at c->at. */
HS_INLINE vi coin_toss(const coin *c, const vu *words, int i, vf part, vf whole)
{
    return coin_decide(c, coin_half(words[i / 2 % 4], i), i, part, whole);
}

#endif
