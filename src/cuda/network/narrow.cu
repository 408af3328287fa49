/* narrow.cu - what fused.cu does, for few inputs: four tiles of cases at a
 * time, so that warps wait for each other once in 64 cases.
 *
 * Where a step of the product has all inputs, tanh and what is around it take
 * the time, not products: errors are made by one thread per case, and what
 * units add to o is summed over rows by sending halves (tensor.h). */
#include "cuda/network/network.h"

#if defined(__CUDACC__)
#  include "cuda/network/fused.h"
#  include "cuda/network/tensor.h"

#  define TILES   4 /* at a time */
#  define CASES   (TILES * HS_FUSED_CASES)
#  define WARPS   (HS_FUSED_UNITS / 16)
#  define THREADS (WARPS * 32)
#  define STAGES  3

/* What a thread keeps.  Its rows h = 0, 1 are units g and g + 8 of its warp. */
template <int PAIRS> struct narrow_mine {
    uint32_t weight[4];
    float slope[PAIRS * 2][4];
    float bias[2];   /* 2 c_j / ln 2 */
    float output[2]; /* -2 w_j, or 0: no such unit */
    float base;      /* b + sum_j w_j */
    float for_bias[2], for_output[2], for_base;
    double loss;
    int lane, warp;
};

typedef struct narrow_shared {
    float out[WARPS][CASES]; /* what the warps add to o */
    float slope[CASES];      /* dU/do */
    int sum[WARPS];
} narrow_shared;

