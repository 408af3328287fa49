/* slope.h - a gradient from U of the states alone.
 *
 * Two-valued numbers: the slope of the line through both, which is exact (the
 * multilinear extension).  Ordered levels: the slope at x of the parabola
 * through x and its two neighbors, or of the line at the ends.  Labels: their
 * rows are U itself.
 *
 * U may be -infinity.  A two-valued coordinate then gets an infinite slope away
 * from the impossible value, and 0 between two of them.  Levels use the
 * possible neighbors only, so their slope is finite. */
#ifndef HS_MODEL_SLOPE_H
#define HS_MODEL_SLOPE_H

#include <math.h>
#include <stdbool.h>
#include <stdint.h>

#include "base/lane.h"

/* U at the low and the high value, gap apart. */
static inline float hs_slope_pair(double low, double high, float gap)
{
    if (isinf(low) && isinf(high))
        return 0.0f;
    return (float)((high - low) / (double)gap);
}

/* For level x among `states` levels; below and above are U at its neighbors and
 * are not read if there is none. */
static inline float hs_slope_level(const float *level, int states, int x,
                                   double below, double here, double above)
{
    bool has_below = x > 0 && !isinf(below) && !isinf(here);
    bool has_above = x + 1 < states && !isinf(above) && !isinf(here);
    double left = 0.0, right = 0.0, down = 0.0, up = 0.0;

    if (has_below) {
        left = (double)level[x] - (double)level[x - 1];
        down = (here - below) / left;
    }
    if (has_above) {
        right = (double)level[x + 1] - (double)level[x];
        up = (above - here) / right;
    }
    if (has_below && has_above)
        return (float)((down * right + up * left) / (left + right));
    return (float)(has_below ? down : up);
}

/* Rows of labels if U is too large for a float: minus U of the present label x,
 * so that likely values are not rounded; U itself if x is impossible. */
static inline void hs_slope_labels(int states, const int16_t *x,
                                   const double (*u)[HS_LANES],
                                   float (*out)[HS_LANES])
{
    for (int l = 0; l < HS_LANES; l++) {
        double here = u[x[l]][l];

        for (int v = 0; v < states; v++)
            out[v][l] = (float)(isinf(here) ? u[v][l] : u[v][l] - here);
    }
}

#endif
