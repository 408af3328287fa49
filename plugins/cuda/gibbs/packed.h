/* packed.h - what sweeps of gibbs(packed=yes) want on a card: neighbors and
 * laws by visit (lanes/gibbs/packed.c has the draws).
 *
 * A word has the chains of two tiles; those of a site are apart by `visits`,
 * so that the threads of a warp, which make visits one after the other, read
 * words that lie side by side. */
#ifndef HS_CUDA_PACKED_H
#define HS_CUDA_PACKED_H

#include "cuda/group.h"

#define HS_CARD_NONE 0xffffffffu

/* P(high) by the number of neighbors that pull up, in 2^-32 (hs_packed_law);
 * of an even law those below half, which no coordinate with half looks at. */
typedef struct hs_card_thresholds {
    int degree, is_even, entries;
    uint32_t threshold[HS_PACKED_DEGREE + 1];
} hs_card_thresholds;

typedef struct hs_card_packed {
    int visits; /* a multiple of 2 */
    int degree; /* at most */
    int words;  /* of a visit */
    int stages, laws;
    int64_t warps_most;
    int *site;      /* [visits], or -1 */
    int *kind;      /* [visits]: number of the law */
    uint32_t *near; /* [degree][visits]: 2 position + (1: bound by -J), or
                         HS_CARD_NONE */
    hs_card_thresholds *law; /* [laws] */
    uint32_t *all;           /* [words][visits] */
    hs_card_thresholds
        known; /* that of all visits, even and of degree 4 or 6; else
                          its degree is 0 */
} hs_card_packed;

#ifdef __cplusplus
extern "C" {
#endif
/* In this machine's memory, one block at p->site, which is NULL if there is no
 * memory; stage[k] to stage[k + 1] are the visits of a stage, in it as well. */
void hs_card_packed_plan(hs_card_packed *p, int **stage, const hs_packed *from);

/* stage: in this machine's memory. */
void hs_card_gibbs_packed(const hs_card_group *g, const hs_card_packed *p,
                          const hs_card_steps *s, const int *stage);
#ifdef __cplusplus
}
#endif

#endif
