/* few.c - sweeps of one chain where couplings are J or -J: the lanes of a
 * vector are visits of sites that are not coupled.
 *
 * The same draws as scan.c and heat_bath.c, which have a chain per lane.  The
 * distribution of a site depends on the number k of its neighbors that pull it
 * up. So the thresholds of its coin (coin_threshold) and the gain of its
 * marginal are tables by k. With Metropolis the coin takes the other value,
 * with probability HS_METROPOLIS min(1, e^-d) from the high value and
 * HS_METROPOLIS min(1, e^d) from the low one. */
#include <stdbool.h>

#include "lanes/gibbs/packed_links.h"
#include "lanes/gibbs/packed_tally.h"
#include "lanes/gibbs/words.h"
#include "lanes/lanes.h"
#include "lanes/vec/coin.h"

#define COUNTS 16   /* numbers of neighbors, 0 to HS_PACKED_DEGREE */
#define FLUSH  8192 /* bundles whose changes fit into 16-bit counters */
#define LAWS   ((HS_PACKED_DEGREE + 1) * (HS_PACKED_DEGREE + 2) / 2)

void HS_NAME(few_sweeps)(const hs_few *f);

typedef uint16_t vw __attribute__((vector_size(4 * HS_WIDTH)));

/* A distribution by k; for Metropolis also by the present value. */
typedef struct table {
    uint16_t threshold[2][2 * COUNTS]; /* padded to one register */
    uint8_t byte[2][2][COUNTS];        /* its low and high bytes */
    float part[2][COUNTS], whole[COUNTS];
    float high[COUNTS]; /* weight * P(high) */
} table;

typedef struct walker {
    const hs_packed *p;
    const hs_few *f;
    coin coins;
    word_store words;
    vw changed;
    table law[LAWS];
} walker;

HS_INLINE vw vw_at(const void *p)
{
    return (vw)words_at(p);
}

HS_INLINE void fill_law(table *t, const hs_few *f, const hs_packed_law *law)
{
    const hs_packed *p = f->p;
    vf scale = vf_set(f->beta) * p->step;
    float base = p->low * (float)(law->degree - 2 * law->negative);

    *t = (table){0};
    for (int k = 0; k <= law->degree; k++) {
        vf n = vf_set(p->gap * (float)(k - law->negative) + base);
        vf d = scale * (n * p->coupling + p->field);
        vf e = vf_exp_negative(-vf_abs(d)), one = vf_set(1.0f);
        vm is_low = vf_less(d, vf_set(0.0f));
        vf part = vf_select(is_low, e, one), other = part, whole = 1.0f + e;

        t->high[k] = (vf_set(f->weight) * part / whole)[0];
        if (f->is_metropolis) {
            part = part * HS_METROPOLIS;
            other = vf_select(is_low, one, e) * HS_METROPOLIS;
            whole = one;
        }
        t->whole[k] = whole[0];
        t->part[0][k] = part[0];
        t->part[1][k] = other[0];
        t->threshold[0][k] = (uint16_t)coin_threshold(part, whole)[0];
        t->threshold[1][k] = (uint16_t)coin_threshold(other, whole)[0];
    }
    for (int x = 0; x < 2; x++)
        for (int k = 0; k < COUNTS; k++) {
            t->byte[x][0][k] = (uint8_t)t->threshold[x][k];
            t->byte[x][1][k] = (uint8_t)(t->threshold[x][k] >> 8);
        }
}

