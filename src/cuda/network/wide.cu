/* wide.cu - what fused.cu does, with products of whole groups of warps: two
 * groups have 128 rows of units, and cases come by in tiles of 64.
 *
 * Inputs are multiplied where the copies put them, without passing through
 * registers.  A tile has two parts, slices with units for the way forward and
 * inputs with targets for the way back; each has two places in shared memory,
 * and is fetched as soon as the last that was there is done with. */
#include "cuda/network/network.h"

#if defined(__CUDACC__)
#  include "cuda/network/fused.h"
#  include "cuda/network/tensor.h"
#  include "cuda/network/wgmma.h"
#  include "cuda/next.h"

#  define CASES   HS_WIDE_CASES
#  define WARPS   HS_WIDE_WARPS
#  define THREADS (WARPS * 32)

/* What a thread keeps.  Its rows h = 0, 1 are units g and g + 8 of its warp. */
template <int STEPS> struct wide_mine {
    uint32_t weight[STEPS][4];
    float slope[STEPS * 16];
    float bias[2];   /* 2 c_j / ln 2 */
    float output[2]; /* -2 w_j, or 0: no such unit */
    float base;      /* b + sum_j w_j */
    float for_bias[2], for_output[2], for_base;
    double loss;
    int lane, warp;
};

/* Shared memory. */
typedef struct wide_shared {
    float out[WARPS][CASES]; /* what the warps add to o */
    float slope[CASES];      /* dU/do */
    int sum[WARPS];
    float one;
    uint64_t arrival[4]; /* forward and back, two places each */
} wide_shared;

template <int STEPS>
HS_ON_CARD void wide_begin(const hs_card_network *n, const int16_t *x,
                           int64_t lane, struct wide_mine<STEPS> *m)
{
    const uint4 *w = (const uint4 *)n->weight + lane * STEPS * WARPS * 32;
    const int16_t *c = x + (int64_t)n->form.inputs * n->form.hidden * HS_LANES;
    const int16_t *out = c + n->form.hidden * HS_LANES;
    int on = 0;

    HS_UNROLL
    for (int k = 0; k < STEPS; k++) {
        uint4 v = w[(k * WARPS + m->warp) * 32 + m->lane];

        m->weight[k][0] = v.x;
        m->weight[k][1] = v.y;
        m->weight[k][2] = v.z;
        m->weight[k][3] = v.w;
    }
    HS_UNROLL
    for (int k = 0; k < STEPS * 16; k++)
        m->slope[k] = 0.0f;
    HS_UNROLL
    for (int h = 0; h < 2; h++) {
        int j = m->warp * 16 + m->lane / 4 + h * 8;
        int is_there = j < n->form.hidden;

        m->bias[h] = is_there && c[j * HS_LANES] ? HS_TWO_LN2 : -HS_TWO_LN2;
        m->output[h] = is_there ? (out[j * HS_LANES] ? -2.0f : 2.0f) : 0.0f;
        m->for_bias[h] = m->for_output[h] = 0.0f;
    }
    HS_UNROLL
    for (int k = 0; k < 4; k++) {
        int j = k * 32 + m->lane;

        on += j < n->form.hidden ? 2 * out[j * HS_LANES] - 1 : 0;
    }
    on = add_whole(on) + (x[(n->dim - 1) * HS_LANES] ? 1 : -1);
    m->base = (float)on;
    m->for_base = 0.0f;
    m->loss = 0.0;
}

