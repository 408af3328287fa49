/* edges.cu - before and after the fused kernel: states to weights, and the sums
 * of the chunks to U and gradient, in the order of the chunks. */
#include "cuda/network/fused.h"
#include "cuda/next.h"

#if defined(__CUDACC__)
#  define THREADS 256
#  define ROWS    64 /* coordinates that a block turns round */
#  define CELLS   (ROWS * HS_LANES)

/* A thread makes one register of a fragment (tensor.h), four inputs of a unit,
 * for the sixteen lanes of a tile. */
HS_KERNEL void pack(hs_card_network n, const int16_t *x)
{
    int all = n.steps * n.warps * 128, per = (all + THREADS - 1) / THREADS;
    int tile = (int)blockIdx.x / per;
    int at = (int)blockIdx.x % per * THREADS + (int)threadIdx.x;
    int lane = at / 4 % 32, high = at % 4 / 2;
    int j = at / 128 % n.warps * 16 + lane / 4 + at % 2 * 8;
    int first = at / 128 / n.warps * 32 + lane % 4 * 4 + high * 16;
    uint32_t word[HS_LANES] = {0};

    HS_WAIT();
    if (at >= all)
        return;
    HS_UNROLL
    for (int b = 0; b < 4; b++) {
        int i = (first + b) * n.form.hidden + j;
        uint32_t row[HS_LANES / 2];

        if (j >= n.form.hidden || first + b >= n.form.inputs)
            continue;
        hs_load_four(
            (const uint32_t *)(x + ((int64_t)tile * n.dim + i) * HS_LANES),
            row);
        hs_load_four(
            (const uint32_t *)(x + ((int64_t)tile * n.dim + i) * HS_LANES) + 4,
            row + 4);
        HS_UNROLL
        for (int l = 0; l < HS_LANES; l++)
            word[l] |= (row[l / 2] >> l % 2 * 16 & 1 ? 1u : 0xffu) << b * 8;
    }
    HS_UNROLL
    for (int l = 0; l < HS_LANES; l++)
        n.weight[((int64_t)tile * HS_LANES + l) * all + at] = word[l];
}

void hs_fused_pack(const hs_card_network *n, const int16_t *x)
{
    int per = (n->steps * n->warps * 128 + THREADS - 1) / THREADS;

    HS_NEXT_BLOCKS(pack, n->all / HS_LANES * per, THREADS, 0, *n, x);
}

/* Of a tile: U from its errors, and of a few coordinates the gradient, read by
 * lane and written by coordinate; a thread for each. */
HS_KERNEL void HS_BOUNDS(CELLS)
    collect(hs_card_network n, double *u, float *gradient)
{
    __shared__ float turned[ROWS][HS_LANES + 1];
    int per = gradient ? (n.dim + ROWS - 1) / ROWS : 1;
    int k = (int)threadIdx.x, first = (int)blockIdx.x % per * ROWS;
    int64_t tile = (int)blockIdx.x / per, lane = tile * HS_LANES + k / ROWS;
    float sum = (float)-n.form.lambda;

    HS_WAIT();
    HS_UNROLL_TWO
    for (int c = 0; gradient && first + k % ROWS < n.dim && c < n.chunks; c++)
        sum = sum + n.part[(c * n.all + lane) * n.dim + first + k % ROWS];
    turned[k % ROWS][k / ROWS] = sum;
    HS_SYNC();
    if (gradient && first + k / HS_LANES < n.dim)
        gradient[(tile * n.dim + first) * HS_LANES + k] =
            turned[k / HS_LANES][k % HS_LANES];
    if (first == 0 && k < HS_LANES) {
        double loss = 0.0, on;

        lane = tile * HS_LANES + k;
        for (int c = 0; c < n.chunks; c++)
            loss = loss + n.loss[c * n.all + lane];
        on = 0.5 * ((double)n.sum[lane] + (double)n.dim);
        u[lane] = -n.form.scale * loss - n.form.lambda * on;
    }
}

void hs_fused_collect(const hs_card_network *n, double *u, float *gradient)
{
    int per = gradient ? (n->dim + ROWS - 1) / ROWS : 1;

    HS_NEXT_BLOCKS(collect, n->all / HS_LANES * per, CELLS, 0, *n, u, gradient);
}
#else
void hs_fused_pack(const hs_card_network *n, const int16_t *x)
{
    (void)n, (void)x;
}

void hs_fused_collect(const hs_card_network *n, double *u, float *gradient)
{
    (void)n, (void)u, (void)gradient;
}
#endif
