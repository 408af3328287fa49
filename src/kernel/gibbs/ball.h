/* ball.h - the states within a Hamming distance of another, on a few
 * coordinates: their number, a random one, all in order.
 *
 * A state of the ball is described by its differences from the center:
 * positions in the block, and for each the shift of the value, cyclically.  So
 * the list is the same for all chains, whatever their centers are. */
#ifndef HS_KERNEL_GIBBS_BALL_H
#define HS_KERNEL_GIBBS_BALL_H

#include <stdint.h>

#include <hiss/status.h>

#include "base/state/domain.h"

#define HS_BALL_MAX 65536 /* states */

/* Has one more difference than `parent`. */
typedef struct hs_ball_state {
    int parent; /* -1 for the center */
    int position;
    int shift;
} hs_ball_state;

typedef struct hs_ball {
    int size;             /* coordinates of the block */
    int radius;           /* most differences */
    int *site;            /* owned, [size] */
    int *states;          /* owned, [size]: states of these coordinates */
    double *ways;         /* owned, [size + 1][radius + 1]: number of states
                             with at most this many differences at positions
                             from here on */
    hs_ball_state *state; /* owned, [capacity]; 0 is the center */
    int capacity;         /* states of the largest ball */
    int count;            /* listed so far */
} hs_ball;

/* Allocates for the largest ball of this many neighboring coordinates;
 * HISS_EARG if it has more than HS_BALL_MAX states.  Clear it also on
 * failure. */
hiss_status hs_ball_init(hs_ball *b, const hs_domain *d, int size, int radius,
                         hiss_error *err);
void hs_ball_clear(hs_ball *b);

/* Selects the block from coordinate `first` on, cyclically. */
void hs_ball_place(hs_ball *b, const hs_domain *d, int first);

/* Number of states of the present ball. */
double hs_ball_count(const hs_ball *b);

/* Draws a shift for every position, uniform over the ball: call it for position
 * 0, 1, ... with *left = radius at first and 0 < u < 1. */
int hs_ball_draw(const hs_ball *b, int position, int *left, double u);

/* Begins the list with the center; adds a state and returns its number. */
void hs_ball_begin(hs_ball *b);
int hs_ball_add(hs_ball *b, int parent, int position, int shift);

/* Returns the value `from` after a shift. */
static inline int hs_ball_value(int from, int shift, int states)
{
    int to = from + shift;

    return to < states ? to : to - states;
}

#endif
