/* strands.h - sums over many terms of a lane, shared out over a block.
 *
 * A block has some lanes, and each has as many strands, threads: strand s takes
 * terms s, s + strands, ...; then strands meet in pairs.  Of many terms two
 * lanes have a block, so that few chains fill a card; of fewer a tile has one,
 * since sixteen lanes are what a card reads at once.  So the order depends on
 * the number of terms alone.  Without a card a block is one lane with one
 * strand. */
#ifndef HS_CUDA_STRANDS_H
#define HS_CUDA_STRANDS_H

#include "base/lane.h"
#include "cuda/card.h"

#if defined(__CUDACC__)
#  define HS_STRANDS 1024 /* of all lanes of a block */
#else
#  define HS_STRANDS 1
#endif
#define HS_STRAND_MANY 4096 /* terms */

typedef struct hs_strand {
    int64_t number, tile; /* of the lane */
    int lane;             /* in its tile */
    int lanes, strands;   /* of the block, of a lane */
    int place;            /* in the block */
    int strand;
} hs_strand;

/* What strands have found, lanes side by side. */
typedef double hs_strand_parts[HS_STRANDS];

/* Lanes of a block. */
HS_EITHER int hs_strand_lanes(int terms)
{
    return HS_STRANDS == 1 ? 1 : terms <= HS_STRAND_MANY ? HS_LANES : 2;
}

HS_ON_CARD hs_strand hs_strand_at(int terms)
{
    hs_strand s;

    s.lanes = hs_strand_lanes(terms);
    s.strands = HS_STRANDS / s.lanes;
    s.place = (int)threadIdx.x % s.lanes;
    s.strand = (int)threadIdx.x / s.lanes;
    s.number = (int64_t)blockIdx.x * s.lanes + s.place;
    s.tile = s.number / HS_LANES;
    s.lane = (int)(s.number % HS_LANES);
    return s;
}

/* What strand n of the same lane has left. */
#define HS_STRAND_PART(part, s, n) ((part)[(n) * (s)->lanes + (s)->place])

/* The sum, or the largest, of what all strands of a lane have, to all of
 * them. */
HS_ON_CARD double hs_strand_meet(const hs_strand *s, double own, int is_max,
                                 hs_strand_parts part)
{
    double all;

    HS_SYNC(); /* the parts may be in use */
    HS_STRAND_PART(part, s, s->strand) = own;
    for (int half = s->strands / 2; half > 0; half /= 2) {
        HS_SYNC();
        if (s->strand < half) {
            double a = HS_STRAND_PART(part, s, s->strand);
            double b = HS_STRAND_PART(part, s, s->strand + half);

            HS_STRAND_PART(part, s, s->strand) = !is_max ? a + b
                                                 : a > b ? a
                                                         : b;
        }
    }
    HS_SYNC();
    all = HS_STRAND_PART(part, s, 0);
    return all;
}

/* all: lanes, a multiple of HS_LANES. */
#define HS_LAUNCH_STRANDS(kernel, all, terms, ...)                             \
  HS_LAUNCH_BLOCKS(kernel, (all) / hs_strand_lanes(terms), HS_STRANDS, 0,      \
                   __VA_ARGS__)

#endif
