/* slice.h - a layer of a network, prepared for drawing. */
#ifndef HS_EXACT_NETWORK_SLICE_H
#define HS_EXACT_NETWORK_SLICE_H

#include <stdbool.h>
#include <stdint.h>

#include <hiss/status.h>

#include "exact/network/layer.h"
#include "model/model.h"

/* A table with variables that were drawn before the layer. */
typedef struct hs_slice_table {
    const double *weight; /* borrowed: its entries */
    int64_t *offset; /* owned, [width * states]: by carried and own value */
    bool is_own;     /* independent of carried values */
    int others;
    int *variable;   /* owned, [others]: variables drawn before, */
    int64_t *stride; /* owned, [others]: and the stride of each */
} hs_slice_table;

/* A site of the train, from left to right. */
typedef struct hs_slice_site {
    int variable, states;
    bool is_drawn;     /* it is drawn, or was drawn in an earlier layer */
    hs_tensor *tensor; /* held; NULL means the identity */
    int left, right;   /* bonds */
    int width;         /* number of combinations of values carried to it, */
    int next_width;    /* the same, carried from it */
    int *next;         /* owned, [width * states]: combination carried on */
    double *inner;     /* owned, [width * states]: tables within the layer */
    hs_slice_table *table; /* owned, [tables] */
    int tables;
} hs_slice_site;

typedef struct hs_slice {
    hs_slice_site *site;    /* owned, [sites] */
    int sites, first, last; /* the sites that are drawn */
    double work;            /* multiplications of a draw */
    size_t rows, weights;   /* for 16 lanes, over all sites */
    int side, most;         /* the largest bond, the largest number of values */
} hs_slice;

/* Prepares the last planned layer, with the train above it. */
hiss_status hs_slice_init(hs_slice *s, const hs_layers *l, const double *weight,
                          const hs_train *above, hiss_error *err);
void hs_slice_clear(hs_slice *s);

/* Scratch, large enough for every slice. */
typedef struct hs_slice_scratch {
    double (*right)[HS_LANES];  /* owned, [rows]: sums over everything to the
                                   right */
    double (*weight)[HS_LANES]; /* owned, [weights] */
    double (*left)[HS_LANES];   /* owned, [side] */
    double (*part)[HS_LANES];   /* owned, [most * side] */
    double (*values)[HS_LANES]; /* owned, [most] */
    double noise; /* largest negative weight, relative to the largest weight */
} hs_slice_scratch;

/* Random words by variable, and the address of further ones. */
typedef struct hs_slice_words {
    const uint32_t (*word)[HS_LANES]; /* borrowed, [dim] */
    uint64_t seed;
    const uint64_t *clock; /* borrowed, by lane, like the others */
    const uint32_t *chain, *replica;
} hs_slice_words;

/* Draws; with words NULL the values are given.  A weight below `floor` times
 * the largest is raised to that.  Multiplies q by the probability of the
 * values; when q gets small, its ln is added to log_q. */
void hs_slice_draw(const hs_slice *s, hs_slice_scratch *work, double floor,
                   const hs_slice_words *words, hs_index_row *x, double *q,
                   double *log_q);

#endif
