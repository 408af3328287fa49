/* intervals.h - a distribution of one coordinate as intervals of [0, 1).
 *
 * Value v has an interval of length p(v).  The intervals are ordered by falling
 * probability, or by value if the values are ordered numbers.  The interval
 * that contains a uniform position gives a draw.  The same position in the
 * intervals of another distribution gives a draw of that one, coupled to the
 * first. */
#ifndef HS_BASE_RANDOM_INTERVALS_H
#define HS_BASE_RANDOM_INTERVALS_H

#include <stdbool.h>

/* Computes the starts of the intervals; ties are ordered by number. */
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

/* Returns the value whose interval contains the position. */
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
    return last; /* the position is past the end by rounding */
}

#endif
