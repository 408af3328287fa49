/* bit_energies.cu - U of every chain, from states that are bits.
 *
 * Where couplings are J or -J without fields, U is J times a whole number and
 * sums of it are exact in any order (hs_pair_form): bonds are looked at in all
 * 32 chains of a word at once, and counted in planes of bits.  Else the terms
 * of the sites are added one after the other, as on the processor
 * (cuda/energies.cu), while other warps make the next ones. */
#include "cuda/gibbs/bit_visits.h"

#define THREADS 256
#define EIGHT   8   /* words side by side: what a card reads at once */
#define SITES   512 /* of a block: its threads take every so manieth */
#define PLANES  6
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

/* To the counts of the word's chains, which all threads of a block share. */
HS_ON_CARD void flush(planes *p, uint32_t *counts)
{
    for (int c = 0; c < HS_WARP; c++) {
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
                         int64_t word, int i, planes *p, uint32_t *counts)
{
    const hs_sparse *j = &g->model.j;
    uint32_t own = b->all[(int64_t)i * b->stride + word];
    int is_spin = g->model.low < 0.0f;

    for (int64_t e = j->start[i]; e < j->start[i + 1]; e++) {
        int other = j->column[e];
        uint32_t bits;

        if (other < i)
            continue;
        bits = b->all[(int64_t)other * b->stride + word];
        bits = is_spin ? ~(own ^ bits) : own & bits;
        add(p, b->is_signed && j->value[e] < 0.0f ? ~bits : bits);
        if (p->count == FULL)
            flush(p, counts);
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
            add_site(&g, &b, first + w, i, &p, counts + w * HS_WARP);
        flush(&p, counts + w * HS_WARP);
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

#define CHUNK  64   /* sites between two waits */
#define INSIDE 8192 /* sites whose words a block copies */

/* The words of one word of chains, and where they are. */
typedef struct column {
    const uint32_t *word;
    int64_t stride;
} column;

/* What site i adds to U of a chain; general_rows and uniform_rows of
 * lanes/rows/ising.c. */
HS_ON_CARD float term_of(const hs_device_model *m, const column *c, int i,
                         int lane)
{
    float field = m->j.field ? m->j.field[i] : 0.0f, pull = 0.0f, s;
    int64_t first = m->j.start[i], last = m->j.start[i + 1];
    int count = 0;

    if (m->j.uniform != 0.0f) {
        for (int64_t e = first; e < last; e++)
            count += (int)(c->word[m->j.column[e] * c->stride] >> lane & 1);
        pull = (float)count * m->gap + m->low * (float)(last - first);
        pull = pull * m->j.uniform;
    } else {
        for (int64_t e = first; e < last; e++) {
            uint32_t bit = c->word[m->j.column[e] * c->stride] >> lane & 1;

            pull = pull + (bit ? m->low + m->gap : m->low) * m->j.value[e];
        }
    }
    s = c->word[i * c->stride] >> lane & 1 ? m->low + m->gap : m->low;
    return s * (pull * 0.5f + field);
}

HS_ON_CARD column copy_column(const hs_card_group *g, const hs_card_bits *b,
                              uint32_t *room)
{
    const uint32_t *from = b->all + blockIdx.x;
    column c;

    c.word = from;
    c.stride = b->stride;
    if (g->model.dim > INSIDE)
        return c;
    HS_EACH_THREAD(t, THREADS)
    {
        for (int i = t; i < g->model.dim; i += THREADS)
            room[i] = from[(int64_t)i * b->stride];
    }
    HS_SYNC();
    c.word = room;
    c.stride = 1;
    return c;
}

/* The first warp of a block adds, the others make terms. */
HS_KERNEL HS_BOUNDS(THREADS) void add_terms(hs_card_group g, hs_card_bits b)
{
    HS_SHARED(room); /* float [2][CHUNK][HS_WARP], then words */
    float *term = (float *)room;
    column c = copy_column(&g, &b, room + 2 * CHUNK * HS_WARP);
    int warp = (int)(threadIdx.x / HS_WARP);
    int makers = (int)(blockDim.x / HS_WARP) - 1;
    int first = makers > 0 ? warp - 1 : 0;
    double sum[HS_WARP_PART] = {0};

    makers = makers > 0 ? makers : 1;
    for (int at = 0; at < g.model.dim + CHUNK; at += CHUNK) {
        float *now = term + at / CHUNK % 2 * CHUNK * HS_WARP;
        const float *then = term + (at / CHUNK + 1) % 2 * CHUNK * HS_WARP;

        for (int n = first; first >= 0 && n < CHUNK && at + n < g.model.dim;
             n += makers)
            HS_EACH_LANE(l)
            {
                now[n * HS_WARP + hs_warp_lane(l)] =
                    term_of(&g.model, &c, at + n, hs_warp_lane(l));
            }
        for (int n = 0;
             warp == 0 && at > 0 && n < CHUNK && at - CHUNK + n < g.model.dim;
             n++)
            HS_EACH_LANE(l)
            {
                sum[l] = sum[l] + (double)then[n * HS_WARP + hs_warp_lane(l)];
            }
        HS_SYNC();
    }
    HS_EACH_LANE(l)
    {
        int64_t lane = (int64_t)blockIdx.x * HS_WARP + hs_warp_lane(l);

        if (warp == 0 && lane < hs_card_lanes(&g))
            g.lanes.u[0][lane] =
                g.model.offset + 1.0 / (double)g.model.scale * sum[l];
    }
}

void hs_card_bits_energies(const hs_card_group *g, const hs_card_bits *b)
{
    int64_t words = (hs_card_lanes(g) + HS_WARP - 1) / HS_WARP;
    int64_t groups = (b->stride + EIGHT - 1) / EIGHT;
    int64_t parts = ((int64_t)g->model.dim + SITES - 1) / SITES;
    int inside = g->model.dim <= INSIDE ? g->model.dim : 0;

    if (b->is_whole) {
        HS_LAUNCH_BLOCKS(count_bonds, groups * parts, THREADS,
                         EIGHT * HS_WARP * sizeof(uint32_t), *g, *b);
        HS_LAUNCH(finish, hs_card_lanes(g), *g, *b);
    } else
        HS_LAUNCH_BLOCKS(
            add_terms, words, THREADS,
            (2 * CHUNK * HS_WARP + (size_t)inside) * sizeof(uint32_t), *g, *b);
}
