/* bit_energies.cu - U of every chain, from states that are bits.
 *
 * Where couplings are J or -J without fields, U is J times a whole number and
 * sums of it are exact in any order (hs_pair_form): bonds are looked at in all
 * 32 chains of a word at once, and counted in planes of bits.  Else the terms
 * of the sites are added one after the other, as on the processor
 * (cuda/evaluate.cu), while other warps make the next ones; byte_energies.cu
 * does that where all sites fit into shared memory. */
#include "cuda/gibbs/bit_visits.h"

#define THREADS 512
#define EIGHT   8    /* words side by side: what a card reads at once */
#define SITES   2048 /* of a block: its threads take every so manieth */
#define PLANES  6
#define AHEAD   4  /* couplings that are read at once */
#define FULL    63 /* that PLANES can count to */

/* --- whole numbers ------------------------------------------------------- */

/* Counts of 32 chains, bit by bit. */
typedef struct planes {
    uint32_t bit[PLANES];
    int count; /* of bonds */
} planes;

HS_ON_CARD void begin(planes *p)
{
    HS_UNROLL
    for (int k = 0; k < PLANES; k++)
        p->bit[k] = 0;
    p->count = 0;
}

HS_ON_CARD void add(planes *p, uint32_t bits)
{
    HS_UNROLL
    for (int k = 0; k < PLANES; k++) {
        uint32_t carry = p->bit[k] & bits;

        p->bit[k] ^= bits;
        bits = carry;
    }
    p->count++;
}

/* To the counts of the word's chains, which all threads of a block share; each
 * begins with another chain, so that they do not meet. */
HS_ON_CARD void flush(planes *p, uint32_t *counts, int first)
{
    for (int n = 0; n < HS_WARP; n++) {
        int c = (first + n) % HS_WARP;
        uint32_t sum = 0;

        HS_UNROLL
        for (int k = 0; k < PLANES; k++)
            sum += (p->bit[k] >> c & 1) << k;
        if (sum)
            HS_ADD(&counts[c], sum);
    }
    begin(p);
}

/* Bonds of site i with later ones: bits of chains where J s_i s_j is high. */
HS_ON_CARD void add_site(const hs_card_group *g, const hs_card_bits *b,
                         int64_t word, int i, planes *p, uint32_t *counts,
                         int first)
{
    const hs_sparse *j = &g->model.j;
    uint32_t own = b->all[(int64_t)i * b->stride + word];
    int is_spin = g->model.low < 0.0f;

    for (int64_t e = j->start[i]; e < j->start[i + 1]; e += AHEAD) {
        uint32_t bits[AHEAD];
        int is_later[AHEAD];

        HS_UNROLL
        for (int k = 0; k < AHEAD; k++) {
            int other = e + k < j->start[i + 1] ? j->column[e + k] : i;

            is_later[k] = other > i;
            bits[k] =
                is_later[k] ? b->all[(int64_t)other * b->stride + word] : 0;
            bits[k] = is_spin ? ~(own ^ bits[k]) : own & bits[k];
            if (b->is_signed && is_later[k] && j->value[e + k] < 0.0f)
                bits[k] = ~bits[k];
        }
        if (p->count > FULL - AHEAD)
            flush(p, counts, first);
        HS_UNROLL
        for (int k = 0; k < AHEAD; k++)
            if (is_later[k])
                add(p, bits[k]);
    }
}

/* A block has EIGHT words and SITES sites; threads side by side have words side
 * by side. */
HS_KERNEL HS_BOUNDS(THREADS) void count_bonds(hs_card_group g, hs_card_bits b)
{
    HS_SHARED(counts); /* [EIGHT][HS_WARP] */
    int groups = (b.stride + EIGHT - 1) / EIGHT;
    int64_t first = (int64_t)(blockIdx.x % groups) * EIGHT;
    int from = (int)(blockIdx.x / groups) * SITES;
    int to = g.model.dim - from < SITES ? g.model.dim : from + SITES;

    HS_EACH_THREAD(t, THREADS)
    {
        for (int n = t; n < EIGHT * HS_WARP; n += THREADS)
            counts[n] = 0;
    }
    HS_SYNC();
    HS_EACH_THREAD(t, THREADS)
    {
        int w = t % EIGHT;
        planes p;

        begin(&p);
        for (int i = from + t / EIGHT; first + w < b.stride && i < to;
             i += THREADS / EIGHT)
            add_site(&g, &b, first + w, i, &p, counts + w * HS_WARP, t);
        flush(&p, counts + w * HS_WARP, t);
    }
    HS_SYNC();
    HS_EACH_THREAD(t, THREADS)
    {
        for (int n = t; n < EIGHT * HS_WARP; n += THREADS) {
            int64_t lane = first * HS_WARP + n;

            if (lane < hs_card_lanes(&g) && counts[n])
                HS_ADD_LONG(&b.whole[lane], counts[n]);
        }
    }
}

