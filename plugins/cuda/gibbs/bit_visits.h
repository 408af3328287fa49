/* bit_visits.h - visits of a pair model with a bit per chain, by one warp.
 *
 * A lane of the warp is a chain, 32 chains are a word, and the warp visits a
 * site in some words at once: a neighbor then costs a load that all lanes
 * share and an addition, and a coupling is read once for all of them.  The
 * draws are those of gibbs_pairs.cu.  Of the words of a site only this warp
 * writes these, and neighbors are not written meanwhile (bits.h). */
#ifndef HS_CUDA_BIT_VISITS_H
#define HS_CUDA_BIT_VISITS_H

#include "cuda/gibbs/bit_toss.h"
#include "cuda/gibbs/bits.h"

#define HS_BIT_WORDS 8 /* at most, of a warp */

/* Some words of all sites: word[site * stride + w]. */
typedef struct hs_bit_view {
    const hs_card_group *g;
    const hs_card_bits *b;
    uint32_t *word;
    int stride;
    int64_t first; /* word of the group that w = 0 is */
    /* those of an eight, and all couplings of the first of them on */
    const hs_card_visit *visit;
    const hs_card_pair *pair;
    int unit; /* bytes of which a place is a multiple (bits.h) */
    int is_summed;
    uint64_t clock;
    /* of a team (card.h): its blocks, this one, and the memory that they all
     * have; is_early: others may still be at the visits before */
    int ranks, rank, is_early;
    uint32_t *shared;
    size_t bytes;
} hs_bit_view;

/* Per lane of the warp and word. */
typedef int hs_bit_counts[HS_WARP_PART][HS_BIT_WORDS];
typedef float hs_bit_sums[HS_WARP_PART][HS_BIT_WORDS];

/* What eight visits share: their random bits, of which those of the next two
 * visits are in the first word. */
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

/* Drops the bits of two visits. */
HS_ON_CARD void hs_bit_drop(int words, hs_bit_draws *v)
{
    HS_UNROLL
    for (int w = 0; w < words; w++)
        HS_EACH_LANE(l)
        {
            uint32_t *r = v->random[l][w];

            r[0] = r[1];
            r[1] = r[2];
            r[2] = r[3];
        }
}

HS_ON_CARD void hs_bit_words(const hs_bit_view *a, int words, int place,
                             uint32_t *bits)
{
    const uint32_t *from =
        (const uint32_t *)((const char *)a->word + (int64_t)place * a->unit);

    if (words == 1)
        bits[0] = from[0];
    else if (words == 2)
        hs_load_two(from, bits);
    else
        hs_load_four(from, bits);
}

/* A neighbor of all words. */
HS_ON_CARD void hs_bit_add(const hs_bit_view *a, int words, int kind, int place,
                           float value, hs_bit_sums sum)
{
    uint32_t bits[HS_BIT_WORDS];

    hs_bit_words(a, words, place, bits);
    HS_UNROLL
    for (int w = 0; w < words; w++)
        HS_EACH_LANE(l)
        {
            vi high = (vi)(bits[w] * hs_bit_to_top(hs_warp_lane(l)));

            sum[l][w] = sum[l][w] + hs_bit_term(kind, high, value);
        }
}

/* sum_j J_ij s_j of all words, in the order of heat_bath.c. */
HS_ON_CARD void hs_bit_pull(const hs_bit_view *a, int words, int kind,
                            const hs_card_visit *visit, int k, hs_bit_sums sum)
{
    const hs_device_model *m = &a->g->model;
    const hs_card_pair *pair = a->pair + (int64_t)k * a->b->row;
    float base = m->low * (float)visit->degree;

    HS_UNROLL
    for (int w = 0; w < words; w++)
        HS_EACH_LANE(l)
        {
            sum[l][w] = 0.0f;
        }
    HS_UNROLL_TWO
    for (int p = 0; 2 * p < visit->degree; p++) {
        hs_card_pair two = pair[p];

        hs_bit_add(a, words, kind, two.place[0], two.value[0], sum);
        hs_bit_add(a, words, kind, two.place[1], two.value[1], sum);
    }
    HS_UNROLL
    for (int w = 0; w < words; w++)
        HS_EACH_LANE(l)
        {
            if (kind == HS_BIT_UNIFORM)
                sum[l][w] = (sum[l][w] * m->gap + base) * m->j.uniform;
        }
}

/* Adds the conditional of site i with logit d to the marginals. */
HS_ON_CARD void hs_bit_sum(const hs_bit_view *a, int w, int l, int i, float d)
{
    int64_t lane = hs_bit_lane(a, w, l);

    if (lane >= 0)
        hs_card_sum_row(a->g, lane, i)[0] +=
            a->g->lanes.weight[0][lane] * hs_toss_chance(d);
}

