/* bit_visits.h - visits of a pair model with a bit per chain, by one warp.
 *
 * A lane of the warp is a chain, 32 chains are a word, and the warp visits a
 * site in some words at once: a neighbour then costs a load that all lanes
 * share and an addition, and a coupling is read once for all of them.  The
 * draws are those of gibbs_pairs.cu.  Of the words of a site only this warp
 * writes these, and neighbours are not written meanwhile (bits.h). */
#ifndef HS_CUDA_BIT_VISITS_H
#define HS_CUDA_BIT_VISITS_H

#include "cuda/gibbs/bits.h"

#define HS_BIT_WORDS 8 /* at most, of a warp */

/* Of couplings, known when a kernel is compiled. */
enum {
    HS_BIT_PLAIN,  /* s = 0 or 1 */
    HS_BIT_SPIN,   /* s = -1 or 1 */
    HS_BIT_UNIFORM /* all are equal: high neighbours are counted */
};

/* Some words of all sites: word[site * stride + w]. */
typedef struct hs_bit_view {
    const hs_card_group *g;
    const hs_card_bits *b;
    uint32_t *word;
    int stride;
    int64_t first; /* word of the group that w = 0 is */
    int is_summed;
    uint64_t clock;
} hs_bit_view;

/* Per lane of the warp and word. */
typedef int hs_bit_counts[HS_WARP_PART][HS_BIT_WORDS];
typedef float hs_bit_sums[HS_WARP_PART][HS_BIT_WORDS];

/* What eight visits share: their random bits, shifted along visit by visit. */
typedef struct hs_bit_draws {
    uint32_t random[HS_WARP_PART][HS_BIT_WORDS][4];
    uint32_t chain[HS_WARP_PART][HS_BIT_WORDS];
    uint32_t replica[HS_WARP_PART][HS_BIT_WORDS];
    hs_bit_sums scale;
} hs_bit_draws;

/* The lane of word w; -1 past the last. */
HS_ON_CARD int64_t hs_bit_lane(const hs_bit_view *a, int w, int l)
{
    int64_t n = (a->first + w) * HS_WARP + hs_warp_lane(l);

    return n < hs_card_lanes(a->g) ? n : -1;
}

/* States of site i, from and to the rows of tiles. */
HS_ON_CARD void hs_bit_load(const hs_bit_view *a, int words, int i)
{
    for (int w = 0; w < words; w++) {
        uint32_t bits = 0;

        HS_EACH_LANE(l)
        {
            int64_t n = hs_bit_lane(a, w, l);
            int x = n >= 0 && hs_card_row(a->g, n, i)[0];

            HS_BALLOT(bits, l, x);
        }
        if (HS_IS_FIRST_LANE)
            a->word[(int64_t)i * a->stride + w] = bits;
    }
}

HS_ON_CARD void hs_bit_store(const hs_bit_view *a, int words, int i)
{
    for (int w = 0; w < words; w++) {
        uint32_t bits = a->word[(int64_t)i * a->stride + w];

        HS_EACH_LANE(l)
        {
            int64_t n = hs_bit_lane(a, w, l);

            if (n >= 0)
                hs_card_row(a->g, n, i)[0] =
                    (int16_t)(bits >> hs_warp_lane(l) & 1);
        }
    }
}

/* All words of a view, which has no others, from and to those of all chains:
 * shared out among the warps of a block. */
HS_ON_CARD void hs_bit_copy(const hs_bit_view *a, int words, int is_back)
{
    int64_t all = (int64_t)a->g->model.dim * words;

    for (int64_t n = threadIdx.x / HS_WARP * HS_WARP; n < all; n += blockDim.x)
        HS_EACH_LANE(l)
        {
            int64_t at = n + hs_warp_lane(l);
            uint32_t *there =
                a->b->all + a->first + at / words * a->b->stride + at % words;

            if (at < all && is_back)
                *there = a->word[at];
            else if (at < all)
                a->word[at] = *there;
        }
}

