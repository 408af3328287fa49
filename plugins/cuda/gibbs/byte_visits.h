/* byte_visits.h - the visits of bit_visits.h where a lane of the warp has its
 * chains of all words in a byte of its own: byte[site][lane], bit w for word w.
 *
 * A multiprocessor gives 128 bytes a cycle to the lanes of a warp, whether they
 * share an address or not.  Words that all lanes load take as many cycles as
 * there are words, of which a lane uses a bit each; bytes take one.  They need
 * 32 bytes a site of shared memory for any number of words. */
#ifndef HS_CUDA_BYTE_VISITS_H
#define HS_CUDA_BYTE_VISITS_H

#include "cuda/gibbs/bit_visits.h"

/* Times this, bit k of four is bit 8 k, or with the other 8 k + 7; the products
 * do not meet. */
#define HS_BYTE_LOW     0x00204081u
#define HS_BYTE_TOP     0x10204080u
#define HS_BYTE_LOWS    0x01010101u
#define HS_BYTE_TOPS    0x80808080u
#define HS_BYTE_ONE     0x3f3f3f3fu /* the top bytes of 1 */
#define HS_BYTE_QUARTER 4           /* chains of which are spread over a word */

HS_ON_CARD uint8_t *hs_byte_at(const hs_bit_view *a, int place)
{
    return (uint8_t *)a->word + place;
}

/* Chains 4 q to 4 q + 3 of a byte that has no others of `words`. */
HS_ON_CARD uint32_t hs_byte_part(int words, uint32_t byte, int q)
{
    return words > HS_BYTE_QUARTER ? byte >> 4 * q & 15 : byte;
}

/* Byte c of a word as a float. */
HS_ON_CARD float hs_byte_float(uint32_t word, int c)
{
    return vf_bits((vi)HS_BYTES(word, 0x4b000000u, 0x7440u + (uint32_t)c)) -
           0x1p23f;
}

#define HS_BYTE_COPIES 4 /* words of a thread that are on their way at once */

/* All sites of the words of a view, from (is_back: to) those of all chains, by
 * all threads of a block: a site's words are where its bytes will be, or
 * were. */
HS_ON_CARD void hs_byte_move(const hs_bit_view *a, int words, int is_back)
{
    int all = a->g->model.dim * words, step = (int)blockDim.x;
    int first = (int)(threadIdx.x / HS_WARP) * HS_WARP;

    for (int n = first; n < all; n += HS_BYTE_COPIES * step)
        HS_EACH_LANE(l)
        {
            uint32_t bits[HS_BYTE_COPIES];
            uint32_t *here[HS_BYTE_COPIES], *there[HS_BYTE_COPIES];
            int is_one[HS_BYTE_COPIES];

            HS_UNROLL
            for (int k = 0; k < HS_BYTE_COPIES; k++) {
                int at = n + k * step + hs_warp_lane(l);
                int site = at / words, w = at % words;

                is_one[k] = at < all && a->first + w < a->b->stride;
                here[k] = a->word + site * (HS_WARP / 4) + w;
                there[k] =
                    a->b->all + a->first + (int64_t)site * a->b->stride + w;
                bits[k] = !is_one[k] ? 0 : is_back ? *here[k] : *there[k];
            }
            HS_UNROLL
            for (int k = 0; k < HS_BYTE_COPIES; k++) {
                if (is_one[k])
                    *(is_back ? there[k] : here[k]) = bits[k];
            }
        }
}

/* Words of a site become its bytes. */
HS_ON_CARD void hs_byte_make(const hs_bit_view *a, int words, int site)
{
    uint32_t bits[HS_BIT_WORDS];

    HS_UNROLL
    for (int w = 0; w < words; w += 4)
        hs_load_four(a->word + site * (HS_WARP / 4) + w, bits + w);
    HS_SYNC_WARP(); /* all have read what is overwritten */
    HS_EACH_LANE(l)
    {
        uint32_t byte = 0;

        HS_UNROLL
        for (int w = 0; w < words; w++)
            byte |= (bits[w] >> hs_warp_lane(l) & 1) << w;
        hs_byte_at(a, site * HS_WARP)[hs_warp_lane(l)] = (uint8_t)byte;
    }
}

