/* adders.h - sums over many terms of a lane, shared out over a block.
 *
 * A block has some lanes, and each has as many adders, threads: adder s takes
 * terms s, s + adders, ...; then adders meet in pairs.  Of many terms two
 * lanes have a block, so that few chains fill a card; of fewer a tile has one,
 * since sixteen lanes are what a card reads at once.  So the order depends on
 * the number of terms alone.  Without a card a block is one lane with one
 * adder. */
#ifndef HS_CUDA_ADDERS_H
#define HS_CUDA_ADDERS_H

#include "base/lane.h"
#include "cuda/card.h"

#if defined(__CUDACC__)
#  define HS_ADDERS 1024 /* of all lanes of a block */
#else
#  define HS_ADDERS 1
#endif
#define HS_ADDER_MANY 4096 /* terms */

typedef struct hs_adder {
    int64_t number, tile; /* of the lane */
    int lane;             /* in its tile */
    int lanes, adders;    /* of the block, of a lane */
    int place;            /* in the block */
    int adder;
} hs_adder;

/* What adders have found, lanes side by side. */
typedef double hs_adder_parts[HS_ADDERS];

/* Lanes of a block. */
HS_EITHER int hs_adder_lanes(int terms)
{
    return HS_ADDERS == 1 ? 1 : terms <= HS_ADDER_MANY ? HS_LANES : 2;
}

HS_ON_CARD hs_adder hs_adder_at(int terms)
{
    hs_adder s;

    s.lanes = hs_adder_lanes(terms);
    s.adders = HS_ADDERS / s.lanes;
    s.place = (int)threadIdx.x % s.lanes;
    s.adder = (int)threadIdx.x / s.lanes;
    s.number = (int64_t)blockIdx.x * s.lanes + s.place;
    s.tile = s.number / HS_LANES;
    s.lane = (int)(s.number % HS_LANES);
    return s;
}

/* What adder n of the same lane has left. */
#define HS_ADDER_PART(part, s, n) ((part)[(n) * (s)->lanes + (s)->place])

/* The sum, or the largest, of what all adders of a lane have, to all of
 * them. */
HS_ON_CARD double hs_adder_meet(const hs_adder *s, double own, int is_max,
                                hs_adder_parts part)
{
    double all;

    HS_SYNC(); /* the parts may be in use */
    HS_ADDER_PART(part, s, s->adder) = own;
    for (int half = s->adders / 2; half > 0; half /= 2) {
        HS_SYNC();
        if (s->adder < half) {
            double a = HS_ADDER_PART(part, s, s->adder);
            double b = HS_ADDER_PART(part, s, s->adder + half);

            HS_ADDER_PART(part, s, s->adder) = !is_max ? a + b : a > b ? a : b;
        }
    }
    HS_SYNC();
    all = HS_ADDER_PART(part, s, 0);
    return all;
}

/* all: lanes, a multiple of HS_LANES. */
#define HS_LAUNCH_ADDERS(kernel, all, terms, ...)                              \
  HS_LAUNCH_BLOCKS(kernel, (all) / hs_adder_lanes(terms), HS_ADDERS, 0,        \
                   __VA_ARGS__)

#endif
