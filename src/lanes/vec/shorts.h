/* shorts.h - the states of a tile as sixteen-bit numbers, one register at a
 * time: 16 lanes, or 8 in narrow registers.  Sums over neighbors are counted
 * here and widened once, or never (lanes/regular). */
#ifndef HS_LANES_VEC_SHORTS_H
#define HS_LANES_VEC_SHORTS_H

#include "lanes/vec/vec.h"

#define HS_SHORTS (HS_WIDTH < 8 ? 8 : 16)

/* Number of vectors of HS_WIDTH lanes in one vector of shorts. */
#define HS_SHORT_PARTS (HS_SHORTS / HS_WIDTH)

typedef int16_t vshort __attribute__((vector_size(2 * HS_SHORTS)));
typedef uint16_t vushort __attribute__((vector_size(2 * HS_SHORTS)));

HS_INLINE vshort vshort_load(const int16_t *p)
{
    vshort v;

    memcpy(&v, p, sizeof v);
    return v;
}

HS_INLINE void vshort_store(int16_t *p, vshort v)
{
    memcpy(p, &v, sizeof v);
}

/* As bytes. */
HS_INLINE void vshort_store_bytes(uint8_t *p, vshort v)
{
    typedef uint8_t bytes __attribute__((vector_size(HS_SHORTS)));
    bytes narrow = __builtin_convertvector(v, bytes);

    memcpy(p, &narrow, sizeof narrow);
}

HS_INLINE vshort vshort_set(int a)
{
    return (int16_t)a - (vshort){0};
}

/* Widens lanes part * HS_WIDTH and following to 32 bits. */
HS_INLINE vi vi_of_shorts(vshort v, int part)
{
    vs narrow;

    memcpy(&narrow, (const char *)&v + part * (int)sizeof narrow,
           sizeof narrow);
    return vi_widen(narrow);
}

/* Stores the low sixteen bits of HS_WIDTH numbers in that part of v. */
HS_INLINE void vushort_put(vushort *v, int part, vu a)
{
    vs narrow = vi_narrow((vi)a);

    memcpy((char *)v + part * (int)sizeof narrow, &narrow, sizeof narrow);
}

/* A truth value per lane, as in vec.h. */
#if defined(__AVX512F__)
typedef __mmask16 vsm;

HS_INLINE vsm vshort_equal(vshort a, vshort b)
{
    return _mm256_cmpeq_epi16_mask((__m256i)a, (__m256i)b);
}

HS_INLINE vsm vushort_less(vushort a, vushort b)
{
    return _mm256_cmplt_epu16_mask((__m256i)a, (__m256i)b);
}

HS_INLINE vshort vshort_select(vsm m, vshort a, vshort b)
{
    return (vshort)_mm256_mask_blend_epi16(m, (__m256i)b, (__m256i)a);
}

HS_INLINE vshort vshort_of(vsm m)
{
    return (vshort)_mm256_movm_epi16(m) & 1;
}

HS_INLINE int vsm_any(vsm m)
{
    return m != 0;
}

HS_INLINE vm vm_of_shorts(vsm m, int part)
{
    (void)part;
    return m;
}
#else
typedef vshort vsm;

HS_INLINE vsm vshort_equal(vshort a, vshort b)
{
    return a == b;
}

HS_INLINE vsm vushort_less(vushort a, vushort b)
{
    return a < b;
}

HS_INLINE vshort vshort_select(vsm m, vshort a, vshort b)
{
    return (a & m) | (b & ~m);
}

/* 1 where m, else 0 */
HS_INLINE vshort vshort_of(vsm m)
{
    return m & 1;
}

HS_INLINE int vsm_any(vsm m)
{
    uint64_t word[sizeof m / 8], any = 0;

    memcpy(word, &m, sizeof m);
    for (size_t w = 0; w < sizeof m / 8; w++)
        any |= word[w];
    return any != 0;
}

HS_INLINE vm vm_of_shorts(vsm m, int part)
{
    return vi_of_shorts(m, part);
}
#endif

/* Loads bytes; and bytes x, 0 or 1, flipped where m is set. */
HS_INLINE vshort vshort_load_bytes(const uint8_t *p)
{
#if HS_SHORTS == 16 && defined(__AVX2__)
    __m128i v;

    memcpy(&v, p, sizeof v);
    return (vshort)_mm256_cvtepu8_epi16(v);
#else
    typedef uint8_t bytes __attribute__((vector_size(HS_SHORTS)));
    bytes v;

    memcpy(&v, p, sizeof v);
    return __builtin_convertvector(v, vshort);
#endif
}

HS_INLINE void vsm_flip_bytes(uint8_t *y, const uint8_t *x, vsm m)
{
#if defined(__AVX512F__)
    __m128i v;

    memcpy(&v, x, sizeof v);
    v = _mm_xor_si128(v, _mm_maskz_set1_epi8(m, 1));
    memcpy(y, &v, sizeof v);
#else
    vshort_store_bytes(y, vshort_load_bytes(x) ^ vshort_of(m));
#endif
}

#endif
