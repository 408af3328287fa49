/* packed.c - Gibbs sweeps with the chains of a tile as the bits of a word.
 *
 * A vector has the words of some visits that are not coupled: a coordinate is
 * a chain of a visit.  Neighbours are added up as bit planes; the uniform of
 * every coordinate is drawn plane by plane, the highest first, and compared
 * with the threshold that the coordinate's count selects, until all differ from
 * it, or 32 bits are drawn: P(high) is the threshold / 2^32.
 *
 * A block of random words has four planes of two visits: word w of block n / 2
 * has bit 31 - 4 r - w of the uniforms of visits n (low half) and n + 1, where
 * r is the replica of its address. */
#include <stdbool.h>

#include "lanes/lanes.h"
#include "lanes/vec/philox.h"
#include "lanes/vec/shorts.h"
#include "lanes/vec/vec.h"

#define VISITS  (2 * HS_WIDTH) /* of a vector */
#define BITS    4              /* of counts up to HS_PACKED_DEGREE */
#define FIRST   3              /* blocks that are drawn at once, */
#define LAST    8              /* and at most */
#define ENTRIES (HS_BUNDLE * (HS_PACKED_DEGREE + 1))

void HS_NAME(packed_sweeps)(const hs_packed *p, const hs_rng *rng,
                            int64_t steps, uint16_t *word, double *changed);
void HS_NAME(packed_take)(const hs_packed *p, const int16_t (*x)[HS_LANES],
                          uint16_t *word);
void HS_NAME(packed_give)(const hs_packed *p, const uint16_t *word,
                          int16_t (*x)[HS_LANES]);

/* How often each coordinate has changed: bit planes of numbers, the lowest
 * three apart, which are added to the others before they overflow. */
#define LOW  3
#define HIGH 40
typedef struct counter {
    vu low[LOW], high[HIGH];
    int added;
} counter;

HS_INLINE vu words_at(const uint16_t *p)
{
    vu v;

    memcpy(&v, p, sizeof v);
    return v;
}

#if defined(__AVX512F__)
#  define TERNARY(a, b, c, table)                                              \
    (vu) _mm512_ternarylogic_epi32((__m512i)(a), (__m512i)(b), (__m512i)(c),   \
                                   table)
/* a ? b : c; the majority; the sum without carry; a or b and c. */
#  define CHOOSE(a, b, c)   TERNARY(a, b, c, 0xca)
#  define MOST(a, b, c)     TERNARY(a, b, c, 0xe8)
#  define PARITY(a, b, c)   TERNARY(a, b, c, 0x96)
#  define AND_OR(a, b, c)   TERNARY(a, b, c, 0xf8)
#  define AND_SAME(a, b, c) TERNARY(a, b, c, 0x90) /* a where b = c */
/* c where a = b, else b: a < b, if c says it of what comes after. */
#  define BELOW(a, b, c) TERNARY(a, b, c, 0x8e)

HS_INLINE bool has_any(vu a)
{
    return _mm512_test_epi32_mask((__m512i)a, (__m512i)a) != 0;
}
#else
#  define CHOOSE(a, b, c)   (((a) & (b)) | (~(a) & (c)))
#  define MOST(a, b, c)     (((a) & (b)) | ((c) & ((a) | (b))))
#  define PARITY(a, b, c)   ((a) ^ (b) ^ (c))
#  define AND_OR(a, b, c)   ((a) | ((b) & (c)))
#  define AND_SAME(a, b, c) ((a) & ~((b) ^ (c)))
#  define BELOW(a, b, c)    ((~(a) & (b)) | ((c) & ~((a) ^ (b))))

HS_INLINE bool has_any(vu a)
{
    vu zero = {0};

    return memcmp(&a, &zero, sizeof a) != 0;
}
#endif

