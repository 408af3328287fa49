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
#  define HS_ON_CARD_APART static __device__ __noinline__
#  define HS_EITHER        static inline __host__ __device__
#  define HS_UNROLL        _Pragma("unroll")
#  define HS_ALIGN_SIXTEEN __align__(16)
#  define HS_UNROLL_TWO    _Pragma("unroll 2")
#  define HS_UNROLL_SOME   _Pragma("unroll 8")
#  define HS_UNROLL_NOT    _Pragma("unroll 1")
#  define HS_FLOAT_BITS(a) __float_as_int(a)
#  define HS_BITS_FLOAT(a) __int_as_float(a)
#  define HS_FMA(a, b, c)  __fmaf_rn(a, b, c)
#  define HS_SQRT(a)       __fsqrt_rn(a)
#  define HS_NUMBER_OF(n)  (n)
#  define HS_SQRT_LONG(a)  __dsqrt_rn(a)
#  define HS_POPULATION(a) __popc(a)
/* 32 of 64 bits, from bit `by` of `low` on. */
#  define HS_FUNNEL(low, high, by) __funnelshift_r(low, high, by)

/* 2^x within 2^-22 of it; one operation of the card. */
static __device__ __forceinline__ float HS_ABOUT_EXP2(float x)
{
    float y;

    asm("ex2.approx.ftz.f32 %0, %1;" : "=f"(y) : "f"(x));
    return y;
}

/* Bytes `which` (four hexadecimal digits) of low, 0 to 3, and high, 4 to 7. */
#  define HS_BYTES(low, high, which) __byte_perm(low, high, which)

/* A warp, of which this thread is a lane: a loop over its lanes makes one turn.
 * HS_BALLOT: bit `lane` of `bits` becomes that lane's truth value. */
#  define HS_WARP         32
#  define HS_WARP_PART    1
#  define hs_warp_lane(l) ((int)(threadIdx.x % HS_WARP) + (l))
#  define HS_BALLOT(bits, l, truth)                                            \
    ((bits) = __ballot_sync(0xffffffffu, (truth) != 0))
/* Whether it is true of a lane. */
#  define HS_ANY_LANE(truth) __any_sync(0xffffffffu, truth)
#  define HS_SYNC()          __syncthreads()
#  define HS_SYNC_WARP()     __syncwarp()
#  define HS_IS_FIRST_LANE   (threadIdx.x % HS_WARP == 0)
#  define HS_ADD(at, a)      atomicAdd(at, a)
#  define HS_ADD_LONG(at, a)                                                   \
    atomicAdd((unsigned long long *)(at), (unsigned long long)(a))
/* The threads of a block: a loop over them makes one turn. */
#  define HS_EACH_THREAD(t, threads)                                           \
    for (int t = (int)threadIdx.x, once_ = 1; once_; once_ = 0)
#  define HS_BOUNDS(threads) __launch_bounds__(threads)
#  define HS_OF_BLOCK        __shared__ /* one array for all its threads */
#  define HS_SHARED(name)    extern __shared__ __align__(16) uint32_t name[]
/* So many blocks on a multiprocessor, too: fewer registers. */
#  define HS_BOUNDS_OF(threads, blocks) __launch_bounds__(threads, blocks)

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

/* Sixteen bytes to shared memory, while the thread goes on; a commit ends a
 * batch. */
static __device__ __forceinline__ void hs_copy_ahead(void *to, const void *from)
{
#  if __CUDA_ARCH__ >= 800
    asm volatile("cp.async.cg.shared.global [%0], [%1], 16;" ::"r"(
                     (uint32_t)__cvta_generic_to_shared(to)),
                 "l"(from)
                 : "memory");
#  else
    *(uint4 *)to = *(const uint4 *)from;
#  endif
}

/* Four of them. */
static __device__ __forceinline__ void hs_copy_word_ahead(void *to,
                                                          const void *from)
{
#  if __CUDA_ARCH__ >= 800
    asm volatile("cp.async.ca.shared.global [%0], [%1], 4;" ::"r"(
                     (uint32_t)__cvta_generic_to_shared(to)),
                 "l"(from)
                 : "memory");
#  else
    *(uint32_t *)to = *(const uint32_t *)from;
#  endif
}

static __device__ __forceinline__ void hs_copy_commit(void)
{
#  if __CUDA_ARCH__ >= 800
    asm volatile("cp.async.commit_group;" ::: "memory");
#  endif
}

/* All but the last batch. */
static __device__ __forceinline__ void hs_copy_wait(void)
{
#  if __CUDA_ARCH__ >= 800
    asm volatile("cp.async.wait_group 1;" ::: "memory");
#  endif
}

