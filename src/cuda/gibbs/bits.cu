/* bits.cu - couplings in the order of visits, and stages. */
#include "cuda/gibbs/bits.h"

#include <stdlib.h>
#include <string.h>

#define SHORTEST 8   /* visits of a stage on average: less is not worth it */
#define WORDS    4   /* at most: eight of them need too many registers */
#define FULL     0.9 /* of the multiprocessors that are to have a block */

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
        int i = b->visit[n].site, is_coupled = 0;

        for (int64_t e = m->j.start[i]; e < m->j.start[i + 1]; e++)
            is_coupled |= in[m->j.column[e]] == b->stages;
        if (is_coupled)
            b->stage[++b->stages] = n;
        in[i] = b->stages;
    }
    b->stage[++b->stages] = m->dim;
}

static float value_of(const hs_device_model *m, int64_t e)
{
    if (m->j.uniform != 0.0f)
        return 1.0f;
    return m->low < 0.0f ? -m->j.value[e] : m->j.value[e];
}

static void fill_visit(hs_card_bits *b, const hs_device_model *m, int n)
{
    hs_card_visit *v = &b->visit[n];
    int64_t first, last;

    v->site = m->order ? m->order[n] : n;
    first = m->j.start[v->site];
    last = m->j.start[v->site + 1];
    v->first = b->pairs;
    v->base = m->low * (float)(last - first);
    for (int64_t e = first; e < last; e += 2) {
        hs_card_pair *p = &b->pair[b->pairs++];
        int64_t other = e + 1 < last ? e + 1 : e;

        p->column[0] = m->j.column[e];
        p->value[0] = value_of(m, e);
        p->column[1] = m->j.column[other];
        p->value[1] = other > e ? value_of(m, other) : 0.0f;
    }
    v->last = b->pairs;
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
    size_t dim = (size_t)m->dim, pairs;
    int *in;

    memset(b, 0, sizeof *b);
    if (!fits(m))
        return;
    pairs = ((size_t)m->j.start[m->dim] + dim) / 2 + 1; /* at most */
    b->visit = (hs_card_visit *)malloc(dim * sizeof *b->visit +
                                       pairs * sizeof *b->pair +
                                       (2 * dim + 2) * sizeof(int));
    if (!b->visit)
        return;
    b->pair = (hs_card_pair *)(b->visit + dim);
    b->stage = (int *)(b->pair + pairs);
    in = b->stage + dim + 2;
    for (int n = 0; n < m->dim; n++)
        fill_visit(b, m, n);
    find_stages(b, m, in);
    plan_energies(b, m);
    if ((int64_t)b->stages * SHORTEST > m->dim) {
        free(b->visit);
        memset(b, 0, sizeof *b);
    }
}

int hs_card_bits_words(int dim, int64_t lanes, int processors, size_t shared)
{
    int64_t all = (lanes + HS_WARP - 1) / HS_WARP;
    int words = WORDS;

    while (words > 1 && ((double)all < FULL * words * processors ||
                         (size_t)dim * (size_t)words * 4 > shared))
        words /= 2;
    return (size_t)dim * (size_t)words * 4 > shared || 2 * all < processors
               ? 0
               : words;
}
