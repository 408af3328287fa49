/* card_limits.cu - what a card can do at most, for bench/run_cuda.
 *
 * Prints one JSON object: bytes copied, each read and written, in GB/s;
 * operations of bf16 matrix products in TFLOP/s, by mma.sync from registers;
 * random words and e^x per nanosecond, by the functions that the plug-in has.
 * Kernels are launched until they have run for a while; the best of five. */
#include <stdio.h>
#include <stdlib.h>

#include "cuda/thread.h"

#define BLOCKS  2048
#define THREADS 256
#define TURNS   2048
#define BYTES   ((size_t)1 << 31)

static void check(cudaError_t error)
{
    if (error == cudaSuccess)
        return;
    fprintf(stderr, "bench_card_limits: %s\n", cudaGetErrorString(error));
    exit(2);
}

__global__ void words(uint32_t *out)
{
    philox_at at =
        philox_begin(7, 1, (uint32_t)hs_card_thread(), 0, HS_DRAW_PROPOSE);
    uint32_t word[4], sum = 0;

    for (int n = 0; n < TURNS; n++) {
        philox_four(&at, (uint32_t)n, word);
        sum ^= word[0] + word[1] + word[2] + word[3];
    }
    out[hs_card_thread()] = sum;
}

__global__ void exps(float *out)
{
    float x = -1e-6f * (float)hs_card_thread(), y = x - 1.0f, sum = 0.0f;

    for (int n = 0; n < TURNS; n++) {
        sum += vf_exp_negative(x) + vf_exp_negative(y);
        x -= 1e-4f;
        y -= 1e-4f;
    }
    out[hs_card_thread()] = sum;
}

/* Four products in flight, 16 x 8 x 16 each. */
__global__ void products(float *out)
{
#if __CUDA_ARCH__ >= 800
    uint32_t a[4] = {0x3f803f80u, 0x3f803f80u, 0x3f803f80u, 0x3f803f80u};
    uint32_t b[2] = {0x3f003f80u + threadIdx.x, 0x3e80bf40u + threadIdx.x};
    float c[4][4] = {{0}};

    for (int n = 0; n < TURNS; n++)
        for (int k = 0; k < 4; k++)
            asm volatile("mma.sync.aligned.m16n8k16.row.col.f32.bf16.bf16.f32 "
                         "{%0,%1,%2,%3}, {%4,%5,%6,%7}, {%8,%9}, {%0,%1,%2,%3};"
                         : "+f"(c[k][0]), "+f"(c[k][1]), "+f"(c[k][2]),
                           "+f"(c[k][3])
                         : "r"(a[0]), "r"(a[1]), "r"(a[2]), "r"(a[3]),
                           "r"(b[0]), "r"(b[1]));
    out[hs_card_thread()] = c[0][0] + c[1][1] + c[2][2] + c[3][3];
#else
    out[hs_card_thread()] = 0.0f;
#endif
}

/* Seconds of one call: the fewest of five. */
template <class Work> static double seconds_of(Work work)
{
    cudaEvent_t begun, ended;
    float best = 1e30f;

    check(cudaEventCreate(&begun));
    check(cudaEventCreate(&ended));
    for (int n = 0; n < 6; n++) { /* the first one warms up */
        float ms;

        check(cudaEventRecord(begun));
        work();
        check(cudaGetLastError());
        check(cudaEventRecord(ended));
        check(cudaEventSynchronize(ended));
        check(cudaEventElapsedTime(&ms, begun, ended));
        best = n > 0 && ms < best ? ms : best;
    }
    return 1e-3 * best;
}

int main(void)
{
    const double threads = (double)BLOCKS * THREADS;
    char *from, *to;
    cudaDeviceProp card;
    double copy, word, exp, product;

    check(cudaGetDeviceProperties(&card, 0));
    check(cudaMalloc((void **)&from, BYTES));
    check(cudaMalloc((void **)&to, BYTES));
    check(cudaMemset(from, 1, BYTES));
    copy = seconds_of(
        [=] { cudaMemcpyAsync(to, from, BYTES, cudaMemcpyDeviceToDevice); });
    word = seconds_of([=] { words<<<BLOCKS, THREADS>>>((uint32_t *)to); });
    exp = seconds_of([=] { exps<<<BLOCKS, THREADS>>>((float *)to); });
    product = seconds_of([=] { products<<<BLOCKS, THREADS>>>((float *)to); });
    printf("{\"card\": \"%s\", \"copy_gb_per_s\": %.4g, "
           "\"mma_bf16_tflops\": %.4g, \"words_per_ns\": %.4g, "
           "\"exp_per_ns\": %.4g}\n",
           card.name, 2e-9 * (double)BYTES / copy,
           1e-12 * threads / 32 * TURNS * 4 * 4096 / product,
           1e-9 * threads * TURNS * 4 / word, 1e-9 * threads * TURNS * 2 / exp);
    return 0;
}
