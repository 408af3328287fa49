/* tall_tile.h - a tile of 64 cases of a network with few inputs by one group of
 * four warps: rows are cases, and columns all hidden units, so that what units
 * add to o is summed within a thread and its three neighbors.
 *
 * With w_j tanh(a_j) = tanh(w_j a_j) every output weight becomes 1: those of
 * unit j are multiplied by w_j, its bias with them, which is the weight of one
 * more input that is 1.  Units that are not there are r = 1/2.
 *   forward   a [cases][units] = inputs [cases][16] weights [16][units]
 *   back      sum of d z [units][16] = d^T [units][cases] z [cases][16]
 * with all four matrices in shared memory, in bricks (wgmma.h).
 *
 * A warp group is the 128 threads that share a tile. */
#ifndef HS_CUDA_NETWORK_TALL_TILE_H
#define HS_CUDA_NETWORK_TALL_TILE_H

#include "cuda/network/wide_tile.h"

#if defined(__CUDACC__)
#  define HS_TALL_THREADS 128
#  define HS_TALL_BRICKS  (HS_TALL_UNITS / 8)

/* Shared memory of a warp group.  Products of d read three bricks too far, and
 * leave what comes of them. */
typedef struct tall_shared {
    uint16_t d[2][HS_WIDE_CASES * HS_TALL_UNITS]; /* bfloat16, by turns */
    uint8_t beyond[3 * 128];
    double loss[4]; /* of each warp */
    float base[4];
    int sum[4];
    uint64_t arrival[4];
} tall_shared;
static_assert(sizeof(tall_shared) <= HS_TALL_SHARED, "see network.h");

/* What a thread keeps.  Its rows are cases g and g + 8 of its warp. */
typedef struct tall_mine {
    float slope[2][8]; /* of units up to 64, and of the others */
    float for_output[HS_TALL_UNITS / 4];
    float for_base;
    double loss;
    float base; /* b + the number of columns */
    int lane, warp, thread, warp_group;
} tall_mine;

HS_ON_CARD void tall_meet(int warp_group)
{
    asm volatile("bar.sync %0, %1;" ::"r"(warp_group + 1), "n"(HS_TALL_THREADS)
                 : "memory");
}

/* Products are to see what this thread has written. */
HS_ON_CARD void tall_publish(void)
{
    asm volatile("fence.proxy.async.shared::cta;" ::: "memory");
}

/* Weights of a network, bfloat16 in bricks of 8 units times 8 inputs, by all
 * threads of a block: four inputs of a unit at a time. */
template <class STATE>
HS_ON_CARD void tall_weights(const hs_card_network *n, STATE state,
                             uint8_t *weight, int thread, int threads)
{
    int hidden = n->form.hidden, inputs = n->form.inputs;

    for (int at = thread; at < 4 * HS_TALL_UNITS; at += threads) {
        int unit = at % HS_TALL_UNITS, first = at / HS_TALL_UNITS * 4;
        int j = unit < hidden ? unit : 0;
        int sign = state((inputs + 1) * hidden + j);
        uint32_t word[2] = {0, 0};

        HS_UNROLL
        for (int i = 0; i < 4; i++) {
            int is_there = first + i <= inputs && unit < hidden;
            int own = state((is_there ? first + i : 0) * hidden + j);
            uint32_t one = own == sign ? 0x3f80u : 0xbf80u;

            word[i / 2] |= (is_there ? one : 0u) << i % 2 * 16;
        }
        *(uint2 *)(weight + (first / 8 * HS_TALL_BRICKS + unit / 8) * 128 +
                   unit % 8 * 16 + first % 8 * 2) =
            make_uint2(word[0], word[1]);
    }
    tall_publish();
}

HS_ON_CARD void tall_begin(tall_mine *m, int is_on)
{
    HS_UNROLL
    for (int i = 0; i < 16; i++)
        m->slope[i / 8][i % 8] = 0.0f;
    HS_UNROLL
    for (int i = 0; i < HS_TALL_UNITS / 4; i++)
        m->for_output[i] = 0.0f;
    m->for_base = 0.0f;
    m->loss = 0.0;
    m->base = (float)HS_TALL_UNITS + (is_on ? 1.0f : -1.0f);
}

