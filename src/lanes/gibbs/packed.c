/* packed.c - Gibbs sweeps with the chains of a tile as the bits of a word.
 *
 * A vector holds the words of some uncoupled visits, so each of its bits is a
 * chain of a visit.  Neighbors are added as bit planes.  The uniform of every
 * bit is drawn plane by plane, the highest first, and compared with the
 * threshold that the count selects, until all differ or 32 bits are drawn.
 * P(high) is the threshold / 2^32.
 *
 * A block of random words has four planes of two visits: word w of block n / 2
 * has bit 31 - 4 r - w of the uniforms of visits n (low half) and n + 1, where
 * r is the replica of its address. */
#include "lanes/gibbs/packed_bits.h"
#include "lanes/gibbs/packed_draw.h"
#include "lanes/gibbs/packed_links.h"
#include "lanes/gibbs/packed_tally.h"
#include "lanes/lanes.h"
#include "lanes/vec/shorts.h"

#define BITS    4 /* bits of counts up to HS_PACKED_DEGREE */
#define LAST    8 /* most blocks */
#define ENTRIES (HS_BUNDLE * (HS_PACKED_DEGREE + 1))

void HS_NAME(packed_sweeps)(const hs_packed *p, const hs_rng *rng,
                            int64_t steps, uint16_t *word, double *changed,
                            int64_t before, uint16_t *tally);
void HS_NAME(packed_count)(const hs_packed *p, const uint16_t *tally,
                           int64_t steps, const float *weight,
                           hs_byte_row *count);
void HS_NAME(packed_take)(const hs_packed *p, const int16_t (*x)[HS_LANES],
                          uint16_t *word);
void HS_NAME(packed_give)(const hs_packed *p, const uint16_t *word,
                          int16_t (*x)[HS_LANES]);

/* Counts the neighbors that pull up, one bit plane per binary digit. */
HS_INLINE void count_up(const hs_packed *p, const hs_bundle *bundle,
                        const uint16_t *word, int at, int degree, links all,
                        vu *plane)
{
    const hs_packed_plane *f = p->plane + bundle->plane;

    for (int b = 0; b < BITS; b++)
        plane[b] = (vu){0};
    for (int j = 0; j < degree; j += 2) {
        vu one = pulls(p, f + j, word, at, all), two = {0}, carry;

        if (j + 1 < degree)
            two = pulls(p, f + j + 1, word, at, all);
        carry = MOST(plane[0], one, two);
        plane[0] = PARITY(plane[0], one, two);
        for (int b = 1; b < BITS; b++) {
            vu next = plane[b] & carry;

            plane[b] = plane[b] ^ carry;
            carry = next;
        }
    }
}

/* The bits whose count is k; counts are at most `most`. */
HS_INLINE vu where_is(const vu *plane, int most, int k)
{
    vu is = ~(vu){0};

    for (int b = 0; most >> b; b++)
        is = k >> b & 1 ? is & plane[b] : is & ~plane[b];
    return is;
}

/* The bits that use one threshold. */
typedef struct entry {
    vu where;
    const uint32_t *bit;
} entry;

/* Makes the entries of one distribution; *turned marks the bits whose outcome
 * is inverted. */
HS_INLINE int make_entries(const hs_packed_law *law, int degree, bool is_even,
                           const vu *plane, vu in, entry *e, vu *turned)
{
    int last = is_even ? degree / 2 : degree;

    for (int k = 0; k <= last; k++) {
        vu is = where_is(plane, degree, k);

        if (is_even && 2 * k < degree) {
            vu other = where_is(plane, degree, degree - k);

            *turned = *turned | (other & in);
            is = is | other;
        }
        e[k] = (entry){is & in, law->bit[k]};
    }
    return last + 1;
}

/* Compares planes `first` to first + planes - 1: the bits whose uniform is
 * below the threshold, and those still equal. */
