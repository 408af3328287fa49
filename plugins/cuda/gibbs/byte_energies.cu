/* byte_energies.cu - U of every chain where all sites fit into shared memory
 * (byte_terms.h). */
#include "cuda/gibbs/byte_terms.h"

#define LONGEST   127 /* pairs of neighbors that a byte can count */
#define THREADS_4 (20 * HS_WARP)
#define THREADS_8 (24 * HS_WARP)

static size_t all_bytes(const hs_card_bits *b, const hs_device_model *m,
                        int words)
{
    return (size_t)m->dim * HS_WARP + hs_terms_bytes(b, words);
}

HS_ON_CARD void energies(const hs_card_group *g, const hs_card_bits *b,
                         uint32_t *shared, int words, int kind)
{
    hs_bit_view view;

    view.g = g;
    view.b = b;
    view.word = shared;
    view.first = (int64_t)blockIdx.x * words;
    hs_byte_copy(&view, words, 0);
    hs_terms_energies(&view, shared + g->model.dim * (HS_WARP / 4), words,
                      kind);
}

#define KERNEL(words, kind)                                                    \
  HS_KERNEL HS_BOUNDS(THREADS_##words) void terms_##words##_##kind(            \
      hs_card_group g, hs_card_bits b)                                         \
  {                                                                            \
    HS_SHARED(shared);                                                         \
    energies(&g, &b, shared, words, kind);                                     \
  }
#define TRY(words, kind)                                                       \
  if (b->term_words == (words) && hs_bit_kind(&g->model) == (kind))            \
    HS_LAUNCH_BLOCKS(terms_##words##_##kind,                                   \
                     (b->stride + (words)-1) / (words), THREADS_##words,       \
                     all_bytes(b, &g->model, words), *g, *b);
#define EACH_KIND(MAKE, words)                                                 \
  MAKE(words, HS_BIT_PLAIN)                                                    \
  MAKE(words, HS_BIT_SPIN)                                                     \
  MAKE(words, HS_BIT_UNIFORM)
#define EACH(MAKE)                                                             \
  EACH_KIND(MAKE, 4)                                                           \
  EACH_KIND(MAKE, 8)

EACH(KERNEL)

int64_t hs_card_term_sites(const hs_device_model *m)
{
    return ((int64_t)m->dim + HS_TERMS_CHUNK - 1) / HS_TERMS_CHUNK *
           HS_TERMS_CHUNK;
}

void hs_card_byte_energies_plan(hs_card_bits *b, const hs_device_model *m,
                                int64_t lanes, int processors, size_t shared)
{
    int is_many = lanes >= (int64_t)processors * 4 * HS_WARP;

    b->term_words = 0;
    if (b->has_energies && !b->is_whole && b->row <= LONGEST)
        for (int w = 4; w <= 8; w += 4)
            if (all_bytes(b, m, w) <= shared && (w == 4 || is_many))
                b->term_words = w;
}

void hs_card_byte_energies(const hs_card_group *g, const hs_card_bits *b)
{
    EACH(TRY)
}