/* a of all units, in units of ln 2 / 2; the smallest slices first. */
HS_ON_CARD void tall_sums(const uint8_t *tile, const uint8_t *weight, float *r)
{
    uint64_t a = describe(tile, 1024, 128);
    uint64_t b = describe(weight, HS_TALL_BRICKS * 128, 128);

    group_begin();
    HS_UNROLL
    for (int k = 2; k >= 0; k--)
        tall_brief_104(r, further(a, k * 2048), b, k < 2);
    group_end();
}

/* r = 1 / (1 + e^2a), and the sums of both rows, to all four lanes.  Four have
 * one reciprocal, that of their product, which is below 2^124: 1 / p is it
 * times the other three. */
HS_ON_CARD void tall_units(float *r, float *sum)
{
    sum[0] = sum[1] = 0.0f;
    HS_UNROLL
    for (int i = 0; i < HS_TALL_UNITS / 2; i += 4) {
        float p[4], two[2], all;

        HS_UNROLL
        for (int k = 0; k < 4; k++)
            p[k] = 1.0f + power_of_two(fminf(r[i + k], 30.0f));
        two[0] = p[0] * p[1];
        two[1] = p[2] * p[3];
        all = inverse(two[0] * two[1]);
        HS_UNROLL
        for (int h = 0; h < 2; h++) {
            float both = all * two[1 - h];

            r[i + 2 * h] = both * p[2 * h + 1];
            r[i + 2 * h + 1] = both * p[2 * h];
            sum[h] = sum[h] + (r[i + 2 * h] + r[i + 2 * h + 1]);
        }
    }
    sum[0] = add_over(sum[0], 1, 4);
    sum[1] = add_over(sum[1], 1, 4);
}

/* dU/do of both rows, to slope. */
HS_ON_CARD void tall_error(const hs_card_network *n, tall_mine *m,
                           const float *sum, const float *number, float *said,
                           float *slope)
{
    HS_UNROLL
    for (int h = 0; h < 2; h++) {
        int c = m->warp * 16 + m->lane / 4 + h * 8;
        float o = m->base - 2.0f * sum[h];
        float f = inverse(1.0f + power_of_two(-0.5f * HS_TWO_LN2 * o));
        float error = (f - number[c]) * number[HS_WIDE_CASES + c];

        slope[h] = n->slope_scale * error * f * (1.0f - f);
        m->loss = m->loss + (double)(error * error);
        m->for_base = m->for_base + slope[h];
        if (said && m->lane % 4 == 0 && number[HS_WIDE_CASES + c] != 0.0f)
            said[c] = f;
    }
}

/* d = s (r - r^2), dU/da = 4 w d, to shared memory. */
HS_ON_CARD void tall_differences(tall_mine *m, const float *r,
                                 const float *slope, uint16_t *all)
{
    uint8_t *to =
        (uint8_t *)all + m->warp * 2 * HS_TALL_BRICKS * 128 + m->lane * 4;

    HS_UNROLL
    for (int i = 0; i < HS_TALL_UNITS / 2; i += 2) {
        int e = i / 4, h = i / 2 % 2;
        float d[2];

        HS_UNROLL
        for (int b = 0; b < 2; b++) {
            float v = r[i + b];

            m->for_output[e * 2 + b] =
                HS_FMA(slope[h], v, m->for_output[e * 2 + b]);
            d[b] = HS_FMA(-v, v, v) * slope[h];
        }
        *(uint32_t *)(to + (h * HS_TALL_BRICKS + e) * 128) =
            two_brief(d[0], d[1]);
    }
    tall_publish();
}

/* They are under way when this returns. */
HS_ON_CARD void tall_backward(tall_mine *m, const uint16_t *all,
                              const uint8_t *tile)
{
    uint64_t d = describe(all, HS_TALL_BRICKS * 128, 128);
    uint64_t z = describe(tile, 256, 128);

    group_begin();
    HS_UNROLL
    for (int k = 0; k < 8; k++)
        tall_brief_16(
            m->slope[k % 2],
            further(d, (k / 2 * 2 * HS_TALL_BRICKS + k % 2 * 8) * 128),
            further(z, k / 2 * 512));
    asm volatile("wgmma.commit_group.sync.aligned;" ::: "memory");
}