HS_INLINE void compare(const entry *e, int entries, const vu *uniform,
                       int first, int planes, vu *below, vu *same)
{
    *below = (vu){0};
    *same = ~(vu){0};
    for (int q = planes - 1; q >= 0; q--) {
        vu t = e[0].where & (e[0].bit[first + q] - (vu){0});

        for (int n = 1; n < entries; n++)
            t = AND_OR(t, e[n].where, e[n].bit[first + q] - (vu){0});
        *below = BELOW(uniform[q], t, *below);
        *same = AND_SAME(*same, uniform[q], t);
    }
}

/* Compares further blocks for bits that are still equal. */
static __attribute__((noinline)) vu compare_more(const source *random,
                                                 const vu *pair, const entry *e,
                                                 int entries, const vu *left)
{
    vu below = {0}, same = *left;

    for (int r = DRAWN; r < LAST && has_any(same); r++) {
        vu uniform[4], now, still;

        draw(random, *pair, r, 1, uniform);
        compare(e, entries, uniform, 4 * r, 4, &now, &still);
        below = AND_OR(below, same, now);
        same = same & still;
    }
    return below;
}

/* The first pair of visits of every word of a vector. */
HS_INLINE vu pairs_from(int position)
{
    vu pair;

    for (int s = 0; s < HS_WIDTH; s++)
        pair[s] = (uint32_t)s;
    return pair + (uint32_t)position / 2;
}

HS_INLINE void set_words(uint16_t *own, vu in, vu high, counter *c)
{
    vu old = words_at(own), new = CHOOSE(in, high, old);

    memcpy(own, &new, sizeof new);
    count(c, old ^ new);
}

/* Bits that the first blocks leave open, in words of pairs of visits with one
 * distribution.
 *
 * They keep their states until they are decided together, before a neighbor is
 * visited.  After 8 planes 1 bit in 256 is open, so most vectors of 512 have
 * some, and more blocks for each vector would double the cost.  Processors
 * without an instruction that compresses words draw 12 planes first. */
#if defined(__AVX512F__)
#  define EVEN 2 /* blocks that visit_even draws */
#  define MORE 2 /* blocks that decide at once */
#else
#  define EVEN 3
#  define MORE 1
#endif
#define ROOM (4 * HS_WIDTH) /* the extra HS_WIDTH serve the next vector */
#define NEAR 2              /* thresholds of six neighbors besides the last */
typedef struct rest {
    const hs_packed_law *law;
    int count;
    uint32_t pair[ROOM], open[ROOM], turned[ROOM], where[NEAR][ROOM];
} rest;

/* Stores the words of `from` that have an open bit. */
HS_INLINE int put_words(uint32_t *to, vu open, vu from)
{
#if defined(__AVX512F__)
    __mmask16 is = _mm512_test_epi32_mask((__m512i)open, (__m512i)open);

    _mm512_storeu_si512(to, _mm512_maskz_compress_epi32(is, (__m512i)from));
    return __builtin_popcount(is);
#else
    int count = 0;

    for (int s = 0; s < HS_WIDTH; s++) {
        to[count] = from[s];
        count += open[s] != 0;
    }
    return count;
#endif
}

HS_INLINE void put_aside(rest *r, int degree, vu pair, vu open, vu turned,
                         const vu *where)
{
    put_words(r->pair + r->count, open, pair);
    put_words(r->turned + r->count, open, turned);
    for (int n = 0; n < (degree - 1) / 2; n++)
        put_words(r->where[n] + r->count, open, where[n]);
    r->count += put_words(r->open + r->count, open, open);
}

/* Compares the planes of blocks `first` to first + blocks - 1 with the
 * thresholds of an even distribution below half.  where[n] marks the bits with
 * threshold n; the others have the last. */
HS_INLINE void compare_even(const hs_packed_law *law, int degree,
                            const vu *where, const vu *uniform, int first,
                            int blocks, vu *below, vu *same)
{
    *below = (vu){0};
    *same = ~(vu){0};
    for (int q = 4 * blocks - 1; q >= 0; q--) {
        int at = 4 * first + q, last = (degree - 1) / 2;
        vu t = law->bit[last][at] - (vu){0};

        for (int n = last - 1; n >= 0; n--)
            t = CHOOSE(where[n], law->bit[n][at] - (vu){0}, t);
        *below = BELOW(uniform[q], t, *below);
        *same = AND_SAME(*same, uniform[q], t);
    }
}

