/* fused.cu - U and gradient of one network over one chunk of cases, in one
 * block.
 *
 * A warp has sixteen hidden units: their weights and, as it grows, their
 * gradient stay in its registers.  Cases come by in tiles of sixteen, copied a
 * few tiles ahead.  Of a tile, with s_nj = sum_i z_ni V_ij exact in bytes
 * (inputs.cu),
 *     r_nj = 1 / (1 + e^(2 a_nj)),  tanh a = 1 - 2 r,  1 - tanh^2 = 4 r - 4 r^2
 *     o_n = b + sum_j w_j - 2 sum_j w_j r_nj
 * where the last sum meets in shared memory, the only time that warps wait for
 * each other.  Then dU/da_nj, rounded to bfloat16, is in the registers where
 * the backward product wants it, as its rows are units and its inner index
 * cases.
 * U does not depend on that rounding. */
#include "cuda/network/network.h"

#if defined(__CUDACC__)
#  include "cuda/network/fused.h"
#  include "cuda/network/tensor.h"

/* What a thread keeps.  Its rows h = 0, 1 are units g and g + 8 of its warp. */
template <int STEPS> struct mine {
    uint32_t weight[STEPS][4];
    float slope[STEPS * 4][4];
    float bias[2];     /* 2 c_j / ln 2 */
    float output[2];   /* -2 w_j, or 0: no such unit */
    float base;        /* b + sum_j w_j */
    float for_bias[2]; /* sums over cases: see write_sums */
    float for_output[2];
    float for_base;
    double loss;
    int lane, warp;
};

/* Hidden units of a tile, [of two eights of cases][C fragment] */
struct units {
    float r[2][4];
};

HS_ON_CARD const int16_t *state_of(const hs_card_network *n, const int16_t *x,
                                   int64_t lane)
{
    return x + lane / HS_LANES * n->dim * HS_LANES + lane % HS_LANES;
}

template <int STEPS>
HS_ON_CARD void begin(const hs_card_network *n, const int16_t *x, int64_t lane,
                      struct mine<STEPS> *m)
{
    const uint4 *w = (const uint4 *)n->weight + lane * STEPS * n->warps * 32;
    const int16_t *c = x + (int64_t)n->form.inputs * n->form.hidden * HS_LANES;
    const int16_t *out = c + n->form.hidden * HS_LANES;
    int on = 0;

    m->lane = (int)threadIdx.x % 32;
    m->warp = (int)threadIdx.x / 32;
    HS_UNROLL
    for (int k = 0; k < STEPS; k++) {
        uint4 v = w[(k * n->warps + m->warp) * 32 + m->lane];

        m->weight[k][0] = v.x;
        m->weight[k][1] = v.y;
        m->weight[k][2] = v.z;
        m->weight[k][3] = v.w;
    }
    HS_UNROLL
    for (int k = 0; k < STEPS * 16; k++)
        m->slope[k / 4][k % 4] = 0.0f;
    HS_UNROLL
    for (int h = 0; h < 2; h++) {
        int j = m->warp * 16 + m->lane / 4 + h * 8;
        int is_there = j < n->form.hidden;

        m->bias[h] = is_there && c[j * HS_LANES] ? HS_TWO_LN2 : -HS_TWO_LN2;
        m->output[h] = is_there ? (out[j * HS_LANES] ? -2.0f : 2.0f) : 0.0f;
        m->for_bias[h] = m->for_output[h] = 0.0f;
    }
    for (int j = m->lane; j < n->form.hidden; j += 32)
        on += out[j * HS_LANES];
    on = add_whole(on);
    on = 2 * on - n->form.hidden + (x[(n->dim - 1) * HS_LANES] ? 1 : -1);
    m->base = (float)on;
    m->for_base = 0.0f;
    m->loss = 0.0;
}