/* Hidden units r of a tile, [e][C fragment], and what they add to o. */
template <int STEPS, int SLICES>
HS_ON_CARD void wide_forward(const struct wide_mine<STEPS> *m,
                             const uint8_t *tile, float r[32], float *out)
{
    const float *unit = (const float *)(tile + SLICES * STEPS * 2048);
    float o[8][2];
    int q[32];

    HS_UNROLL
    for (int i = 0; i < 32; i++)
        q[i] = 0;
    HS_UNROLL
    for (int s = 0; s < SLICES; s++) {
        HS_UNROLL
        for (int i = 0; i < 32 && s > 0; i++)
            q[i] *= 256;
        group_begin();
        HS_UNROLL
        for (int k = 0; k < STEPS; k++)
            wide_bytes_64(q, m->weight[k],
                          describe(tile + (s * STEPS + k) * 2048, 1024, 128));
        group_end();
    }
    HS_UNROLL
    for (int e = 0; e < 8; e++) {
        float2 units = *(const float2 *)(unit + e * 8 + m->lane % 4 * 2);

        HS_UNROLL
        for (int i = 0; i < 4; i++)
            r[e * 4 + i] =
                inverse(1.0f + power_of_two(HS_FMA((float)q[e * 4 + i],
                                                   i % 2 ? units.y : units.x,
                                                   m->bias[i / 2])));
        HS_UNROLL
        for (int b = 0; b < 2; b++)
            o[e][b] = HS_FMA(m->output[0], r[e * 4 + b],
                             m->output[1] * r[e * 4 + b + 2]);
    }
    *(float2 *)(out + m->lane * 2) = sum_over_rows(o, m->lane);
}

/* Thread n < 64: dU/do of case n, from what all warps have added. */
template <int STEPS>
HS_ON_CARD void wide_error(const hs_card_network *n, struct wide_mine<STEPS> *m,
                           wide_shared *s, const float *number, float *said)
{
    int c = (int)threadIdx.x;
    float o = m->base, f, error;

    HS_UNROLL
    for (int w = 0; w < WARPS; w++)
        o = o + s->out[w][c];
    f = inverse(1.0f + power_of_two(-0.5f * HS_TWO_LN2 * o));
    error = (f - number[c]) * number[CASES + c];
    s->slope[c] = n->slope_scale * error * f * (1.0f - f);
    m->loss = m->loss + (double)(error * error);
    m->for_base = m->for_base + s->slope[c];
    if (said && number[CASES + c] != 0.0f)
        said[c] = f;
}

/* Of d = s (r - r^2): dU/da = 4 w d. */
template <int STEPS>
HS_ON_CARD void wide_backward(struct wide_mine<STEPS> *m, const float r[32],
                              const float *slope, const uint8_t *tile)
{
    uint32_t a[4][4];

    HS_UNROLL
    for (int e = 0; e < 8; e++) {
        float2 s = *(const float2 *)(slope + e * 8 + m->lane % 4 * 2);
        float d[4];

        HS_UNROLL
        for (int i = 0; i < 4; i++) {
            float own = i % 2 ? s.y : s.x, v = r[e * 4 + i];

            m->for_output[i / 2] = HS_FMA(own, v, m->for_output[i / 2]);
            d[i] = HS_FMA(-v, v, v) * own;
            m->for_bias[i / 2] = m->for_bias[i / 2] + d[i];
        }
        a[e / 2][e % 2 * 2] = two_brief(d[0], d[1]);
        a[e / 2][e % 2 * 2 + 1] = two_brief(d[2], d[3]);
    }
    group_begin();
    HS_UNROLL
    for (int k = 0; k < 4; k++) {
        const uint8_t *b = tile + k * STEPS * 1024;

        HS_UNROLL
        for (int c = 0; c < STEPS / 3; c++)
            wide_brief_96(m->slope + c * 48, a[k],
                          describe(b + c * 1536, STEPS * 512, 128));
        b += STEPS / 3 * 1536;
        if (STEPS % 3 == 1)
            wide_brief_32(m->slope + STEPS / 3 * 48, a[k],
                          describe(b, STEPS * 512, 128));
        if (STEPS % 3 == 2)
            wide_brief_64(m->slope + STEPS / 3 * 48, a[k],
                          describe(b, STEPS * 512, 128));
    }
    group_end();
}

