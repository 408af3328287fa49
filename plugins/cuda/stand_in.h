/* stand_in.h - as much of CUDA as the sources of this folder ask for, made of
 * loops and plain memory: for tests without a card (card.h). */
#ifndef HS_CUDA_STAND_IN_H
#define HS_CUDA_STAND_IN_H

#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define HS_KERNEL        static
#define HS_ON_CARD       static inline __attribute__((always_inline, unused))
#define HS_EITHER        HS_ON_CARD
#define HS_ON_CARD_APART HS_ON_CARD
#define HS_UNROLL
#define HS_UNROLL_TWO
#define HS_UNROLL_SOME
#define HS_ALIGN_SIXTEEN __attribute__((aligned(16)))
#define HS_UNROLL_NOT
#define HS_FMA(a, b, c)  __builtin_fmaf(a, b, c)
#define HS_SQRT(a)       __builtin_sqrtf(a)
#define HS_NUMBER_OF(n)  ((void)(n), -1) /* it is no card */
#define HS_SQRT_LONG(a)  __builtin_sqrt(a)
#define HS_POPULATION(a) __builtin_popcount(a)
#define HS_FUNNEL(low, high, by)                                               \
  ((uint32_t)(((uint64_t)(high) << 32 | (low)) >> (by)))

HS_ON_CARD int32_t HS_FLOAT_BITS(float a)
{
    int32_t bits;

    memcpy(&bits, &a, sizeof bits);
    return bits;
}

HS_ON_CARD float HS_BITS_FLOAT(int32_t a)
{
    float number;

    memcpy(&number, &a, sizeof number);
    return number;
}

/* As far from 2^x as that of a card may be. */
HS_ON_CARD float HS_ABOUT_EXP2(float x)
{
    return __builtin_exp2f(x) * (1.0f + 0x1p-22f);
}

HS_ON_CARD uint32_t HS_BYTES(uint32_t low, uint32_t high, uint32_t which)
{
    uint64_t from = (uint64_t)high << 32 | low;
    uint32_t to = 0;

    for (int b = 0; b < 4; b++)
        to |= (uint32_t)(from >> 8 * (which >> 4 * b & 7) & 255) << 8 * b;
    return to;
}

HS_ON_CARD void hs_load_two(const uint32_t *from, uint32_t *to)
{
    memcpy(to, from, 2 * sizeof *to);
}

HS_ON_CARD void hs_load_four(const uint32_t *from, uint32_t *to)
{
    memcpy(to, from, 4 * sizeof *to);
}

HS_ON_CARD void hs_store_four(const uint32_t *from, uint32_t *to)
{
    memcpy(to, from, 4 * sizeof *to);
}

HS_ON_CARD void hs_copy_ahead(void *to, const void *from)
{
    memcpy(to, from, 16);
}

#define hs_copy_commit()   ((void)0)
#define hs_copy_wait()     ((void)0)
#define hs_copy_wait_all() ((void)0)

typedef struct hs_stand_in_place {
    unsigned x;
} hs_stand_in_place;

static _Thread_local hs_stand_in_place blockIdx, threadIdx, blockDim;

/* A block is one warp, and a loop over its lanes makes all turns. */
#define HS_WARP         32
#define HS_WARP_PART    HS_WARP
#define hs_warp_lane(l) (l)
#define HS_BALLOT(bits, l, truth)                                              \
  ((bits) = ((bits) & ~(1u << (l))) | ((uint32_t)((truth) != 0) << (l)))
#define HS_ANY_LANE(truth)         (truth)
#define HS_SYNC()                  ((void)0)
#define HS_SYNC_WARP()             ((void)0)
#define HS_IS_FIRST_LANE           1
#define HS_ADD(at, a)              (*(at) += (a))
#define HS_ADD_LONG(at, a)         (*(at) += (a))
#define HS_EACH_THREAD(t, threads) for (int t = 0; t < (threads); t++)
#define HS_BOUNDS(threads)
#define HS_OF_BLOCK
#define HS_SHARED(name) uint32_t *name = hs_stand_in_shared
#define HS_LAUNCH_BLOCKS(kernel, blocks, threads, bytes, ...)                  \
  do {                                                                         \
    hs_stand_in_shared = (uint32_t *)malloc((bytes) + 1);                      \
    blockDim.x = HS_WARP;                                                      \
    threadIdx.x = 0;                                                           \
    for (int64_t at = 0; hs_stand_in_shared && at < (blocks); at++) {          \
      blockIdx.x = (unsigned)at;                                               \
      kernel(__VA_ARGS__);                                                     \
    }                                                                          \
    free(hs_stand_in_shared);                                                  \
  } while (0)

