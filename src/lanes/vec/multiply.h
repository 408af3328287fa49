/* multiply.h - 32 x 32 -> 64 bit products on lanes.
 *
 * It uses intrinsics: from plain C, compilers make a 64-bit multiply with
 * AVX-512 (three times slower) or scalar code.  Integers have the same bits
 * everywhere. */
#ifndef HS_LANES_VEC_MULTIPLY_H
#define HS_LANES_VEC_MULTIPLY_H

#include "lanes/vec/vec.h"

/* Products of the low halves of the 64-bit lanes. */
HS_INLINE vq vq_multiply_low(vq a, uint32_t m)
{
#if defined(__AVX512F__)
    return (vq)_mm512_mul_epu32((__m512i)a, _mm512_set1_epi32((int)m));
#elif defined(__AVX2__)
    return (vq)_mm256_mul_epu32((__m256i)a, _mm256_set1_epi32((int)m));
#elif defined(__SSE2__)
    return (vq)_mm_mul_epu32((__m128i)a, _mm_set1_epi32((int)m));
#elif defined(__wasm_simd128__)
    vu low = __builtin_shufflevector((vu)a, (vu)a, 0, 2, 0, 2);

    return (vq)wasm_u64x2_extmul_low_u32x4((v128_t)low,
                                           wasm_i32x4_splat((int)m));
#else
    return (a & 0xffffffffu) * m;
#endif
}

#endif