/* The sum of all weights of the network: a whole number. */
template <int STEPS>
HS_ON_CARD int sum_weights(const hs_card_network *n,
                           const struct mine<STEPS> *m, int *shared)
{
    int sum = 0, all;

    HS_UNROLL
    for (int k = 0; k < STEPS * 4; k++)
        sum = __dp4a((int)m->weight[k / 4][k % 4], 0x01010101, sum);
    HS_UNROLL
    for (int h = 0; h < 2; h++) /* biases once, of lanes 0, 4, ... */
        if (m->lane % 4 == 0 && m->output[h] != 0.0f)
            sum += m->bias[h] > 0.0f ? 1 : -1;
    sum = add_whole(sum);
    HS_SYNC();
    if (m->lane == 0)
        shared[m->warp] = sum;
    HS_SYNC();
    all = (int)m->base; /* b and w */
    for (int w = 0; w < n->warps; w++)
        all += shared[w];
    return all;
}

/* Copies a tile, if it is one; a group of copies in any case. */
HS_ON_CARD void fetch(const hs_card_network *n, int tile, int last, int stages,
                      uint8_t *shared)
{
    const uint8_t *from = n->tile + (int64_t)tile * n->bytes;
    uint8_t *to = shared + tile % stages * n->bytes;

    if (tile < last)
        for (int i = (int)threadIdx.x * 16; i < n->bytes;
             i += (int)blockDim.x * 16)
            begin_copy(to + i, from + i);
    end_group();
}

/* Hidden units of a tile, and what they add to o: [16] at `out`. */
template <int STEPS, int SLICES>
HS_ON_CARD struct units forward(const struct mine<STEPS> *m,
                                const uint8_t *tile, const float *number,
                                float *out)
{
    int sum[SLICES][2][4];
    struct units u;
    float o[4];

    HS_UNROLL
    for (int k = 0; k < SLICES * 8; k++)
        sum[k / 8][k / 4 % 2][k % 4] = 0;
    HS_UNROLL
    for (int k = 0; k < STEPS; k++)
        HS_UNROLL
    for (int s = 0; s < SLICES; s++) {
        uint4 b =
            *(const uint4 *)(tile + (k * SLICES + s) * 512 + m->lane * 16);

        multiply_bytes(sum[s][0], m->weight[k], b.x, b.y);
        multiply_bytes(sum[s][1], m->weight[k], b.z, b.w);
    }
    HS_UNROLL
    for (int e = 0; e < 2; e++)
        HS_UNROLL
    for (int i = 0; i < 4; i++) {
        float unit = number[e * 8 + m->lane % 4 * 2 + i % 2];
        int q = sum[0][e][i];

        HS_UNROLL
        for (int s = 1; s < SLICES; s++)
            q = q * 256 + sum[s][e][i];
        u.r[e][i] = inverse(
            1.0f + power_of_two(HS_FMA((float)q, unit, m->bias[i / 2])));
    }
    HS_UNROLL
    for (int i = 0; i < 4; i++)
        o[i] = add_over(HS_FMA(m->output[0], u.r[i / 2][i % 2],
                               m->output[1] * u.r[i / 2][i % 2 + 2]),
                        4, 32);
    if (m->lane < 4) {
        *(float2 *)(out + m->lane * 2) = make_float2(o[0], o[1]);
        *(float2 *)(out + 8 + m->lane * 2) = make_float2(o[2], o[3]);
    }
    return u;
}

/* dU/do of case lane % 16; the first warp keeps errors.  out: of all warps;
 * said: f of the cases of this tile, if it is wanted. */