/* Random bits of visits 8 eight to 8 eight + 7. */
HS_ON_CARD void hs_bit_draw(const hs_bit_view *a, int words, int eight,
                            hs_bit_draws *v)
{
    HS_UNROLL
    for (int w = 0; w < words; w++)
        HS_EACH_LANE(l)
        {
            int64_t lane = hs_bit_lane(a, w, l);
            philox_at at;

            lane = lane < 0 ? 0 : lane;
            v->chain[l][w] = a->g->lanes.chain[0][lane];
            v->replica[l][w] = a->g->lanes.replica[0][lane];
            v->scale[l][w] = a->g->lanes.beta[0][lane] * a->g->model.step;
            at = philox_begin(a->g->seed, a->clock, v->chain[l][w],
                              v->replica[l][w], HS_DRAW_PROPOSE);
            philox_four(&at, (uint32_t)eight, v->random[l][w]);
        }
}

/* Drops the bits of one visit. */
HS_ON_CARD void hs_bit_shift(int words, hs_bit_draws *v)
{
    HS_UNROLL
    for (int w = 0; w < words; w++)
        HS_EACH_LANE(l)
        {
            uint32_t *r = v->random[l][w];

            r[0] = r[0] >> 16 | r[1] << 16;
            r[1] = r[1] >> 16 | r[2] << 16;
            r[2] = r[2] >> 16 | r[3] << 16;
            r[3] = r[3] >> 16;
        }
}

HS_ON_CARD void hs_bit_words(const hs_bit_view *a, int words, int i,
                             uint32_t *bits)
{
    const uint32_t *from = a->word + (int64_t)i * a->stride;

    if (words == 1)
        bits[0] = from[0];
    else if (words == 2)
        hs_load_two(from, bits);
    else
        hs_load_four(from, bits);
    if (words == 8)
        hs_load_four(from + 4, bits + 4);
}

/* What a neighbour adds to a sum, in single operations of the card. */
HS_ON_CARD float hs_bit_term(int kind, uint32_t bits, int lane, float value)
{
    vi high = vi_bits_left((vi)bits, 31 - lane); /* as the sign */

    if (kind == HS_BIT_SPIN)
        return vf_bits((high & INT32_MIN) ^ vi_bits(value));
    return high < 0 ? value : 0.0f;
}

/* A neighbour of all words. */
HS_ON_CARD void hs_bit_add(const hs_bit_view *a, int words, int kind,
                           int column, float value, hs_bit_sums sum)
{
    uint32_t bits[HS_BIT_WORDS];

    hs_bit_words(a, words, column, bits);
    HS_UNROLL
    for (int w = 0; w < words; w++)
        HS_EACH_LANE(l)
        {
            sum[l][w] =
                sum[l][w] + hs_bit_term(kind, bits[w], hs_warp_lane(l), value);
        }
}

/* sum_j J_ij s_j of all words, in the order of heat_bath.c. */
HS_ON_CARD void hs_bit_pull(const hs_bit_view *a, int words, int kind,
                            const hs_card_visit *visit, hs_bit_sums sum)
{
    const hs_device_model *m = &a->g->model;

    HS_UNROLL
    for (int w = 0; w < words; w++)
        HS_EACH_LANE(l)
        {
            sum[l][w] = 0.0f;
        }
    HS_UNROLL_TWO
    for (int p = visit->first; p < visit->last; p++) {
        hs_card_pair two = a->b->pair[p];

        hs_bit_add(a, words, kind, two.column[0], two.value[0], sum);
        hs_bit_add(a, words, kind, two.column[1], two.value[1], sum);
    }
    HS_UNROLL
    for (int w = 0; w < words; w++)
        HS_EACH_LANE(l)
        {
            if (kind == HS_BIT_UNIFORM)
                sum[l][w] = (sum[l][w] * m->gap + visit->base) * m->j.uniform;
        }
}