/* The words of neighbours, for the visits from slot `at` of the bundle on. */
HS_INLINE vu neighbours(const hs_packed_plane *f, const uint16_t *word, int at)
{
    uint16_t found[VISITS];

#if defined(__AVX512F__)
    if (__builtin_expect(f->window >= 0, 1)) {
        const uint16_t *from = word + f->window;

        return (vu)_mm512_permutex2var_epi16(
            (__m512i)words_at(from), (__m512i)words_at(f->index),
            (__m512i)words_at(from + HS_BUNDLE));
    }
#endif
    for (int s = 0; s < VISITS; s++)
        found[s] = word[f->place[at + s]];
    return words_at(found);
}

/* How many neighbours pull up: bit planes. */
HS_INLINE void count_up(const hs_packed_plane *f, const uint16_t *word, int at,
                        int degree, bool is_plain, vu *plane)
{
    for (int b = 0; b < BITS; b++)
        plane[b] = (vu){0};
    for (int j = 0; j < degree; j += 2) {
        vu one = neighbours(f + j, word, at), two = {0}, carry;

        if (!is_plain)
            one = (one ^ words_at(f[j].flip + at)) & words_at(f[j].there + at);
        if (j + 1 < degree)
            two = neighbours(f + j + 1, word, at);
        if (j + 1 < degree && !is_plain)
            two = (two ^ words_at(f[j + 1].flip + at)) &
                  words_at(f[j + 1].there + at);
        carry = MOST(plane[0], one, two);
        plane[0] = PARITY(plane[0], one, two);
        for (int b = 1; b < BITS; b++) {
            vu next = plane[b] & carry;

            plane[b] = plane[b] ^ carry;
            carry = next;
        }
    }
}

/* Where the count is k, of numbers up to `most`. */
HS_INLINE vu where_is(const vu *plane, int most, int k)
{
    vu is = ~(vu){0};

    for (int b = 0; most >> b; b++)
        is = k >> b & 1 ? is & plane[b] : is & ~plane[b];
    return is;
}

/* Where a threshold is looked up. */
typedef struct entry {
    vu where;
    const uint32_t *bit;
} entry;

/* Those of one law; *turned: where the outcome is turned over. */
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

/* Philox, of which the first two rounds have much that all lanes share: with
 * the chain c, the clock t and the keys k of a round,
 *     1: pair M0; c M1;    2: x M0 with x = high(c M1) ^ t ^ k; y M1. */
typedef struct source {
    uint32_t key[2]; /* of the third round */
    uint32_t tag, first, mix[4];
} source;

#define M0 0xD2511F53u
#define M1 0xCD9E8D57u
#define W0 0x9E3779B9u
#define W1 0xBB67AE85u

static source source_of(const hs_rng *rng, uint64_t clock)
{
    uint32_t k0 = (uint32_t)rng->seed, k1 = (uint32_t)(rng->seed >> 32);
    uint64_t p1 = (uint64_t)rng->chain[0] * M1;
    uint64_t p0 = (uint64_t)((uint32_t)(p1 >> 32) ^ (uint32_t)clock ^ k0) * M0;
    source s = {.tag = (uint32_t)HS_DRAW_PACKED << 26 | (uint32_t)(clock >> 32),
                .first = k1};

    s.mix[0] = (uint32_t)p1 ^ (k0 + W0);
    s.mix[2] = (uint32_t)(p0 >> 32) ^ (k1 + W1);
    s.mix[3] = (uint32_t)p0;
    s.key[0] = k0 + 2 * W0;
    s.key[1] = k1 + 2 * W1;
    return s;
}

HS_INLINE vq same_in_all(uint32_t a)
{
    return (uint64_t)a - (vq){0};
}

