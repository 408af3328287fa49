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
#define HS_WIDE_SHARED                                                         \
  6400 /* bytes of a warp group beside its tiles, at most */

#define HS_TALL_UNITS   104
#define HS_TALL_INPUTS  15
#define HS_TALL_TILES   24    /* at least: it pays */
#define HS_TALL_SHARED  27392 /* the same of a tall warp group, */
#define HS_TALL_WEIGHTS (HS_TALL_UNITS * 32) /* and weights of a block */

/* Blocks of a team that has a network (cuda/compose/resident.h). */
#if defined(__CUDACC__)
#  define HS_RESIDENT_RANKS 2
#else
#  define HS_RESIDENT_RANKS 1
#endif
#define HS_RESIDENT_STEPS 5            /* of 32 inputs, at most */
#define HS_RESIDENT_MOST  (227 * 1024) /* bytes of shared memory */

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
    int is_tall; /* and has few inputs: tall_tile.h */
    int steps;   /* of 32 inputs */
    int slices;  /* bytes of an input (inputs.cu) */
    int pairs;   /* of 8 inputs, in the backward product */
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
    /* steps on the chip: warp groups of a block, 0: none are made there; and
     * its coordinates */
    int warp_groups, share;
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
    return n->is_tall ? 3 * 2048
                      : n->slices * n->steps * 2048 + HS_WIDE_CASES * 4;
}

HS_EITHER int hs_wide_back(const hs_card_network *n)
{
    return (n->is_tall ? 2048 : n->steps * HS_WIDE_CASES * 64) +
           2 * HS_WIDE_CASES * 4;
}

/* Shared memory of a block of a team: of each warp group, and in all. */
HS_EITHER int hs_warp_group_bytes(const hs_card_network *n)
{
    return 2 * n->bytes + (n->is_tall ? HS_TALL_SHARED : HS_WIDE_SHARED);
}

HS_EITHER int hs_warp_groups_bytes(const hs_card_network *n)
{
    return n->warp_groups * hs_warp_group_bytes(n) +
           (n->is_tall ? HS_TALL_WEIGHTS : 0);
}

HS_EITHER int64_t hs_resident_bytes(const hs_card_network *n)
{
    int64_t arrays = 2 + HS_RESIDENT_RANKS * n->warp_groups;
    int64_t words = (1 + 2 * HS_RESIDENT_RANKS) * (n->share / 32);

    return hs_warp_groups_bytes(n) + 4 * arrays * n->share + 4 * words +
           512; /* and numbers */
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
void hs_plain_shape(hs_card_network *n);
void hs_fused_chunks(const hs_card_network *n, const int16_t *x, int has_slope);
void hs_wide_chunks(const hs_card_network *n, const int16_t *x, int has_slope);
void hs_tall_chunks(const hs_card_network *n, const int16_t *x);
/* The tiles of cases, in this machine's memory: free() it; NULL: no memory. */
uint8_t *hs_fused_tiles(const hs_card_network *n, const hs_network_form *f);

void hs_plain_evaluate(const hs_card_network *n, const int16_t *x, double *u,
                       float *gradient);
#if !defined(__CUDACC__)
/* The same of one lane; its gradient without lambda, [dim], and the sum of
 * squares, which is returned. */
double hs_plain_lane(const hs_card_network *n, const int16_t *x, int64_t lane,
                     float *gradient);
#endif
#ifdef __cplusplus
}
#endif

#endif
