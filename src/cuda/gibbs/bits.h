/* bits.h - what sweeps with a bit per chain want of a pair model: couplings in
 * the order of the visits, and stages of visits that may be made at once. */
#ifndef HS_CUDA_BITS_H
#define HS_CUDA_BITS_H

#include "cuda/group.h"

/* Two couplings in one load; an odd one has another beside it that adds 0.  The
 * value is what a neighbour adds: J of s = 0 or 1; of s = -1 or 1 -J, that
 * of a low one; 1 where all couplings are equal. */
typedef struct HS_ALIGN_SIXTEEN hs_card_pair {
    int column[2];
    float value[2];
} hs_card_pair;

/* A visit, with its couplings first <= p < last and low times their number. */
typedef struct HS_ALIGN_SIXTEEN hs_card_visit {
    int site;
    int first, last;
    float base;
} hs_card_visit;

/* Stage k has the visits stage[k] <= n < stage[k + 1], of which no two are
 * coupled. */
typedef struct hs_card_bits {
    int words; /* of 32 chains, that a warp visits at once */
    int stages;
    hs_card_pair *pair; /* [pairs] */
    hs_card_visit *visit;
    int *stage;
    int pairs;
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
    /* gibbs_grid.cu: how many warps fill the card */
    int64_t warps_most;
} hs_card_bits;

#ifdef __cplusplus
extern "C" {
#endif
/* In this machine's memory, one block at b->visit, which is NULL if there is no
 * memory or the model is none of these: single precision, s = -1 or 1 or s = 0
 * or 1, with stages that are long enough to be shared out. */
void hs_card_bits_plan(hs_card_bits *b, const hs_device_model *m);

/* How many words a block should have: as many as leave no multiprocessor
 * without one, and fit into its shared memory.  0: the card has more use for
 * gibbs_grid.cu, since not even one fits, or most multiprocessors would have
 * none. */
int hs_card_bits_words(int dim, int64_t lanes, int processors, size_t shared);

/* The states of all chains, from rows to words and back. */
void hs_card_bits_pack(const hs_card_group *g, const hs_card_bits *b);
void hs_card_bits_unpack(const hs_card_group *g, const hs_card_bits *b);

/* States of lanes that `take` has a bit of, by tile, to the words of `to`. */
void hs_card_take_words(const hs_card_group *g, const hs_card_bits *b,
                        const uint32_t *take, uint32_t *to);

/* U of all lanes, from the words, where b->has_energies. */
void hs_card_bits_energies(const hs_card_group *g, const hs_card_bits *b);

void hs_card_gibbs_block(const hs_card_group *g, const hs_card_bits *b,
                         const hs_card_steps *s);
/* stage: as in b, in this machine's memory. */
void hs_card_gibbs_grid(const hs_card_group *g, const hs_card_bits *b,
                        const hs_card_steps *s, const int *stage);
#ifdef __cplusplus
}
#endif

#endif