/* dU/dw = sum of s (1 - 2 r). */
template <int STEPS>
HS_ON_CARD void wide_write(const hs_card_network *n, struct wide_mine<STEPS> *m,
                           float *out, float all)
{
    int hidden = n->form.hidden, inputs = n->form.inputs;
    int j = m->warp * 16 + m->lane / 4;

    HS_UNROLL
    for (int k = 0; k < STEPS * 16; k++) {
        int i = k / 4 * 8 + m->lane % 4 * 2 + k % 2, row = j + k / 2 % 2 * 8;

        if (i < inputs && row < hidden)
            out[i * hidden + row] = -2.0f * m->output[k / 2 % 2] * m->slope[k];
    }
    HS_UNROLL
    for (int h = 0; h < 2; h++) {
        float bias = add_over(m->for_bias[h], 1, 4);
        float output = add_over(m->for_output[h], 1, 4);

        if (m->lane % 4 == 0 && j + h * 8 < hidden) {
            out[inputs * hidden + j + h * 8] = -2.0f * m->output[h] * bias;
            out[(inputs + 1) * hidden + j + h * 8] = all - 2.0f * output;
        }
    }
    if (threadIdx.x == 0)
        out[n->dim - 1] = all;
}

/* Loss and dU/db of the first two warps, added up to thread 0. */
template <int STEPS>
HS_ON_CARD void wide_totals(struct wide_mine<STEPS> *m, wide_shared *s,
                            double *loss)
{
    double *both = (double *)s->out[0];

    HS_UNROLL
    for (int d = 1; d < 32; d *= 2)
        m->loss = m->loss + __shfl_xor_sync(0xffffffffu, m->loss, d);
    m->for_base = add_over(m->for_base, 1, 32);
    HS_SYNC();
    if (m->lane == 0 && m->warp < 2) {
        both[m->warp] = m->loss;
        s->slope[m->warp] = m->for_base;
    }
    HS_SYNC();
    if (threadIdx.x == 0)
        *loss = both[0] + both[1];
    m->for_base = s->slope[0] + s->slope[1];
}

/* The sum of all weights of the network, to thread 0. */
template <int STEPS>
HS_ON_CARD int wide_sum(const struct wide_mine<STEPS> *m, wide_shared *s)
{
    int sum = 0;

    HS_UNROLL
    for (int k = 0; k < STEPS * 4; k++)
        sum = __dp4a((int)m->weight[k / 4][k % 4], 0x01010101, sum);
    HS_UNROLL
    for (int h = 0; h < 2; h++) /* biases once, of lanes 0, 4, ... */
        if (m->lane % 4 == 0 && m->output[h] != 0.0f)
            sum += m->bias[h] > 0.0f ? 1 : -1;
    sum = add_whole(sum);
    if (m->lane == 0)
        s->sum[m->warp] = sum;
    HS_SYNC();
    sum = (int)m->base; /* b and w */
    for (int w = 0; w < WARPS; w++)
        sum += s->sum[w];
    return sum;
}

/* Where the parts of tiles are, and how long they are. */
struct wide_places {
    const uint8_t *from; /* the first tile */
    uint8_t *forward, *back;
    uint64_t *arrival;
    int count, to, fro;
};

HS_ON_CARD void fetch_forward(const struct wide_places *p, int t)
{
    if (t < p->count)
        begin_bulk(p->forward + t % 2 * p->to,
                   p->from + (int64_t)t * (p->to + p->fro), p->to,
                   p->arrival + t % 2);
}

HS_ON_CARD void fetch_back(const struct wide_places *p, int t)
{
    if (t < p->count)
        begin_bulk(p->back + t % 2 * p->fro,
                   p->from + (int64_t)t * (p->to + p->fro) + p->to, p->fro,
                   p->arrival + 2 + t % 2);
}

HS_ON_CARD void fetch_first(const struct wide_places *p)
{
    if (threadIdx.x == 0) {
        for (int k = 0; k < 4; k++)
            arrival_init(p->arrival + k);
        arrivals_are_there();
    }
    HS_SYNC();
    if (threadIdx.x == 0) {
        fetch_forward(p, 0);
        fetch_back(p, 0);
        fetch_forward(p, 1);
    }
}

