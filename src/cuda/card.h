/* card.h - what the sources of this folder are compiled for: a card, by nvcc,
 * or the processor, by the C compiler, where blocks and threads are loops.
 *
 * The second is for tests on machines without a card: the same text, the same
 * arithmetic, no speed.  So the sources keep to what C and C++ share. */
#ifndef HS_CUDA_CARD_H
#define HS_CUDA_CARD_H

#include <stdint.h>

#if defined(__CUDACC__)
#  include <cuda_runtime.h>

#  define HS_KERNEL        static __global__
#  define HS_ON_CARD       static __device__ __forceinline__
#  define HS_EITHER        static inline __host__ __device__
#  define HS_UNROLL        _Pragma("unroll")
#  define HS_ALIGN_SIXTEEN __align__(16)
#  define HS_UNROLL_TWO    _Pragma("unroll 2")
#  define HS_UNROLL_NOT    _Pragma("unroll 1")
#  define HS_FLOAT_BITS(a) __float_as_int(a)
#  define HS_BITS_FLOAT(a) __int_as_float(a)
#  define HS_FMA(a, b, c)  __fmaf_rn(a, b, c)
#  define HS_SQRT(a)       __fsqrt_rn(a)
#  define HS_POPULATION(a) __popc(a)
/* 32 of 64 bits, from bit `by` of `low` on. */
#  define HS_FUNNEL(low, high, by) __funnelshift_r(low, high, by)

/* A warp, of which this thread is a lane: a loop over its lanes makes one turn.
 * HS_BALLOT: bit `lane` of `bits` becomes that lane's truth value. */
#  define HS_WARP         32
#  define HS_WARP_PART    1
#  define hs_warp_lane(l) ((int)(threadIdx.x % HS_WARP) + (l))
#  define HS_BALLOT(bits, l, truth)                                            \
    ((bits) = __ballot_sync(0xffffffffu, (truth) != 0))
#  define HS_SYNC()        __syncthreads()
#  define HS_SYNC_WARP()   __syncwarp()
#  define HS_IS_FIRST_LANE (threadIdx.x % HS_WARP == 0)
#  define HS_ADD(at, a)    atomicAdd(at, a)
#  define HS_ADD_LONG(at, a)                                                   \
    atomicAdd((unsigned long long *)(at), (unsigned long long)(a))
/* The threads of a block: a loop over them makes one turn. */
#  define HS_EACH_THREAD(t, threads)                                           \
    for (int t = (int)threadIdx.x, once_ = 1; once_; once_ = 0)
#  define HS_BOUNDS(threads) __launch_bounds__(threads)
#  define HS_OF_BLOCK        __shared__ /* one array for all its threads */
#  define HS_SHARED(name)    extern __shared__ __align__(16) uint32_t name[]
#  define HS_LAUNCH_BLOCKS(kernel, blocks, threads, bytes, ...)                \
    do {                                                                       \
      cudaFuncSetAttribute(                                                    \
          kernel, cudaFuncAttributeMaxDynamicSharedMemorySize, (int)(bytes));  \
      kernel<<<(unsigned)(blocks), threads, bytes>>>(__VA_ARGS__);             \
    } while (0)

/* Threads that need not know of each other, with shared memory by block. */
#  define HS_LAUNCH_SHARED(kernel, lanes, threads, bytes, ...)                 \
    HS_LAUNCH_BLOCKS(kernel, ((lanes) + (threads)-1) / (threads), threads,     \
                     bytes, __VA_ARGS__)

/* Warps that need not know of each other. */
#  define HS_LAUNCH_WARPS(kernel, warps, threads, ...)                         \
    kernel<<<(unsigned)(((warps)*HS_WARP + (threads)-1) / (threads)),          \
             threads>>>(__VA_ARGS__)

/* Two or four words in one load; they are aligned so. */
static __device__ __forceinline__ void hs_load_two(const uint32_t *from,
                                                   uint32_t *to)
{
    uint2 v = *(const uint2 *)from;

    to[0] = v.x;
    to[1] = v.y;
}

static __device__ __forceinline__ void hs_load_four(const uint32_t *from,
                                                    uint32_t *to)
{
    uint4 v = *(const uint4 *)from;

    to[0] = v.x;
    to[1] = v.y;
    to[2] = v.z;
    to[3] = v.w;
}

/* One thread per lane; the error comes with the next call that asks. */
#  define HS_LAUNCH(kernel, lanes, ...)                                        \
    kernel<<<(unsigned)(((lanes) + HS_BLOCK - 1) / HS_BLOCK), HS_BLOCK>>>(     \
        __VA_ARGS__)
#else
#  include "cuda/stand_in.h"
#endif

#define HS_BLOCK 128 /* threads */

#define HS_EACH_LANE(l) for (int l = 0; l < HS_WARP_PART; l++)

/* The number of this thread among all. */
HS_ON_CARD int64_t hs_card_thread(void)
{
    return (int64_t)blockIdx.x * blockDim.x + threadIdx.x;
}

#endif
