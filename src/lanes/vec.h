/* vec.h - some lanes as one value, and elementary functions on them.
 *
 * GCC/clang vector types of HS_WIDTH lanes, one register: 16 with AVX-512, 8
 * with AVX2, 4 otherwise.  A primitive does its work for the lanes l ..
 * l + HS_WIDTH - 1 inside HS_EACH_PART(l), so the same C text serves all.
 * (Wider vectors than the registers would be split by the compiler, through
 * memory.)  Only +, -, *, /, comparisons, conversions and bit operations are
 * used, each correctly rounded and never contracted, so every instruction set
 * gives the same bits.  Only files of lanes/ include this. */
#ifndef HS_LANES_VEC_H
#define HS_LANES_VEC_H

#include <stdint.h>
#include <string.h>

#include "base/lane.h"

#if defined(__AVX512F__)
#  define HS_WIDTH 16
#elif defined(__AVX2__)
#  define HS_WIDTH 8
#else
#  define HS_WIDTH 4
#endif

#define HS_EACH_PART(l) for (int l = 0; l < HS_LANES; l += HS_WIDTH)

typedef float vf __attribute__((vector_size(4 * HS_WIDTH)));
typedef int32_t vi __attribute__((vector_size(4 * HS_WIDTH)));
typedef uint32_t vu __attribute__((vector_size(4 * HS_WIDTH)));
typedef uint64_t vq __attribute__((vector_size(4 * HS_WIDTH)));
typedef int16_t vs __attribute__((vector_size(2 * HS_WIDTH)));

/* HS_WIDTH doubles in two registers. */
typedef double vd_half __attribute__((vector_size(4 * HS_WIDTH)));
typedef float vf_half __attribute__((vector_size(2 * HS_WIDTH)));
typedef struct vd {
    vd_half low, high;
} vd;

#define HS_PASTE2(a, b) a##b
#define HS_PASTE(a, b)  HS_PASTE2(a, b)
#ifndef HS_ISA
#  define HS_ISA base
#endif
/* HS_NAME(noise) is noise_avx2 in the objects for AVX2. */
#define HS_NAME(name) HS_PASTE(HS_PASTE(hs_, name), HS_PASTE(_, HS_ISA))

#define HS_INLINE static inline __attribute__((always_inline))

HS_INLINE vf vf_load(const float *p)
{
    vf v;
    memcpy(&v, p, sizeof v);
    return v;
}

HS_INLINE void vf_store(float *p, vf v)
{
    memcpy(p, &v, sizeof v);
}

HS_INLINE vi vi_load_index(const int16_t *p)
{
    vs v;
    memcpy(&v, p, sizeof v);
    return __builtin_convertvector(v, vi);
}

HS_INLINE void vi_store_index(int16_t *p, vi v)
{
    vs narrow = __builtin_convertvector(v, vs);
    memcpy(p, &narrow, sizeof narrow);
}

HS_INLINE vd vd_load(const double *p)
{
    vd v;
    memcpy(&v.low, p, sizeof v.low);
    memcpy(&v.high, p + HS_WIDTH / 2, sizeof v.high);
    return v;
}

HS_INLINE void vd_store(double *p, vd v)
{
    memcpy(p, &v.low, sizeof v.low);
    memcpy(p + HS_WIDTH / 2, &v.high, sizeof v.high);
}

HS_INLINE vf vf_set(float a)
{
    return a - (vf){0};
}

HS_INLINE vi vi_set(int32_t a)
{
    return a - (vi){0};
}

HS_INLINE vf vf_of(vi a)
{
    return __builtin_convertvector(a, vf);
}

HS_INLINE vd vd_of(vf a)
{
    vf_half half[2];
    vd v;

    memcpy(half, &a, sizeof half);
    v.low = __builtin_convertvector(half[0], vd_half);
    v.high = __builtin_convertvector(half[1], vd_half);
    return v;
}

HS_INLINE vd vd_add(vd a, vd b)
{
    return (vd){a.low + b.low, a.high + b.high};
}

/* p[0..HS_WIDTH-1] += a */
HS_INLINE void vd_accumulate(double *p, vf a)
{
    vd_store(p, vd_add(vd_load(p), vd_of(a)));
}

/* mask (all ones or zero per lane) ? a : b */
HS_INLINE vf vf_select(vi mask, vf a, vf b)
{
    return (vf)(((vi)a & mask) | ((vi)b & ~mask));
}

HS_INLINE vi vi_select(vi mask, vi a, vi b)
{
    return (a & mask) | (b & ~mask);
}

HS_INLINE vf vf_abs(vf a)
{
    return (vf)((vi)a & 0x7fffffff);
}

