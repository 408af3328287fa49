/* tall.cu - U and gradient of networks with few inputs (tall_tile.h): a block
 * is a warp group, and has a chunk of a network's cases. */
#include "cuda/network/network.h"

#if defined(__CUDACC__)
#  include "cuda/network/tall_tile.h"
#  include "cuda/next.h"

/* The sum of all weights of the network, to thread 0. */
HS_ON_CARD int sum_of(const hs_card_network *n, wide_rows state, tall_shared *s)
{
    int sum = 0;

    for (int i = (int)threadIdx.x; i < n->dim; i += HS_TALL_THREADS)
        sum += 2 * state(i) - 1;
    sum = add_whole(sum);
    if (threadIdx.x % 32 == 0)
        s->sum[threadIdx.x / 32] = sum;
    HS_SYNC();
    return s->sum[0] + s->sum[1] + s->sum[2] + s->sum[3];
}

static __global__ void __launch_bounds__(HS_TALL_THREADS, 3)
    tall(hs_card_network n, const int16_t *x)
{
    extern __shared__ __align__(128) uint8_t bytes[];
#  if defined(__CUDA_ARCH_FEAT_SM90_ALL)
    int chunk = (int)blockIdx.x / n.used;
    int64_t lane = n.lane[(int)blockIdx.x % n.used];
    tall_shared *s = (tall_shared *)(bytes + 2 * n.bytes);
    uint8_t *weight = bytes + hs_warp_group_bytes(&n);
    struct wide_places p = wide_places_of(&n, chunk, bytes, s->arrival, 1);
    wide_rows rows = {x + lane / HS_LANES * n.dim * HS_LANES + lane % HS_LANES};
    wide_part part = {n.part + (chunk * n.all + lane) * n.dim};
    tall_mine m;
    double loss;
    float base;

    m.thread = (int)threadIdx.x;
    m.lane = m.thread % 32;
    m.warp = of_warp(m.thread / 32);
    m.warp_group = 0;
    if (m.thread == 0)
        fetch_first(&p); /* inputs, which nobody changes */
    HS_WAIT();
    tall_weights(&n, rows, weight, m.thread, HS_TALL_THREADS);
    HS_SYNC();
    tall_begin(&m, rows(n.dim - 1));
    tall_tiles(&n, &m, s, &p, weight,
               n.said ? n.said + lane * n.form.cases +
                            chunk * n.each * HS_WIDE_CASES
                      : NULL);
    loss = tall_totals(&m, s, &base);
    if (m.thread == 0)
        n.loss[chunk * n.all + lane] = loss;
    tall_write(&n, &m, s, rows, part, base);
    if (chunk == 0 && n.form.lambda != 0.0) {
        int sum = sum_of(&n, rows, s);

        if (m.thread == 0)
            n.sum[lane] = sum;
    }
#  endif
}

void hs_tall_chunks(const hs_card_network *n, const int16_t *x)
{
    size_t bytes = (size_t)hs_warp_group_bytes(n) + HS_TALL_WEIGHTS;

    HS_NEXT_BLOCKS(tall, n->used * n->chunks, HS_TALL_THREADS, bytes, *n, x);
}
#else
void hs_tall_chunks(const hs_card_network *n, const int16_t *x)
{
    (void)n, (void)x;
}
#endif
