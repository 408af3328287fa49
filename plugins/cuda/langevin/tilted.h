/* tilted.h - odds of a flip under HiSS's noise, kept as factors, and products
 * of them: lanes/regular/regular_tilt.c, of one lane. */
#ifndef HS_CUDA_LANGEVIN_TILTED_H
#define HS_CUDA_LANGEVIN_TILTED_H

#include "cuda/langevin/entry.h"

#define HS_CARD_TILT_GROUP 16
#define HS_CARD_TILT_CHUNK 1024

/* Odds part : whole - part of a flip, b, and max(z, 0). */
typedef struct hs_card_odds {
    float part, whole, b, rise;
} hs_card_odds;

/* z: the logit but for the noise; d: its factor; moved: the site is not as it
 * was when the noise came. */
HS_ON_CARD hs_card_odds hs_card_tilted_odds(float t, float rise, float root,
                                            float d, int moved)
{
    float m = moved ? d : root;
    hs_card_odds o;
    float rest;

    o.b = moved ? root : d;
    o.rise = rise;
    o.part = rise > 0.0f ? m : t * m;
    rest = rise > 0.0f ? t * o.b : o.b;
    o.whole = o.part + rest;
    return o;
}

/* Products without their powers of 2, and these of whole / b. */
typedef struct hs_card_products {
    float whole, b, rise;
    int32_t power;
} hs_card_products;

HS_ON_CARD void hs_card_products_begin(hs_card_products *s)
{
    s->whole = s->b = 1.0f;
    s->rise = 0.0f;
    s->power = 0;
}

HS_ON_CARD void hs_card_products_add(hs_card_products *s, const hs_card_odds *o)
{
    s->whole = s->whole * o->whole;
    s->b = s->b * o->b;
    s->rise = s->rise + o->rise;
}

/* Leaves 1 <= whole, b < 2: after every group. */
HS_ON_CARD void hs_card_products_tidy(hs_card_products *s)
{
    const int32_t mantissa = 0x007fffff, one = 0x3f800000;

    s->power += (vi_bits(s->whole) >> 23) - (vi_bits(s->b) >> 23);
    s->whole = vf_bits((vi_bits(s->whole) & mantissa) | one);
    s->b = vf_bits((vi_bits(s->b) & mantissa) | one);
}

/* Adds ln(whole / b) and the rises: after every chunk. */
HS_ON_CARD double hs_card_products_end(const hs_card_products *s, double sum)
{
    const double ln2 = 0x1.62e42fefa39efp-1;

    sum = sum + (double)(float)s->power * ln2;
    sum = sum + (double)(vf_log_normal(s->whole) - vf_log_normal(s->b));
    return sum + (double)s->rise;
}

/* U of so many pairs that are alike, each counted twice. */
HS_ON_CARD double hs_card_alike_energy(const hs_device_model *m, int degree,
                                       double alike)
{
    double half = 0.5 * (double)m->j.uniform / (double)m->scale;
    double whole = 2.0 * alike - (double)degree * (double)m->dim;

    return m->offset + half * ((double)m->low * (double)m->low * whole);
}

#endif