#define HS_LAUNCH_SHARED(kernel, lanes, threads, bytes, ...)                   \
  do {                                                                         \
    hs_stand_in_shared = (uint32_t *)malloc((bytes) + 1);                      \
    blockDim.x = (unsigned)(threads);                                          \
    for (int64_t at = 0; hs_stand_in_shared && at < (lanes); at++) {           \
      blockIdx.x = (unsigned)(at / (threads));                                 \
      threadIdx.x = (unsigned)(at % (threads));                                \
      kernel(__VA_ARGS__);                                                     \
    }                                                                          \
    free(hs_stand_in_shared);                                                  \
  } while (0)
HS_ON_CARD void hs_count_columns(const uint32_t *bits, int *count)
{
    for (int l = 0; l < HS_WARP; l++)
        for (int row = 0; row < HS_WARP; row++)
            count[l] += (int)(bits[row] >> l & 1);
}

/* A team is one block after the other, up to where they wait: a loop over ranks
 * makes all turns, each with its own part of one memory. */
#define HS_EACH_RANK(rank, ranks) for (int rank = 0; rank < (ranks); rank++)
#define HS_TEAM_PART              16
#define HS_TEAM_INDEX(rank)       (rank)
#define hs_team_number(ranks)     ((int64_t)blockIdx.x)
#define hs_team_own(shared, bytes, rank)                                       \
  ((shared) + (size_t)(rank) * (bytes) / sizeof(uint32_t))
#define hs_team_meet()              ((void)0)
#define hs_team_arrive()            ((void)0)
#define hs_team_wait()              ((void)0)
#define hs_gate_make(gate)          ((void)(gate))
#define hs_gate_expect(gate, bytes) ((void)(gate), (void)(bytes))
#define hs_gate_wait(gate, odd)     ((void)(gate), (void)(odd))
#define hs_teams_at_once(kernel, ranks, threads, bytes)                        \
  ((void)(kernel), (void)(threads), (void)(bytes), 1 << 20)
#define HS_LAUNCH_TEAMS(kernel, teams, ranks, threads, bytes, ...)             \
  HS_LAUNCH_BLOCKS(kernel, teams, threads, (size_t)(ranks) * (bytes),          \
                   __VA_ARGS__)

HS_ON_CARD void hs_team_write(uint32_t *shared, size_t bytes, int rank, int at,
                              uint32_t word)
{
    hs_team_own(shared, bytes, rank)[at] = word;
}

HS_ON_CARD void hs_team_write_byte(uint32_t *shared, size_t bytes, int rank,
                                   int at, uint8_t byte)
{
    ((uint8_t *)hs_team_own(shared, bytes, rank))[at] = byte;
}

HS_ON_CARD void hs_team_send(uint32_t *shared, size_t bytes, int rank, int at,
                             uint32_t word, uint64_t *gate)
{
    (void)gate;
    hs_team_own(shared, bytes, rank)[at] = word;
}

#define HS_LAUNCH_WARPS(kernel, warps, threads, ...)                           \
  HS_LAUNCH_BLOCKS(kernel, warps, threads, 0, __VA_ARGS__)

static _Thread_local uint32_t *hs_stand_in_shared __attribute__((unused));

#define HS_LAUNCH(kernel, lanes, ...)                                          \
  do {                                                                         \
    blockDim.x = HS_BLOCK;                                                     \
    for (int64_t at = 0; at < (lanes); at++) {                                 \
      blockIdx.x = (unsigned)(at / HS_BLOCK);                                  \
      threadIdx.x = (unsigned)(at % HS_BLOCK);                                 \
      kernel(__VA_ARGS__);                                                     \
    }                                                                          \
  } while (0)

typedef enum cudaError_t {
    cudaSuccess = 0,
    cudaErrorMemoryAllocation = 2,
    cudaErrorInsufficientDriver = 35,
    cudaErrorNoDevice = 100
} cudaError_t;

typedef enum cudaMemcpyKind {
    cudaMemcpyHostToDevice = 1,
    cudaMemcpyDeviceToHost = 2,
    cudaMemcpyDeviceToDevice = 3
} cudaMemcpyKind;

typedef struct cudaDeviceProp {
    char name[256];
    size_t totalGlobalMem;
    int multiProcessorCount;
    size_t sharedMemPerBlockOptin, sharedMemPerMultiprocessor;
} cudaDeviceProp;

