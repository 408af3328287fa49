/* toss.h - tosses a coin of probability p = part / whole with sixteen random
 * bits.
 *
 * Sixteen bits k decide unless p is between k / 2^16 and (k + 1) / 2^16, one
 * case in 2^16.  Then sixteen more bits are drawn at an address of their own.
 * So the outcome has the distribution of 32 bits and needs half the random
 * words.  The coin of position i is half i % 2 of word i / 2.
 *
 * The same text serves the vectors of vec.h and a GPU thread, as in
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

/* part - k / 2^16 whole: yes if at least one step, no if at most 0. */
HS_INLINE vf coin_rest(vf k, vf part, vf step)
{
    return vf_fma(-k, step, part);
}

/* Returns 1 for yes.  k: the sixteen bits of position i. */
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