/* Whether the coin of a chain with logit d shows the high value. */
HS_ON_CARD int hs_bit_toss(const hs_bit_view *a, const hs_bit_draws *v, int n,
                           int w, int l, int i, float d)
{
    float e = vf_exp_negative(-vf_abs(d));
    float part = d < 0.0f ? e : 1.0f, whole = 1.0f + e;
    coin c;

    if (a->is_summed) {
        int64_t lane = hs_bit_lane(a, w, l);

        if (lane >= 0)
            hs_card_sum_row(a->g, lane, i)[0] +=
                a->g->lanes.weight[0][lane] * part / whole;
    }
    c.more = philox_begin(a->g->seed, a->clock, v->chain[l][w],
                          v->replica[l][w], HS_DRAW_TIE);
    return coin_decide(&c, coin_half(v->random[l][w][0], 0), n, part, whole);
}

/* Visit n; what changes is counted. */
HS_ON_CARD void hs_bit_visit(const hs_bit_view *a, int words, int kind, int n,
                             const hs_bit_draws *v, hs_bit_counts changed)
{
    const hs_device_model *m = &a->g->model;
    hs_card_visit visit = a->b->visit[n];
    int i = visit.site;
    float field = m->j.field ? m->j.field[i] : 0.0f;
    uint32_t *own = a->word + (int64_t)i * a->stride;
    hs_bit_sums sum;

    hs_bit_pull(a, words, kind, &visit, sum);
    HS_UNROLL
    for (int w = 0; w < words; w++) {
        uint32_t bits = 0, old = own[w];

        HS_EACH_LANE(l)
        {
            float d = v->scale[l][w] * (sum[l][w] + field);
            int high = hs_bit_toss(a, v, n, w, l, i, d);

            HS_BALLOT(bits, l, high);
        }
        HS_SYNC_WARP(); /* all have read what the first one writes */
        if (HS_IS_FIRST_LANE)
            own[w] = bits;
        HS_EACH_LANE(l)
        {
            changed[l][w] += (int)((old ^ bits) >> hs_warp_lane(l) & 1);
        }
    }
}

/* Those of visits 8 eight to 8 eight + 7 that are in a stage.  The loop is not
 * unrolled: its code would not fit into the cache of instructions. */
HS_ON_CARD void hs_bit_eight(const hs_bit_view *a, int words, int kind,
                             int eight, int first, int last,
                             hs_bit_counts changed)
{
    hs_bit_draws v;

    hs_bit_draw(a, words, eight, &v);
    HS_UNROLL_NOT
    for (int k = 0; k < 8; k++) {
        if (8 * eight + k >= first && 8 * eight + k < last)
            hs_bit_visit(a, words, kind, 8 * eight + k, &v, changed);
        hs_bit_shift(words, &v);
    }
}

HS_ON_CARD void hs_bit_begin(int words, hs_bit_counts changed)
{
    HS_UNROLL
    for (int w = 0; w < words; w++)
        HS_EACH_LANE(l)
        {
            changed[l][w] = 0;
        }
}

/* Whole numbers: their order does not matter. */
HS_ON_CARD void hs_bit_end(const hs_bit_view *a, int words,
                           hs_bit_counts changed)
{
    HS_UNROLL
    for (int w = 0; w < words; w++)
        HS_EACH_LANE(l)
        {
            int64_t n = hs_bit_lane(a, w, l);

            if (n >= 0 && changed[l][w])
                HS_ADD(&a->g->lanes.changed[0][n], (double)changed[l][w]);
        }
}

/* Which kind a model has. */
HS_EITHER int hs_bit_kind(const hs_device_model *m)
{
    return m->j.uniform != 0.0f ? HS_BIT_UNIFORM
           : m->low < 0.0f      ? HS_BIT_SPIN
                                : HS_BIT_PLAIN;
}

#endif
