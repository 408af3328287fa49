/* thread.h - one lane as a thread of a card: lanes/vec with a width of one.
 *
 * The elementary functions and coins are the text of lanes/vec; here are the
 * operations on single numbers that it is made of.  Each is rounded once, as
 * on the processor: sources of this folder are compiled without contraction
 * (-fmad=false), and the one fused operation is written out. */
#ifndef HS_CUDA_THREAD_H
#define HS_CUDA_THREAD_H

#include <stdint.h>

#include "cuda/card.h"

#define HS_ANYWHERE HS_EITHER

#include "base/logarithm.h"
#include "base/random/rng.h"

typedef float vf;
typedef int32_t vi;
typedef uint32_t vu;
typedef int32_t vm; /* 1 or 0 */

#define HS_INLINE HS_ON_CARD

HS_INLINE vf vf_set(float a)
{
    return a;
}

HS_INLINE vf vf_of(vi a)
{
    return (float)a;
}

HS_INLINE vf vf_of_word(vu a)
{
    return (float)a;
}

HS_INLINE vf vf_bits(vi a)
{
    return HS_BITS_FLOAT(a);
}

HS_INLINE vi vi_bits(vf a)
{
    return HS_FLOAT_BITS(a);
}

HS_INLINE vi vi_bits_left(vi a, int by)
{
    return (vi)((vu)a << by);
}

HS_INLINE vm vf_less(vf a, vf b)
{
    return a < b;
}

HS_INLINE vm vf_at_most(vf a, vf b)
{
    return a <= b;
}

HS_INLINE vm vf_equal(vf a, vf b)
{
    return a == b;
}

HS_INLINE vf vf_select(vm m, vf a, vf b)
{
    return m ? a : b;
}

HS_INLINE vi vi_of(vm m)
{
    return m;
}

HS_INLINE int vm_differ(vm a, vm b)
{
    return a != b;
}

/* b where one is NaN, as in vec.h: not fminf. */
HS_INLINE vf vf_min(vf a, vf b)
{
    return a < b ? a : b;
}

HS_INLINE vf vf_max(vf a, vf b)
{
    return a > b ? a : b;
}

HS_INLINE vf vf_abs(vf a)
{
    return vf_bits(vi_bits(a) & 0x7fffffff);
}

HS_INLINE vf vf_fma(vf a, vf b, vf c)
{
    return HS_FMA(a, b, c);
}

/* bit ? -a : a, for bit 0 or 1 */
HS_INLINE vf vf_negate_if(vi bit, vf a)
{
    return vf_bits(vi_bits(a) ^ (vi)((vu)bit << 31));
}

HS_INLINE vf vf_horner(vf a, vf x, float b)
{
    return vf_fma(a, x, b);
}

/* Where a lane draws, for one purpose at one clock (base/random/rng.h). */
typedef struct philox_at {
    uint32_t key[2];
    uint32_t clock, chain, tag;
} philox_at;

HS_EITHER philox_at philox_begin(uint64_t seed, uint64_t clock, uint32_t chain,
                                 uint32_t replica, hs_purpose purpose)
{
    philox_at at;

    at.key[0] = (uint32_t)seed;
    at.key[1] = (uint32_t)(seed >> 32);
    at.clock = (uint32_t)clock;
    at.chain = chain;
    at.tag = (uint32_t)purpose << 26 | replica << 16 | (uint32_t)(clock >> 32);
    return at;
}

/* Philox4x32-10. */
HS_EITHER void philox_four(const philox_at *at, uint32_t block, vu out[4])
{
    uint32_t c0 = block, c1 = at->clock, c2 = at->chain, c3 = at->tag;
    uint32_t k0 = at->key[0], k1 = at->key[1];

    HS_UNROLL
    for (int round = 0; round < 10; round++) {
        uint64_t p0 = (uint64_t)c0 * 0xD2511F53u;
        uint64_t p1 = (uint64_t)c2 * 0xCD9E8D57u;

        c0 = (uint32_t)(p1 >> 32) ^ c1 ^ k0;
        c1 = (uint32_t)p1;
        c2 = (uint32_t)(p0 >> 32) ^ c3 ^ k1;
        c3 = (uint32_t)p0;
        k0 += 0x9E3779B9u;
        k1 += 0xBB67AE85u;
    }
    out[0] = c0;
    out[1] = c1;
    out[2] = c2;
    out[3] = c3;
}

HS_INLINE vf vf_sqrt(vf a)
{
    return HS_SQRT(a);
}

#include "lanes/vec/elementary.h"
#include "lanes/vec/normal.h"
#include "lanes/vec/toss.h"

#endif