/* Sets words to `high` where they are open.  No pair occurs twice: bundles with
 * visits of one pair are coupled, or the second would not have begun. */
HS_INLINE void set_open(const uint32_t *pair, vu open, vu high, uint16_t *word,
                        counter *c)
{
#if defined(__AVX512F__)
    __m512i at = (__m512i)words_at(pair), old;
    vu changed;

    old = _mm512_i32gather_epi32(at, word, 4);
    changed = ((vu)old ^ high) & open;
    _mm512_mask_i32scatter_epi32(
        word, _mm512_test_epi32_mask((__m512i)open, (__m512i)open), at,
        (__m512i)((vu)old ^ changed), 4);
    count(c, changed);
#else
    uint32_t new[HS_WIDTH], mask[HS_WIDTH], changed[HS_WIDTH];

    memcpy(new, &high, sizeof new);
    memcpy(mask, &open, sizeof mask);
    for (int s = 0; s < HS_WIDTH; s++) {
        uint16_t *own = word + 2 * (int64_t)pair[s];
        uint32_t old;

        memcpy(&old, own, sizeof old);
        changed[s] = (old ^ new[s]) & mask[s];
        old ^= changed[s];
        memcpy(own, &old, sizeof old);
    }
    count(c, words_at(changed));
#endif
}

/* Decides words `at` to at + HS_WIDTH - 1.  Words past the end have no open
 * bit, so their addresses do not matter. */
HS_INLINE void decide(const rest *r, int at, int degree, const source *random,
                      uint16_t *word, counter *c)
{
    vu pair = words_at(r->pair + at), below = {0}, where[NEAR], open, same;

    open = (vu)(pairs_from(0) < (uint32_t)(r->count - at) - (vu){0});
    open = same = open & words_at(r->open + at);
    for (int n = 0; n < NEAR; n++)
        where[n] = words_at(r->where[n] + at);
    for (int b = EVEN; b < LAST && has_any(same); b += MORE) {
        vu uniform[4 * MORE], now, still;

        draw(random, pair, b, MORE, uniform);
        compare_even(r->law, degree, where, uniform, b, MORE, &now, &still);
        below = AND_OR(below, same, now);
        same = same & still;
    }
    set_open(r->pair + at, open, below ^ words_at(r->turned + at), word, c);
}

static __attribute__((noinline)) void decide_all(rest *r, const source *random,
                                                 uint16_t *word, counter *c)
{
    for (int at = 0; at < r->count; at += HS_WIDTH)
        if (r->law->degree <= 4) /* 3 and 4 use one threshold, and another */
            decide(r, at, 4, random, word, c);
        else
            decide(r, at, 6, random, word, c);
    r->count = 0;
}

/* Sorts bits by the number n of neighbors that pull up.  where[n] marks those
 * with n or degree - n, which inverts the outcome; `half` marks ties. */
HS_INLINE void look_up(const vu *plane, int degree, vu *where, vu *half,
                       vu *turned)
{
    if (degree == 3) {
        *half = (vu){0};
        *turned = plane[1];
        where[0] = ~(plane[0] ^ plane[1]);
    } else if (degree == 4) {
        *half = plane[1] & ~plane[0];
        *turned = AND_OR(plane[2], plane[1], plane[0]);
        where[0] = ~plane[0];
    } else {
        *half = plane[0] & plane[1];
        *turned = plane[2];
        where[0] = ~plane[0] & ~(plane[1] ^ plane[2]);
        where[1] = plane[0];
    }
}

/* Makes the visits of a plain bundle from slot `at` on, without a field.  For a
 * tie among an even number of neighbors the first bit decides. */
