/* gibbs_packed.cu - Gibbs sweeps with the chains of two tiles as the bits of a
 * word: what lanes/gibbs/packed.c does, with its draws.
 *
 * A thread makes two visits, which share random words; the visits of a stage
 * are shared out over all warps of the card, and a stage is a launch. */
#include "cuda/gibbs/packed.h"

#define THREADS 256
#define BITS    4 /* of counts */
#define BLOCKS  8 /* of four bits: all of a threshold */

/* The words of a warp. */
typedef struct view {
    const hs_card_group *g;
    const hs_card_packed *p;
    uint32_t *word;
    int64_t first; /* tile of the low halves */
    uint64_t clock;
} view;

#define ENTRIES 4 /* of a law that is known when a kernel is compiled */

/* One visit. */
typedef struct state {
    uint32_t plane[BITS];    /* of the number of neighbors that pull up */
    uint32_t below, same;    /* of the uniforms so far */
    uint32_t turned;         /* where the outcome is to be turned over */
    uint32_t half;           /* where the first bit decides */
    uint32_t where[ENTRIES]; /* a threshold is looked up, if the law is known */
    const hs_card_thresholds *law;
} state;

HS_ON_CARD int64_t warp_number(void)
{
    return (int64_t)blockIdx.x * (blockDim.x / HS_WARP) + threadIdx.x / HS_WARP;
}

/* Lane of the group that is the warp's lane l in word w; -1: none. */
HS_ON_CARD int64_t lane_of(const hs_card_group *g, int w, int l)
{
    int64_t n = (int64_t)w * HS_WARP + hs_warp_lane(l);

    return n < hs_card_lanes(g) ? n : -1;
}

HS_KERNEL void pack_words(hs_card_group g, hs_card_packed p)
{
    int n = (int)warp_number();

    if (n >= p.visits)
        return;
    for (int w = 0; w < p.words; w++) {
        uint32_t bits = 0;

        HS_EACH_LANE(l)
        {
            int64_t lane = lane_of(&g, w, l);
            int x = lane >= 0 && p.site[n] >= 0 &&
                    hs_card_row(&g, lane, p.site[n])[0];

            HS_BALLOT(bits, l, x);
        }
        if (HS_IS_FIRST_LANE)
            p.all[(int64_t)w * p.visits + n] = bits;
    }
}

HS_KERNEL void unpack_words(hs_card_group g, hs_card_packed p)
{
    int n = (int)warp_number();

    if (n >= p.visits || p.site[n] < 0)
        return;
    for (int w = 0; w < p.words; w++)
        HS_EACH_LANE(l)
        {
            int64_t lane = lane_of(&g, w, l);

            if (lane >= 0)
                hs_card_row(&g, lane, p.site[n])[0] =
                    (int16_t)(p.all[(int64_t)w * p.visits + n] >>
                                  hs_warp_lane(l) &
                              1);
        }
}

HS_KERNEL void count_states(hs_card_group g)
{
    hs_card_lane at;

    if (hs_card_thread() >= hs_card_lanes(&g))
        return;
    at = hs_card_lane_at(&g, hs_card_thread());
    hs_card_count(&g, &at);
}

/* Where the count is k. */
HS_ON_CARD uint32_t where_is(const uint32_t *plane, int k)
{
    uint32_t is = 0xffffffffu;

    HS_UNROLL
    for (int b = 0; b < BITS; b++)
        is &= k >> b & 1 ? plane[b] : ~plane[b];
    return is;
}

/* degree: that of all visits, or 0: they differ. */
HS_ON_CARD void count_up(const view *a, int n, int degree, state *v)
{
    const hs_card_packed *p = a->p;

    HS_UNROLL_SOME
    for (int j = 0; j < (degree ? degree : p->degree); j++) {
        uint32_t near = p->near[(int64_t)j * p->visits + n], carry = 0;

        if (near != HS_CARD_NONE)
            carry = a->word[near / 2] ^ (near & 1 ? 0xffffffffu : 0);
        HS_UNROLL
        for (int b = 0; b < BITS; b++) {
            uint32_t next = v->plane[b] & carry;

            v->plane[b] ^= carry;
            carry = next;
        }
    }
}

