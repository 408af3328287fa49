/* strands.h - sums over many terms of a lane, shared out over a block.
 *
 * A block has two lanes, so that few chains fill a card, and each has
 * HS_STRANDS threads: strand s takes terms s, s + HS_STRANDS, ...; then strands
 * meet in pairs.  The order depends on the number of terms alone.  Without a
 * card a block is one lane with one strand. */
#ifndef HS_CUDA_STRANDS_H
#define HS_CUDA_STRANDS_H

#include "base/lane.h"
#include "cuda/card.h"

#if defined(__CUDACC__)
#  define HS_STRANDS      512
#  define HS_STRAND_LANES 2
#else
#  define HS_STRANDS      1
#  define HS_STRAND_LANES 1
#endif

typedef struct hs_strand {
    int64_t number, tile; /* of the lane */
    int lane;             /* in its tile */
    int place;            /* in the block */
    int strand;
} hs_strand;

/* What strands have found, for one lane of a block each. */
typedef double hs_strand_parts[HS_STRANDS][HS_STRAND_LANES];

HS_ON_CARD hs_strand hs_strand_at(void)
{
    hs_strand s;

    s.place = (int)(threadIdx.x % HS_STRAND_LANES);
    s.strand = (int)(threadIdx.x / HS_STRAND_LANES);
    s.number = (int64_t)blockIdx.x * HS_STRAND_LANES + s.place;
    s.tile = s.number / HS_LANES;
    s.lane = (int)(s.number % HS_LANES);
    return s;
}

/* The sum, or the largest, of what all strands of a lane have, to all of
 * them. */
HS_ON_CARD double hs_strand_meet(const hs_strand *s, double own, int is_max,
                                 hs_strand_parts part)
{
    double all;

    HS_SYNC(); /* the parts may be in use */
    part[s->strand][s->place] = own;
    for (int half = HS_STRANDS / 2; half > 0; half /= 2) {
        HS_SYNC();
        if (s->strand < half) {
            double a = part[s->strand][s->place];
            double b = part[s->strand + half][s->place];

            part[s->strand][s->place] = !is_max ? a + b : a > b ? a : b;
        }
    }
    HS_SYNC();
    all = part[0][s->place];
    return all;
}

/* lanes: a multiple of HS_LANES. */
#define HS_LAUNCH_STRANDS(kernel, lanes, ...)                                  \
  HS_LAUNCH_BLOCKS(kernel, (lanes) / HS_STRAND_LANES,                          \
                   HS_STRANDS * HS_STRAND_LANES, 0, __VA_ARGS__)

#endif