HS_INLINE vf vf_min(vf a, vf b)
{
    return vf_select(a < b, a, b);
}

HS_INLINE vf vf_max(vf a, vf b)
{
    return vf_select(a > b, a, b);
}

/* e^x: below -87.3 flushed to 0, above 88.7 infinite; else within 1 ulp.
 * x = n ln 2 + r, |r| <= ln 2 / 2, polynomial of degree 6 (Cephes). */
HS_INLINE vf vf_exp(vf x)
{
    const vf magic = vf_set(12582912.0f); /* 1.5 * 2^23: rounds to integer */
    vf clamped = vf_min(vf_max(x, vf_set(-87.4f)), vf_set(88.8f));
    vf n = (clamped * 1.44269504088896341f + magic) - magic;
    vf r = (clamped - n * 0.693359375f) - n * -2.12194440e-4f;
    vf p = vf_set(1.9875691500e-4f);
    vi bits;

    p = p * r + 1.3981999507e-3f;
    p = p * r + 8.3334519073e-3f;
    p = p * r + 4.1665795894e-2f;
    p = p * r + 1.6666665459e-1f;
    p = p * r + 5.0000001201e-1f;
    p = (p * (r * r) + r) + 1.0f;
    bits = __builtin_convertvector(n, vi);
    /* 2^n in two halves: n = 128 is not a float's exponent */
    p = p * (vf)(((bits >> 1) + 127) << 23);
    p = p * (vf)(((bits - (bits >> 1)) + 127) << 23);
    p = vf_select(x < vf_set(-87.33654f), vf_set(0.0f), p);
    p = vf_select(x > vf_set(88.72283f), vf_set(__builtin_inff()), p);
    return vf_select(x != x, x, p);
}

/* ln x for normal x > 0, within 1 ulp; 0 gives -infinity, x < 0 and NaN give
 * NaN, +infinity itself.  Subnormal x counts as 0. (Cephes) */
HS_INLINE vf vf_log(vf x)
{
    vi bits = (vi)x;
    vi e = ((bits >> 23) & 0xff) - 126;
    vf m = (vf)((bits & 0x007fffff) | 0x3f000000); /* [1/2, 1) */
    vi small = m < vf_set(0.707106781186547524f);
    vf n, z, y, r;

    e = e + small; /* a mask is -1 */
    m = (m + vf_select(small, m, vf_set(0.0f))) - 1.0f;
    n = vf_of(e);
    z = m * m;
    y = vf_set(7.0376836292e-2f);
    y = y * m + -1.1514610310e-1f;
    y = y * m + 1.1676998740e-1f;
    y = y * m + -1.2420140846e-1f;
    y = y * m + 1.4249322787e-1f;
    y = y * m + -1.6668057665e-1f;
    y = y * m + 2.0000714765e-1f;
    y = y * m + -2.4999993993e-1f;
    y = y * m + 3.3333331174e-1f;
    y = y * m * z;
    y = y + n * -2.12194440e-4f;
    y = y + z * -0.5f;
    r = (m + y) + n * 0.693359375f;
    r = vf_select(x < vf_set(1.17549435e-38f), vf_set(-__builtin_inff()), r);
    r = vf_select((x < vf_set(0.0f)) | (x != x), vf_set(__builtin_nanf("")), r);
    return vf_select(x == vf_set(__builtin_inff()), x, r);
}

/* tanh x = sign(x) (1 - e) / (1 + e), e = e^-2|x|; |x| < 0.1 by its odd
 * polynomial, where the quotient would lose digits. */
HS_INLINE vf vf_tanh(vf x)
{
    vf a = vf_abs(x);
    vf e = vf_exp(a * -2.0f);
    vf big = (1.0f - e) / (1.0f + e);
    vf s = x * x;
    vf p = vf_set(-5.70498872745e-3f);
    vf tiny;
    vi sign = (vi)x & (int32_t)0x80000000;

    p = p * s + 2.06390887954e-2f;
    p = p * s + -5.37397155531e-2f;
    p = p * s + 1.33314422036e-1f;
    p = p * s + -3.33332819422e-1f;
    tiny = (p * s) * x + x;
    return vf_select(a < vf_set(0.625f), tiny, (vf)((vi)big | sign));
}

/* 32 random bits to a float in (0, 1): (k + 1/2) / 2^32 rounded; 1 is
 * possible for the top 2^7 of 2^32 values and is harmless where u < p. */
HS_INLINE vf vf_uniform(vu k)
{
    vf f = __builtin_convertvector(k, vf);
    return f * 0x1p-32f + 0x1p-33f;
}

/* v is zeroed where the mask is not set */
HS_INLINE vf vf_mask(vi mask, vf v)
{
    return (vf)((vi)v & mask);
}

#endif