HS_INLINE void visit_even(const hs_packed *p, const hs_bundle *b, int degree,
                          bool has_flips, const source *random, int at,
                          uint16_t *word, rest *r, counter *c)
{
    const hs_packed_part *part = p->part + b->part;
    vu plane[BITS], uniform[4 * EVEN], turned, where[NEAR], half;
    vu pair = pairs_from(b->first + at), in = words_at(part->in + at);
    vu below, same;

    draw(random, pair, 0, EVEN, uniform);
    count_up(p, b, word, at, degree, (links){.has_flips = has_flips}, plane);
    look_up(plane, degree, where, &half, &turned);
    compare_even(r->law, degree, where, uniform, 0, EVEN, &below, &same);
    same = same & in & ~half;
    below = CHOOSE(half, ~uniform[0], below);
    if (EVEN == 2 || has_any(same))
        put_aside(r, degree, pair, same, turned, where);
    set_words(word + b->first + at, in & ~same, below ^ turned, c);
    if (__builtin_expect(r->count > ROOM - HS_WIDTH, 0))
        decide_all(r, random, word, c);
}

/* Makes the visits of any bundle. */
static __attribute__((noinline)) void visit(const hs_packed *p,
                                            const hs_bundle *b,
                                            const source *random, int at,
                                            uint16_t *word, counter *c)
{
    const hs_packed_part *part = p->part + b->part;
    vu plane[BITS], uniform[4 * DRAWN], turned = {0}, in = {0};
    vu pair = pairs_from(b->first + at), below, same;
    entry e[ENTRIES];
    int entries = 0;

    count_up(p, b, word, at, b->degree,
             (links){.has_flips = true, .has_gaps = true}, plane);
    for (int n = 0; n < b->parts; n++) {
        const hs_packed_law *law = p->law + part[n].law;
        vu here = words_at(part[n].in + at);

        in = in | here;
        entries += make_entries(law, law->degree, law->is_even, plane, here,
                                e + entries, &turned);
    }
    draw(random, pair, 0, DRAWN, uniform);
    compare(e, entries, uniform, 0, 4 * DRAWN, &below, &same);
    same = same & in;
    if (has_any(same))
        below = below | compare_more(random, &pair, e, entries, &same);
    set_words(word + b->first + at, in, below ^ turned, c);
}

HS_INLINE void visit_known(const hs_packed *p, const hs_bundle *b, int degree,
                           const source *random, int at, uint16_t *word,
                           rest *r, counter *c)
{
    if (b->has_flips)
        visit_even(p, b, degree, true, random, at, word, r, c);
    else
        visit_even(p, b, degree, false, random, at, word, r, c);
}

static void sweep(const hs_packed *p, const source *random, uint16_t *word,
                  rest *r, counter *c)
{
    for (int n = 0; n < p->bundles; n++) {
        const hs_bundle *b = &p->bundle[n];
        const hs_packed_law *law = &p->law[p->part[b->part].law];
        bool is_even = b->is_plain && law->is_even;

        if (b->is_coupled || r->law != law)
            decide_all(r, random, word, c);
        r->law = law;
        for (int at = 0; at < HS_BUNDLE; at += VISITS) {
            if (is_even && b->degree == 3)
                visit_known(p, b, 3, random, at, word, r, c);
            else if (is_even && b->degree == 4)
                visit_known(p, b, 4, random, at, word, r, c);
            else if (is_even && b->degree == 6)
                visit_known(p, b, 6, random, at, word, r, c);
            else
                visit(p, b, random, at, word, c);
        }
    }
    decide_all(r, random, word, c);
}

void HS_NAME(packed_sweeps)(const hs_packed *p, const hs_rng *rng,
                            int64_t steps, uint16_t *word, double *changed,
                            int64_t before, uint16_t *tally)
{
    size_t visits = ((size_t)p->dim + HS_BUNDLE - 1) / HS_BUNDLE * HS_BUNDLE;
    counter c = {.added = 0};
    rest r = {.count = 0};

    if (tally && before == 0)
        memset(tally, 0, visits * HS_TALLY_ROWS * sizeof *tally);
    for (int64_t n = 0; n < steps; n++) {
        source random = source_of(rng, rng->clock + (uint64_t)n);

        sweep(p, &random, word, &r, &c);
        if (tally)
            tally_all(p, word, (unsigned)(before + n), tally);
    }
    add_counts(&c, changed);
}