static __device__ __forceinline__ void hs_copy_wait_all(void)
{
#  if __CUDA_ARCH__ >= 800
    asm volatile("cp.async.wait_all;" ::: "memory");
#  endif
}

/* Two or four words in one load or store; they are aligned so. */
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

static __device__ __forceinline__ void hs_store_four(const uint32_t *from,
                                                     uint32_t *to)
{
    *(uint4 *)to = make_uint4(from[0], from[1], from[2], from[3]);
}

/* Adds to `count` of each lane in how many lanes' words its bit is set: the
 * words are the rows of a matrix, of which a lane gets its column in five
 * exchanges of halves. */
static __device__ __forceinline__ void hs_count_columns(const uint32_t *bits,
                                                        int *count)
{
    uint32_t x = bits[0], low = 0x0000ffffu;

    for (int s = 16; s; s >>= 1, low ^= low << s) {
        uint32_t y = __shfl_xor_sync(0xffffffffu, x, s);

        x = threadIdx.x & s ? (x & ~low) | (y & ~low) >> s
                            : (x & low) | (y & low) << s;
    }
    count[0] += __popc(x);
}

/* Blocks in teams (clusters) of `ranks`, which see each other's shared memory
 * and can wait for each other; a loop over the ranks of a team makes one turn.
 * Cards before compute capability 9 have none. */
#  if !defined(__CUDA_ARCH__) || __CUDA_ARCH__ >= 900
#    define HS_HAS_TEAMS 1
#  else
#    define HS_HAS_TEAMS 0
#  endif
#  define HS_EACH_RANK(rank, ranks)                                            \
    for (int rank = hs_team_rank(), hs_once_ = 1; hs_once_; hs_once_ = 0)

static __device__ __forceinline__ int hs_team_rank(void)
{
    unsigned rank = 0;

#  if HS_HAS_TEAMS
    asm volatile("mov.u32 %0, %%cluster_ctarank;" : "=r"(rank));
#  endif
    return (int)rank;
}

/* For what a loop over ranks keeps of each. */
#  define HS_TEAM_PART          1
#  define HS_TEAM_INDEX(rank)   0
#  define hs_team_number(ranks) ((int64_t)blockIdx.x / (ranks))
/* Of the memory `shared` of `bytes` that every block has, that of this one. */
#  define hs_team_own(shared, bytes, rank) (shared)

static __device__ __forceinline__ uint32_t hs_shared_address(const void *at)
{
    return (uint32_t)__cvta_generic_to_shared(at);
}

/* A gate of a block opens when so many bytes have been sent to it; one thread
 * says how many, each time.  A team meets once after its gates are made. */
static __device__ __forceinline__ void hs_gate_make(uint64_t *gate)
{
#  if HS_HAS_TEAMS
    asm volatile(
        "mbarrier.init.shared::cta.b64 [%0], 1;" ::"r"(hs_shared_address(gate))
        : "memory");
    asm volatile("fence.mbarrier_init.release.cluster;" ::: "memory");
#  endif
}

static __device__ __forceinline__ void hs_gate_expect(uint64_t *gate, int bytes)
{
#  if HS_HAS_TEAMS
    asm volatile("mbarrier.arrive.expect_tx.shared::cta.b64 _, [%0], %1;" ::"r"(
                     hs_shared_address(gate)),
                 "r"(bytes)
                 : "memory");
#  endif
}

/* Until it has opened for the time number 0, 2, 4 ... (odd = 0) or 1, 3, 5. */
static __device__ __forceinline__ void hs_gate_wait(uint64_t *gate, int odd)
{
#  if HS_HAS_TEAMS
    uint32_t is_open = 0;

    while (!is_open)
        asm volatile(
            "{ .reg .pred p;\n"
            "mbarrier.test_wait.parity.acquire.cluster.shared::cta.b64 "
            "p, [%1], %2;\n"
            "selp.u32 %0, 1, 0, p; }"
            : "=r"(is_open)
            : "r"(hs_shared_address(gate)), "r"(odd)
            : "memory");
#  endif
}

/* A word to the memory of any block of the team; seen when they have met. */
static __device__ __forceinline__ void hs_team_write(uint32_t *shared,
                                                     size_t bytes, int rank,
                                                     int at, uint32_t word)
{
#  if HS_HAS_TEAMS
    uint32_t there;

    asm volatile("mapa.shared::cluster.u32 %0, %1, %2;"
                 : "=r"(there)
                 : "r"(hs_shared_address(shared + at)), "r"(rank));
    asm volatile("st.shared::cluster.u32 [%0], %1;" ::"r"(there), "r"(word)
                 : "memory");
#  endif
}