HS_KERNEL void finish(hs_card_group g, hs_card_bits b)
{
    int64_t lane = hs_card_thread();

    if (lane >= hs_card_lanes(&g))
        return;
    g.lanes.u[0][lane] =
        g.model.offset + b.unit * (double)(b.each * b.whole[lane] - b.base);
    b.whole[lane] = 0;
}

/* --- terms in their order ------------------------------------------------ */

#define WORDS  4  /* of a block; a coupling is read once for all of them */
#define CHUNK  32 /* sites between two waits */
#define ADDERS WORDS
#define MAKERS 8 /* warps */
#define ALL    ((ADDERS + MAKERS) * HS_WARP)

/* Words of a block, all sites: word[site * stride]; there may be fewer than
 * WORDS. */
typedef struct columns {
    const uint32_t *word;
    int64_t stride;
    int count;
} columns;

typedef float sums[WORDS][HS_WARP_PART];

/* s as a factor of a finite number. */
HS_ON_CARD float by_spin(int kind, uint32_t bits, int lane, float value)
{
    vi high = vi_bits_left((vi)bits, 31 - lane); /* as the sign */

    if (kind == HS_BIT_SPIN)
        return vf_bits((~high & INT32_MIN) ^ vi_bits(value));
    return high < 0 ? value : 0.0f;
}

HS_ON_CARD void load_words(const columns *c, int i, uint32_t *bits)
{
    const uint32_t *from = c->word + i * c->stride;

    HS_UNROLL
    for (int w = 0; w < WORDS; w++)
        bits[w] = w < c->count ? from[w] : 0;
}

/* sum_j J_ij s_j, as general_rows and uniform_rows of lanes/rows/ising.c. */
HS_ON_CARD void pull_of(const hs_device_model *m, const columns *c, int kind,
                        int i, sums pull)
{
    int64_t first = m->j.start[i], last = m->j.start[i + 1];
    float base = m->low * (float)(last - first);

    HS_UNROLL
    for (int w = 0; w < WORDS; w++)
        HS_EACH_LANE(l)
        {
            pull[w][l] = 0.0f;
        }
    for (int64_t e = first; e < last; e += AHEAD) {
        uint32_t bits[AHEAD][4];
        float value[AHEAD]; /* 0 past the last: adds nothing */

        HS_UNROLL
        for (int k = 0; k < AHEAD; k++) {
            int64_t at = e + k < last ? e + k : e;

            value[k] = kind == HS_BIT_UNIFORM ? 1.0f : m->j.value[at];
            value[k] = e + k < last ? value[k] : 0.0f;
            load_words(c, m->j.column[at], bits[k]);
        }
        HS_UNROLL
        for (int k = 0; k < AHEAD; k++)
            HS_UNROLL
        for (int w = 0; w < WORDS; w++)
            HS_EACH_LANE(l)
            {
                pull[w][l] = pull[w][l] + by_spin(kind, bits[k][w],
                                                  hs_warp_lane(l), value[k]);
            }
    }
    HS_UNROLL
    for (int w = 0; kind == HS_BIT_UNIFORM && w < WORDS; w++)
        HS_EACH_LANE(l)
        {
            pull[w][l] = (pull[w][l] * m->gap + base) * m->j.uniform;
        }
}

/* What site i adds to U, of all chains of the block. */
HS_ON_CARD void make_terms(const hs_device_model *m, const columns *c, int kind,
                           int i, float *term)
{
    float field = m->j.field ? m->j.field[i] : 0.0f;
    int own = m->low < 0.0f ? HS_BIT_SPIN : HS_BIT_PLAIN;
    uint32_t bits[4];
    sums pull;

    pull_of(m, c, kind, i, pull);
    load_words(c, i, bits);
    HS_UNROLL
    for (int w = 0; w < WORDS; w++)
        HS_EACH_LANE(l)
        {
            term[w * HS_WARP + hs_warp_lane(l)] = by_spin(
                own, bits[w], hs_warp_lane(l), pull[w][l] * 0.5f + field);
        }
}