/* Visit n, before its uniforms; is_made: else it is not in this stage. */
HS_ON_CARD void begin(const view *a, int n, int is_made, int degree, state *v)
{
    v->below = v->same = v->turned = v->half = 0;
    v->law = a->p->law;
    HS_UNROLL
    for (int b = 0; b < BITS; b++)
        v->plane[b] = 0;
    HS_UNROLL
    for (int k = 0; k < ENTRIES; k++)
        v->where[k] = 0;
    if (!is_made)
        return;
    v->same = 0xffffffffu;
    count_up(a, n, degree, v);
    if (degree) {
        HS_UNROLL
        for (int k = 0; 2 * k < degree; k++) {
            uint32_t other = where_is(v->plane, degree - k);

            v->turned |= other;
            v->where[k] = other | where_is(v->plane, k);
        }
        v->half = degree % 2 ? 0 : where_is(v->plane, degree / 2);
        return;
    }
    v->law += a->p->kind[n];
    for (int k = 0; v->law->is_even && k <= v->law->degree; k++) {
        uint32_t is = where_is(v->plane, k);

        if (2 * k == v->law->degree)
            v->half = is;
        if (2 * k > v->law->degree)
            v->turned |= is;
    }
}

/* The same of a law that is known: the last entry has what no other has. */
HS_ON_CARD uint32_t known_bit(const state *v, const hs_card_thresholds *law,
                              int degree, int q)
{
    int last = (degree + 1) / 2 - 1;
    uint32_t bits = (uint32_t)((int32_t)(law->threshold[last] << q) >> 31);

    HS_UNROLL
    for (int k = last - 1; k >= 0; k--) {
        uint32_t bit = (uint32_t)((int32_t)(law->threshold[k] << q) >> 31);

        bits = (v->where[k] & bit) | (~v->where[k] & bits);
    }
    return bits;
}

/* The threshold's bit of every coordinate: 31 - q. */
HS_ON_CARD uint32_t threshold_bit(const state *v, int q)
{
    const hs_card_thresholds *law = v->law;
    uint32_t bits = 0;

    for (int k = 0; k < law->entries; k++) {
        uint32_t is = where_is(v->plane, k);

        if (law->is_even)
            is |= where_is(v->plane, law->degree - k);
        bits |= law->threshold[k] << q >> 31 ? is : 0;
    }
    return bits;
}

/* Four more bits of the uniforms, block r. */
HS_ON_CARD void compare(const view *a, state *v, int degree,
                        const uint32_t *uniform, int r)
{
    HS_UNROLL
    for (int q = 0; q < 4; q++) {
        uint32_t u = uniform[q];
        uint32_t t = degree ? known_bit(v, &a->p->known, degree, 4 * r + q)
                            : threshold_bit(v, 4 * r + q);

        if (r == 0 && q == 0) {
            v->below = v->half & ~u;
            v->same = v->same & ~v->half;
        }
        v->below |= v->same & t & ~u;
        v->same &= ~(t ^ u);
    }
}

/* Random words of a pair of visits, for both: low halves of words are of the
 * first visit, and the second tile comes above the first. */
HS_ON_CARD void draw(const view *a, int pair, int r, uint32_t *even,
                     uint32_t *odd)
{
    uint32_t random[2][4];

    HS_UNROLL
    for (int k = 0; k < 2; k++) {
        int64_t tile = a->first + k < a->g->tiles ? a->first + k : a->first;
        philox_at at =
            philox_begin(a->g->seed, a->clock, a->g->lanes.chain[tile][0],
                         (uint32_t)r, HS_DRAW_PACKED);

        philox_four(&at, (uint32_t)pair, random[k]);
    }
    HS_UNROLL
    for (int q = 0; q < 4; q++) {
        even[q] = HS_BYTES(random[0][q], random[1][q], 0x5410);
        odd[q] = HS_BYTES(random[0][q], random[1][q], 0x7632);
    }
}

/* The new word of visit n, if it is made; where it differs from the old. */
HS_ON_CARD uint32_t finish(const view *a, int n, int is_made, const state *v)
{
    uint32_t new_word = v->below ^ v->turned, old;

    if (!is_made)
        return 0;
    old = a->word[n];
    a->word[n] = new_word;
    return old ^ new_word;
}

