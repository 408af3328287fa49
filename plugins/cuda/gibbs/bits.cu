/* bits.cu - stages, and how blocks share out chains and visits. */
#include "cuda/gibbs/bits.h"

#include <stdlib.h>
#include <string.h>

#define SHORTEST 8 /* visits of a stage on average: less is not worth it */
#define WORDS    8 /* at most */
#define FEWEST   6 /* words, below which teams (team.h) are faster */

#define BYTES_ROW 127 /* pairs of neighbors that a byte can count */

static int fits(const hs_device_model *m)
{
    int is_spin = m->low == -1.0f && m->gap == 2.0f;
    int is_bit = m->low == 0.0f && m->gap == 1.0f;

    return m->gain == HS_DEVICE_PAIRS && (is_spin || is_bit) &&
           (!m->j.is_wide || m->j.uniform != 0.0f) &&
           m->j.start[m->dim] < (int64_t)1 << 31; /* pairs are numbered */
}

/* A stage goes on until a site is coupled with one that is in it. */
static void find_stages(hs_card_bits *b, const hs_device_model *m, int *in)
{
    b->stage[0] = 0;
    b->stages = 0;
    for (int i = 0; i < m->dim; i++)
        in[i] = -1;
    for (int n = 0; n < m->dim; n++) {
        int i = m->order ? m->order[n] : n, is_coupled = 0;

        for (int64_t e = m->j.start[i]; e < m->j.start[i + 1]; e++)
            is_coupled |= in[m->j.column[e]] == b->stages;
        if (is_coupled)
            b->stage[++b->stages] = n;
        in[i] = b->stages;
    }
    b->stage[++b->stages] = m->dim;
}

static int64_t largest_degree(const hs_device_model *m)
{
    int64_t most = 0;

    for (int i = 0; i < m->dim; i++) {
        int64_t degree = m->j.start[i + 1] - m->j.start[i];

        most = degree > most ? degree : most;
    }
    return most;
}

/* Bonds with later sites: all, or those of s = 0 or 1 that are negative. */
static int64_t count_base(const hs_device_model *m, int is_signed)
{
    int64_t count = 0;

    for (int i = 0; i < m->dim; i++)
        for (int64_t e = m->j.start[i]; e < m->j.start[i + 1]; e++)
            if (m->j.column[e] > i)
                count += m->low < 0.0f || (is_signed && m->j.value[e] < 0.0f);
    return count;
}

static void plan_energies(hs_card_bits *b, const hs_device_model *m)
{
    int64_t bonds = m->j.start[m->dim];

    b->has_energies = m->energy == HS_DEVICE_PAIRS && !m->j.is_wide;
    b->is_whole = !m->j.field && (m->j.uniform != 0.0f || m->is_whole);
    if (!b->has_energies || !b->is_whole)
        return;
    b->is_signed = m->j.uniform == 0.0f;
    b->unit = (double)m->j.uniform / (double)m->scale;
    if (b->is_signed && bonds > 0)
        b->unit = __builtin_fabs((double)m->j.value[0]) / (double)m->scale;
    b->each = m->low < 0.0f ? 2 : 1;
    b->base = count_base(m, b->is_signed);
}

void hs_card_bits_plan(hs_card_bits *b, const hs_device_model *m)
{
    size_t eights = ((size_t)m->dim + 7) / 8, visits = 8 * eights, pairs;
    int *in;

    memset(b, 0, sizeof *b);
    if (!fits(m))
        return;
    b->row = (int)(largest_degree(m) + 3) / 4 * 2; /* four at a time */
    if (b->row == 0)
        return;
    pairs = visits * (size_t)b->row;
    /* rows that are mostly filled up would be too much */
    if (pairs > 4 * (size_t)m->j.start[m->dim] + visits || pairs > 1u << 30)
        return;
    b->eights = (int)eights;
    /* as many stages as sites at most; pages of others are never touched */
    b->stage = (int *)calloc((size_t)m->dim + 2, sizeof *b->stage);
    in = (int *)malloc((size_t)m->dim * sizeof *in);
    if (b->stage && in) {
        find_stages(b, m, in);
        plan_energies(b, m);
    }
    if (!in || (int64_t)b->stages * SHORTEST > m->dim) {
        free(b->stage);
        memset(b, 0, sizeof *b);
    }
    free(in);
}

