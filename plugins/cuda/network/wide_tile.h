/* wide_tile.h - a network's tile of 64 cases by two groups of warps, with
 * products of whole groups (wgmma.h): 128 rows of units.
 *
 * Inputs are multiplied where the copies put them, without passing through
 * registers.  A tile has two parts, slices with units for the way forward and
 * inputs with targets for the way back; each has two places in shared memory,
 * and is fetched as soon as the last that was there is done with.
 *
 * A warp group is the 256 threads that share a tile; a block may have more than
 * one, each with memory and a barrier of its own. */
#ifndef HS_CUDA_NETWORK_WIDE_TILE_H
#define HS_CUDA_NETWORK_WIDE_TILE_H

#include "cuda/network/network.h"

/* Where the parts of a warp group's tiles are, and how long they are.  They
 * come by again and again: number t is tile t % count, until `last` have
 * been. */
struct wide_places {
    const uint8_t *from; /* the first tile */
    uint8_t *forward, *back;
    uint64_t *arrival;
    int count, to, fro;
    int at, last; /* fewer than 2^30 */
    /* of the thread that fetches: tiles whose parts it fetches next, in bytes
     * from the first, and where they begin again */
    int64_t next_forward, next_back, end;
};

#if defined(__CUDACC__)
#  include "cuda/network/fused.h"
#  include "cuda/network/tensor.h"
#  include "cuda/network/wgmma.h"

#  define HS_WIDE_THREADS (HS_WIDE_WARPS * 32)

/* What a thread keeps.  Its rows h = 0, 1 are units g and g + 8 of its warp.
 * Lane l sees to the errors of cases l and l + 32 of every tile. */
template <int STEPS> struct wide_mine {
    uint32_t weight[STEPS][4];
    float slope[STEPS * 16];
    float bias[2];   /* 2 c_j / ln 2 */
    float output[2]; /* -2 w_j, or 0: no such unit */
    float base;      /* b + sum_j w_j */
    float for_bias[2], for_output[2], for_base[2];
    double loss[2];
    int lane, warp; /* warp: of the units, not always that of the thread */
    int thread;     /* of the warp group */
    int warp_group;
    int halves; /* of the warp's rows, 8 each, that have units */
};

/* Shared memory of a warp group. */
typedef struct wide_shared {
    float out[2][HS_WIDE_WARPS][HS_WIDE_CASES]; /* what warps add to o */
    float slope[HS_WIDE_WARPS][HS_WIDE_CASES];  /* dU/do, for each warp */
    double loss;
    int sum[HS_WIDE_WARPS];
    uint64_t arrival[4]; /* forward and back, two places each */
} wide_shared;
static_assert(sizeof(wide_shared) <= HS_WIDE_SHARED, "see network.h");

/* Where a lane stands. */
struct wide_rows {
    const int16_t *x;
    __device__ int operator()(int i) const
    {
        return x[i * HS_LANES];
    }
};

/* Where the gradient of a chunk goes. */
struct wide_part {
    float *out;
    __device__ void operator()(int i, float v) const
    {
        out[i] = v;
    }
};

/* A number that all threads of a warp have, so that the compiler knows it: what
 * follows from it is computed once for the warp. */
HS_ON_CARD int of_warp(int v)
{
    return __shfl_sync(0xffffffffu, v, 0);
}

/* The thread of a warp group that fetches: warp groups take different quarters
 * of the multiprocessor for it. */
HS_ON_CARD int fetcher(int warp_group)
{
    return warp_group % 4 * 32;
}

/* All threads of a warp group wait for each other. */
HS_ON_CARD void wide_meet(int warp_group)
{
    asm volatile("bar.sync %0, %1;" ::"r"(warp_group + 1), "n"(HS_WIDE_THREADS)
                 : "memory");
}

/* Begins with state(i), the value of coordinate i, 0 or 1. */
template <int STEPS, class STATE>
HS_ON_CARD void wide_begin(const hs_card_network *n, STATE state,
                           struct wide_mine<STEPS> *m)
{
    int hidden = n->form.hidden, bias = n->form.inputs * hidden;
    int on = 0;

    m->halves = (hidden - m->warp * 16 + 7) / 8;
    HS_UNROLL
    for (int k = 0; k < STEPS * 16; k++)
        m->slope[k] = 0.0f;
    HS_UNROLL
    for (int h = 0; h < 2; h++) {
        int j = m->warp * 16 + m->lane / 4 + h * 8;
        int is_there = j < hidden;

        m->bias[h] = is_there && state(bias + j) ? HS_TWO_LN2 : -HS_TWO_LN2;
        m->output[h] =
            is_there ? (state(bias + hidden + j) ? -2.0f : 2.0f) : 0.0f;
        m->for_bias[h] = m->for_output[h] = m->for_base[h] = 0.0f;
        m->loss[h] = 0.0;
    }
    HS_UNROLL
    for (int k = 0; k < 4; k++) {
        int j = k * 32 + m->lane;

        on += j < hidden ? 2 * state(bias + hidden + j) - 1 : 0;
    }
    on = add_whole(on) + (state(n->dim - 1) ? 1 : -1);
    m->base = (float)on;
}