/* Rounds 3 to 10. */
HS_INLINE void finish_rounds(const source *s, philox_half *half, int halves)
{
    uint32_t k0 = s->key[0], k1 = s->key[1];

    for (int round = 2; round < 10; round++) {
        for (int h = 0; h < halves; h++) {
            vq *c = half[h].c;
            vq p0 = vq_multiply_low(c[0], M0);
            vq p1 = vq_multiply_low(c[2], M1);

            c[0] = (p1 >> 32) ^ c[1] ^ (uint64_t)k0;
            c[1] = p1;
            c[2] = (p0 >> 32) ^ c[3] ^ (uint64_t)k1;
            c[3] = p0;
        }
        k0 += W0;
        k1 += W1;
    }
}

/* Blocks `first` to first + count - 1 of every pair of visits. */
HS_INLINE void draw(const source *s, vu pair, int first, int count, vu *out)
{
    philox_half half[2 * FIRST];

    for (int odd = 0; odd < 2; odd++) {
        vq p0 = vq_multiply_low((vq)pair >> (odd ? 32 : 0), M0);
        vq third = p0 ^ (uint64_t)s->mix[2];

        for (int r = 0; r < count; r++) {
            uint32_t tag = s->tag + ((uint32_t)(first + r) << 16);
            vq p1 =
                vq_multiply_low((p0 >> 32) ^ (uint64_t)(tag ^ s->first), M1);

            half[2 * r + odd] =
                (philox_half){{(p1 >> 32) ^ (uint64_t)s->mix[0], p1, third,
                               same_in_all(s->mix[3])}};
        }
    }
    finish_rounds(s, half, 2 * count);
    for (int r = 0; r < count; r++)
        philox_join(half + 2 * r, out + 4 * r);
}

/* Planes `first` to first + planes - 1: where the uniform is below the
 * threshold, and where they are the same. */
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

/* The same from plane 0 on, where every coordinate has an entry: the last has
 * those that no other has. */
HS_INLINE void compare_first(const entry *e, int entries, const vu *uniform,
                             vu *below, vu *same)
{
    *below = (vu){0};
    *same = ~(vu){0};
    for (int q = 4 * FIRST - 1; q >= 0; q--) {
        vu t = e[entries - 1].bit[q] - (vu){0};

        for (int n = entries - 2; n >= 0; n--)
            t = CHOOSE(e[n].where, e[n].bit[q] - (vu){0}, t);
        *below = BELOW(uniform[q], t, *below);
        *same = AND_SAME(*same, uniform[q], t);
    }
}

/* What is left after the first blocks. */
static __attribute__((noinline)) vu compare_more(const source *random,
                                                 const vu *pair, const entry *e,
                                                 int entries, const vu *left)
{
    vu below = {0}, same = *left;

    for (int r = FIRST; r < LAST && has_any(same); r++) {
        vu uniform[4], now, still;

        draw(random, *pair, r, 1, uniform);
        compare(e, entries, uniform, 4 * r, 4, &now, &still);
        below = AND_OR(below, same, now);
        same = same & still;
    }
    return below;
}

static void spill(counter *c)
{
    vu carry = {0};

    for (int b = 0; b < HIGH; b++) {
        vu more = b < LOW ? c->low[b] : (vu){0};
        vu sum = PARITY(c->high[b], more, carry);

        carry = MOST(c->high[b], more, carry);
        c->high[b] = sum;
        if (b >= LOW && !has_any(carry))
            break;
    }
    for (int b = 0; b < LOW; b++)
        c->low[b] = (vu){0};
    c->added = 0;
}

HS_INLINE void count(counter *c, vu changed)
{
    for (int b = 0; b < LOW; b++) {
        vu next = c->low[b] & changed;

        c->low[b] = c->low[b] ^ changed;
        changed = next;
    }
    if (++c->added == (1 << LOW) - 1)
        spill(c);
}

/* The first pair of visits of every coordinate of a vector, and those after. */
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

/* The visits of a plain bundle from slot `at` on, without a field.  Half of an
 * even number of neighbours pulls no way: the first bit decides. */