template <int STEPS, int SLICES>
HS_ON_CARD void wide_tiles(const hs_card_network *n, struct wide_mine<STEPS> *m,
                           wide_shared *s, const struct wide_places *p,
                           float *said, int has_slope)
{
    float r[32];

    HS_UNROLL_NOT
    for (int t = 0; t < p->count; t++) {
        const uint8_t *back = p->back + t % 2 * p->fro;

        wait_for_bulk(p->arrival + t % 2, t / 2 % 2);
        wide_forward<STEPS, SLICES>(m, p->forward + t % 2 * p->to, r,
                                    s->out[m->warp]);
        /* Behind this, all have sent their part of o, and nobody looks at
         * this way forward or at the way back before. */
        HS_SYNC();
        if (threadIdx.x == 0) {
            fetch_forward(p, t + 2);
            fetch_back(p, t + 1);
        }
        wait_for_bulk(p->arrival + 2 + t % 2, t / 2 % 2);
        if (threadIdx.x < CASES)
            wide_error<STEPS>(n, m, s,
                              (const float *)(back + STEPS * CASES * 64),
                              said ? said + t * CASES : NULL);
        HS_SYNC();
        if (has_slope)
            wide_backward<STEPS>(m, r, s->slope, back);
    }
}

template <int STEPS, int SLICES, int BLOCKS>
static __global__ void __launch_bounds__(THREADS, BLOCKS)
    wide(hs_card_network n, const int16_t *x, int has_slope)
{
    extern __shared__ __align__(128) uint8_t bytes[];
#  if defined(__CUDA_ARCH_FEAT_SM90_ALL)
    int chunk = (int)blockIdx.x / n.used, first = chunk * n.each;
    int64_t lane = n.lane[(int)blockIdx.x % n.used];
    wide_shared *s =
        (wide_shared *)(bytes + 2 * hs_wide_forward(&n) + 2 * hs_wide_back(&n));
    struct wide_places p;
    struct wide_mine<STEPS> m;
    double loss = 0.0;

    p.to = hs_wide_forward(&n);
    p.fro = hs_wide_back(&n);
    p.forward = bytes;
    p.back = bytes + 2 * p.to;
    p.from = n.tile + (int64_t)first * n.bytes;
    p.arrival = s->arrival;
    p.count = first + n.each < n.tiles ? n.each : n.tiles - first;
    m.lane = (int)threadIdx.x % 32;
    m.warp = (int)threadIdx.x / 32;
    fetch_first(&p); /* inputs, which nobody changes */
    HS_WAIT();
    wide_begin<STEPS>(
        &n, x + lane / HS_LANES * n.dim * HS_LANES + lane % HS_LANES, lane, &m);
    wide_tiles<STEPS, SLICES>(
        &n, &m, s, &p,
        n.said ? n.said + lane * n.form.cases + first * CASES : NULL,
        has_slope);
    wide_totals<STEPS>(&m, s, &loss);
    if (threadIdx.x == 0)
        n.loss[chunk * n.all + lane] = loss;
    if (has_slope)
        wide_write<STEPS>(&n, &m, n.part + (chunk * n.all + lane) * n.dim,
                          m.for_base);
    if (chunk == 0 && n.form.lambda != 0.0) {
        int sum = wide_sum<STEPS>(&m, s);

        if (threadIdx.x == 0)
            n.sum[lane] = sum;
    }
#  endif
}

#  define LAUNCH(steps_, slices_, blocks)                                      \
    if (n->steps == (steps_) && n->slices == (slices_))                        \
      HS_NEXT_BLOCKS((wide<steps_, slices_, blocks>), n->used * n->chunks,     \
                     THREADS, 2 * (size_t)n->bytes + sizeof(wide_shared), *n,  \
                     x, has_slope);
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
