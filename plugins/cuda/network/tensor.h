/* tensor.h - the instructions of tensor cores and their like, by name.
 *
 * Fragments, with g = lane / 4 and t = lane % 4.  Bytes, m16n8k32: A has rows
 * g and g + 8, inner indices 4 t to 4 t + 3 and the same + 16; B column g and
 * these indices; C rows g (two) and g + 8 (two), columns 2 t and 2 t + 1.
 * bfloat16, m16n8k16: the same with indices 2 t, 2 t + 1 and the same + 8. */
#ifndef HS_CUDA_NETWORK_TENSOR_H
#define HS_CUDA_NETWORK_TENSOR_H

#include "cuda/card.h"

#if defined(__CUDACC__)
HS_ON_CARD void multiply_bytes(int *c, const uint32_t *a, uint32_t b0,
                               uint32_t b1)
{
    asm("mma.sync.aligned.m16n8k32.row.col.s32.s8.s8.s32 "
        "{%0,%1,%2,%3},{%4,%5,%6,%7},{%8,%9},{%0,%1,%2,%3};"
        : "+r"(c[0]), "+r"(c[1]), "+r"(c[2]), "+r"(c[3])
        : "r"(a[0]), "r"(a[1]), "r"(a[2]), "r"(a[3]), "r"(b0), "r"(b1));
}

HS_ON_CARD void multiply_brief(float *c, const uint32_t *a, uint32_t b0,
                               uint32_t b1)
{
    asm("mma.sync.aligned.m16n8k16.row.col.f32.bf16.bf16.f32 "
        "{%0,%1,%2,%3},{%4,%5,%6,%7},{%8,%9},{%0,%1,%2,%3};"
        : "+f"(c[0]), "+f"(c[1]), "+f"(c[2]), "+f"(c[3])
        : "r"(a[0]), "r"(a[1]), "r"(a[2]), "r"(a[3]), "r"(b0), "r"(b1));
}

/* Two bfloat16, the first in the low half. */
HS_ON_CARD uint32_t two_brief(float first, float second)
{
    uint32_t both;

    asm("cvt.rn.bf16x2.f32 %0, %1, %2;" : "=r"(both) : "f"(second), "f"(first));
    return both;
}

/* 2^x and 1 / x within 2 units in the last place. */
HS_ON_CARD float power_of_two(float x)
{
    float y;

    asm("ex2.approx.ftz.f32 %0, %1;" : "=f"(y) : "f"(x));
    return y;
}

HS_ON_CARD float inverse(float x)
{
    float y;

    asm("rcp.approx.ftz.f32 %0, %1;" : "=f"(y) : "f"(x));
    return y;
}

/* Sixteen bytes to shared memory, some time before wait_for returns. */
HS_ON_CARD void begin_copy(void *to, const void *from)
{
    asm volatile("cp.async.cg.shared.global [%0], [%1], 16;" ::"r"(
                     (unsigned)__cvta_generic_to_shared(to)),
                 "l"(from)
                 : "memory");
}

HS_ON_CARD void end_group(void)
{
    asm volatile("cp.async.commit_group;" ::: "memory");
}

/* Until at most `left` groups of this thread's copies are under way. */
template <int left> HS_ON_CARD void wait_for(void)
{
    asm volatile("cp.async.wait_group %0;" ::"n"(left) : "memory");
}

HS_ON_CARD float add_over(float a, int from, int to)
{
    HS_UNROLL
    for (int d = from; d < to; d *= 2)
        a = a + __shfl_xor_sync(0xffffffffu, a, d);
    return a;
}

/* o[e][b] of cases 8 e + 2 t + b, summed over the eight lanes of the same t:
 * each sends half of what it has and keeps the sums of the other half, so that
 * at last lane l has those of cases 2 l and 2 l + 1. */
template <int HALF> HS_ON_CARD void send_half(float o[8][2], int lane)
{
    int high = lane & HALF * 4;

    HS_UNROLL
    for (int k = 0; k < HALF * 2; k++) {
        float low = o[k / 2][k % 2], other = o[k / 2 + HALF][k % 2];
        float sent = high ? low : other, kept = high ? other : low;

        o[k / 2][k % 2] = kept + __shfl_xor_sync(0xffffffffu, sent, HALF * 4);
    }
}

HS_ON_CARD float2 sum_over_rows(float o[8][2], int lane)
{
    send_half<4>(o, lane);
    send_half<2>(o, lane);
    send_half<1>(o, lane);
    return make_float2(o[0][0], o[0][1]);
}

HS_ON_CARD int add_whole(int a)
{
    HS_UNROLL
    for (int d = 1; d < 32; d *= 2)
        a += __shfl_xor_sync(0xffffffffu, a, d);
    return a;
}
#endif
#endif