/* HISS_CUDA_CARDS and HISS_CUDA_BYTES: how many cards with how much memory a
 * test wants. */
static inline long hs_stand_in_number(const char *name, long usual)
{
    const char *given = getenv(name);

    return given ? atol(given) : usual;
}

static inline cudaError_t cudaGetDeviceCount(int *count)
{
    *count = (int)hs_stand_in_number("HISS_CUDA_CARDS", 1);
    return *count < 0 ? cudaErrorInsufficientDriver : cudaSuccess;
}

static inline cudaError_t cudaGetDeviceProperties(cudaDeviceProp *p, int number)
{
    snprintf(p->name, sizeof p->name, "stand-in for a card %d", number);
    p->totalGlobalMem = (size_t)hs_stand_in_number("HISS_CUDA_BYTES", 1L << 30);
    p->multiProcessorCount = 1;
    p->sharedMemPerBlockOptin = p->sharedMemPerMultiprocessor = 1 << 16;
    return cudaSuccess;
}

static inline cudaError_t cudaMemGetInfo(size_t *left, size_t *total)
{
    *left = *total = (size_t)hs_stand_in_number("HISS_CUDA_BYTES", 1L << 30);
    return cudaSuccess;
}

static inline cudaError_t cudaSetDevice(int number)
{
    (void)number;
    return cudaSuccess;
}

/* Aligned as a card's memory is, which frameworks rely on. */
static inline cudaError_t cudaMalloc(void **out, size_t bytes)
{
    *out = aligned_alloc(256, (bytes + 255) / 256 * 256);
    return *out ? cudaSuccess : cudaErrorMemoryAllocation;
}

static inline cudaError_t cudaMallocHost(void **out, size_t bytes)
{
    return cudaMalloc(out, bytes);
}

static inline cudaError_t cudaFree(void *memory)
{
    free(memory);
    return cudaSuccess;
}

static inline cudaError_t cudaFreeHost(void *memory)
{
    return cudaFree(memory);
}

static inline cudaError_t cudaMemcpy(void *to, const void *from, size_t bytes,
                                     cudaMemcpyKind kind)
{
    (void)kind;
    memcpy(to, from, bytes);
    return cudaSuccess;
}

static inline cudaError_t cudaMemcpyAsync(void *to, const void *from,
                                          size_t bytes, cudaMemcpyKind kind,
                                          int stream)
{
    (void)stream;
    return cudaMemcpy(to, from, bytes, kind);
}

/* Nothing is done later here. */
typedef int cudaStream_t;
typedef int cudaEvent_t;

enum {
    cudaStreamNonBlocking = 1,
    cudaEventDisableTiming = 2
};

static inline cudaError_t cudaStreamCreateWithFlags(cudaStream_t *out,
                                                    unsigned flags)
{
    *out = (int)flags;
    return cudaSuccess;
}

static inline cudaError_t cudaStreamDestroy(cudaStream_t stream)
{
    (void)stream;
    return cudaSuccess;
}

static inline cudaError_t cudaEventCreateWithFlags(cudaEvent_t *out,
                                                   unsigned flags)
{
    *out = (int)flags;
    return cudaSuccess;
}

static inline cudaError_t cudaEventDestroy(cudaEvent_t event)
{
    (void)event;
    return cudaSuccess;
}

static inline cudaError_t cudaEventRecord(cudaEvent_t event,
                                          cudaStream_t stream)
{
    (void)event;
    (void)stream;
    return cudaSuccess;
}

static inline cudaError_t cudaEventSynchronize(cudaEvent_t event)
{
    (void)event;
    return cudaSuccess;
}

static inline cudaError_t cudaStreamWaitEvent(cudaStream_t stream,
                                              cudaEvent_t event, unsigned flags)
{
    (void)stream;
    (void)event;
    (void)flags;
    return cudaSuccess;
}

static inline cudaError_t cudaDeviceSynchronize(void)
{
    return cudaSuccess;
}

static inline cudaError_t cudaStreamSynchronize(cudaStream_t stream)
{
    (void)stream;
    return cudaSuccess;
}

static inline cudaError_t cudaMemset(void *at, int byte, size_t bytes)
{
    memset(at, byte, bytes);
    return cudaSuccess;
}

static inline cudaError_t cudaGetLastError(void)
{
    return cudaSuccess;
}

static inline const char *cudaGetErrorString(cudaError_t error)
{
    return error == cudaErrorMemoryAllocation     ? "out of memory"
           : error == cudaErrorInsufficientDriver ? "no driver"
                                                  : "no error";
}

#endif
