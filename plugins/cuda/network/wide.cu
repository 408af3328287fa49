/* wide.cu - what fused.cu does, with products of whole groups of warps
 * (wide_tile.h): a block is a warp group, and has a chunk of a network's
 * cases. */
#include "cuda/network/network.h"

#if defined(__CUDACC__)
#  include "cuda/network/wide_tile.h"
#  include "cuda/next.h"

/* The weights that pack (edges.cu) has left. */
template <int STEPS>
HS_ON_CARD void wide_weights(const hs_card_network *n, int64_t lane,
                             struct wide_mine<STEPS> *m)
{
    const uint4 *w =
        (const uint4 *)n->weight + lane * STEPS * HS_WIDE_WARPS * 32;

    HS_UNROLL
    for (int k = 0; k < STEPS; k++) {
        uint4 v = w[(k * HS_WIDE_WARPS + m->warp) * 32 + m->lane];

        m->weight[k][0] = v.x;
        m->weight[k][1] = v.y;
        m->weight[k][2] = v.z;
        m->weight[k][3] = v.w;
    }
}

template <int STEPS, int SLICES, int BLOCKS>
static __global__ void __launch_bounds__(HS_WIDE_THREADS, BLOCKS)
    wide(hs_card_network n, const int16_t *x, int has_slope)
{
    extern __shared__ __align__(128) uint8_t bytes[];
#  if defined(__CUDA_ARCH_FEAT_SM90_ALL)
    int chunk = (int)blockIdx.x / n.used;
    int64_t lane = n.lane[(int)blockIdx.x % n.used];
    wide_shared *s = (wide_shared *)(bytes + 2 * n.bytes);
    struct wide_places p = wide_places_of(&n, chunk, bytes, s->arrival, 1);
    wide_rows rows = {x + lane / HS_LANES * n.dim * HS_LANES + lane % HS_LANES};
    wide_part part = {n.part + (chunk * n.all + lane) * n.dim};
    struct wide_mine<STEPS> m;
    double loss;
    float base;

    m.thread = (int)threadIdx.x;
    m.lane = m.thread % 32;
    m.warp = of_warp(m.thread / 32);
    m.warp_group = 0;
    if (m.thread == 0)
        fetch_first(&p); /* inputs, which nobody changes */
    HS_SYNC();
    HS_WAIT();
    wide_weights<STEPS>(&n, lane, &m);
    wide_begin<STEPS>(&n, rows, &m);
    wide_tiles<STEPS, SLICES>(&n, &m, s, &p,
                              n.said ? n.said + lane * n.form.cases +
                                           chunk * n.each * HS_WIDE_CASES
                                     : NULL,
                              has_slope);
    loss = wide_totals<STEPS>(&m, &base);
    if (m.thread == 0)
        n.loss[chunk * n.all + lane] = loss;
    if (has_slope)
        wide_write<STEPS>(&n, &m, part, base);
    if (chunk == 0 && n.form.lambda != 0.0) {
        int sum = wide_sum<STEPS>(&m, s);

        if (m.thread == 0)
            n.sum[lane] = sum;
    }
#  endif
}

#  define LAUNCH(steps_, slices_, blocks)                                      \
    if (n->steps == (steps_) && n->slices == (slices_))                        \
      HS_NEXT_BLOCKS((wide<steps_, slices_, blocks>), n->used * n->chunks,     \
                     HS_WIDE_THREADS,                                          \
                     2 * (size_t)n->bytes + sizeof(wide_shared), *n, x,        \
                     has_slope);
#  define EACH(steps, blocks)                                                  \
    LAUNCH(steps, 1, blocks)                                                   \
    LAUNCH(steps, 3, blocks)

void hs_wide_chunks(const hs_card_network *n, const int16_t *x, int has_slope)
{
    EACH(1, 2)
    EACH(2, 2)
    EACH(3, 1)
    EACH(4, 1)
    EACH(5, 1)
    EACH(6, 1)
    EACH(7, 1)
    EACH(8, 1)
    EACH(9, 1)
}

/* Whether the kernels were built for this card: others have no body. */
int hs_wide_fits(void)
{
    cudaFuncAttributes a;
    int device = 0, major = 0, minor = 0;

    cudaGetDevice(&device);
    cudaDeviceGetAttribute(&major, cudaDevAttrComputeCapabilityMajor, device);
    cudaDeviceGetAttribute(&minor, cudaDevAttrComputeCapabilityMinor, device);
    return major == 9 && minor == 0 &&
           cudaFuncGetAttributes(&a, wide<9, 3, 1>) == cudaSuccess &&
           a.numRegs > 64;
}
#else
int hs_wide_fits(void)
{
    return 0;
}

void hs_wide_chunks(const hs_card_network *n, const int16_t *x, int has_slope)
{
    (void)n, (void)x, (void)has_slope;
}
#endif