/* Looks up threshold[k] of every visit. */
HS_INLINE vw look_up(const table *t, int x, vw k)
{
#if defined(__AVX512F__)
    return (vw)_mm512_permutexvar_epi16((__m512i)k,
                                        (__m512i)vw_at(t->threshold[x]));
#elif defined(__AVX2__)
    __m256i low = _mm256_broadcastsi128_si256(
        _mm_loadu_si128((const __m128i *)(const void *)t->byte[x][0]));
    __m256i high = _mm256_broadcastsi128_si256(
        _mm_loadu_si128((const __m128i *)(const void *)t->byte[x][1]));

    return ((vw)_mm256_shuffle_epi8(low, (__m256i)k) & 0xff) |
           ((vw)_mm256_shuffle_epi8(high, (__m256i)k) << 8);
#else
    for (int s = 0; s < VISITS; s++)
        k[s] = t->threshold[x][k[s]];
    return k;
#endif
}

/* All ones where a < b. */
HS_INLINE vw vw_less(vw a, vw b)
{
#if defined(__AVX512F__)
    return (vw)_mm512_movm_epi16(
        _mm512_cmplt_epu16_mask((__m512i)a, (__m512i)b));
#else
    return (vw)(a < b);
#endif
}

/* Adds the gains of the marginals of visits with this table, where `in`. */
HS_INLINE void add_high(const table *t, vw k, vw in, float *sum)
{
#if defined(__AVX512F__)
    __mmask32 is_in = _mm512_movepi16_mask((__m512i)in);
    __m512 all = _mm512_loadu_ps(t->high);

    for (int h = 0; h < 2; h++) {
        __m512i index =
            _mm512_cvtepu16_epi32(h ? _mm512_extracti64x4_epi64((__m512i)k, 1)
                                    : _mm512_castsi512_si256((__m512i)k));
        __m512 high = _mm512_maskz_permutexvar_ps(
            (__mmask16)(is_in >> (16 * h)), index, all);

        _mm512_storeu_ps(sum + 16 * h,
                         _mm512_add_ps(_mm512_loadu_ps(sum + 16 * h), high));
    }
#else
    for (int s = 0; s < VISITS; s++)
        sum[s] += in[s] ? t->high[k[s]] : 0.0f;
#endif
}

/* Draws the full coins if thresholds do not decide. */
static __attribute__((noinline)) void toss(const walker *s, const hs_bundle *b,
                                           int at, const uint16_t *count,
                                           const uint16_t *was,
                                           const uint16_t *unsure,
                                           uint16_t *yes)
{
    for (int n = 0; n < VISITS; n++) {
        int position = b->first + at + n, block = position / 8;
        const hs_packed_part *part = s->p->part + b->part;
        const table *t;
        vu words[4];

        if (!unsure[n])
            continue;
        while (!part->in[at + n])
            part++;
        t = &s->law[part->law];
        for (int w = 0; w < 4; w++)
            words[w] =
                s->words.word[(uint32_t)block - s->words.block][w] - (vu){0};
        yes[n] = coin_toss(&s->coins, words, position,
                           vf_set(t->part[was[n] != 0][count[n]]),
                           vf_set(t->whole[count[n]]))[0]
                     ? 0xffff
                     : 0;
    }
}

/* Makes the visits of a bundle from slot `at` on. */
HS_INLINE void visit(walker *s, const hs_bundle *b, int degree, bool is_plain,
                     bool is_metropolis, links all, const uint16_t *bits,
                     int at)
{
    const hs_packed_plane *plane = s->p->plane + b->plane;
    const hs_packed_part *part = s->p->part + b->part;
    uint16_t *own = s->f->word + b->first + at;
    vw count = {0}, in = {0}, threshold = {0}, random = vw_at(bits + at);
    vw old = vw_at(own), yes, unsure;

    for (int j = 0; j < degree; j++)
        count -= (vw)pulls(s->p, plane + j, s->f->word, at, all);
    for (int n = 0; n < (is_plain ? 1 : b->parts); n++) {
        const table *t = &s->law[part[n].law];
        vw here = vw_at(part[n].in + at), found = look_up(t, 0, count);

        if (is_metropolis)
            found = (found & ~old) | (look_up(t, 1, count) & old);
        threshold |= found & here;
        in |= here;
        if (s->f->sum)
            add_high(t, count, here, s->f->sum + b->first + at);
    }
    yes = vw_less(random, threshold);
    unsure = vw_less(random - threshold, (uint16_t)HS_UNCERTAIN - (vw){0}) & in;
    if (__builtin_expect(has_any((vu)unsure), 0)) {
        uint16_t counts[VISITS], was[VISITS], open[VISITS], now[VISITS];

        memcpy(counts, &count, sizeof counts);
        memcpy(was, &old, sizeof was);
        memcpy(open, &unsure, sizeof open);
        memcpy(now, &yes, sizeof now);
        toss(s, b, at, counts, was, open, now);
        memcpy(&yes, now, sizeof now);
    }
    yes = (is_metropolis ? yes : old ^ yes) & in;
    s->changed -= yes;
    yes ^= old;
    memcpy(own, &yes, sizeof yes);
}

