/* limits.c - what this machine can do at all, one thread: bytes copied,
 * products of large matrices, random words, tanh and exp in sixteen lanes.
 *
 * Every request is a burst of some 10 ms, and the answer is seconds per unit:
 *     copy    a byte moved, each one counted as read and as written; from and
 *             to COPY_BYTES, more than the last cache holds
 *     sgemm   an operation of a product of SQUARE x SQUARE matrices
 *     rng     a random word, by the table of lanes in use
 *     tanh    one tanh, from and to the first cache
 *     exp     one exp of a number below 0, from and to the first cache */
#include <stdbool.h>
#include <stdio.h>
#include <string.h>

#include "base/alloc.h"
#include "base/error.h"
#include "bulk.h"
#include "clock.h"
#include "lanes/lanes.h"
#include "model/gemm.h"
#include "speed.h"

enum {
    SQUARE = 960,
    BLOCKS = 32,
    ROWS = 4 * BLOCKS,
    TIMES = 8000
};
#define COPY_BYTES ((size_t)64 << 20)

static double volatile sink;

static hiss_status copy(double *seconds, hiss_error *err)
{
    char *from = hs_alloc_array(COPY_BYTES, 1);
    char *to = hs_alloc_array(COPY_BYTES, 1);
    hiss_status rc = HISS_OK;

    if (from && to) {
        double start;

        memset(from, 1, COPY_BYTES);
        memset(to, 2, COPY_BYTES);
        start = bench_cpu();
        memcpy(to, from, COPY_BYTES);
        *seconds = (bench_cpu() - start) / (2.0 * (double)COPY_BYTES);
        sink = to[COPY_BYTES / 2];
    } else {
        rc = hs_fail_memory(err);
    }
    hs_free(from);
    hs_free(to);
    return rc;
}

static hiss_status sgemm(double *seconds, hiss_error *err)
{
    size_t size = (size_t)SQUARE * SQUARE;
    float *a = hs_alloc_array(size, sizeof *a);
    float *b = hs_alloc_array(size, sizeof *b);
    float *c = hs_alloc_array(size, sizeof *c);
    hiss_status rc = HISS_OK;
    uint64_t seed = 1;

    if (a && b && c) {
        double start;

        for (size_t i = 0; i < size; i++) {
            a[i] = (float)(bench_draw(&seed) % 3) - 1.0f;
            b[i] = (float)(bench_draw(&seed) % 3) - 1.0f;
        }
        hs_gemm_wide(SQUARE, SQUARE / 8 / 16 * 16, SQUARE, a, b, c);
        start = bench_cpu();
        hs_gemm_wide(SQUARE, SQUARE, SQUARE, a, b, c);
        *seconds = (bench_cpu() - start) / (2.0 * SQUARE * (double)size);
        sink = (double)c[7];
    } else {
        rc = hs_fail_memory(err);
    }
    hs_free(a);
    hs_free(b);
    hs_free(c);
    return rc;
}

static double rng(void)
{
    static _Alignas(64) uint32_t words[ROWS][HS_LANES];
    hs_rng at = {.seed = 1};
    double start;

    for (uint32_t l = 0; l < HS_LANES; l++)
        at.chain[l] = l;
    start = bench_cpu();
    for (int n = 0; n < TIMES; n++, at.clock++)
        hs_lanes()->philox(&at, HS_DRAW_PROPOSE, 0, BLOCKS, words);
    sink = (double)words[3][5];
    return (bench_cpu() - start) / ((double)TIMES * ROWS * HS_LANES);
}

/* The functions of the table of lanes in use. */
static const struct {
    const char *isa;
    bench_bulk *exp, *tanh;
} tables[] = {
    {"base", hs_bench_exp_base, hs_bench_tanh_base},
#if defined(HS_HAVE_AVX2)
    {"avx2", hs_bench_exp_avx2, hs_bench_tanh_avx2},
#endif
#if defined(HS_HAVE_AVX512)
    {"avx512", hs_bench_exp_avx512, hs_bench_tanh_avx512},
#endif
};

static double bulk(bool is_tanh)
{
    static _Alignas(64) float x[ROWS][HS_LANES], y[ROWS][HS_LANES];
    bench_bulk *run = NULL;
    uint64_t seed = 1;
    double start;

    for (size_t t = 0; t < sizeof tables / sizeof *tables; t++)
        if (strcmp(tables[t].isa, hs_lanes()->isa) == 0)
            run = is_tanh ? tables[t].tanh : tables[t].exp;
    for (int r = 0; r < ROWS; r++)
        for (int l = 0; l < HS_LANES; l++)
            x[r][l] = (float)bench_draw(&seed) * -0x1p-28f;
    start = bench_cpu();
    for (int n = 0; run && n < TIMES; n++)
        run(ROWS, (const float(*)[HS_LANES])x, y);
    sink = (double)y[5][3];
    return (bench_cpu() - start) / ((double)TIMES * ROWS * HS_LANES);
}

hiss_status bench_limit(char *const *word, hiss_error *err)
{
    hiss_status rc = HISS_OK;
    double seconds = 0.0;

    if (strcmp(word[0], "copy") == 0)
        rc = copy(&seconds, err);
    else if (strcmp(word[0], "sgemm") == 0)
        rc = sgemm(&seconds, err);
    else if (strcmp(word[0], "rng") == 0)
        seconds = rng();
    else if (strcmp(word[0], "tanh") == 0)
        seconds = bulk(true);
    else if (strcmp(word[0], "exp") == 0)
        seconds = bulk(false);
    else
        rc = bench_fail(err, "unknown limit", word[0]);
    if (rc == HISS_OK)
        printf("%.6g\n", seconds);
    return rc;
}