typedef uint8_t lane_bytes __attribute__((vector_size(HS_LANES)));

/* Adds `unit` to `sum` in the lanes whose bit is set. */
HS_INLINE lane_bytes add_where(lane_bytes sum, unsigned bits, lane_bytes unit)
{
#if defined(__AVX512F__)
    return (lane_bytes)_mm_mask_add_epi8((__m128i)sum, (__mmask16)bits,
                                         (__m128i)sum, (__m128i)unit);
#else
    static const lane_bytes own = {1, 2, 4, 8, 16, 32, 64, 128,
                                   1, 2, 4, 8, 16, 32, 64, 128};
    uint64_t half[2] = {(uint64_t)(bits & 0xff) * UINT64_C(0x0101010101010101),
                        (uint64_t)(bits >> 8) * UINT64_C(0x0101010101010101)};
    lane_bytes all;

    memcpy(&all, half, sizeof all);
    return sum + ((lane_bytes)((all & own) != 0) & unit);
#endif
}

/* Returns the count of one visit in all lanes. */
HS_INLINE lane_bytes count_visit(const uint16_t *own, int64_t steps)
{
    lane_bytes sum = {0}, unit = 1 - (lane_bytes){0};

    for (int b = 0; steps >> b; b++, unit += unit) {
        sum = add_where(sum, own[TALLY(b, 0)], unit);
        if (steps >> b & 1)
            sum = add_where(sum, own[TALLY(b, 1)], unit);
    }
    return sum;
}

void HS_NAME(packed_count)(const hs_packed *p, const uint16_t *tally,
                           int64_t steps, const float *weight,
                           hs_byte_row *count)
{
    lane_bytes in;

    for (int l = 0; l < HS_LANES; l++)
        in[l] = weight[l] != 0.0f ? 255 : 0;
    for (int n = 0; n < p->dim; n++) {
        const uint16_t *own =
            tally + (size_t)(n / HS_BUNDLE * HS_BUNDLE) * HS_TALLY_ROWS +
            n % HS_BUNDLE;
        uint8_t *to = count[p->site[n]];
        lane_bytes sum;

        memcpy(&sum, to, sizeof sum);
        sum += count_visit(own, steps) & in;
        memcpy(to, &sum, sizeof sum);
    }
}

void HS_NAME(packed_take)(const hs_packed *p, const int16_t (*x)[HS_LANES],
                          uint16_t *word)
{
    for (int n = 0; n < p->dim; n++) {
        const int16_t *row = x[p->site[n]];
#if defined(__SSE2__)
        __m128i low = _mm_loadu_si128((const __m128i *)(const void *)row);
        __m128i high =
            _mm_loadu_si128((const __m128i *)(const void *)(row + 8));

        word[n] = (uint16_t)_mm_movemask_epi8(
            _mm_slli_epi16(_mm_packs_epi16(low, high), 7));
#else
        unsigned bits = 0;

        for (int l = 0; l < HS_LANES; l++)
            bits |= (unsigned)row[l] << l;
        word[n] = (uint16_t)bits;
#endif
    }
}

void HS_NAME(packed_give)(const hs_packed *p, const uint16_t *word,
                          int16_t (*x)[HS_LANES])
{
    vshort bit[HS_LANES / HS_SHORTS];

    for (int l = 0; l < HS_LANES; l++)
        bit[l / HS_SHORTS][l % HS_SHORTS] = (int16_t)(uint16_t)(1u << l);
    for (int n = 0; n < p->dim; n++)
        for (int l = 0; l < HS_LANES; l += HS_SHORTS) {
            vshort all = (int16_t)word[n] - (vshort){0};

            vshort_store(&x[p->site[n]][l],
                         (vshort)((all & bit[l / HS_SHORTS]) != 0) & 1);
        }
}
