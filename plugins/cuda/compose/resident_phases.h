/* resident_phases.h - what a block of a team does with its coordinates
 * (resident.h): four in a row at a time, a bit each, and what they add to ln q
 * in one term, as in the phases of whole/langevin.cu and finish.cu. */
#ifndef HS_CUDA_COMPOSE_RESIDENT_PHASES_H
#define HS_CUDA_COMPOSE_RESIDENT_PHASES_H

#include "cuda/compose/noise.h"
#include "cuda/whole/whole.h"

#define HS_RESIDENT_CHUNKS 8  /* at most */
#define HS_RESIDENT_WARPS  16 /* of a block, at most */

/* What is asked for. */
typedef struct hs_resident {
    uint64_t clock;   /* before the first step */
    uint64_t made;    /* Langevin steps before it */
    int count;        /* of the root's steps */
    int is_hiss;      /* else it is Langevin's */
    int sweeps, each; /* of hiss, and Langevin steps in a sweep */
    float *grad;      /* [tiles][dim][16] */
    int16_t *y;       /* the same of y, where there is no card */
} hs_resident;

/* Numbers of a block that threads share. */
typedef struct hs_resident_numbers {
    double loss[HS_RESIDENT_CHUNKS];
    double log_q[HS_RESIDENT_RANKS];
    double sum[HS_RESIDENT_WARPS];
    double log_uniform[2]; /* that decides, by turns */
} hs_resident_numbers;

/* A block of a team.  Its arrays are at the same place in all blocks. */
typedef struct resident {
    const hs_card_group *outer, *inner; /* hiss, or the same; Langevin */
    const hs_card_network *n;
    int64_t number, tile; /* of the lane */
    int lane, rank, thread, threads;
    int groups; /* of four coordinates, of a block */
    int turn;   /* of evaluations: which half of `next` it has */
    int is_tilted;
    double u;          /* where the lane stands */
    double changed[2]; /* jumps and Langevin steps */
    uint32_t *shared;
    hs_resident_numbers *numbers;
    float *row;     /* [share]: the gradient */
    float *part;    /* [chunks][share]: of y; the first becomes all of it */
    float *phi;     /* [share] */
    uint32_t *now;  /* [share / 32] */
    uint32_t *next; /* [2][words]: y, in every block all of it */
    int16_t *y;     /* of the job */
} resident;

HS_ON_CARD void load_floats(const float *from, float *to)
{
    uint32_t bits[4];

    hs_load_four((const uint32_t *)from, bits);
    HS_UNROLL
    for (int k = 0; k < 4; k++)
        to[k] = HS_BITS_FLOAT((int32_t)bits[k]);
}

HS_ON_CARD void store_floats(float *to, const float *from)
{
#if defined(__CUDACC__)
    *(float4 *)to = make_float4(from[0], from[1], from[2], from[3]);
#else
    memcpy(to, from, 4 * sizeof *to);
#endif
}

HS_ON_CARD int resident_words(const resident *a)
{
    return HS_RESIDENT_RANKS * a->groups / 8;
}

/* The words of y that are read in this turn. */
HS_ON_CARD uint32_t *resident_next(const resident *a)
{
    return a->next + a->turn % 2 * resident_words(a);
}

/* A word to all blocks of the team. */
HS_ON_CARD void resident_send(const resident *a, uint32_t *to, uint32_t word)
{
    for (int r = 0; r < HS_RESIDENT_RANKS; r++)
        if (r == a->rank)
            *to = word;
        else
            hs_team_write(a->shared, 0, r, (int)(to - a->shared), word);
}

HS_ON_CARD void resident_send_double(const resident *a, double *to,
                                     double value)
{
    uint32_t *at = (uint32_t *)to;
    union {
        double whole;
        uint32_t half[2];
    } v;

    v.whole = value;
    resident_send(a, at, v.half[0]);
    resident_send(a, at + 1, v.half[1]);
}

/* Four bits of group `at`, put together to words by eight threads; to: where
 * word 0 of the block is; is_sent: in all blocks. */
HS_ON_CARD void resident_put(const resident *a, uint32_t *to, int at,
                             uint32_t four, int is_sent)
{
    uint32_t *word = to + at / 8, all = four << at % 8 * 4;

#if defined(__CUDACC__)
    uint32_t mask = 0xffu << (threadIdx.x & 24);

    all |= __shfl_xor_sync(mask, all, 1);
    all |= __shfl_xor_sync(mask, all, 2);
    all |= __shfl_xor_sync(mask, all, 4);
    if (at % 8)
        return;
#else
    all |= *word & ~(15u << at % 8 * 4);
#endif
    if (is_sent)
        resident_send(a, word, all);
    else
        *word = all;
}