/* And back. */
HS_ON_CARD void hs_byte_unmake(const hs_bit_view *a, int words, int site)
{
    uint32_t byte[HS_WARP_PART];

    HS_EACH_LANE(l)
    {
        byte[l] = hs_byte_at(a, site * HS_WARP)[hs_warp_lane(l)];
    }
    HS_SYNC_WARP();
    HS_UNROLL
    for (int w = 0; w < words; w++) {
        uint32_t bits = 0;

        HS_EACH_LANE(l)
        {
            HS_BALLOT(bits, l, byte[l] >> w & 1);
        }
        if (HS_IS_FIRST_LANE)
            a->word[site * (HS_WARP / 4) + w] = bits;
    }
}

HS_ON_CARD void hs_byte_copy(const hs_bit_view *a, int words, int is_back)
{
    int warps = (int)(blockDim.x / HS_WARP);

    if (!is_back)
        hs_byte_move(a, words, 0);
    HS_SYNC();
    for (int i = (int)(threadIdx.x / HS_WARP); i < a->g->model.dim; i += warps)
        if (is_back)
            hs_byte_unmake(a, words, i);
        else
            hs_byte_make(a, words, i);
    HS_SYNC();
    if (is_back)
        hs_byte_move(a, words, 1);
}

/* What a neighbor adds to the sums of one lane.  Of s = -1 or 1, four are made
 * at once as the top bytes of 1 or -1, times the value of a low one; a product
 * with these is not rounded. */
HS_ON_CARD void hs_byte_add(int words, int kind, uint32_t byte, float value,
                            float *sum)
{
    HS_UNROLL
    for (int w = 0; w < words; w++) {
        uint32_t part = hs_byte_part(words, byte, w / HS_BYTE_QUARTER);
        uint32_t four = part * HS_BYTE_TOP & HS_BYTE_TOPS;
        uint32_t c = (uint32_t)w % HS_BYTE_QUARTER;

        if (kind == HS_BIT_SPIN)
            sum[w] =
                vf_fma(vf_bits((vi)HS_BYTES(0x00800000u, four | HS_BYTE_ONE,
                                            0x4210u + (c << 12))),
                       value, sum[w]);
        else
            sum[w] = sum[w] + (four >> (8 * c + 7) & 1 ? value : 0.0f);
    }
}

/* How many neighbors are high, a byte for each chain. */
HS_ON_CARD void hs_byte_count(int words, uint32_t byte, uint32_t *count)
{
    HS_UNROLL
    for (int q = 0; HS_BYTE_QUARTER * q < words; q++)
        count[q] += hs_byte_part(words, byte, q) * HS_BYTE_LOW & HS_BYTE_LOWS;
}

/* Of equal couplings: the sum of s_j is a whole number. */
HS_ON_CARD void hs_byte_counts(const hs_bit_view *a, int words,
                               const hs_card_visit *visit, int k,
                               hs_bit_sums sum)
{
    const hs_device_model *m = &a->g->model;
    const hs_card_pair *pair = a->pair + (int64_t)k * a->b->row;
    float base = m->low * (float)visit->degree;
    uint32_t count[HS_WARP_PART][2] = {{0}};

    HS_UNROLL_TWO
    for (int p = 0; 2 * p < visit->degree; p++) {
        hs_card_pair two = pair[p];

        HS_EACH_LANE(l)
        {
            hs_byte_count(words, hs_byte_at(a, two.place[0])[hs_warp_lane(l)],
                          count[l]);
            if (2 * p + 1 < visit->degree)
                hs_byte_count(words,
                              hs_byte_at(a, two.place[1])[hs_warp_lane(l)],
                              count[l]);
        }
    }
    HS_UNROLL
    for (int w = 0; w < words; w++)
        HS_EACH_LANE(l)
        {
            sum[l][w] = (hs_byte_float(count[l][w / HS_BYTE_QUARTER],
                                       w % HS_BYTE_QUARTER) *
                             m->gap +
                         base) *
                        m->j.uniform;
        }
}

/* The bytes of four neighbors. */
HS_ON_CARD void hs_byte_four(const hs_bit_view *a, const hs_card_pair *one,
                             const hs_card_pair *two, int lane, uint32_t *byte)
{
    byte[0] = hs_byte_at(a, one->place[0])[lane];
    byte[1] = hs_byte_at(a, one->place[1])[lane];
    byte[2] = hs_byte_at(a, two->place[0])[lane];
    byte[3] = hs_byte_at(a, two->place[1])[lane];
}