static __device__ __forceinline__ void hs_team_write_byte(uint32_t *shared,
                                                          size_t bytes,
                                                          int rank, int at,
                                                          uint8_t byte)
{
#  if HS_HAS_TEAMS
    uint32_t there;

    asm volatile("mapa.shared::cluster.u32 %0, %1, %2;"
                 : "=r"(there)
                 : "r"(hs_shared_address((uint8_t *)shared + at)), "r"(rank));
    asm volatile("st.shared::cluster.u8 [%0], %1;" ::"r"(there),
                 "r"((uint32_t)byte)
                 : "memory");
#  endif
}

/* A word, counted by its gate. */
static __device__ __forceinline__ void hs_team_send(uint32_t *shared,
                                                    size_t bytes, int rank,
                                                    int at, uint32_t word,
                                                    uint64_t *gate)
{
#  if HS_HAS_TEAMS
    uint32_t there, gate_there;

    asm volatile("mapa.shared::cluster.u32 %0, %1, %2;"
                 : "=r"(there)
                 : "r"(hs_shared_address(shared + at)), "r"(rank));
    asm volatile("mapa.shared::cluster.u32 %0, %1, %2;"
                 : "=r"(gate_there)
                 : "r"(hs_shared_address(gate)), "r"(rank));
    asm volatile("st.async.shared::cluster.mbarrier::complete_tx::bytes.u32 "
                 "[%0], %1, [%2];" ::"r"(there),
                 "r"(word), "r"(gate_there)
                 : "memory");
#  endif
}

/* All blocks of a team wait for each other: a thread says that it is there, and
 * may do what needs no other before it waits. */
static __device__ __forceinline__ void hs_team_arrive(void)
{
#  if HS_HAS_TEAMS
    asm volatile("barrier.cluster.arrive.release.aligned;" ::: "memory");
#  endif
}

static __device__ __forceinline__ void hs_team_wait(void)
{
#  if HS_HAS_TEAMS
    asm volatile("barrier.cluster.wait.acquire.aligned;" ::: "memory");
#  endif
}

static __device__ __forceinline__ void hs_team_meet(void)
{
    hs_team_arrive();
    hs_team_wait();
}

static inline void hs_team_settings(cudaLaunchConfig_t *c,
                                    cudaLaunchAttribute *a, int ranks)
{
    a->id = cudaLaunchAttributeClusterDimension;
    a->val.clusterDim.x = (unsigned)ranks;
    a->val.clusterDim.y = a->val.clusterDim.z = 1;
    c->attrs = a;
    c->numAttrs = 1;
}

/* How many teams run at once. */
static inline int hs_teams_at_once(const void *kernel, int ranks, int threads,
                                   size_t bytes)
{
    cudaLaunchConfig_t c = {};
    cudaLaunchAttribute a;
    cudaDeviceProp p;
    int count = 0, device = 0;

    cudaGetDevice(&device);
    if (cudaGetDeviceProperties(&p, device) != cudaSuccess || p.major < 9)
        return 0;
    c.gridDim = dim3((unsigned)ranks);
    c.blockDim = dim3((unsigned)threads);
    c.dynamicSmemBytes = bytes;
    hs_team_settings(&c, &a, ranks);
    cudaFuncSetAttribute(kernel, cudaFuncAttributeNonPortableClusterSizeAllowed,
                         1);
    cudaFuncSetAttribute(kernel, cudaFuncAttributeMaxDynamicSharedMemorySize,
                         (int)bytes);
    if (cudaOccupancyMaxActiveClusters(&count, kernel, &c) != cudaSuccess) {
        cudaGetLastError(); /* this size cannot be: that is an answer */
        return 0;
    }
    return count;
}

#  define HS_LAUNCH_TEAMS(kernel, teams, ranks, threads, bytes, ...)           \
    do {                                                                       \
      cudaLaunchConfig_t config_ = {};                                         \
      cudaLaunchAttribute attribute_;                                          \
      cudaFuncSetAttribute(kernel,                                             \
                           cudaFuncAttributeNonPortableClusterSizeAllowed, 1); \
      cudaFuncSetAttribute(                                                    \
          kernel, cudaFuncAttributeMaxDynamicSharedMemorySize, (int)(bytes));  \
      config_.gridDim = dim3((unsigned)((teams) * (ranks)));                   \
      config_.blockDim = dim3((unsigned)(threads));                            \
      config_.dynamicSmemBytes = bytes;                                        \
      hs_team_settings(&config_, &attribute_, ranks);                          \
      cudaLaunchKernelEx(&config_, kernel, __VA_ARGS__);                       \
    } while (0)

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