/* Of shared memory: words, and what a warp has ahead, twice. */
size_t hs_card_bits_bytes(const hs_card_bits *b, int dim)
{
    size_t sites = (size_t)dim * (size_t)hs_card_site_bytes(b);
    size_t warps = (size_t)(b->threads / HS_WARP);

    return (sites + 15) / 16 * 16 +
           (b->is_ahead ? 2 * warps * hs_card_ahead_bytes(b) : 0);
}

/* As many warps as leave few without work at the end of a stage. */
static int warps_for(const hs_card_bits *b, int most)
{
    int longest = 1, rounds;

    for (int k = 0; k < b->stages; k++) {
        int eights = (b->stage[k + 1] + 7) / 8 - b->stage[k] / 8;

        longest = eights > longest ? eights : longest;
    }
    longest = (longest + b->ranks - 1) / b->ranks;
    rounds = (longest + most - 1) / most;
    return (longest + rounds - 1) / rounds;
}

static int is_too_much(const hs_card_bits *b, int dim, size_t shared)
{
    return hs_card_bits_bytes(b, dim) > shared;
}

/* 1 if it fits; eight words are bytes always, and those have couplings
 * ahead. */
static int try_shape(hs_card_bits *b, const hs_device_model *m, int words,
                     int ranks, size_t shared)
{
    b->words = words;
    b->ranks = ranks;
    b->threads = HS_WARP * warps_for(b, HS_BLOCK_THREADS(words) / HS_WARP);
    b->is_ahead = 1;
    b->is_bytes = words >= 4 && b->row <= BYTES_ROW;
    if (words == 4 && is_too_much(b, m->dim, shared))
        b->is_bytes = 0;
    if (!b->is_bytes && is_too_much(b, m->dim, shared))
        b->is_ahead = 0;
    return !is_too_much(b, m->dim, shared) && (b->is_bytes || words < 8);
}

/* About what part of its best a card gives: how much of it works, how long, and
 * how well with so few words and warps. */
static double promise(const hs_card_bits *b, int64_t teams, int processors)
{
    static const double by_words[] = {0, 0.45, 0.7, 0, 0.85};
    static const double by_bytes[] = {0, 0, 0, 0, 1.0, 0, 0, 0, 1.13};
    int warps = b->threads / HS_WARP;
    double blocks = (double)teams * b->ranks;
    double waves = blocks / processors;
    double used = waves <= 1.0 ? waves : waves / (double)(int64_t)(waves + 1.0);

    if (waves > 1.0 && waves == (double)(int64_t)waves)
        used = 1.0;
    return used * (b->is_bytes ? by_bytes : by_words)[b->words] *
           (warps < 16 ? warps / 16.0 : 1.0) * (b->ranks > 1 ? 0.96 : 1.0);
}

int hs_card_bits_words(hs_card_bits *b, const hs_device_model *m, int64_t lanes,
                       int processors, size_t shared, int words, int ranks)
{
    int64_t all = (lanes + HS_WARP - 1) / HS_WARP;
    hs_card_bits best = *b;
    double most = 0.0;

    if (words || ranks)
        return try_shape(b, m, words ? words : 1, ranks ? ranks : 1, shared);
    if (all < FEWEST)
        return 0;
    for (int w = WORDS; w >= 1; w /= 2)
        for (int r = 1; r <= HS_BLOCK_RANKS; r++) {
            int64_t teams = (all + w - 1) / w;
            double now;

            if (!try_shape(b, m, w, r, shared) ||
                (r > 1 && teams * r > processors))
                continue;
            now = promise(b, teams, processors);
            if (now > most * 1.001 &&
                (r == 1 || hs_card_block_at_once(b, m) >= teams)) {
                most = now;
                best = *b;
            }
        }
    *b = best;
    return most > 0.0;
}
