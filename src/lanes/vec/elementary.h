/* elementary.h - e^x, ln x, tanh x, and uniforms, for any type `vf`.
 *
 * The same text serves the vectors of vec.h, which includes it, and the single
 * numbers of a GPU thread (cuda/thread.h), so both give the same bits.  It
 * needs vf, vi, vu, vm and their operations by name. */
#ifndef HS_LANES_VEC_ELEMENTARY_H
#define HS_LANES_VEC_ELEMENTARY_H

#ifndef HS_CUDA_THREAD_H
#  include "lanes/vec/vec.h"
#endif

/* x = n ln 2 + r with |r| <= ln 2 / 2; returns n in the low bits of t.  The
 * polynomial 1 + r + r^2 P(r) is within 4e-9 of e^r. */
HS_INLINE vf exp_reduced(vf x, vi *n)
{
    const float magic = 12582912.0f; /* 1.5 * 2^23: rounds to integer */
    vf t = vf_fma(x, vf_set(1.44269504088896341f), vf_set(magic));
    vf k = t - magic;
    vf r = vf_fma(k, vf_set(-0.693359375f), x);
    vf p = vf_set(0x1.6a2352p-10f);

    r = vf_fma(k, vf_set(2.12194440e-4f), r);
    p = vf_horner(p, r, 0x1.123a6cp-7f);
    p = vf_horner(p, r, 0x1.5558f4p-5f);
    p = vf_horner(p, r, 0x1.555490p-3f);
    p = vf_horner(p, r, 0x1.fffffcp-2f);
    p = vf_fma(p, r * r, r) + 1.0f;
    *n = vi_bits(t);
    return p;
}

/* e^x for x <= 0: within 1 ulp down to -86; below that 4.5e-38, which a uniform
 * of 32 bits cannot distinguish from 0. */
HS_INLINE vf vf_exp_negative(vf x)
{
    vi n;
    vf p = exp_reduced(vf_max(x, vf_set(-86.0f)), &n);

    return vf_bits(vi_bits(p) + vi_bits_left(n, 23));
}

/* e^x: below -87.3 flushed to 0, above 88.7 infinite; else within 1 ulp. */
HS_INLINE vf vf_exp(vf x)
{
    vf clamped = vf_min(vf_max(x, vf_set(-87.4f)), vf_set(88.8f));
    vi n, half;
    vf p = exp_reduced(clamped, &n);

    /* 2^n in two halves: n = 128 is not a float's exponent */
    n = vi_bits_left(n, 9) >> 9;       /* the 23 bits of t's fraction */
    n = n - vi_bits_left(n >> 22, 23); /* as a signed number */
    half = n >> 1;
    p = p * vf_bits(vi_bits_left(half + 127, 23));
    p = p * vf_bits(vi_bits_left(n - half + 127, 23));
    p = vf_select(vf_less(x, vf_set(-87.33654f)), vf_set(0.0f), p);
    p = vf_select(vf_less(vf_set(88.72283f), x), vf_set(__builtin_inff()), p);
    return vf_select(vf_equal(x, x), p, x);
}

/* ln x for normal x > 0: x = 2^e (1 + m), sqrt(1/2) <= 1 + m < sqrt(2),
 * ln(1 + m) = m - m^2/2 + m^3 Q(m) within 6e-9. */
HS_INLINE vf vf_log_normal(vf x)
{
    /* moves sqrt(1/2) to the start of a binade; unsigned, because x may be
     * anything */
    vi bits = (vi)((vu)vi_bits(x) - 0x3f3504f3u);
    vi e = bits >> 23;
    vf n = vf_of(e);
    vf m = vf_bits((bits & 0x007fffff) + 0x3f3504f3) - 1.0f;
    vf z = m * m;
    vf q = vf_set(-0.076344974f);

    q = vf_horner(q, m, 0.12761578f);
    q = vf_horner(q, m, -0.13160183f);
    q = vf_horner(q, m, 0.14201757f);
    q = vf_horner(q, m, -0.16623357f);
    q = vf_horner(q, m, 0.20001227f);
    q = vf_horner(q, m, -0.2500082f);
    q = vf_horner(q, m, 0.3333333f);
    q = q * (z * m);
    q = vf_fma(n, vf_set(-2.12194440e-4f), q);
    q = vf_fma(z, vf_set(-0.5f), q);
    return vf_fma(n, vf_set(0.693359375f), m + q);
}

/* ln x within 1 ulp; 0 gives -infinity, x < 0 and NaN give NaN, +infinity
 * itself.  Subnormal x counts as 0. */
HS_INLINE vf vf_log(vf x)
{
    vf r = vf_log_normal(x);
    vf inf = vf_set(__builtin_inff());

    r = vf_select(vf_less(x, vf_set(1.17549435e-38f)), -inf, r);
    r = vf_select(vf_less(x, vf_set(0.0f)), vf_set(__builtin_nanf("")), r);
    r = vf_select(vf_equal(x, x), r, x);
    return vf_select(vf_equal(x, inf), x, r);
}

/* tanh x = sign(x) (1 - e) / (1 + e), e = e^-2|x|.  |x| < 0.625 uses its odd
 * polynomial (Cephes), because the quotient would lose digits. */
HS_INLINE vf vf_tanh(vf x)
{
    vf a = vf_abs(x);
    vf e = vf_exp_negative(a * -2.0f);
    vf big = (1.0f - e) / (1.0f + e);
    vf s = x * x;
    vf p = vf_set(-5.70498872745e-3f);
    vi sign = vi_bits(x) & (int32_t)0x80000000;

    p = vf_horner(p, s, 2.06390887954e-2f);
    p = vf_horner(p, s, -5.37397155531e-2f);
    p = vf_horner(p, s, 1.33314422036e-1f);
    p = vf_horner(p, s, -3.33332819422e-1f);
    p = vf_fma(p * s, x, x);
    return vf_select(vf_less(a, vf_set(0.625f)), p,
                     vf_bits(vi_bits(big) | sign));
}

/* Converts 32 random bits to a float in (0, 1]: (k + 1/2) / 2^32 rounded.  1
 * comes from the top 2^7 of 2^32 values and is harmless in tests u < p. */
HS_INLINE vf vf_uniform(vu k)
{
    return vf_fma(vf_of_word(k), vf_set(0x1p-32f), vf_set(0x1p-33f));
}

#endif