/* r = 1 / (1 + e^2a) of half H of the rows, of sums q, and what they add. */
template <int STEPS, int H>
HS_ON_CARD void wide_units(const struct wide_mine<STEPS> *m, const int q[32],
                           const float *unit, float r[32], float o[8][2])
{
    HS_UNROLL
    for (int e = 0; e < 8; e++) {
        float2 units = *(const float2 *)(unit + e * 8 + m->lane % 4 * 2);

        HS_UNROLL
        for (int b = 0; b < 2; b++) {
            int i = e * 4 + H * 2 + b;

            r[i] = inverse(
                1.0f + power_of_two(HS_FMA((float)q[i], b ? units.y : units.x,
                                           m->bias[H])));
            o[e][b] = HS_FMA(m->output[H], r[i], o[e][b]);
        }
    }
}

/* Hidden units r of a tile, [e][C fragment], and what they add to o. */
template <int STEPS, int SLICES>
HS_ON_CARD void wide_forward(const struct wide_mine<STEPS> *m,
                             const uint8_t *tile, float r[32], float *out)
{
    const float *unit = (const float *)(tile + SLICES * STEPS * 2048);
    uint64_t bricks = describe(tile, 1024, 128);
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
                          further(bricks, (s * STEPS + k) * 2048));
        group_end();
    }
    HS_UNROLL
    for (int i = 0; i < 32; i++) {
        r[i] = 0.0f;
        o[i / 4][i % 2] = 0.0f;
    }
    if (m->halves > 1)
        wide_units<STEPS, 1>(m, q, unit, r, o);
    if (m->halves > 0)
        wide_units<STEPS, 0>(m, q, unit, r, o);
    *(float2 *)(out + m->lane * 2) = sum_over_rows(o, m->lane);
}

/* dU/do of all cases, from what all warps have added, to each warp. */
template <int STEPS>
HS_ON_CARD void wide_error(const hs_card_network *n, struct wide_mine<STEPS> *m,
                           wide_shared *s, int place, const float *number,
                           float *said)
{
    HS_UNROLL
    for (int k = 0; k < 2; k++) {
        int c = k * 32 + m->lane;
        float o = m->base, f, error, slope;

        HS_UNROLL
        for (int w = 0; w < HS_WIDE_WARPS; w++)
            o = o + s->out[place][w][c];
        f = inverse(1.0f + power_of_two(-0.5f * HS_TWO_LN2 * o));
        error = (f - number[c]) * number[HS_WIDE_CASES + c];
        slope = n->slope_scale * error * f * (1.0f - f);
        s->slope[m->warp][c] = slope;
        m->loss[k] = m->loss[k] + (double)(error * error);
        m->for_base[k] = m->for_base[k] + slope;
        if (said && m->warp == 0 && number[HS_WIDE_CASES + c] != 0.0f)
            said[c] = f;
    }
    __syncwarp();
}

/* Of d = s (r - r^2): dU/da = 4 w d. */
template <int STEPS>
HS_ON_CARD void wide_backward(struct wide_mine<STEPS> *m, const float r[32],
                              const float *slope, const uint8_t *tile)
{
    uint64_t bricks = describe(tile, STEPS * 512, 128);
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
        uint64_t b = further(bricks, k * STEPS * 1024);

        HS_UNROLL
        for (int c = 0; c < STEPS / 3; c++)
            wide_brief_96(m->slope + c * 48, a[k], further(b, c * 1536));
        b = further(b, STEPS / 3 * 1536);
        if (STEPS % 3 == 1)
            wide_brief_32(m->slope + STEPS / 3 * 48, a[k], b);
        if (STEPS % 3 == 2)
            wide_brief_64(m->slope + STEPS / 3 * 48, a[k], b);
    }
    group_end();
}

/* Gradients of the warp group's cases to put(coordinate, value); all: dU/db.
 * dU/dw = sum of s (1 - 2 r). */
template <int STEPS, class PUT>
HS_ON_CARD void wide_write(const hs_card_network *n, struct wide_mine<STEPS> *m,
                           PUT put, float all)
{
    int hidden = n->form.hidden, inputs = n->form.inputs;
    int j = m->warp * 16 + m->lane / 4;

    HS_UNROLL
    for (int k = 0; k < STEPS * 16; k++) {
        int i = k / 4 * 8 + m->lane % 4 * 2 + k % 2, row = j + k / 2 % 2 * 8;

        if (i < inputs && row < hidden)
            put(i * hidden + row, -2.0f * m->output[k / 2 % 2] * m->slope[k]);
    }
    HS_UNROLL
    for (int h = 0; h < 2; h++) {
        float bias = add_over(m->for_bias[h], 1, 4);
        float output = add_over(m->for_output[h], 1, 4);

        if (m->lane % 4 == 0 && j + h * 8 < hidden) {
            put(inputs * hidden + j + h * 8, -2.0f * m->output[h] * bias);
            put((inputs + 1) * hidden + j + h * 8, all - 2.0f * output);
        }
    }
    if (m->thread == 0)
        put(n->dim - 1, all);
}