HS_ON_CARD void resident_put_next(const resident *a, int at, uint32_t four)
{
    resident_put(a, resident_next(a) + a->rank * (a->groups / 8), at, four, 1);
}

HS_ON_CARD uint32_t resident_four(const uint32_t *words, int at)
{
    return words[at / 8] >> at % 8 * 4 & 15;
}

/* The first coordinate of group `at`. */
HS_ON_CARD int resident_first(const resident *a, int at)
{
    return (a->rank * a->groups + at) * 4;
}

/* Logit of a flip. */
HS_ON_CARD float resident_logit(const resident *a, const hs_card_law *law,
                                int x, float row, float phi)
{
    float gap = a->inner->model.domain.gap;
    float up = law->beta != 0.0f ? law->beta * (row * gap) : 0.0f;

    if (a->is_tilted)
        up = up + phi;
    return law->balance * vf_negate_if(x, up) - law->stiffness * (gap * gap);
}

/* y, from x on; what it adds to ln q is taken from *sum. */
HS_ON_CARD uint32_t resident_propose_four(const resident *a,
                                          const hs_card_law *law, int at,
                                          uint32_t x, const uint32_t *word,
                                          double *sum)
{
    int i = resident_first(a, at), dim = a->n->dim;
    float term = 0.0f, product = 1.0f, row[4], phi[4];
    uint32_t y = 0;

    load_floats(a->row + at * 4, row);
    load_floats(a->phi + at * 4, phi);
    HS_UNROLL
    for (int k = 0; k < 4; k++) {
        int own = (int)(x >> k & 1), flip;
        float z, e;

        if (i + k >= dim)
            break;
        z = resident_logit(a, law, own, row[k], phi[k]);
        e = vf_exp_negative(-vf_abs(z));
        flip = vf_uniform(word[k]) * (1.0f + e) < (z < 0.0f ? e : 1.0f);
        y |= (uint32_t)(own ^ flip) << k;
        term = term + vf_min(vf_negate_if(1 - flip, z), 0.0f);
        product = product * (1.0f + e);
    }
    *sum = *sum - (double)(term - vf_log_normal(product));
    return y;
}

/* y of all coordinates; less ln q of the thread's is returned. */
HS_ON_CARD double resident_propose(const resident *a, const hs_card_law *law,
                                   uint64_t clock)
{
    const hs_card_group *g = a->inner;
    philox_at words =
        philox_begin(g->seed, clock, g->lanes.chain[0][a->number],
                     g->lanes.replica[0][a->number], HS_DRAW_PROPOSE);
    double sum = 0.0;

    HS_UNROLL_TWO
    for (int at = a->thread; at < a->groups; at += a->threads) {
        uint32_t word[4], y = 0;

        if (resident_first(a, at) < a->n->dim) {
            philox_four(&words, (uint32_t)resident_first(a, at) / 4, word);
            y = resident_propose_four(a, law, at, resident_four(a->now, at),
                                      word, &sum);
        }
        resident_put_next(a, at, y);
    }
    return sum;
}

/* The gradient at y, of four coordinates, from the chunks. */
HS_ON_CARD void resident_collect(const resident *a, int at, float *row)
{
    HS_UNROLL
    for (int k = 0; k < 4; k++)
        row[k] = (float)-a->n->form.lambda;
    for (int c = 0; c < HS_RESIDENT_RANKS * a->n->warp_groups; c++) {
        float part[4];

        load_floats(a->part + (c * a->groups + at) * 4, part);
        HS_UNROLL
        for (int k = 0; k < 4; k++)
            row[k] = row[k] + part[k];
    }
    store_floats(a->part + at * 4, row);
}

/* ln q(x | y) and the change of the tilt, of four coordinates. */
HS_ON_CARD float resident_back_four(const resident *a, const hs_card_law *law,
                                    int at, uint32_t from, uint32_t to,
                                    const float *row)
{
    int i = resident_first(a, at);
    float sum = 0.0f, product = 1.0f, phi[4];

    load_floats(a->phi + at * 4, phi);
    HS_UNROLL
    for (int k = 0; k < 4; k++) {
        int x = (int)(from >> k & 1), y = (int)(to >> k & 1);
        float z;

        if (i + k >= a->n->dim)
            break;
        z = resident_logit(a, law, y, row[k], phi[k]);
        sum = sum + vf_min(vf_negate_if(1 - (x ^ y), z), 0.0f);
        product = product * (1.0f + vf_exp_negative(-vf_abs(z)));
        if (a->is_tilted)
            sum = sum + phi[k] * (float)(y - x);
    }
    return sum - vf_log_normal(product);
}