template <int STEPS>
HS_ON_CARD float error_of(const hs_card_network *n, struct mine<STEPS> *m,
                          const float *number, const float *out, float *said)
{
    int row = m->lane % HS_FUSED_CASES;
    float o = m->base, f, error, slope;

    for (int w = 0; w < n->warps; w++)
        o = o + out[w * HS_FUSED_CASES + row];
    f = inverse(1.0f + power_of_two(-0.5f * HS_TWO_LN2 * o));
    error =
        (f - number[HS_FUSED_CASES + row]) * number[2 * HS_FUSED_CASES + row];
    slope = n->slope_scale * error * f * (1.0f - f);
    if (m->warp == 0 && m->lane < HS_FUSED_CASES) {
        m->loss = m->loss + (double)(error * error);
        m->for_base = m->for_base + slope;
        if (said && number[2 * HS_FUSED_CASES + row] != 0.0f)
            said[row] = f;
    }
    return slope;
}

template <int STEPS>
HS_ON_CARD void backward(const hs_card_network *n, struct mine<STEPS> *m,
                         const struct units *u, float slope,
                         const uint8_t *tile)
{
    float d[2][4];
    uint32_t a[4];

    HS_UNROLL
    for (int e = 0; e < 2; e++)
        HS_UNROLL
    for (int i = 0; i < 4; i++) {
        float s =
            __shfl_sync(0xffffffffu, slope, e * 8 + m->lane % 4 * 2 + i % 2);
        float r = u->r[e][i];

        m->for_output[i / 2] = HS_FMA(s, r, m->for_output[i / 2]);
        d[e][i] = HS_FMA(-r, r, r) * (m->output[i / 2] * s);
        m->for_bias[i / 2] = m->for_bias[i / 2] + d[e][i];
    }
    HS_UNROLL
    for (int k = 0; k < 4; k++)
        a[k] = two_brief(d[k / 2][k % 2 * 2], d[k / 2][k % 2 * 2 + 1]);
    HS_UNROLL
    for (int k = 0; k < STEPS * 2; k++)
        if (k < n->pairs) {
            uint4 b = *(const uint4 *)(tile + k * 512 + m->lane * 16);

            multiply_brief(m->slope[2 * k], a, b.x, b.y);
            multiply_brief(m->slope[2 * k + 1], a, b.z, b.w);
        }
}

/* With d = -2 w s (r - r^2), dU/da = 4 w s (r - r^2) = -2 d, and dU/dw = sum of
 * s (1 - 2 r); `one`: a place in shared memory. */
template <int STEPS>
HS_ON_CARD void write_sums(const hs_card_network *n, struct mine<STEPS> *m,
                           float *out, float *one)
{
    int hidden = n->form.hidden, inputs = n->form.inputs;
    int j = m->warp * 16 + m->lane / 4;

    HS_UNROLL
    for (int k = 0; k < STEPS * 16; k++) {
        int i = k / 4 * 8 + m->lane % 4 * 2 + k % 2, row = j + k / 2 % 2 * 8;

        if (i < inputs && row < hidden)
            out[i * hidden + row] = -2.0f * m->slope[k / 4][k % 4];
    }
    m->for_base = add_over(m->for_base, 1, 16);
    if (threadIdx.x == 0)
        *one = out[n->dim - 1] = m->for_base;
    HS_SYNC();
    HS_UNROLL
    for (int h = 0; h < 2; h++) {
        float bias = add_over(m->for_bias[h], 1, 4);
        float output = add_over(m->for_output[h], 1, 4);

        if (m->lane % 4 == 0 && j + h * 8 < hidden) {
            out[inputs * hidden + j + h * 8] = -2.0f * bias;
            out[(inputs + 1) * hidden + j + h * 8] = *one - 2.0f * output;
        }
    }
}