HS_INLINE void visit_even(const hs_packed *p, const hs_bundle *b, int degree,
                          const source *random, int at, uint16_t *word,
                          counter *c)
{
    const hs_packed_part *part = p->part + b->part;
    vu plane[BITS], uniform[4 * FIRST], turned = {0}, in, pair, half, below;
    vu same;
    entry e[HS_PACKED_DEGREE + 1];

    pair = pairs_from(b->first + at);
    draw(random, pair, 0, FIRST, uniform);
    count_up(p->plane + b->plane, word, at, degree, true, plane);
    in = words_at(part->in + at);
    make_entries(p->law + part->law, degree, true, plane, ~(vu){0}, e, &turned);
    half = e[degree / 2].where;
    compare_first(e, degree / 2, uniform, &below, &same);
    same = same & in & ~half;
    below = CHOOSE(half, ~uniform[0], below);
    if (__builtin_expect(has_any(same), 0)) {
        entry rest[HS_PACKED_DEGREE + 1];

        for (int n = 0; n < degree / 2; n++)
            rest[n] = e[n];
        below = below | compare_more(random, &pair, rest, degree / 2, &same);
    }
    set_words(word + b->first + at, in, below ^ turned, c);
}

/* Those of any bundle. */
static void visit(const hs_packed *p, const hs_bundle *b, const source *random,
                  int at, uint16_t *word, counter *c)
{
    const hs_packed_part *part = p->part + b->part;
    vu plane[BITS], uniform[4 * FIRST], turned = {0}, in = {0};
    vu pair = pairs_from(b->first + at), below, same;
    entry e[ENTRIES];
    int entries = 0;

    count_up(p->plane + b->plane, word, at, b->degree, false, plane);
    for (int n = 0; n < b->parts; n++) {
        const hs_packed_law *law = p->law + part[n].law;
        vu here = words_at(part[n].in + at);

        in = in | here;
        entries += make_entries(law, law->degree, law->is_even, plane, here,
                                e + entries, &turned);
    }
    draw(random, pair, 0, FIRST, uniform);
    compare(e, entries, uniform, 0, 4 * FIRST, &below, &same);
    same = same & in;
    if (has_any(same))
        below = below | compare_more(random, &pair, e, entries, &same);
    set_words(word + b->first + at, in, below ^ turned, c);
}

static void sweep(const hs_packed *p, const source *random, uint16_t *word,
                  counter *c)
{
    for (int n = 0; n < p->bundles; n++) {
        const hs_bundle *b = &p->bundle[n];
        bool is_even = b->is_plain && p->law[p->part[b->part].law].is_even;

        for (int at = 0; at < HS_BUNDLE; at += VISITS) {
            if (is_even && b->degree == 4)
                visit_even(p, b, 4, random, at, word, c);
            else if (is_even && b->degree == 6)
                visit_even(p, b, 6, random, at, word, c);
            else
                visit(p, b, random, at, word, c);
        }
    }
}

/* Adds the counts of all visits to those of chains. */
static void add_counts(counter *c, double *changed)
{
    spill(c);
    for (int b = 0; b < HIGH; b++) {
        uint32_t part[HS_WIDTH];

        if (!has_any(c->high[b]))
            continue;
        memcpy(part, &c->high[b], sizeof part);
        for (int l = 0; l < HS_LANES; l++) {
            uint32_t count = 0;

            for (int s = 0; s < HS_WIDTH; s++)
                count += (part[s] >> l & 1) + (part[s] >> (l + 16) & 1);
            changed[l] += (double)count * (double)(UINT64_C(1) << b);
        }
    }
}

void HS_NAME(packed_sweeps)(const hs_packed *p, const hs_rng *rng,
                            int64_t steps, uint16_t *word, double *changed)
{
    counter c = {.added = 0};

    for (int64_t n = 0; n < steps; n++) {
        source random = source_of(rng, rng->clock + (uint64_t)n);

        sweep(p, &random, word, &c);
    }
    add_counts(&c, changed);
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
