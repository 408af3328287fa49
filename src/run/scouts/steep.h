/* steep.h - climbing by gradients: many coordinates at once.
 *
 * For models whose single-site differences cost an evaluation each.  Every
 * coordinate that gains by the gradient takes its best value.  If U does not
 * rise, a random half of them is tried instead, then a quarter, until a lane
 * has no coordinate left that gains.  A few evaluations lead from a random
 * state to a mode.
 *
 * Changes of all coordinates at once may leap over impossible states, from one
 * set of possible states into another.  A *gentle* climb begins with two
 * coordinates, and tries twice as many as soon as U has risen.  Climbs of
 * numbers are never gentle, because their steps become shorter anyway.
 *
 * For ordinal coordinates a gradient is a slope, which is hardly ever 0 at the
 * best of several numbers, so it shows no end.  These coordinates first step by
 * a quarter of their range, then by half of that, and so on.  They take back a
 * step if the slope at its other end contradicts it.  The last state is near
 * an optimum, which polish.h finds by U itself. */
#ifndef HS_RUN_SCOUTS_STEEP_H
#define HS_RUN_SCOUTS_STEEP_H

#include <hiss/status.h>

#include "kernel/tile.h"

typedef struct hs_steep {
    hs_point next;       /* owned */
    hs_float_row *row;   /* owned, [states_max]: gains of a coordinate */
    hs_float_row *local; /* owned, [states_max]: its gradient */
    int longest;         /* numbers of a coordinate that has three or more, 0 */
    bool is_careful; /* set by the caller: gentle where starts are impossible */
    bool has_gaps;   /* some visited states were impossible */
    bool is_gentle;  /* this climb */
    double until;    /* evaluations of a lane of the tile at which climbs end */
} hs_steep;

hiss_status hs_steep_init(hs_steep *s, const hs_model *m, hiss_error *err);
void hs_steep_clear(hs_steep *s);

/* Climbs in all lanes of the tile, whose evaluations are counted there. */
hiss_status hs_steep_climb(hs_steep *s, const hs_model *m, hs_tile *t);

/* Evaluations of a lane in a round of a climb, at most. */
double hs_steep_round(const hs_steep *s, const hs_model *m);

/* U(x with x_i = v) - U(x) by the gradient at p, which has it, to out[v]. */
void hs_steep_gains(const hs_steep *s, const hs_model *m, const hs_point *p,
                    int i, hs_float_row *out);

#endif