HS_INLINE void visit_bundle(walker *s, const hs_bundle *b, int degree,
                            bool is_plain, bool is_metropolis, links all)
{
    uint32_t block = (uint32_t)b->first / 8;
    const uint16_t *bits =
        (const uint16_t *)words_at_block(&s->words, block, HS_BUNDLE / 8 + 1) +
        b->first % 8;

    for (int at = 0; at < HS_BUNDLE; at += VISITS)
        visit(s, b, degree, is_plain, is_metropolis, all, bits, at);
}

static void flush(walker *s)
{
    uint16_t part[VISITS];

    memcpy(part, &s->changed, sizeof part);
    for (int n = 0; n < VISITS; n++)
        *s->f->changed += part[n];
    s->changed = (vw){0};
}

/* Makes a sweep; is_metropolis is a constant of the caller. */
HS_INLINE void sweep(walker *s, bool is_metropolis)
{
    const hs_packed *p = s->p;

    for (int n = 0; n < p->bundles; n++) {
        const hs_bundle *b = &p->bundle[n];

        if (b->is_plain && b->degree == 4 && !b->has_flips)
            visit_bundle(s, b, 4, true, is_metropolis, (links){false, false});
        else if (b->is_plain && b->degree == 6)
            visit_bundle(s, b, 6, true, is_metropolis, (links){true, false});
        else if (b->is_plain)
            visit_bundle(s, b, b->degree, true, is_metropolis,
                         (links){true, false});
        else
            visit_bundle(s, b, b->degree, false, is_metropolis,
                         (links){true, true});
        if (n % FLUSH == FLUSH - 1)
            flush(s);
    }
    flush(s);
}

static __attribute__((noinline)) void sweep_gibbs(walker *s)
{
    sweep(s, false);
}

static __attribute__((noinline)) void sweep_metropolis(walker *s)
{
    sweep(s, true);
}

void HS_NAME(few_sweeps)(const hs_few *f)
{
    size_t visits = ((size_t)f->p->dim + HS_BUNDLE - 1) / HS_BUNDLE * HS_BUNDLE;
    walker s;

    s.p = f->p;
    s.f = f;
    s.changed = (vw){0};
    if (f->tally && f->before == 0)
        memset(f->tally, 0, visits * HS_TALLY_ROWS * sizeof *f->tally);
    words_of_lane(&s.words, f->rng, f->lane, f->p->dim / 8 + 1);
    for (int n = 0; n < f->p->laws; n++)
        fill_law(&s.law[n], f, &f->p->law[n]);
    for (int64_t n = 0; n < f->steps; n++) {
        words_begin(&s.words, HS_DRAW_PROPOSE, f->rng->clock + (uint64_t)n);
        s.coins = coin_begin(&s.words.rng, HS_DRAW_PROPOSE, 0, NULL);
        if (f->is_metropolis)
            sweep_metropolis(&s);
        else
            sweep_gibbs(&s);
        if (f->tally)
            tally_all(f->p, f->word, (unsigned)(f->before + n), f->tally);
    }
}
