/* intervals.h - a law of one coordinate as intervals of [0, 1).
 *
 * A value v has an interval of length p(v), in an order of the law's own: by
 * falling probability, or by value where values are ordered numbers.  A uniform
 * position is a draw; the same position in the intervals of another law is a
 * draw of that one, coupled to it. */
#ifndef HS_BASE_RANDOM_INTERVALS_H
#define HS_BASE_RANDOM_INTERVALS_H

#include <stdbool.h>

/* Where the intervals start; those of equal length by their number. */
static inline void hs_intervals_arrange(const double *share, int states,
                                        bool is_ordered, double *start)
{
    for (int v = 0; v < states; v++) {
        start[v] = 0.0;
        for (int o = 0; o < states; o++) {
            bool is_before = is_ordered || share[o] == share[v]
                                 ? o < v
                                 : share[o] > share[v];

            start[v] += is_before ? share[o] : 0.0;
        }
    }
}

/* The value whose interval holds this position. */
static inline int hs_intervals_find(const double *start, const double *share,
                                    int states, double position)
{
    int last = 0;

    if (states == 2) {
        last = start[1] > start[0];
        return position >= start[last] ? last : 1 - last;
    }
    for (int v = 0; v < states; v++) {
        if (position >= start[v] && position < start[v] + share[v])
            return v;
        if (start[v] > start[last])
            last = v;
    }
    return last; /* past the end by rounding */
}

#endif
