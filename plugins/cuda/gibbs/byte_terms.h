/* byte_terms.h - U of the chains of a block that has all their sites in shared
 * memory, a byte per lane of a warp (byte_visits.h): terms of the sites are
 * added one after the other, as on the processor (cuda/evaluate.cu), by some
 * warps, while others make the next ones. */
#ifndef HS_CUDA_BYTE_TERMS_H
#define HS_CUDA_BYTE_TERMS_H

#include "cuda/gibbs/byte_visits.h"

#define HS_TERMS_CHUNK 32 /* sites between two waits */
#define HS_TERMS_MANY  24 /* warps of which some add and do nothing else */

/* Of shared memory, beside the bytes of all sites: terms of two chunks,
 * couplings of two chunks. */
HS_EITHER size_t hs_terms_bytes(const hs_card_bits *b, int words)
{
    size_t terms = (size_t)words * HS_WARP * sizeof(float);
    size_t couplings = (size_t)(1 + b->row) * sizeof(hs_card_pair);

    return 2 * HS_TERMS_CHUNK * (terms + couplings);
}

typedef struct hs_term_block {
    hs_bit_view view;
    float *term;      /* [2][HS_TERMS_CHUNK][words][HS_WARP] */
    uint32_t *couple; /* [2][HS_TERMS_CHUNK] visits and as many rows of pairs */
    int warp, warps;
} hs_term_block;

/* Couplings of chunk c, by all warps. */
HS_ON_CARD void hs_terms_copy(const hs_term_block *a, int c)
{
    const hs_card_bits *b = a->view.b;
    int pieces = HS_TERMS_CHUNK * (1 + b->row);
    uint32_t *to = a->couple + c % 2 * 4 * pieces;
    int64_t first = (int64_t)c * HS_TERMS_CHUNK;
    const hs_card_visit *visit = b->term_visit + first;
    const hs_card_pair *pair = b->term_pair + first * b->row;

    if (first < a->view.g->model.dim)
        for (int n = a->warp * HS_WARP; n < pieces; n += a->warps * HS_WARP)
            HS_EACH_LANE(l)
            {
                int at = n + hs_warp_lane(l);

                if (at < HS_TERMS_CHUNK)
                    hs_copy_ahead(to + 4 * at, visit + at);
                else if (at < pieces)
                    hs_copy_ahead(to + 4 * at, pair + at - HS_TERMS_CHUNK);
            }
    hs_copy_commit();
}

/* What site n of the chunk adds to U, s_i (h_i + 1/2 sum_j J_ij s_j). */
HS_ON_CARD void hs_terms_make(const hs_bit_view *a, int words, int kind, int n,
                              float *term)
{
    hs_card_visit visit = a->visit[n];
    int is_spin = kind == HS_BIT_SPIN ||
                  (kind == HS_BIT_UNIFORM && a->g->model.low < 0.0f);
    hs_bit_sums pull;

    hs_byte_pull(a, words, kind, &visit, n, pull);
    HS_EACH_LANE(l)
    {
        uint32_t own = hs_byte_at(a, visit.site * HS_WARP)[hs_warp_lane(l)];

        HS_UNROLL
        for (int w = 0; w < words; w++) {
            float row = pull[l][w] * 0.5f + visit.field;
            float low = is_spin ? -row : 0.0f;

            term[w * HS_WARP + hs_warp_lane(l)] = own >> w & 1 ? row : low;
        }
    }
}

/* All sites of chunk c that a maker has. */
HS_ON_CARD void hs_terms_make_chunk(hs_term_block *a, int words, int kind,
                                    int c, int maker, int makers)
{
    int pieces = HS_TERMS_CHUNK * (1 + a->view.b->row);
    const uint32_t *from = a->couple + c % 2 * 4 * pieces;
    float *term = a->term + c % 2 * HS_TERMS_CHUNK * words * HS_WARP;
    int left = a->view.g->model.dim - c * HS_TERMS_CHUNK;

    a->view.visit = (const hs_card_visit *)from;
    a->view.pair = (const hs_card_pair *)from + HS_TERMS_CHUNK;
    HS_UNROLL_NOT
    for (int n = maker; n < HS_TERMS_CHUNK && n < left; n += makers)
        hs_terms_make(&a->view, words, kind, n, term + n * words * HS_WARP);
}

/* Chunk c of one word. */
HS_ON_CARD void hs_terms_add(const hs_term_block *a, int words, int c, int word,
                             double *sum)
{
    const float *term = a->term + c % 2 * HS_TERMS_CHUNK * words * HS_WARP;
    int left = a->view.g->model.dim - c * HS_TERMS_CHUNK;

    if (left >= HS_TERMS_CHUNK) {
        HS_UNROLL
        for (int n = 0; n < HS_TERMS_CHUNK; n++)
            HS_EACH_LANE(l)
            {
                sum[l] += (double)
                    term[(n * words + word) * HS_WARP + hs_warp_lane(l)];
            }
        return;
    }
    for (int n = 0; n < left; n++)
        HS_EACH_LANE(l)
        {
            sum[l] +=
                (double)term[(n * words + word) * HS_WARP + hs_warp_lane(l)];
        }
}

HS_ON_CARD void hs_terms_store(const hs_term_block *a, int word,
                               const double *sum)
{
    const hs_card_group *g = a->view.g;

    HS_EACH_LANE(l)
    {
        int64_t lane = hs_bit_lane(&a->view, word, l);

        if (lane >= 0)
            g->lanes.u[0][lane] =
                g->model.offset + 1.0 / (double)g->model.scale * sum[l];
    }
}

/* Words that an adder has: on a card one, which stays in registers; else there
 * is one warp, which makes terms as well. */
#define HS_TERMS_OWN(words) (HS_WARP_PART == 1 ? 1 : (words))

/* U of all chains of a view, whose bytes are there for all warps; `room` is
 * what hs_terms_bytes says.  The first warps add. */
HS_ON_CARD void hs_terms_energies(const hs_bit_view *view, uint32_t *room,
                                  int words, int kind)
{
    int chunks = (view->g->model.dim + HS_TERMS_CHUNK - 1) / HS_TERMS_CHUNK;
    double sum[HS_TERMS_OWN(HS_BIT_WORDS)][HS_WARP_PART] = {{0}};
    hs_term_block a;
    int skip;

    a.view = *view;
    a.term = (float *)room;
    a.couple = room + 2 * HS_TERMS_CHUNK * words * HS_WARP;
    a.warp = (int)(threadIdx.x / HS_WARP);
    a.warps = (int)(blockDim.x / HS_WARP);
    skip = a.warps >= HS_TERMS_MANY ? words : 0;
    hs_terms_copy(&a, 0);
    for (int c = 0; c <= chunks; c++) {
        hs_copy_wait_all();
        HS_SYNC(); /* couplings of c and terms of c - 1 are there for all */
        hs_terms_copy(&a, c + 1);
        if (a.warp >= skip)
            hs_terms_make_chunk(&a, words, kind, c, a.warp - skip,
                                a.warps - skip);
        HS_UNROLL
        for (int w = 0; w < HS_TERMS_OWN(words); w++)
            if (c > 0 && a.warp < words)
                hs_terms_add(&a, words, c - 1, a.warp + w, sum[w]);
    }
    HS_UNROLL
    for (int w = 0; w < HS_TERMS_OWN(words); w++)
        if (a.warp < words)
            hs_terms_store(&a, a.warp + w, sum[w]);
}

#endif
