/* bytes.h - a row of sixteen lanes as bytes, for indices below 256. */
#ifndef HS_LANES_VEC_BYTES_H
#define HS_LANES_VEC_BYTES_H

#include "lanes/shapes.h"
#include "lanes/vec/vec.h"

typedef uint8_t vbyte __attribute__((vector_size(HS_LANES)));

HS_INLINE vbyte vbyte_load(const uint8_t *p)
{
    vbyte v;

    memcpy(&v, p, sizeof v);
    return v;
}

HS_INLINE void vbyte_store(uint8_t *p, vbyte v)
{
    memcpy(p, &v, sizeof v);
}

HS_INLINE vbyte vbyte_set(int a)
{
    return (uint8_t)a - (vbyte){0};
}

/* Consecutive rows handled together. */
#define HS_ROWS 4
typedef uint8_t vbytes __attribute__((vector_size(HS_ROWS * HS_LANES)));

HS_INLINE vbytes vbytes_load(const hs_byte_row *p)
{
    vbytes v;

    memcpy(&v, p, sizeof v);
    return v;
}

HS_INLINE vbytes vbytes_set(int a)
{
    return (uint8_t)a - (vbytes){0};
}

/* Convert from and to a row of indices. */
HS_INLINE vbyte vbyte_narrow(const int16_t *p)
{
#if defined(__AVX512F__)
    __m256i row;

    memcpy(&row, p, sizeof row);
    return (vbyte)_mm256_cvtepi16_epi8(row);
#elif defined(__SSE2__)
    __m128i low, high;

    memcpy(&low, p, sizeof low);
    memcpy(&high, p + HS_LANES / 2, sizeof high);
    return (vbyte)_mm_packus_epi16(low, high);
#else
    vbyte v;

    for (int l = 0; l < HS_LANES; l++)
        v[l] = (uint8_t)p[l];
    return v;
#endif
}

HS_INLINE void vbyte_widen(int16_t *p, vbyte v)
{
#if defined(__AVX2__)
    __m256i row = _mm256_cvtepu8_epi16((__m128i)v);

    memcpy(p, &row, sizeof row);
#elif defined(__SSE2__)
    __m128i zero = _mm_setzero_si128();
    __m128i low = _mm_unpacklo_epi8((__m128i)v, zero);
    __m128i high = _mm_unpackhi_epi8((__m128i)v, zero);

    memcpy(p, &low, sizeof low);
    memcpy(p + HS_LANES / 2, &high, sizeof high);
#else
    for (int l = 0; l < HS_LANES; l++)
        p[l] = v[l];
#endif
}

/* Converts lanes l and following to 32-bit numbers, and back. */
HS_INLINE vi vi_of_byte(vbyte v, int l)
{
#if defined(__AVX512F__)
    (void)l;
    return (vi)_mm512_cvtepu8_epi32((__m128i)v);
#else
    typedef uint8_t byte_part __attribute__((vector_size(HS_WIDTH)));
    byte_part own;

    memcpy(&own, (const char *)&v + l, sizeof own);
    return __builtin_convertvector(own, vi);
#endif
}

HS_INLINE void vi_store_bytes(uint8_t *p, vi v)
{
#if defined(__AVX512F__)
    vbyte_store(p, (vbyte)_mm512_cvtepi32_epi8((__m512i)v));
#else
    typedef uint8_t byte_part __attribute__((vector_size(HS_WIDTH)));
    byte_part own = __builtin_convertvector(v, byte_part);

    memcpy(p, &own, sizeof own);
#endif
}

/* Whether lanes l and following are not 0. */
HS_INLINE vm vm_of_byte(vbyte v, int l)
{
#if defined(__AVX512F__)
    (void)l;
    return _mm_test_epi8_mask((__m128i)v, (__m128i)v);
#else
    return vm_of(vi_of_byte(v, l));
#endif
}

/* Writes lanes l and following of y: x, 0 or 1, flipped where m is set. */
HS_INLINE void bytes_flip(uint8_t *y, vbyte x, int l, vm m)
{
#if defined(__AVX512F__)
    vbyte_store(y + l, x ^ (vbyte)_mm_maskz_set1_epi8(m, 1));
#else
    vi_store_bytes(y + l, vi_of_byte(x, l) ^ vi_of(m));
#endif
}

#endif
