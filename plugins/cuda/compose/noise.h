/* noise.h - a = x + eta * noise, and x' drawn back from a alone, of one
 * coordinate and lane: lanes/langevin/noise.c. */
#ifndef HS_CUDA_COMPOSE_NOISE_H
#define HS_CUDA_COMPOSE_NOISE_H

#include "cuda/langevin/flip.h"

/* r = distance / eta, c = e^-r, rest = 1 - c */
typedef struct hs_card_unit {
    float r, c, rest;
} hs_card_unit;

HS_ON_CARD hs_card_unit hs_card_unit_of(float distance, float eta)
{
    hs_card_unit a;

    a.r = distance / eta;
    a.c = vf_exp_negative(-a.r);
    a.rest = 1.0f - a.c;
    return a;
}

/* The uniform of the noise: u and v = 1 - u. */
typedef struct hs_card_level {
    float u, v;
} hs_card_level;

HS_ON_CARD hs_card_level hs_card_level_of(uint32_t word)
{
    hs_card_level at;

    at.u = vf_uniform(word);
    at.v = vf_uniform(~word);
    return at;
}

HS_ON_CARD float hs_card_normal_of(hs_card_level at)
{
    return vf_normal_quantile(vf_min(at.u, at.v), vf_less(at.v, at.u));
}

/* d = c + p (1 - c) of a two-valued coordinate: p = 1 - u if x is low. */
HS_ON_CARD float hs_card_depth(const hs_card_unit *a, int is_high,
                               uint32_t word)
{
    return vf_fma(vf_uniform(is_high ? word : ~word), a->rest, a->c);
}

/* phi(other) - phi(x) for another value, upwards or downwards. */
HS_ON_CARD float hs_card_phi_change(hs_noise_shape shape, const hs_card_unit *a,
                                    hs_card_level at, int upwards)
{
    float p;

    if (shape == HS_GAUSSIAN) {
        float s = upwards ? a->r : -a->r;

        return vf_fma(s, hs_card_normal_of(at), -0.5f * s * s);
    }
    p = upwards ? at.v : at.u;
    return -a->r - 2.0f * vf_log_normal(vf_fma(p, a->rest, a->c));
}

/* d phi / dv at x, and at another value, times eta. */
HS_ON_CARD float hs_card_slope_here(hs_noise_shape shape, hs_card_level at)
{
    return shape == HS_GAUSSIAN ? hs_card_normal_of(at) : at.u - at.v;
}

HS_ON_CARD float hs_card_slope_there(hs_noise_shape shape,
                                     const hs_card_unit *a, hs_card_level at,
                                     int upwards)
{
    float p, q;

    if (shape == HS_GAUSSIAN)
        return hs_card_normal_of(at) - (upwards ? a->r : -a->r);
    p = upwards ? at.u * a->c : at.u;
    q = upwards ? at.v : at.v * a->c;
    return (p - q) / (p + q);
}

/* Does a two-valued coordinate change? */
HS_ON_CARD int hs_card_draw_other(hs_noise_shape shape, const hs_card_unit *a,
                                  float change, float depth, const coin *c,
                                  const uint32_t *words, int i)
{
    float e;

    if (shape == HS_LOGISTIC)
        return coin_toss(c, words, i, a->c, vf_fma(depth, depth, a->c));
    e = vf_exp_negative(-vf_abs(change));
    return coin_toss(c, words, i, change < 0.0f ? e : 1.0f, 1.0f + e);
}

/* Noise of a two-valued coordinate at x: whether it changes, and phi of its
 * higher value less that of the lower. */
HS_ON_CARD int hs_card_noise_pair(hs_noise_shape shape, const hs_card_unit *a,
                                  int x, uint32_t word, const coin *c,
                                  const uint32_t *words, int i, float *phi)
{
    float change = hs_card_phi_change(shape, a, hs_card_level_of(word), !x);

    *phi = vf_negate_if(x, change);
    return hs_card_draw_other(shape, a, change, hs_card_depth(a, x, word), c,
                              words, i);
}

#endif