/* Loss of the warp group's cases, and dU/db, to all threads. */
template <int STEPS>
HS_ON_CARD double wide_totals(struct wide_mine<STEPS> *m, float *base)
{
    HS_UNROLL
    for (int k = 0; k < 2; k++) {
        HS_UNROLL
        for (int d = 1; d < 32; d *= 2)
            m->loss[k] =
                m->loss[k] + __shfl_xor_sync(0xffffffffu, m->loss[k], d);
        m->for_base[k] = add_over(m->for_base[k], 1, 32);
    }
    *base = m->for_base[0] + m->for_base[1];
    return m->loss[0] + m->loss[1];
}

/* The sum of all weights of the network, to all threads. */
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
    wide_meet(m->warp_group);
    sum = (int)m->base; /* b and w */
    for (int w = 0; w < HS_WIDE_WARPS; w++)
        sum += s->sum[w];
    return sum;
}

HS_ON_CARD struct wide_places wide_places_of(const hs_card_network *n,
                                             int chunk, uint8_t *bytes,
                                             uint64_t *arrival, int times)
{
    int first = chunk * n->each;
    struct wide_places p;

    p.to = hs_wide_forward(n);
    p.fro = hs_wide_back(n);
    p.forward = bytes;
    p.back = bytes + 2 * p.to;
    p.from = n->tile + (int64_t)first * n->bytes;
    p.arrival = arrival;
    p.count = first + n->each < n->tiles ? n->each : n->tiles - first;
    p.count = p.count > 0 ? p.count : 0;
    p.at = 0;
    p.last = times * p.count;
    p.next_forward = p.next_back = 0;
    p.end = (int64_t)p.count * (p.to + p.fro);
    return p;
}

/* The tile behind the one that is `at` bytes from the first. */
HS_ON_CARD int64_t tile_behind(const struct wide_places *p, int64_t at)
{
    at += p->to + p->fro;
    return at == p->end ? 0 : at;
}

/* Each takes the tiles in turn: t is one more from call to call. */
HS_ON_CARD void fetch_forward(struct wide_places *p, int t)
{
    if (t >= p->last)
        return;
    begin_bulk(p->forward + (t & 1) * p->to, p->from + p->next_forward, p->to,
               p->arrival + (t & 1));
    p->next_forward = tile_behind(p, p->next_forward);
}

HS_ON_CARD void fetch_back(struct wide_places *p, int t)
{
    if (t >= p->last)
        return;
    begin_bulk(p->back + (t & 1) * p->fro, p->from + p->to + p->next_back,
               p->fro, p->arrival + 2 + (t & 1));
    p->next_back = tile_behind(p, p->next_back);
}

/* The fetcher of a warp group, which meets behind it. */
HS_ON_CARD void fetch_first(struct wide_places *p)
{
    for (int k = 0; k < 4; k++)
        arrival_init(p->arrival + k);
    arrivals_are_there();
    fetch_forward(p, 0);
    fetch_back(p, 0);
    fetch_forward(p, 1);
}

/* All tiles of the warp group, once. */
template <int STEPS, int SLICES>
HS_ON_CARD void wide_tiles(const hs_card_network *n, struct wide_mine<STEPS> *m,
                           wide_shared *s, struct wide_places *p, float *said,
                           int has_slope)
{
    float r[32];

    HS_UNROLL_NOT
    for (int k = 0; k < p->count; k++) {
        int t = p->at + k;
        int place = t & 1, parity = t >> 1 & 1;
        const uint8_t *back = p->back + place * p->fro;

        wait_for_bulk(p->arrival + place, parity);
        wide_forward<STEPS, SLICES>(m, p->forward + place * p->to, r,
                                    s->out[place][m->warp]);
        /* Behind this, all have sent their part of o, and nobody looks at
         * this way forward or at the way back before. */
        wide_meet(m->warp_group);
        if (m->thread == fetcher(m->warp_group)) {
            fetch_forward(p, t + 2);
            fetch_back(p, t + 1);
        }
        wait_for_bulk(p->arrival + 2 + place, parity);
        wide_error<STEPS>(n, m, s, place,
                          (const float *)(back + STEPS * HS_WIDE_CASES * 64),
                          said ? said + k * HS_WIDE_CASES : NULL);
        if (has_slope)
            wide_backward<STEPS>(m, r, s->slope[m->warp], back);
    }
    p->at += p->count;
}
#endif
#endif