HS_ON_CARD void visit_two(const view *a, int pair, int first, int last,
                          int degree, uint32_t *changed)
{
    int even_made = 2 * pair >= first && 2 * pair < last;
    int odd_made = 2 * pair + 1 >= first && 2 * pair + 1 < last;
    state even, odd;

    begin(a, 2 * pair, even_made, degree, &even);
    begin(a, 2 * pair + 1, odd_made, degree, &odd);
    for (int r = 0; r < BLOCKS && (even.same | odd.same); r++) {
        uint32_t even_bits[4], odd_bits[4];

        draw(a, pair, r, even_bits, odd_bits);
        compare(a, &even, degree, even_bits, r);
        compare(a, &odd, degree, odd_bits, r);
    }
    changed[0] = finish(a, 2 * pair, even_made, &even);
    changed[1] = finish(a, 2 * pair + 1, odd_made, &odd);
}

/* Warp n has word n % words, and every so manieth 32 pairs. */
HS_ON_CARD void stage_of(const hs_card_group *g, const hs_card_packed *p,
                         const hs_card_steps *s, int first, int last,
                         int64_t warps, int degree)
{
    int64_t apart = warps / p->words;
    int w = (int)(warp_number() % p->words);
    int count[HS_WARP_PART] = {0};
    view a;

    if (warp_number() >= apart * p->words)
        return;
    a.g = g;
    a.p = p;
    a.word = p->all + (int64_t)w * p->visits;
    a.first = 2 * (int64_t)w;
    a.clock = s->clock;
    for (int64_t n = first / 2 + warp_number() / p->words * HS_WARP;
         2 * n < last; n += apart * HS_WARP) {
        uint32_t even[HS_WARP_PART], odd[HS_WARP_PART];

        HS_EACH_LANE(l)
        {
            uint32_t changed[2] = {0, 0};

            if (2 * (n + hs_warp_lane(l)) < last)
                visit_two(&a, (int)n + hs_warp_lane(l), first, last, degree,
                          changed);
            even[l] = changed[0];
            odd[l] = changed[1];
        }
        hs_count_columns(even, count);
        hs_count_columns(odd, count);
    }
    HS_EACH_LANE(l)
    {
        int64_t lane = lane_of(g, w, l);

        if (lane >= 0 && count[l])
            HS_ADD(&g->lanes.changed[0][lane], (double)count[l]);
    }
}

#define KERNEL(degree)                                                         \
  HS_KERNEL void packed_##degree(hs_card_group g, hs_card_packed p,            \
                                 hs_card_steps s, int first, int last,         \
                                 int64_t warps)                                \
  {                                                                            \
    stage_of(&g, &p, &s, first, last, warps, degree);                          \
  }
#define TRY(number)                                                            \
  if (p->known.degree == (number))                                             \
    HS_LAUNCH_WARPS(packed_##number, warps, THREADS, *g, *p, *s, first, last,  \
                    warps);
#define EACH(MAKE) MAKE(0) MAKE(4) MAKE(6)

EACH(KERNEL)

static void launch_stage(const hs_card_group *g, const hs_card_packed *p,
                         const hs_card_steps *s, int first, int last)
{
    int64_t pairs = (last + 1) / 2 - first / 2;
    int64_t warps = (pairs + HS_WARP - 1) / HS_WARP * p->words;

    if (warps > p->warps_most)
        warps = p->warps_most / p->words * p->words;
    if (warps < p->words)
        warps = p->words;
    EACH(TRY)
}

void hs_card_gibbs_packed(const hs_card_group *g, const hs_card_packed *p,
                          const hs_card_steps *s, const int *stage)
{
    hs_card_steps one = *s;

    HS_LAUNCH_WARPS(pack_words, (int64_t)p->visits, THREADS, *g, *p);
    for (int64_t n = 1; n <= s->count; n++) {
        one.clock = s->clock + (uint64_t)n;
        for (int k = 0; k < p->stages; k++)
            launch_stage(g, p, &one, stage[k], stage[k + 1]);
        if (s->is_summed || n == s->count)
            HS_LAUNCH_WARPS(unpack_words, (int64_t)p->visits, THREADS, *g, *p);
        if (s->is_summed)
            HS_LAUNCH(count_states, hs_card_lanes(g), *g);
    }
}