/* All tiles of the warp group, once. */
HS_ON_CARD void tall_tiles(const hs_card_network *n, tall_mine *m,
                           tall_shared *s, struct wide_places *p,
                           const uint8_t *weight, float *said)
{
    float r[HS_TALL_UNITS / 2];

    HS_UNROLL_NOT
    for (int k = 0; k < p->count; k++) {
        int t = p->at + k, place = t & 1, parity = t >> 1 & 1;
        const uint8_t *back = p->back + place * p->fro;
        float sum[2], slope[2];

        wait_for_bulk(p->arrival + place, parity);
        tall_sums(p->forward + place * p->to, weight, r);
        /* Behind this, nobody looks at this way forward, or at the way back
         * before and its d: each has waited for the products of both. */
        tall_meet(m->warp_group);
        if (m->thread == fetcher(m->warp_group)) {
            fetch_forward(p, t + 2);
            fetch_back(p, t + 1);
        }
        tall_units(r, sum);
        wait_for_bulk(p->arrival + 2 + place, parity);
        tall_error(n, m, sum, (const float *)(back + 2048),
                   said ? said + k * HS_WIDE_CASES : NULL, slope);
        tall_differences(m, r, slope, s->d[place]);
        tall_meet(m->warp_group);
        tall_backward(m, s->d[place], back);
    }
    asm volatile("wgmma.wait_group.sync.aligned 0;" ::: "memory");
    p->at += p->count;
}

/* Loss of the warp group's cases, and dU/db, to all threads; and for_output to
 * where d was, [32][units]. */
HS_ON_CARD double tall_totals(tall_mine *m, tall_shared *s, float *base)
{
    float *to = (float *)s->d + (m->warp * 8 + m->lane / 4) * HS_TALL_UNITS +
                m->lane % 4 * 2;

    HS_UNROLL
    for (int d = 4; d < 32; d *= 2)
        m->loss = m->loss + __shfl_xor_sync(0xffffffffu, m->loss, d);
    m->for_base = add_over(m->for_base, 4, 32);
    if (m->lane == 0) {
        s->loss[m->warp] = m->loss;
        s->base[m->warp] = m->for_base;
    }
    tall_meet(m->warp_group); /* all products of d are made */
    HS_UNROLL
    for (int e = 0; e < HS_TALL_BRICKS; e++)
        *(float2 *)(to + e * 8) =
            make_float2(m->for_output[e * 2], m->for_output[e * 2 + 1]);
    tall_meet(m->warp_group);
    *base = s->base[0] + s->base[1] + (s->base[2] + s->base[3]);
    return s->loss[0] + s->loss[1] + (s->loss[2] + s->loss[3]);
}

/* What tall_totals has left of unit u. */
HS_ON_CARD float tall_output(const tall_shared *s, int u)
{
    const float *output = (const float *)s->d + u;
    float sum[4] = {0.0f, 0.0f, 0.0f, 0.0f};

    HS_UNROLL
    for (int k = 0; k < 32; k++)
        sum[k % 4] = sum[k % 4] + output[k * HS_TALL_UNITS];
    return sum[0] + sum[1] + (sum[2] + sum[3]);
}

/* Gradients of the warp group's cases to put(coordinate, value); all: dU/db. */
template <class STATE, class PUT>
HS_ON_CARD void tall_write(const hs_card_network *n, tall_mine *m,
                           const tall_shared *s, STATE state, PUT put,
                           float all)
{
    int hidden = n->form.hidden, inputs = n->form.inputs;
    int out = (inputs + 1) * hidden, u = m->thread;

    HS_UNROLL
    for (int h = 0; h < 4; h++) {
        int j = h / 2 * 64 + m->warp * 16 + m->lane / 4 + h % 2 * 8;
        float four = j < hidden && state(out + j) ? 4.0f : -4.0f;

        HS_UNROLL
        for (int k = 0; k < 4; k++) {
            int i = k / 2 * 8 + m->lane % 4 * 2 + k % 2;

            if (i <= inputs && j < hidden)
                put(i * hidden + j,
                    four * m->slope[h / 2][k / 2 * 4 + h % 2 * 2 + k % 2]);
        }
    }
    if (u < hidden) {
        float both = all - 2.0f * tall_output(s, u);

        put(out + u, state(out + u) ? both : -both);
    }
    if (u == 0)
        put(n->dim - 1, all);
}
#endif
#endif