template <int PAIRS>
HS_ON_CARD void narrow_begin(const hs_card_network *n, const int16_t *x,
                             int64_t lane, struct narrow_mine<PAIRS> *m)
{
    const uint4 *w = (const uint4 *)n->weight + lane * n->warps * 32;
    const int16_t *c = x + (int64_t)n->form.inputs * n->form.hidden * HS_LANES;
    const int16_t *out = c + n->form.hidden * HS_LANES;
    uint4 v = w[m->warp * 32 + m->lane];
    int on = 0;

    m->weight[0] = v.x;
    m->weight[1] = v.y;
    m->weight[2] = v.z;
    m->weight[3] = v.w;
    HS_UNROLL
    for (int k = 0; k < PAIRS * 8; k++)
        m->slope[k / 4][k % 4] = 0.0f;
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

/* Four tiles, if they are there; a group of copies in any case. */
HS_ON_CARD void narrow_fetch(const hs_card_network *n, int t, int last,
                             uint8_t *shared)
{
    int bytes = TILES * n->bytes;
    const uint8_t *from = n->tile + (int64_t)t * bytes;
    uint8_t *to = shared + t % STAGES * bytes;

    if (t < last)
        for (int i = (int)threadIdx.x * 16; i < bytes; i += THREADS * 16)
            begin_copy(to + i, from + i);
    end_group();
}

/* Hidden units of four tiles, [eight of cases][C fragment], and what they add
 * to o. */
template <int PAIRS, int SLICES>
HS_ON_CARD void narrow_forward(const hs_card_network *n,
                               const struct narrow_mine<PAIRS> *m,
                               const uint8_t *tile, float r[8][4], float *out)
{
    float o[8][2];

    HS_UNROLL
    for (int q = 0; q < TILES; q++, tile += n->bytes) {
        const float *number = (const float *)(tile + hs_tile_numbers(n));
        int sum[SLICES][2][4];

        HS_UNROLL
        for (int s = 0; s < SLICES; s++) {
            uint4 b = *(const uint4 *)(tile + s * 512 + m->lane * 16);

            HS_UNROLL
            for (int k = 0; k < 8; k++)
                sum[s][k / 4][k % 4] = 0;
            multiply_bytes(sum[s][0], m->weight, b.x, b.y);
            multiply_bytes(sum[s][1], m->weight, b.z, b.w);
        }
        HS_UNROLL
        for (int k = 0; k < 8; k++) {
            float2 unit =
                *(const float2 *)(number + k / 4 * 8 + m->lane % 4 * 2);
            int total = sum[0][k / 4][k % 4];

            HS_UNROLL
            for (int s = 1; s < SLICES; s++)
                total = total * 256 + sum[s][k / 4][k % 4];
            r[q * 2 + k / 4][k % 4] =
                inverse(1.0f + power_of_two(HS_FMA((float)total,
                                                   k % 2 ? unit.y : unit.x,
                                                   m->bias[k / 2 % 2])));
        }
    }
    HS_UNROLL
    for (int k = 0; k < 16; k++)
        o[k / 2][k % 2] = HS_FMA(m->output[0], r[k / 2][k % 2],
                                 m->output[1] * r[k / 2][k % 2 + 2]);
    *(float2 *)(out + m->lane * 2) = sum_over_rows(o, m->lane);
}

/* Thread c < 64: dU/do of case c, from what all warps have added. */
template <int PAIRS>
HS_ON_CARD void narrow_error(const hs_card_network *n,
                             struct narrow_mine<PAIRS> *m, narrow_shared *s,
                             const uint8_t *tile, float *said)
{
    int c = (int)threadIdx.x;
    const float *number = (const float *)(tile + c / HS_FUSED_CASES * n->bytes +
                                          hs_tile_numbers(n)) +
                          c % HS_FUSED_CASES;
    float o = m->base, f, error;

    for (int w = 0; w < n->warps; w++)
        o = o + s->out[w][c];
    f = inverse(1.0f + power_of_two(-0.5f * HS_TWO_LN2 * o));
    error = (f - number[HS_FUSED_CASES]) * number[2 * HS_FUSED_CASES];
    s->slope[c] = n->slope_scale * error * f * (1.0f - f);
    m->loss = m->loss + (double)(error * error);
    m->for_base = m->for_base + s->slope[c];
    if (said && number[2 * HS_FUSED_CASES] != 0.0f)
        said[c] = f;
}

/* Of d = s (r - r^2): dU/da = 4 w d. */
template <int PAIRS>
HS_ON_CARD void narrow_backward(const hs_card_network *n,
                                struct narrow_mine<PAIRS> *m,
                                const float r[8][4], const float *slope,
                                const uint8_t *tile)
{
    HS_UNROLL
    for (int q = 0; q < TILES; q++, tile += n->bytes) {
        uint32_t a[4];

        HS_UNROLL
        for (int e = 0; e < 2; e++) {
            float2 s =
                *(const float2 *)(slope + (q * 2 + e) * 8 + m->lane % 4 * 2);
            float d[4];

            HS_UNROLL
            for (int i = 0; i < 4; i++) {
                float own = i % 2 ? s.y : s.x, v = r[q * 2 + e][i];

                m->for_output[i / 2] = HS_FMA(own, v, m->for_output[i / 2]);
                d[i] = HS_FMA(-v, v, v) * own;
                m->for_bias[i / 2] = m->for_bias[i / 2] + d[i];
            }
            a[e * 2] = two_brief(d[0], d[1]);
            a[e * 2 + 1] = two_brief(d[2], d[3]);
        }
        HS_UNROLL
        for (int k = 0; k < PAIRS; k++) {
            uint4 b = *(const uint4 *)(tile + hs_tile_backward(n) + k * 512 +
                                       m->lane * 16);

            multiply_brief(m->slope[2 * k], a, b.x, b.y);
            multiply_brief(m->slope[2 * k + 1], a, b.z, b.w);
        }
    }
}

/* dU/dw = sum of s (1 - 2 r). */
template <int PAIRS>
HS_ON_CARD void narrow_write(const hs_card_network *n,
                             struct narrow_mine<PAIRS> *m, float *out,
                             float all)
{
    int hidden = n->form.hidden, inputs = n->form.inputs;
    int j = m->warp * 16 + m->lane / 4;

    HS_UNROLL
    for (int k = 0; k < PAIRS * 8; k++) {
        int i = k / 4 * 8 + m->lane % 4 * 2 + k % 2, row = j + k / 2 % 2 * 8;

        if (i < inputs && row < hidden)
            out[i * hidden + row] =
                -2.0f * m->output[k / 2 % 2] * m->slope[k / 4][k % 4];
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

/* Loss and dU/db of the first two warps, added up: the first to thread 0. */
template <int PAIRS>
HS_ON_CARD double narrow_totals(struct narrow_mine<PAIRS> *m, narrow_shared *s)
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
    m->for_base = s->slope[0] + s->slope[1];
    return both[0] + both[1];
}

/* The sum of all weights of the network. */
template <int PAIRS>
HS_ON_CARD int narrow_sum(const hs_card_network *n,
                          const struct narrow_mine<PAIRS> *m, narrow_shared *s)
{
    int sum = 0;

    HS_UNROLL
    for (int k = 0; k < 4; k++)
        sum = __dp4a((int)m->weight[k], 0x01010101, sum);
    HS_UNROLL
    for (int h = 0; h < 2; h++) /* biases once, of lanes 0, 4, ... */
        if (m->lane % 4 == 0 && m->output[h] != 0.0f)
            sum += m->bias[h] > 0.0f ? 1 : -1;
    sum = add_whole(sum);
    if (m->lane == 0)
        s->sum[m->warp] = sum;
    HS_SYNC();
    sum = (int)m->base; /* b and w */
    for (int w = 0; w < n->warps; w++)
        sum += s->sum[w];
    return sum;
}

template <int PAIRS, int SLICES>
HS_ON_CARD void narrow_tiles(const hs_card_network *n,
                             struct narrow_mine<PAIRS> *m, narrow_shared *s,
                             uint8_t *shared, int first, int last, float *said,
                             int has_slope)
{
    float r[8][4];

    HS_UNROLL_NOT
    for (int t = first; t < last; t++) {
        const uint8_t *tile = shared + t % STAGES * TILES * n->bytes;

        narrow_forward<PAIRS, SLICES>(n, m, tile, r, s->out[m->warp]);
        /* Behind this, all have sent their part of o, the next tiles are
         * there, and nobody looks at those before. */
        wait_for<STAGES - 3>();
        HS_SYNC();
        narrow_fetch(n, t + STAGES - 1, last, shared);
        if (threadIdx.x < CASES)
            narrow_error<PAIRS>(n, m, s, tile, said ? said + t * CASES : NULL);
        HS_SYNC();
        if (has_slope)
            narrow_backward<PAIRS>(n, m, r, s->slope, tile);
    }
}

template <int PAIRS, int SLICES, int BLOCKS>
static __global__ void __launch_bounds__(THREADS, BLOCKS)
    narrow(hs_card_network n, const int16_t *x, int has_slope)
{
    extern __shared__ __align__(16) uint8_t shared[];
#  if __CUDA_ARCH__ >= 800
    narrow_shared *s = (narrow_shared *)(shared + STAGES * TILES * n.bytes);
    int chunk = (int)blockIdx.x / n.used, first = chunk * n.each / TILES;
    int last = (chunk * n.each + n.each) / TILES;
    int64_t lane = n.lane[(int)blockIdx.x % n.used];
    struct narrow_mine<PAIRS> m;
    double loss;

    last = last * TILES < n.tiles ? last : n.tiles / TILES;
    m.lane = (int)threadIdx.x % 32;
    m.warp = (int)threadIdx.x / 32;
    for (int t = first; t < first + STAGES - 1; t++)
        narrow_fetch(&n, t, last, shared);
    narrow_begin<PAIRS>(
        &n, x + lane / HS_LANES * n.dim * HS_LANES + lane % HS_LANES, lane, &m);
    wait_for<STAGES - 2>();
    HS_SYNC();
    narrow_tiles<PAIRS, SLICES>(&n, &m, s, shared, first, last,
                                n.said ? n.said + lane * n.form.cases : NULL,
                                has_slope);
    loss = narrow_totals<PAIRS>(&m, s);
    if (threadIdx.x == 0)
        n.loss[chunk * n.all + lane] = loss;
    if (has_slope)
        narrow_write<PAIRS>(&n, &m, n.part + (chunk * n.all + lane) * n.dim,
                            m.for_base);
    if (chunk == 0 && n.form.lambda != 0.0) {
        int sum = narrow_sum<PAIRS>(&n, &m, s);

        if (threadIdx.x == 0)
            n.sum[lane] = sum;
    }
#  endif
}

#  define LAUNCH(pairs_, slices_, blocks)                                      \
    if (n->pairs == (pairs_) && n->slices == (slices_))                        \
      HS_LAUNCH_BLOCKS(                                                        \
          (narrow<pairs_, slices_, blocks>), n->used * n->chunks, THREADS,     \
          (size_t)(STAGES * TILES) * (size_t)n->bytes + sizeof(narrow_shared), \
          *n, x, has_slope);

void hs_narrow_chunks(const hs_card_network *n, const int16_t *x, int has_slope)
{
    LAUNCH(1, 1, 3)
    LAUNCH(1, 3, 3)
    LAUNCH(2, 1, 3)
    LAUNCH(2, 3, 3)
}
#else
void hs_narrow_chunks(const hs_card_network *n, const int16_t *x, int has_slope)
{
    (void)n, (void)x, (void)has_slope;
}
#endif
