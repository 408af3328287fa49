/* vec.h - some lanes as one value, and elementary functions on them.
 *
 * GCC/clang vector types of HS_WIDTH lanes, one register: 16 with AVX-512, 8
 * with AVX2, 4 otherwise.  A primitive does its work for the lanes l ..
 * l + HS_WIDTH - 1 inside HS_EACH_PART(l), so the same C text serves all.
 * (Wider vectors than the registers would be split by the compiler, through
 * memory.)  Only +, -, *, /, fused multiply-add, comparisons, conversions and
 * bit operations are used, each correctly rounded and never contracted, so
 * every instruction set gives the same bits.  Where the language has no word
 * for an operation (masks, minimum, fma) there is one intrinsic per
 * instruction set.  Only files of lanes/ include this. */
#ifndef HS_LANES_VEC_VEC_H
#define HS_LANES_VEC_VEC_H

#include <stdint.h>
#include <string.h>

#include "base/lane.h"

#if defined(__SSE2__)
#  include <immintrin.h>
#elif defined(__wasm_simd128__)
#  include <wasm_simd128.h>
#endif

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
/* HS_NAME(noise) is hs_noise_avx2 in the objects for AVX2. */
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

/* gcc makes several instructions of these conversions, clang makes one. */
HS_INLINE vi vi_widen(vs v)
{
#if defined(__AVX512F__)
    return (vi)_mm512_cvtepi16_epi32((__m256i)v);
#elif defined(__AVX2__)
    return (vi)_mm256_cvtepi16_epi32((__m128i)v);
#else
    return __builtin_convertvector(v, vi);
#endif
}

HS_INLINE vs vi_narrow(vi v)
{
#if defined(__AVX512F__)
    return (vs)_mm512_cvtepi32_epi16((__m512i)v);
#else
    return __builtin_convertvector(v, vs);
#endif
}

HS_INLINE vi vi_load_index(const int16_t *p)
{
    vs v;
    memcpy(&v, p, sizeof v);
    return vi_widen(v);
}

/* Changes the sign of a in the lanes where p is 1; p is 0 or 1. */
HS_INLINE vf vf_turned(vf a, const int16_t *p)
{
#if defined(__AVX512F__)
    __m256i on = _mm256_loadu_si256((const __m256i *)(const void *)p);

    return (vf)_mm512_mask_xor_epi32((__m512i)a, _mm256_test_epi16_mask(on, on),
                                     (__m512i)a, _mm512_set1_epi32(INT32_MIN));
#else
    return (vf)((vi)a ^ (vi_load_index(p) << 31));
#endif
}

HS_INLINE void vi_store_index(int16_t *p, vi v)
{
    vs narrow = vi_narrow(v);
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
#if defined(__AVX512F__)
    v.low = (vd_half)_mm512_cvtps_pd((__m256)half[0]);
    v.high = (vd_half)_mm512_cvtps_pd((__m256)half[1]);
#else
    v.low = __builtin_convertvector(half[0], vd_half);
    v.high = __builtin_convertvector(half[1], vd_half);
#endif
    return v;
}

HS_INLINE vf vf_of_vd(vd a)
{
    vf_half half[2] = {__builtin_convertvector(a.low, vf_half),
                       __builtin_convertvector(a.high, vf_half)};
    vf v;

    memcpy(&v, half, sizeof v);
    return v;
}

HS_INLINE vd vd_add(vd a, vd b)
{
    return (vd){a.low + b.low, a.high + b.high};
}

HS_INLINE vd vd_set(double a)
{
    return (vd){a - (vd_half){0}, a - (vd_half){0}};
}

HS_INLINE vd vd_scale(vd a, double factor)
{
    return (vd){a.low * factor, a.high * factor};
}

typedef int64_t vl_half __attribute__((vector_size(4 * HS_WIDTH)));

HS_INLINE vd_half vd_half_max(vd_half a, vd_half b)
{
#if defined(__AVX512F__)
    return (vd_half)_mm512_max_pd((__m512d)a, (__m512d)b);
#else
    vl_half more = a > b;

    return (vd_half)(((vl_half)a & more) | ((vl_half)b & ~more));
#endif
}

/* a > b ? a : b */
HS_INLINE vd vd_max(vd a, vd b)
{
    return (vd){vd_half_max(a.low, b.low), vd_half_max(a.high, b.high)};
}

HS_INLINE vd vd_sub(vd a, vd b)
{
    return (vd){a.low - b.low, a.high - b.high};
}

/* Rounds to the nearest floats. */
HS_INLINE vf vf_round(vd a)
{
    vf_half half[2];
    vf v;

#if defined(__AVX512F__)
    half[0] = (vf_half)_mm512_cvtpd_ps((__m512d)a.low);
    half[1] = (vf_half)_mm512_cvtpd_ps((__m512d)a.high);
#else
    half[0] = __builtin_convertvector(a.low, vf_half);
    half[1] = __builtin_convertvector(a.high, vf_half);
#endif
    memcpy(&v, half, sizeof v);
    return v;
}

