/* next.h - launches that follow each other closely.
 *
 * A kernel of a few microseconds takes as long to begin as to work.  One that
 * is launched so (Hopper and later) may begin while the one before it ends, and
 * waits in HS_WAIT before it looks at anything that another left; every thread
 * passes there.  Since each waits for the end of the one before, which has
 * waited in turn, the order of the work is that of the launches.
 *
 * Where launches are recorded (compose/replay.h), clocks begin at 0 and count
 * from the one that is in the card's memory when they are repeated.
 *
 * For tests, HISS_CUDA_LAUNCH=apart: they do not overlap; each: nothing is
 * recorded. */
#ifndef HS_CUDA_NEXT_H
#define HS_CUDA_NEXT_H

#include "cuda/card.h"

typedef struct hs_clock {
    uint64_t at;
    const uint64_t *base; /* on the card, or NULL: 0 */
} hs_clock;

HS_ON_CARD uint64_t hs_clock_now(const hs_clock *c)
{
    return c->base ? c->at + *c->base : c->at;
}

#if defined(__CUDACC__)
#  include <stdlib.h>

/* Where launches go, 0 unless they are recorded, and the clock then. */
extern "C" cudaStream_t hs_next_stream;
extern "C" const uint64_t *hs_next_base;

static inline hs_clock hs_clock_of(uint64_t clock)
{
    hs_clock c = {clock, hs_next_base};

    return c;
}

static __device__ __forceinline__ void HS_WAIT(void)
{
#  if __CUDA_ARCH__ >= 900
    cudaTriggerProgrammaticLaunchCompletion(); /* all blocks have begun */
    cudaGridDependencySynchronize();
#  endif
}

static inline int hs_next_overlaps(void)
{
    static int known = -1;
    const char *launch = getenv("HISS_CUDA_LAUNCH");
    int device = 0, major = 0;

    if (known >= 0)
        return known;
    cudaGetDevice(&device);
    cudaDeviceGetAttribute(&major, cudaDevAttrComputeCapabilityMajor, device);
    known = major >= 9 && !(launch && launch[0] == 'a');
    return known;
}

template <typename... Parameters, typename... Arguments>
static void hs_launch_next(void (*kernel)(Parameters...), int64_t blocks,
                           int threads, size_t bytes, Arguments... arguments)
{
    cudaLaunchConfig_t config = {};
    cudaLaunchAttribute attribute = {};

    if (bytes)
        cudaFuncSetAttribute(
            kernel, cudaFuncAttributeMaxDynamicSharedMemorySize, (int)bytes);
    attribute.id = cudaLaunchAttributeProgrammaticStreamSerialization;
    attribute.val.programmaticStreamSerializationAllowed = 1;
    config.gridDim = dim3((unsigned)blocks);
    config.blockDim = dim3((unsigned)threads);
    config.dynamicSmemBytes = bytes;
    config.stream = hs_next_stream;
    config.attrs = &attribute;
    /* in a record (compose/replay.h) they are close as it is */
    config.numAttrs = !hs_next_stream && hs_next_overlaps() ? 1 : 0;
    cudaLaunchKernelEx(&config, kernel, (Parameters)arguments...);
}

#  define HS_NEXT_BLOCKS(kernel, blocks, threads, bytes, ...)                  \
    hs_launch_next(kernel, blocks, threads, bytes, __VA_ARGS__)
#  define HS_NEXT(kernel, lanes, ...)                                          \
    hs_launch_next(kernel, ((lanes) + HS_BLOCK - 1) / HS_BLOCK, HS_BLOCK, 0,   \
                   __VA_ARGS__)
#else
static inline hs_clock hs_clock_of(uint64_t clock)
{
    hs_clock c = {clock, NULL};

    return c;
}

#  define HS_WAIT()      ((void)0)
#  define HS_NEXT_BLOCKS HS_LAUNCH_BLOCKS
#  define HS_NEXT        HS_LAUNCH
#endif

#endif
