/* bits.h - what sweeps with a bit per chain want of a pair model: couplings in
 * the order of the visits, and stages of visits that may be made at once. */
#ifndef HS_CUDA_BITS_H
#define HS_CUDA_BITS_H

#include "cuda/group.h"

/* Two couplings in one load; an odd one has another beside it that adds 0.  The
 * place is that of the neighbor's words, in bytes where those are in shared
 * memory, else its number.  The value is what a neighbor adds: J of s = 0 or
 * 1; of s = -1 or 1 -J, that of a low one; 1 where all couplings are equal. */
typedef struct HS_ALIGN_SIXTEEN hs_card_pair {
    int place[2];
    float value[2];
} hs_card_pair;

/* A visit; its couplings are those from n * row on. */
typedef struct HS_ALIGN_SIXTEEN hs_card_visit {
    int site;
    int degree;
    float field;
    int unused;
} hs_card_visit;

/* Stage k has the visits stage[k] <= n < stage[k + 1], of which no two are
 * coupled. */
typedef struct hs_card_bits {
    int words; /* of 32 chains, that a warp visits at once */
    int stages;
    int row;              /* pairs of a visit, at most */
    hs_card_pair *pair;   /* [8 eights][row], on the card alone */
    hs_card_visit *visit; /* [8 eights], as well */
    int *stage;
    int eights; /* of visits, the last filled up */
    /* gibbs_block.cu: */
    int ranks; /* blocks that share out the visits of the same chains */
    int threads;
    int is_bytes;  /* a byte per lane and site (byte_visits.h), else words */
    int is_ahead;  /* couplings are copied to shared memory before their use */
    uint32_t *all; /* states of all chains in words, [dim][stride] */
    int stride;
    /* bit_energies.cu; whole: U is the offset and J / scale times each *
     * (bonds that are high) - base, exactly */
    int has_energies;
    int is_whole, is_signed;
    double unit; /* J / scale */
    int each;
    int64_t base;
    int64_t *whole; /* [lanes], all 0 between two calls */
    /* byte_energies.cu, if term_words: as above, but in the order of sites */
    int term_words;
    hs_card_pair *term_pair;
    hs_card_visit *term_visit;
    int is_tempered; /* gibbs_tempered.cu can be used */
    /* gibbs_grid.cu: how many warps fill the card */
    int64_t warps_most;
} hs_card_bits;

/* Steps with exchanges between them; of `exchange` what is the same for all. */
typedef struct hs_card_ladder_steps {
    hs_card_steps steps;
    uint64_t made; /* steps before these */
    hs_card_exchange exchange;
    size_t bytes; /* of shared memory, for the sweeps */
} hs_card_ladder_steps;

#define HS_BLOCK_RANKS 16

/* Threads of a block with so many words a warp, at most: what its registers
 * allow. */
#define HS_BLOCK_THREADS(words) ((words) == 8 ? 512 : (words) == 4 ? 768 : 1024)

/* Bytes of shared memory that a site has. */
HS_EITHER int hs_card_site_bytes(const hs_card_bits *b)
{
    return b->is_bytes ? HS_WARP : b->words * (int)sizeof(uint32_t);
}

/* Eight visits with their couplings. */
HS_EITHER size_t hs_card_ahead_bytes(const hs_card_bits *b)
{
    return 8 * (size_t)(1 + b->row) * sizeof(hs_card_pair);
}

/* Visit n, without its couplings. */
HS_EITHER hs_card_visit hs_card_visit_at(const hs_device_model *m, int n)
{
    hs_card_visit v;

    v.site = m->order ? m->order[n] : n;
    v.degree = (int)(m->j.start[v.site + 1] - m->j.start[v.site]);
    v.field = m->j.field ? m->j.field[v.site] : 0.0f;
    v.unused = 0;
    return v;
}

/* What a neighbor adds, by coupling e. */
HS_EITHER float hs_card_bit_value(const hs_device_model *m, int64_t e)
{
    if (m->j.uniform != 0.0f)
        return 1.0f;
    return m->low < 0.0f ? -m->j.value[e] : m->j.value[e];
}

#ifdef __cplusplus
extern "C" {
#endif
/* b->stage is in this machine's memory, owned by the caller; NULL if there is
 * no memory or the model is none of these: single precision, s = -1 or 1 or
 * s = 0 or 1, with stages that are long enough to be shared out. */
void hs_card_bits_plan(hs_card_bits *b, const hs_device_model *m);

/* Fills b->visit and b->pair from the model, all on the card; places of
 * neighbors are their numbers times `bytes`.  hs_card_terms_fill: likewise
 * what byte_energies.cu has. */
void hs_card_bits_fill(const hs_card_group *g, const hs_card_bits *b,
                       int bytes);
void hs_card_terms_fill(const hs_card_group *g, const hs_card_bits *b);

/* Words, ranks, threads and what is copied ahead of a block: what promises
 * most, and fits into shared memory; words, ranks: 0, or so many.  0: there is
 * nothing that fits, or chains are so few that another sweep has more use for
 * the card. */
int hs_card_bits_words(hs_card_bits *b, const hs_device_model *m, int64_t lanes,
                       int processors, size_t shared, int words, int ranks);
/* How many such teams run at once. */
int hs_card_block_at_once(const hs_card_bits *b, const hs_device_model *m);
size_t hs_card_bits_bytes(const hs_card_bits *b, int dim);

/* The states of all chains, from rows to words and back. */
void hs_card_bits_pack(const hs_card_group *g, const hs_card_bits *b);
void hs_card_bits_unpack(const hs_card_group *g, const hs_card_bits *b);

/* States of lanes that `take` has a bit of, by tile, to the words of `to`. */
void hs_card_take_words(const hs_card_group *g, const hs_card_bits *b,
                        const uint32_t *take, uint32_t *to);

/* U of all lanes, from the words, where b->has_energies. */
void hs_card_bits_energies(const hs_card_group *g, const hs_card_bits *b);
/* Sets b->term_words, for that where all sites fit into shared memory; and how
 * many sites its couplings are filled up to. */
void hs_card_byte_energies_plan(hs_card_bits *b, const hs_device_model *m,
                                int64_t lanes, int processors, size_t shared);
int64_t hs_card_term_sites(const hs_device_model *m);
void hs_card_byte_energies(const hs_card_group *g, const hs_card_bits *b);

void hs_card_gibbs_block(const hs_card_group *g, const hs_card_bits *b,
                         const hs_card_steps *s);
/* Steps with what follows them on the ladder, where that fits. */
int hs_card_tempered_fits(const hs_card_bits *b, const hs_device_model *m,
                          const hs_device_ladder *l, size_t shared);
void hs_card_gibbs_tempered(const hs_card_group *g, const hs_card_bits *b,
                            const hs_card_ladder_steps *t);
/* stage: as in b, in this machine's memory. */
void hs_card_gibbs_grid(const hs_card_group *g, const hs_card_bits *b,
                        const hs_card_steps *s, const int *stage);
#ifdef __cplusplus
}
#endif

#endif
