/* bit_toss.h - what a bit adds to a sum, and coins that are mostly decided
 * without the arithmetic of the processor.
 *
 * The coin of toss.h with probability p = 1 / (1 + e^-d) and sixteen bits k is
 * yes if k + 1 <= 2^16 p, no if k >= 2^16 p, and has more bits else.  So p need
 * not be exact where k + 1/2 is farther from 2^16 p than 1/2 and its error:
 * with u = (k + 1/2) / 2^16 and any p' within 2e-6 of p,
 *     |u - p'| >= 2^-17 + 2e-6, or |u (1 + e') - 1| >= that (1 + e').
 * Else, 20 times in 10^6, the coin is tossed as the processor does it. */
#ifndef HS_CUDA_BIT_TOSS_H
#define HS_CUDA_BIT_TOSS_H

#include "cuda/group.h"

/* Of couplings, known when a kernel is compiled. */
enum {
    HS_BIT_PLAIN,  /* s = 0 or 1 */
    HS_BIT_SPIN,   /* s = -1 or 1 */
    HS_BIT_UNIFORM /* all are equal: high neighbors are counted */
};

HS_EITHER int hs_bit_kind(const hs_device_model *m)
{
    return m->j.uniform != 0.0f ? HS_BIT_UNIFORM
           : m->low < 0.0f      ? HS_BIT_SPIN
                                : HS_BIT_PLAIN;
}

/* Times this, a bit of a word is its sign: a multiplication, since a card adds
 * and multiplies beside what it shifts and masks. */
HS_ON_CARD uint32_t hs_bit_to_top(int bit)
{
    return 1u << (31 - bit);
}

/* What a neighbor adds to a sum, whose bit is the sign of `high`. */
HS_ON_CARD float hs_bit_term(int kind, vi high, float value)
{
    if (kind == HS_BIT_SPIN)
        return vf_bits((high & INT32_MIN) ^ vi_bits(value));
    return high < 0 ? value : 0.0f;
}

/* HS_BYTES(word, HS_TOSS_TOP, one of these) has the sixteen bits k of an even
 * or odd position as the float 2^23 + k. */
#define HS_TOSS_TOP  0x4b000000u
#define HS_TOSS_EVEN 0x7410u
#define HS_TOSS_ODD  0x7432u
#define HS_TOSS_BAND (0x1p-17f + 2e-6f)

/* Whether a coin with logit d shows high; *unsure is set where it may not. */
HS_ON_CARD int hs_toss(uint32_t sixteen, float d, int *unsure)
{
    float whole = 1.0f + HS_ABOUT_EXP2(d * -1.44269504f);
    float u = vf_fma(vf_bits((vi)sixteen), 0x1p-16f, 0x1p-17f - 128.0f);
    float r = vf_fma(u, whole, -1.0f);

    *unsure |= !(vf_abs(r) >= whole * HS_TOSS_BAND); /* also if not a number */
    return r < 0.0f;
}

/* The same as the processor does it, for visit n. */
HS_ON_CARD_APART int hs_toss_exactly(uint64_t seed, uint64_t clock,
                                     uint32_t chain, uint32_t replica, int n,
                                     uint32_t sixteen, float d)
{
    float e = vf_exp_negative(-vf_abs(d));
    coin c;

    c.more = philox_begin(seed, clock, chain, replica, HS_DRAW_TIE);
    return coin_decide(&c, vf_bits((vi)sixteen) - 0x1p23f, n,
                       d < 0.0f ? e : 1.0f, 1.0f + e) != 0;
}

/* P(high) as the processor has it, for marginals: times a weight of 0 or 1. */
HS_ON_CARD float hs_toss_chance(float d)
{
    float e = vf_exp_negative(-vf_abs(d));

    return (d < 0.0f ? e : 1.0f) / (1.0f + e);
}

#endif
