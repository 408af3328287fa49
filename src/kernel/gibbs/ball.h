/* ball.h - the states within a Hamming distance of another, on a few
 * coordinates: how many, one of them at random, all of them in order.
 *
 * A state of the ball is told by what differs from its centre: coordinates of
 * the block by position, and for each how many values further, past the last
 * one beginning with the first again.  So the list is the same for all chains,
 * whatever their centres are. */
#ifndef HS_KERNEL_GIBBS_BALL_H
#define HS_KERNEL_GIBBS_BALL_H

#include <stdint.h>

#include <hiss/status.h>

#include "base/state/domain.h"

#define HS_BALL_MAX 65536 /* states */

/* One more difference than `parent` has. */
typedef struct hs_ball_state {
    int parent; /* -1: the centre is */
    int position;
    int shift;
} hs_ball_state;

typedef struct hs_ball {
    int size;             /* coordinates of the block */
    int radius;           /* differences at most */
    int *site;            /* owned, [size] */
    int *states;          /* owned, [size]: of these coordinates */
    double *ways;         /* owned, [size + 1][radius + 1]: states that differ
                             at positions from here on, this often at most */
    hs_ball_state *state; /* owned, [capacity]; 0: the centre */
    int capacity;         /* states of the largest ball */
    int count;            /* listed so far */
} hs_ball;

/* For the largest ball of so many neighboring coordinates; HISS_EARG if it
 * has more than HS_BALL_MAX states.  On failure clear is still due. */
hiss_status hs_ball_init(hs_ball *b, const hs_domain *d, int size, int radius,
                         hiss_error *err);
void hs_ball_clear(hs_ball *b);

/* The block from coordinate `first` on, past the last one from 0 again. */
void hs_ball_place(hs_ball *b, const hs_domain *d, int first);

/* States of the ball as it is placed. */
double hs_ball_count(const hs_ball *b);

/* A shift for every position, uniform over the ball: call for position 0, 1,
 * ... with *left = radius at first, and 0 < u < 1. */
int hs_ball_draw(const hs_ball *b, int position, int *left, double u);

/* Begins the list with the centre; adds one, and gives its number. */
void hs_ball_begin(hs_ball *b);
int hs_ball_add(hs_ball *b, int parent, int position, int shift);

/* How far value `from` is moved by a shift. */
static inline int hs_ball_value(int from, int shift, int states)
{
    int to = from + shift;

    return to < states ? to : to - states;
}

#endif
