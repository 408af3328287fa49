/* starts.h - overdispersed start states of a search, unlike uniform ones.
 *
 * Uniform states are all alike: half of 100 bits are 1, give or take 5, and a
 * number with a wide range is far from any given number.  So uniform starts
 * miss modes such as a band of states with few ones, if all else is impossible.
 *
 * *Leaning* states have one share t in (0, 1) per lane.  A number of k values
 * is Binomial(k - 1, t), so bits have many ones as often as few.  The
 * probabilities of labels are drawn per lane.
 *
 * *Middling* states have numbers that are means of two uniform ones.  Their
 * mean square distance from a mode at a random place is smaller.
 *
 * States *away* from known optima are where the known modes are lowest, but a
 * mode at a random place is not, so that it shows.  Bits and labels differ from
 * those of an optimum more often than by chance.  Numbers take one of two or
 * three evenly spaced values: with many coordinates no more can be tried, and
 * one of them is close to the mode.  They are moved away from the optimum by
 * STARTS_AWAY times its distance from the middle.  That factor is
 * r^2 / (1 - r^2) for a bell of r = .38 of the width.
 *
 * States *off* an optimum differ from it in a share t of the coordinates.  For
 * an optimum in a band, they are on the way to all modes across from it. */
#ifndef HS_RUN_SCOUTS_STARTS_H
#define HS_RUN_SCOUTS_STARTS_H

#include "model/model.h"
#include "run/atlas/mode_table.h"

/* Sets all lanes, with the random numbers of purpose HS_DRAW_SCATTER. */
void hs_starts_lean(hs_point *p, const hs_model *m, const hs_rng *rng);

/* Numbers of three values or more; others are uniform. */
void hs_starts_middle(hs_point *p, const hs_model *m, const hs_rng *rng);

/* Away from the table's states known[0] to known[count - 1], one of which is
 * chosen at random for every coordinate. */
void hs_starts_away(hs_point *p, const hs_model *m, const hs_rng *rng,
                    const hs_mode_table *from, const int64_t *known, int count);

/* The same, off states of the table, which must not be empty. */
void hs_starts_off(hs_point *p, const hs_model *m, const hs_rng *rng,
                   const hs_mode_table *from);

#endif