/* Coins of visit n with logits d: whether they show the high value, word by
 * word. */
HS_ON_CARD void hs_bit_toss(const hs_bit_view *a, int words, int n,
                            const hs_bit_draws *v, hs_bit_sums d,
                            int high[HS_WARP_PART][HS_BIT_WORDS])
{
    uint32_t which = n % 2 ? HS_TOSS_ODD : HS_TOSS_EVEN;
    int unsure = 0;

    HS_UNROLL
    for (int w = 0; w < words; w++)
        HS_EACH_LANE(l)
        {
            high[l][w] =
                hs_toss(HS_BYTES(v->random[l][w][0], HS_TOSS_TOP, which),
                        d[l][w], &unsure);
        }
    if (HS_ANY_LANE(unsure)) {
        HS_UNROLL
        for (int w = 0; w < words; w++)
            HS_EACH_LANE(l)
            {
                high[l][w] = hs_toss_exactly(
                    a->g->seed, a->clock, v->chain[l][w], v->replica[l][w], n,
                    HS_BYTES(v->random[l][w][0], HS_TOSS_TOP, which), d[l][w]);
            }
    }
}

/* A word to its place; in a team to that of all blocks, a lane each. */
HS_ON_CARD void hs_bit_write(const hs_bit_view *a, uint32_t *own, uint32_t bits)
{
    if (a->ranks == 1) {
        if (HS_IS_FIRST_LANE)
            *own = bits;
        return;
    }
    HS_EACH_LANE(l)
    {
        if (hs_warp_lane(l) < a->ranks)
            hs_team_write(a->shared, a->bytes, hs_warp_lane(l),
                          (int)(own - a->word), bits);
    }
}

/* Visit n; what changes is counted. */
HS_ON_CARD void hs_bit_visit(const hs_bit_view *a, int words, int kind, int n,
                             const hs_bit_draws *v, hs_bit_counts changed)
{
    hs_card_visit visit = a->visit[n % 8];
    int i = visit.site, high[HS_WARP_PART][HS_BIT_WORDS];
    uint32_t *own = a->word + (int64_t)i * a->stride;
    hs_bit_sums sum;

    hs_bit_pull(a, words, kind, &visit, n % 8, sum);
    HS_UNROLL
    for (int w = 0; w < words; w++)
        HS_EACH_LANE(l)
        {
            sum[l][w] = v->scale[l][w] * (sum[l][w] + visit.field);
            if (a->is_summed)
                hs_bit_sum(a, w, l, i, sum[l][w]);
        }
    hs_bit_toss(a, words, n, v, sum, high);
    HS_UNROLL
    for (int w = 0; w < words; w++) {
        uint32_t bits = 0, old = own[w];

        HS_EACH_LANE(l)
        {
            HS_BALLOT(bits, l, high[l][w]);
        }
        HS_SYNC_WARP(); /* all have read what is written */
        hs_bit_write(a, own + w, bits);
        HS_EACH_LANE(l)
        {
            changed[l][w] +=
                (int)((old ^ bits) * hs_bit_to_top(hs_warp_lane(l)) >> 31);
        }
    }
}

/* The visits of an eight where they lie in the card's memory. */
HS_ON_CARD void hs_bit_look(hs_bit_view *a, int eight)
{
    a->visit = a->b->visit + 8 * (int64_t)eight;
    a->pair = a->b->pair + 8 * (int64_t)eight * a->b->row;
}

/* Until states are those after the visits before. */
HS_ON_CARD void hs_bit_await(hs_bit_view *a)
{
    if (!a->is_early)
        return;
    HS_SYNC_WARP();
    hs_team_wait();
    a->is_early = 0;
}

/* Those of visits 8 eight to 8 eight + 7 that are in a stage.  The loop is not
 * unrolled: its code would not fit into the cache of instructions. */
HS_ON_CARD void hs_bit_eight(hs_bit_view *a, int words, int kind, int eight,
                             int first, int last, hs_bit_counts changed)
{
    hs_bit_draws v;

    hs_bit_draw(a, words, eight, &v);
    hs_bit_await(a);
    HS_UNROLL_NOT
    for (int k = 0; k < 8; k++) {
        if (8 * eight + k >= first && 8 * eight + k < last)
            hs_bit_visit(a, words, kind, 8 * eight + k, &v, changed);
        if (k % 2)
            hs_bit_drop(words, &v);
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

#endif
