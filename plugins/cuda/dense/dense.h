/* dense.h - models with dense couplings on a card: every pair of sites, or
 * visible with hidden units.
 *
 * Products are sums in the order of their index, a thread for a few rows of a
 * lane, so that a lane's numbers do not depend on the others. */
#ifndef HS_CUDA_DENSE_DENSE_H
#define HS_CUDA_DENSE_DENSE_H

#include "cuda/memory.h"
#include "cuda/thread.h"
#include "lanes/shapes.h"

#define HS_PRODUCT_ROWS 8 /* of a thread */

/* out_r = sum_k a_kr x_k; rows are filled up to whole threads by 0. */
typedef struct hs_card_matrix {
    int rows, inner;
    int stride; /* rows, filled up */
    float *a;   /* [inner][stride] */
} hs_card_matrix;

/* All pointers are into the card's memory. */
typedef struct hs_card_dense {
    int dim, hidden; /* hidden: 0, all pairs are coupled */
    int64_t lanes;
    float low, gap; /* s = low + gap x */
    double offset;
    hs_card_matrix to, back; /* states to pulls, or to hidden units and back */
    float *b, *c;            /* h, or b and c */
    float (*sum)[HS_LANES];  /* [tiles][rows of `to`]: of products */
    float (*on)[HS_LANES];   /* the same: units, 1 / (1 + e^-a) */
    float (*term)[HS_LANES]; /* [tiles][dim + hidden]: of U */
} hs_card_dense;

#ifdef __cplusplus
extern "C" {
#endif
hiss_status hs_card_pairs_build(hs_card_dense *d, hs_card_memory *memory,
                                const hs_dense *f, double offset, int tiles,
                                hiss_error *err);
hiss_status hs_card_units_build(hs_card_dense *d, hs_card_memory *memory,
                                const hs_units_form *f, int tiles,
                                hiss_error *err);

/* U and, unless it is NULL, the gradient of the states x. */
void hs_card_dense_evaluate(const hs_card_dense *d, const int16_t *x, double *u,
                            float *gradient);

/* transposed: from is [rows][inner], else [inner][rows]. */
hiss_status hs_card_matrix_put(hs_card_matrix *m, hs_card_memory *memory,
                               const float *from, int rows, int inner,
                               int is_transposed, hiss_error *err);
/* Of x = low + gap states, or of x itself, to out: [tiles][rows]. */
void hs_card_product(const hs_card_matrix *m, const int16_t *states, float low,
                     float gap, const float *x, float *out, int64_t lanes);

/* u = offset + the sum of the terms of each lane: [tiles][rows]. */
void hs_card_add_terms(const float *term, int rows, int64_t lanes,
                       double offset, double *u);
#ifdef __cplusplus
}
#endif

#endif