/* The terms of the last chunk, one after the other; past the last site they are
 * 0, which adds nothing. */
HS_ON_CARD void add_chunk(const float *term, int count, int word, double *sum)
{
    HS_UNROLL
    for (int n = 0; n < CHUNK; n++)
        HS_EACH_LANE(l)
        {
            float here =
                n < count ? term[(n * WORDS + word) * HS_WARP + hs_warp_lane(l)]
                          : 0.0f;

            sum[l] = sum[l] + (double)here;
        }
}

HS_ON_CARD void store_energies(const hs_card_group *g, int word,
                               const double *sum)
{
    HS_EACH_LANE(l)
    {
        int64_t lane =
            ((int64_t)blockIdx.x * WORDS + word) * HS_WARP + hs_warp_lane(l);

        if (lane < hs_card_lanes(g))
            g->lanes.u[0][lane] =
                g->model.offset + 1.0 / (double)g->model.scale * sum[l];
    }
}

/* Words that an adder has: on a card one, which stays in registers; else there
 * is one warp, which makes terms as well. */
#define OWN (HS_WARP_PART == 1 ? 1 : WORDS)

/* The first warps of a block add, the others make terms. */
HS_ON_CARD void add_terms(const hs_card_group *g, const hs_card_bits *b,
                          uint32_t *room, int kind)
{
    float *term = (float *)room; /* [2][CHUNK][WORDS][HS_WARP] */
    const int size = CHUNK * WORDS * HS_WARP;
    columns c = {b->all + (int64_t)blockIdx.x * WORDS, b->stride,
                 b->stride - (int)blockIdx.x * WORDS};
    int warp = (int)(threadIdx.x / HS_WARP), dim = g->model.dim;
    int maker = OWN == 1 ? warp - ADDERS : 0, makers = OWN == 1 ? MAKERS : 1;
    double sum[OWN][HS_WARP_PART] = {{0}};

    for (int at = 0; at < dim + CHUNK; at += CHUNK) {
        float *now = term + at / CHUNK % 2 * size;
        const float *then = term + (at / CHUNK + 1) % 2 * size;
        int last = dim - at + CHUNK < CHUNK ? dim - at + CHUNK : CHUNK;

        for (int n = maker; maker >= 0 && n < CHUNK && at + n < dim;
             n += makers)
            make_terms(&g->model, &c, kind, at + n, now + n * WORDS * HS_WARP);
        HS_UNROLL
        for (int w = 0; w < OWN; w++)
            if (at > 0 && warp < ADDERS)
                add_chunk(then, last, warp + w, sum[w]);
        HS_SYNC();
    }
    HS_UNROLL
    for (int w = 0; w < OWN; w++)
        if (warp < ADDERS)
            store_energies(g, warp + w, sum[w]);
}

#define KERNEL(kind)                                                           \
  HS_KERNEL HS_BOUNDS(ALL) void terms_##kind(hs_card_group g, hs_card_bits b)  \
  {                                                                            \
    HS_SHARED(room);                                                           \
    add_terms(&g, &b, room, kind);                                             \
  }
#define TRY(kind)                                                              \
  if (hs_bit_kind(&g->model) == (kind))                                        \
    HS_LAUNCH_BLOCKS(terms_##kind, (b->stride + WORDS - 1) / WORDS, ALL,       \
                     bytes, *g, *b);
#define EACH(MAKE)                                                             \
  MAKE(HS_BIT_PLAIN)                                                           \
  MAKE(HS_BIT_SPIN)                                                            \
  MAKE(HS_BIT_UNIFORM)

EACH(KERNEL)

static void launch_terms(const hs_card_group *g, const hs_card_bits *b)
{
    size_t bytes = 2 * CHUNK * HS_WARP * WORDS * sizeof(float);

    EACH(TRY)
}

static void count(const hs_card_group *g, const hs_card_bits *b)
{
    int64_t groups = (b->stride + EIGHT - 1) / EIGHT;
    int64_t parts = ((int64_t)g->model.dim + SITES - 1) / SITES;

    HS_LAUNCH_BLOCKS(count_bonds, groups * parts, THREADS,
                     EIGHT * HS_WARP * sizeof(uint32_t), *g, *b);
    HS_LAUNCH(finish, hs_card_lanes(g), *g, *b);
}

void hs_card_bits_energies(const hs_card_group *g, const hs_card_bits *b)
{
    if (b->is_whole)
        count(g, b);
    else if (b->term_words)
        hs_card_byte_energies(g, b);
    else
        launch_terms(g, b);
}