/* p[0..HS_WIDTH-1] += a */
HS_INLINE void vd_accumulate(double *p, vf a)
{
    vd_store(p, vd_add(vd_load(p), vd_of(a)));
}

/* A truth value per lane: a mask register, or all ones. */
#if defined(__AVX512F__)
typedef __mmask16 vm;

HS_INLINE vm vf_less(vf a, vf b)
{
    return _mm512_cmp_ps_mask((__m512)a, (__m512)b, _CMP_LT_OQ);
}

HS_INLINE vm vf_at_most(vf a, vf b)
{
    return _mm512_cmp_ps_mask((__m512)a, (__m512)b, _CMP_LE_OQ);
}

HS_INLINE vm vf_equal(vf a, vf b)
{
    return _mm512_cmp_ps_mask((__m512)a, (__m512)b, _CMP_EQ_OQ);
}

/* 0 <= a < b for b > 0.  Nonnegative floats are ordered like their bits, and
 * the bits of negative ones are larger. */
HS_INLINE vm vf_below(vf a, vf b)
{
    return _mm512_cmplt_epu32_mask((__m512i)a, (__m512i)b);
}

HS_INLINE vm vi_equal(vi a, vi b)
{
    return _mm512_cmpeq_epi32_mask((__m512i)a, (__m512i)b);
}

HS_INLINE vm vi_less(vi a, vi b)
{
    return _mm512_cmplt_epi32_mask((__m512i)a, (__m512i)b);
}

HS_INLINE vm vm_not(vm m)
{
    return (vm)~m;
}

/* Whether they differ in any lane. */
HS_INLINE int vm_differ(vm a, vm b)
{
    return a != b;
}

/* m ? a : b */
HS_INLINE vf vf_select(vm m, vf a, vf b)
{
    return (vf)_mm512_mask_blend_ps(m, (__m512)b, (__m512)a);
}

HS_INLINE vi vi_select(vm m, vi a, vi b)
{
    return (vi)_mm512_mask_blend_epi32(m, (__m512i)b, (__m512i)a);
}

/* m ? a : 0 */
HS_INLINE vf vf_where(vm m, vf a)
{
    return (vf)_mm512_maskz_mov_ps(m, (__m512)a);
}

/* 1 where m, else 0 */
HS_INLINE vi vi_of(vm m)
{
    return (vi)_mm512_maskz_set1_epi32(m, 1);
}

/* min: a < b ? a : b, so b where one is NaN; max likewise */
HS_INLINE vf vf_min(vf a, vf b)
{
    return (vf)_mm512_min_ps((__m512)a, (__m512)b);
}

HS_INLINE vf vf_max(vf a, vf b)
{
    return (vf)_mm512_max_ps((__m512)a, (__m512)b);
}

/* a * b + c, rounded once */
HS_INLINE vf vf_fma(vf a, vf b, vf c)
{
    return (vf)_mm512_fmadd_ps((__m512)a, (__m512)b, (__m512)c);
}
#else
typedef vi vm;

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

HS_INLINE vm vf_below(vf a, vf b)
{
    return (vm)((vu)a < (vu)b);
}

HS_INLINE vm vi_equal(vi a, vi b)
{
    return a == b;
}

HS_INLINE vm vi_less(vi a, vi b)
{
    return a < b;
}

HS_INLINE vm vm_not(vm m)
{
    return ~m;
}

HS_INLINE int vm_differ(vm a, vm b)
{
    return memcmp(&a, &b, sizeof a) != 0;
}

HS_INLINE vf vf_select(vm m, vf a, vf b)
{
    return (vf)(((vi)a & m) | ((vi)b & ~m));
}

HS_INLINE vi vi_select(vm m, vi a, vi b)
{
    return (a & m) | (b & ~m);
}

HS_INLINE vf vf_where(vm m, vf a)
{
    return (vf)((vi)a & m);
}

HS_INLINE vi vi_of(vm m)
{
    return m & 1;
}

HS_INLINE vf vf_min(vf a, vf b)
{
    return vf_select(a < b, a, b);
}

HS_INLINE vf vf_max(vf a, vf b)
{
    return vf_select(a > b, a, b);
}

#  if defined(__FMA__) && HS_WIDTH == 8
HS_INLINE vf vf_fma(vf a, vf b, vf c)
{
    return (vf)_mm256_fmadd_ps((__m256)a, (__m256)b, (__m256)c);
}
#  elif defined(__wasm_simd128__)
/* Two lanes as doubles whose rounding to a float is correct: the product is
 * exact, and an inexact sum is rounded to odd (Boldo & Melquiond 2008).  fmaf
 * of musl is wrong if it needs another rounding mode. */