template <int STEPS, int SLICES, int STAGES, int BLOCKS>
static __global__ void __launch_bounds__(HS_FUSED_UNITS * 2, BLOCKS)
    fused(hs_card_network n, const int16_t *x, int has_slope)
{
    extern __shared__ __align__(16) uint8_t shared[];
#  if __CUDA_ARCH__ >= 800
    float *out = (float *)(shared + STAGES * n.bytes); /* [2][warps][16] */
    int chunk = (int)blockIdx.x / n.used, each = n.warps * HS_FUSED_CASES;
    int first = chunk * n.each;
    int last = first + n.each < n.tiles ? first + n.each : n.tiles;
    int64_t lane = n.lane[(int)blockIdx.x % n.used];
    struct mine<STEPS> m;
    double loss;

    for (int t = first; t < first + STAGES - 1; t++)
        fetch(&n, t, last, STAGES, shared);
    begin<STEPS>(&n, state_of(&n, x, lane), lane, &m);
    wait_for<STAGES - 2>();
    HS_SYNC();
    HS_UNROLL_NOT
    for (int t = first; t < last; t++) {
        const uint8_t *tile = shared + t % STAGES * n.bytes;
        const float *number = (const float *)(tile + hs_tile_numbers(&n));
        float *these = out + t % 2 * each, slope;
        struct units u = forward<STEPS, SLICES>(
            &m, tile, number, these + m.warp * HS_FUSED_CASES);

        /* Behind this, all have sent their part of o, the next tile is there,
         * and nobody looks at the one before. */
        wait_for<STAGES - 3>();
        HS_SYNC();
        fetch(&n, t + STAGES - 1, last, STAGES, shared);
        slope = error_of<STEPS>(
            &n, &m, number, these,
            n.said ? n.said + lane * n.form.cases + t * HS_FUSED_CASES : NULL);
        if (has_slope)
            backward<STEPS>(&n, &m, &u, slope, tile + hs_tile_backward(&n));
    }
    loss = m.loss;
    HS_UNROLL
    for (int d = 1; d < HS_FUSED_CASES; d *= 2)
        loss = loss + __shfl_xor_sync(0xffffffffu, loss, d);
    if (threadIdx.x == 0)
        n.loss[chunk * n.all + lane] = loss;
    if (has_slope)
        write_sums<STEPS>(&n, &m, n.part + (chunk * n.all + lane) * n.dim,
                          out + 2 * each);
    if (chunk == 0 && n.form.lambda != 0.0) {
        int sum = sum_weights<STEPS>(&n, &m, (int *)out);

        if (threadIdx.x == 0)
            n.sum[lane] = sum;
    }
#  endif
}

#  define LAUNCH(steps_, slices_, stages, blocks)                              \
    if (n->steps == (steps_) && n->slices == (slices_))                        \
      HS_LAUNCH_BLOCKS((fused<steps_, slices_, stages, blocks>),               \
                       n->used * n->chunks, n->warps * 32,                     \
                       (size_t)(stages) * (size_t)n->bytes +                   \
                           (size_t)(2 * n->warps * HS_FUSED_CASES + 4) * 4,    \
                       *n, x, has_slope);
#  define EACH(steps, blocks)                                                  \
    LAUNCH(steps, 1, 4, blocks)                                                \
    LAUNCH(steps, 3, 4, blocks)

void hs_fused_chunks(const hs_card_network *n, const int16_t *x, int has_slope)
{
    EACH(1, 3)
    EACH(2, 2)
    EACH(3, 2)
    EACH(4, 2)
    EACH(5, 1)
    EACH(6, 1)
    EACH(7, 1)
    EACH(8, 1)
    EACH(9, 1)
}

int hs_fused_fits(const hs_network_form *f)
{
    int device = 0, major = 0;

    cudaGetDevice(&device);
    cudaDeviceGetAttribute(&major, cudaDevAttrComputeCapabilityMajor, device);
    return major >= 8 && f->hidden <= HS_FUSED_UNITS &&
           f->inputs <= HS_FUSED_INPUTS && f->inputs > 0;
}
#else
int hs_fused_fits(const hs_network_form *f)
{
    (void)f;
    return 0;
}

void hs_fused_chunks(const hs_card_network *n, const int16_t *x, int has_slope)
{
    (void)n, (void)x, (void)has_slope;
}
#endif