/* sum_j J_ij s_j of all words, in the order of heat_bath.c. */
HS_ON_CARD void hs_byte_pull(const hs_bit_view *a, int words, int kind,
                             const hs_card_visit *visit, int k, hs_bit_sums sum)
{
    const hs_card_pair *pair = a->pair + (int64_t)k * a->b->row;
    hs_card_pair one = pair[0], two = pair[1];
    uint32_t byte[HS_WARP_PART][4];

    if (kind == HS_BIT_UNIFORM) {
        hs_byte_counts(a, words, visit, k, sum);
        return;
    }
    HS_EACH_LANE(l)
    {
        HS_UNROLL
        for (int w = 0; w < words; w++)
            sum[l][w] = 0.0f;
        hs_byte_four(a, &one, &two, hs_warp_lane(l), byte[l]);
    }
    /* four at a time, whose bytes are loaded while the four before them are
     * added; an odd one has another beside it that adds 0 */
    HS_UNROLL_NOT
    for (int p = 0; 2 * p < visit->degree; p += 2) {
        int next = 2 * p + 4 < visit->degree ? p + 2 : 0;
        float value[4] = {one.value[0], one.value[1], two.value[0],
                          two.value[1]};

        one = pair[next];
        two = pair[next + 1];
        HS_EACH_LANE(l)
        {
            uint32_t now[4] = {byte[l][0], byte[l][1], byte[l][2], byte[l][3]};

            hs_byte_four(a, &one, &two, hs_warp_lane(l), byte[l]);
            hs_byte_add(words, kind, now[0], value[0], sum[l]);
            hs_byte_add(words, kind, now[1], value[1], sum[l]);
            /* fewer words have too little to do beside a branch */
            if (words < 8 || 2 * p + 2 < visit->degree) {
                hs_byte_add(words, kind, now[2], value[2], sum[l]);
                hs_byte_add(words, kind, now[3], value[3], sum[l]);
            }
        }
    }
}

/* A row of bytes to its place; in a team to that of all blocks. */
HS_ON_CARD void hs_byte_write(const hs_bit_view *a, int l, int site,
                              uint32_t byte)
{
    int at = site * HS_WARP + hs_warp_lane(l);

    hs_byte_at(a, at)[0] = (uint8_t)byte;
    for (int k = 1; k < a->ranks; k++) {
        int rank =
            a->rank + k < a->ranks ? a->rank + k : a->rank + k - a->ranks;

        hs_team_write_byte(a->shared, a->bytes, rank, at, (uint8_t)byte);
    }
}

/* Visit n; what changes is counted in bytes. */
HS_ON_CARD void hs_byte_visit(const hs_bit_view *a, int words, int kind, int n,
                              const hs_bit_draws *v,
                              uint32_t moved[HS_WARP_PART][2])
{
    hs_card_visit visit = a->visit[n % 8];
    int high[HS_WARP_PART][HS_BIT_WORDS];
    hs_bit_sums sum;

    hs_byte_pull(a, words, kind, &visit, n % 8, sum);
    HS_UNROLL
    for (int w = 0; w < words; w++)
        HS_EACH_LANE(l)
        {
            sum[l][w] = v->scale[l][w] * (sum[l][w] + visit.field);
        }
    if (a->is_summed)
        for (int w = 0; w < words; w++)
            HS_EACH_LANE(l)
            {
                hs_bit_sum(a, w, l, visit.site, sum[l][w]);
            }
    hs_bit_toss(a, words, n, v, sum, high);
    HS_EACH_LANE(l)
    {
        uint32_t old = hs_byte_at(a, visit.site * HS_WARP)[hs_warp_lane(l)];
        uint32_t byte = 0;

        HS_UNROLL
        for (int w = 0; w < words; w++)
            byte |= (uint32_t)high[l][w] << w;
        hs_byte_write(a, l, visit.site, byte);
        hs_byte_count(words, old ^ byte, moved[l]);
    }
}

/* As hs_bit_eight. */
HS_ON_CARD void hs_byte_eight(hs_bit_view *a, int words, int kind, int eight,
                              int first, int last, hs_bit_counts changed)
{
    uint32_t moved[HS_WARP_PART][2] = {{0}};
    hs_bit_draws v;

    hs_bit_draw(a, words, eight, &v);
    hs_bit_await(a);
    HS_UNROLL_NOT
    for (int k = 0; k < 8; k++) {
        if (8 * eight + k >= first && 8 * eight + k < last)
            hs_byte_visit(a, words, kind, 8 * eight + k, &v, moved);
        if (k % 2)
            hs_bit_drop(words, &v);
    }
    HS_UNROLL
    for (int w = 0; w < words; w++)
        HS_EACH_LANE(l)
        {
            changed[l][w] += (int)(moved[l][w / 4] >> 8 * (w % 4) & 255);
        }
}

#endif