HS_INLINE v128_t fma_two(v128_t a, v128_t b, v128_t c)
{
    v128_t zero = wasm_f64x2_splat(0.0), one = wasm_i64x2_splat(1);
    v128_t p = wasm_f64x2_mul(a, b), s = wasm_f64x2_add(p, c);
    v128_t t = wasm_f64x2_sub(s, p);
    v128_t e = wasm_f64x2_add(wasm_f64x2_sub(p, wasm_f64x2_sub(s, t)),
                              wasm_f64x2_sub(c, t));
    v128_t is_off =
        wasm_v128_or(wasm_f64x2_lt(e, zero), wasm_f64x2_gt(e, zero));
    v128_t is_even = wasm_i64x2_eq(wasm_v128_and(s, one), wasm_i64x2_splat(0));
    v128_t step = wasm_v128_or(wasm_i64x2_shr(wasm_v128_xor(e, s), 63), one);

    return wasm_i64x2_add(s,
                          wasm_v128_and(step, wasm_v128_and(is_off, is_even)));
}

HS_INLINE v128_t upper_two(v128_t v)
{
    return wasm_f64x2_promote_low_f32x4(wasm_i64x2_shuffle(v, v, 1, 1));
}

/* A call, because the code of a page is downloaded: inlined it takes 0.4 MB. */
__attribute__((noinline, unused)) static vf vf_fma(vf a, vf b, vf c)
{
    v128_t low = fma_two(wasm_f64x2_promote_low_f32x4((v128_t)a),
                         wasm_f64x2_promote_low_f32x4((v128_t)b),
                         wasm_f64x2_promote_low_f32x4((v128_t)c));
    v128_t high = fma_two(upper_two((v128_t)a), upper_two((v128_t)b),
                          upper_two((v128_t)c));

    return (vf)wasm_i64x2_shuffle(wasm_f32x4_demote_f64x2_zero(low),
                                  wasm_f32x4_demote_f64x2_zero(high), 0, 2);
}
#  else
HS_INLINE vf vf_fma(vf a, vf b, vf c)
{
    for (int l = 0; l < HS_WIDTH; l++)
        c[l] = __builtin_fmaf(a[l], b[l], c[l]);
    return c;
}
#  endif
#endif

/* a * x + b with constants: a step of Horner's rule */
HS_INLINE vf vf_horner(vf a, vf x, float b)
{
    return vf_fma(a, x, vf_set(b));
}

/* Bit k is the truth value of lane k. */
HS_INLINE unsigned vm_bits(vm m)
{
#if defined(__AVX512F__)
    return m;
#elif defined(__AVX2__)
    return (unsigned)_mm256_movemask_ps((__m256)m);
#elif defined(__wasm_simd128__)
    return (unsigned)wasm_i32x4_bitmask((v128_t)m);
#else
    unsigned bits = 0;

    for (int k = 0; k < HS_WIDTH; k++)
        bits |= ((unsigned)m[k] & 1) << k;
    return bits;
#endif
}

/* Converts x, 0 or 1, to a truth value. */
HS_INLINE vm vm_of(vi x)
{
    return vm_not(vi_equal(x, vi_set(0)));
}

HS_INLINE vm vm_all(int yes)
{
    return vi_equal(vi_set(yes != 0), vi_set(1));
}

HS_INLINE vf vf_abs(vf a)
{
    return (vf)((vi)a & 0x7fffffff);
}

/* bit ? -a : a, for bit 0 or 1 */
HS_INLINE vf vf_negate_if(vi bit, vf a)
{
    return (vf)((vi)a ^ (bit << 31));
}

/* m ? -a : a, and m ? ~a : a */
HS_INLINE vf vf_negate_where(vm m, vf a)
{
#if defined(__AVX512F__)
    return (vf)_mm512_mask_xor_epi32((__m512i)a, m, (__m512i)a,
                                     _mm512_set1_epi32(INT32_MIN));
#else
    return (vf)((vi)a ^ (m & INT32_MIN));
#endif
}

HS_INLINE vu vu_invert_where(vm m, vu a)
{
#if defined(__AVX512F__)
    return (vu)_mm512_mask_xor_epi32((__m512i)a, m, (__m512i)a,
                                     _mm512_set1_epi32(-1));
#else
    return a ^ (vu)m;
#endif
}

/* Whether indices are not 0; and x, 0 or 1, flipped where m is set. */
HS_INLINE vm vm_load_index(const int16_t *p)
{
#if defined(__AVX512F__)
    __m256i v;

    memcpy(&v, p, sizeof v);
    return _mm256_test_epi16_mask(v, v);
#else
    return vm_of(vi_load_index(p));
#endif
}

HS_INLINE void vm_flip_index(int16_t *y, const int16_t *x, vm m)
{
#if defined(__AVX512F__)
    __m256i v;

    memcpy(&v, x, sizeof v);
    v = _mm256_xor_si256(v, _mm256_maskz_set1_epi16(m, 1));
    memcpy(y, &v, sizeof v);
#else
    vi_store_index(y, vi_load_index(x) ^ vi_of(m));
#endif
}

/* The bits of a number as another type. */
HS_INLINE vf vf_bits(vi a)
{
    return (vf)a;
}

HS_INLINE vi vi_bits(vf a)
{
    return (vi)a;
}

HS_INLINE vi vi_bits_left(vi a, int by)
{
    return a << by;
}

HS_INLINE vf vf_of_word(vu a)
{
    return __builtin_convertvector(a, vf);
}

#include "lanes/vec/elementary.h"

#endif