/* The gradient at y, and ln q of the way back of the thread's coordinates;
 * law NULL: no way back. */
HS_ON_CARD double resident_go_back(const resident *a, const hs_card_law *law)
{
    const uint32_t *next = resident_next(a) + a->rank * (a->groups / 8);
    double sum = 0.0;

    HS_UNROLL_TWO
    for (int at = a->thread; at < a->groups; at += a->threads) {
        float row[4];

        if (resident_first(a, at) >= a->n->dim)
            break;
        resident_collect(a, at, row);
        if (law)
            sum = sum + (double)resident_back_four(
                            a, law, at, resident_four(a->now, at),
                            resident_four(next, at), row);
    }
    return sum;
}

/* Noise and, from it alone, y (hiss.cu). */
HS_ON_CARD void resident_noise(const resident *a, uint64_t clock)
{
    const hs_card_group *g = a->outer;
    hs_card_unit unit = hs_card_unit_of(g->model.domain.gap,
                                        hs_card_scale(g, a->number, clock - 1));
    philox_at noise =
        philox_begin(g->seed, clock, g->lanes.chain[0][a->number],
                     g->lanes.replica[0][a->number], HS_DRAW_NOISE);
    coin denoise = hs_card_coins(g, a->number, clock, HS_DRAW_DENOISE);

    HS_UNROLL_NOT
    for (int at = a->thread; at < a->groups; at += a->threads) {
        uint32_t word[4], words[4], x = resident_four(a->now, at), y = 0;
        float phi[4] = {0.0f, 0.0f, 0.0f, 0.0f};
        int i = resident_first(a, at);

        philox_four(&noise, (uint32_t)i / 4, word);
        philox_four(&denoise.at, (uint32_t)i / 8, words);
        HS_UNROLL
        for (int k = 0; k < 4; k++) {
            int own = (int)(x >> k & 1);

            if (i + k >= a->n->dim)
                break;
            own ^= hs_card_noise_pair(g->sampler.shape, &unit, own, word[k],
                                      &denoise, words, i + k, &phi[k]);
            y |= (uint32_t)own << k;
        }
        store_floats(a->phi + at * 4, phi);
        resident_put_next(a, at, y);
    }
}

/* at = y, but for U; the eight threads of a word are of one warp. */
HS_ON_CARD void resident_move(const resident *a)
{
    const uint32_t *next = resident_next(a) + a->rank * (a->groups / 8);

    for (int at = a->thread; at < a->groups; at += a->threads) {
        float row[4];

        load_floats(a->part + at * 4, row);
        store_floats(a->row + at * 4, row);
        if (at % 8 == 0)
            a->now[at / 8] = next[at / 8];
    }
}

/* States and gradient from the card's memory, and back. */
HS_ON_CARD void resident_load(const resident *a, const hs_resident *job)
{
    int dim = a->n->dim;
    const int16_t *x = &a->inner->lanes.x[a->tile * dim][a->lane];
    const float *grad = job->grad + a->tile * dim * HS_LANES + a->lane;

    for (int at = a->thread; at < a->groups; at += a->threads) {
        uint32_t four = 0;

        for (int k = 0; k < 4; k++) {
            int i = resident_first(a, at) + k;

            if (i >= dim)
                break;
            four |= (uint32_t)(HS_AT(x, i) & 1) << k;
            a->row[at * 4 + k] = HS_AT(grad, i);
        }
        resident_put(a, a->now, at, four, 0);
    }
}

HS_ON_CARD void resident_store(const resident *a, const hs_resident *job)
{
    int dim = a->n->dim;
    int16_t *x = &a->inner->lanes.x[a->tile * dim][a->lane];
    float *grad = job->grad + a->tile * dim * HS_LANES + a->lane;

    for (int at = a->thread; at < a->groups; at += a->threads)
        for (int k = 0; k < 4; k++) {
            int i = resident_first(a, at) + k;

            if (i >= dim)
                break;
            HS_AT(x, i) = (int16_t)(resident_four(a->now, at) >> k & 1);
            HS_AT(grad, i) = a->row[at * 4 + k];
        }
}

#endif
