/* network.h - binary networks on a card (model/network/network.h): U and
 * gradient of all lanes at once.
 *
 * Three ways.  Where a network has at most HS_FUSED_UNITS hidden units and
 * HS_FUSED_INPUTS inputs and the card has the instructions, one kernel per
 * network and chunk of cases makes hidden units, output, error and gradient
 * without leaving the chip (wide.cu on Hopper, else fused.cu); else plain loops
 * do (plain.cu).  In any way U and the gradient of a lane are functions of its
 * state alone: sums have one order, chunks do not depend on how many lanes
 * there are, and nothing is added up in the order in which blocks happen to
 * finish. */
#ifndef HS_CUDA_NETWORK_NETWORK_H
#define HS_CUDA_NETWORK_NETWORK_H

#include "cuda/memory.h"
#include "cuda/thread.h"
#include "lanes/shapes.h"

#define HS_FUSED_UNITS  112 /* sixteen to a warp, seven warps */
#define HS_FUSED_INPUTS 288 /* 32 to a step of the product */
#define HS_FUSED_CASES  16  /* of a tile */
#define HS_WIDE_CASES   64
#define HS_WIDE_WARPS   8

/* All pointers but `form` are into the card's memory. */
typedef struct hs_card_network {
    hs_network_form form; /* its arrays, too */
    int dim;
    float slope_scale; /* dU/do = this times (f - y) f (1 - f) */
    int64_t all;       /* lanes of all tiles */
    int used;          /* of these in use: */
    int *lane;         /* [used]: their numbers */
    /* fused, unless steps is 0; or wide */
    int is_wide;
    int steps;  /* of 32 inputs */
    int slices; /* bytes of an input (inputs.cu) */
    int pairs;  /* of 8 inputs, in the backward product */
    int warps;
    int tiles;        /* of cases */
    int chunks, each; /* each has so many tiles */
    int bytes;        /* of a tile */
    uint8_t *tile;    /* [tiles][bytes] */
    uint32_t *weight; /* [all][steps][warps][32][4] */
    float *part;      /* [chunks][all][dim] */
    double *loss;     /* [chunks][all] */
    int *sum;         /* [all]: of all weights */
    float *said;      /* [all][cases]: f, or NULL: not wanted */
    /* plain */
    float *unit;  /* [cases][hidden][all]: tanh a */
    float *slope; /* [cases][all]: dU/do */
} hs_card_network;

/* Where a tile of cases has what, in bytes from its beginning. */
HS_EITHER int hs_tile_backward(const hs_card_network *n)
{
    return n->steps * n->slices * 512;
}

HS_EITHER int hs_tile_numbers(const hs_card_network *n)
{
    return hs_tile_backward(n) + n->pairs * 512;
}

/* And a wide one: bytes of its two parts. */
HS_EITHER int hs_wide_forward(const hs_card_network *n)
{
    return n->slices * n->steps * 2048 + HS_WIDE_CASES * 4;
}

HS_EITHER int hs_wide_back(const hs_card_network *n)
{
    return n->steps * HS_WIDE_CASES * 64 + 2 * HS_WIDE_CASES * 4;
}

#ifdef __cplusplus
extern "C" {
#endif
/* Borrows from f while it is called; lanes: [tiles], in use. */
hiss_status hs_card_network_build(hs_card_network *n, hs_card_memory *memory,
                                  const hs_network_form *f, int tiles,
                                  const int *lanes, hiss_error *err);

/* U and, unless it is NULL, the gradient of the states x, [tiles][dim][16] as
 * the gradient is. */
void hs_card_network_evaluate(const hs_card_network *n, const int16_t *x,
                              double *u, float *gradient);

/* The same of a fused or wide network, but for what hs_fused_collect does:
 * sums of chunks are left in part, loss and sum. */
void hs_network_begin(const hs_card_network *n, const int16_t *x);

/* device.h */
hiss_status hs_card_predict(int number, const hs_network_form *f,
                            const int8_t *states, int64_t count, float *out,
                            hiss_error *err);

/* Whether this card and this shape have a fused kernel, or a wide one; false
 * without a card. */
int hs_fused_fits(const hs_network_form *f);
int hs_wide_fits(void);
void hs_fused_shape(hs_card_network *n);
void hs_fused_chunks(const hs_card_network *n, const int16_t *x, int has_slope);
void hs_wide_chunks(const hs_card_network *n, const int16_t *x, int has_slope);
/* The tiles of cases, in this machine's memory: free() it; NULL: no memory. */
uint8_t *hs_fused_tiles(const hs_card_network *n, const hs_network_form *f);

void hs_plain_evaluate(const hs_card_network *n, const int16_t *x, double *u,
                       float *gradient);
#ifdef __cplusplus
}
#endif

#endif
