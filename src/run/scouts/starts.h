/* starts.h - states from which a search begins that are unlike uniform ones.
 *
 * Uniform states are all alike: half of 100 bits are 1, give or take 5, and a
 * number of a wide range is far from any number.  What no such state is near
 * to, as a band of few ones where all else is impossible, is left out.
 *
 * *Leaning* states have one share t in (0, 1) for a lane: a number of k values
 * is Binomial(k - 1, t), so that the ones among bits are as often many as few;
 * a label has chances that are drawn for the lane.
 *
 * *Middling* states have numbers that are means of two uniform ones, and are
 * less far from a mode that may be anywhere, by squares.
 *
 * States *away* from known optima are where these are lowest and a mode that
 * may be anywhere is not, so that it shows beside them.  Bits and labels are
 * other ones than an optimum's, more often than by chance.  Numbers are among
 * two or three, evenly spaced: in many coordinates no more of them can be
 * tried, and the mode's own is not far from one.  They are moved away from the
 * optimum's by STARTS_AWAY of what this is off the middle, which is
 * r^2 / (1 - r^2) for a bell of r = .38 of the width.
 *
 * States *off* an optimum differ from it in a share t of the coordinates: those
 * of a band are on the way to all others that lie across. */
#ifndef HS_RUN_SCOUTS_STARTS_H
#define HS_RUN_SCOUTS_STARTS_H

#include "model/model.h"
#include "run/atlas/mode_table.h"

/* In all lanes; the random numbers are those of purpose HS_DRAW_SCATTER. */
void hs_starts_lean(hs_point *p, const hs_model *m, const hs_rng *rng);

/* Numbers of three values or more; others are uniform. */
void hs_starts_middle(hs_point *p, const hs_model *m, const hs_rng *rng);

/* Chooses one of the table's states known[0] to known[count - 1] at random for
 * every coordinate. */
void hs_starts_away(hs_point *p, const hs_model *m, const hs_rng *rng,
                    const hs_mode_table *from, const int64_t *known, int count);

/* The same, off states of the table, which must not be empty. */
void hs_starts_off(hs_point *p, const hs_model *m, const hs_rng *rng,
                   const hs_mode_table *from);

#endif
