/* ancestral.h - states of a factor graph drawn site after site. */
#ifndef HS_MODEL_FACTOR_ANCESTRAL_H
#define HS_MODEL_FACTOR_ANCESTRAL_H

#include <hiss/status.h>

#include "base/lane.h"
#include "base/random/rng.h"
#include "model/factors.h"

/* Draws a state in each of 16 lanes.  Coordinates come in a random order, and
 * each is drawn from the tables whose other coordinates are drawn already, or
 * uniformly if these leave nothing possible.  The numbers have purpose
 * HS_DRAW_SCATTER.  A lane depends on its own numbers and, for the order, on
 * shared ones. */
hiss_status hs_ancestral_states(const hs_factors *f, const hs_rng *rng,
                                int16_t (*x)[HS_LANES]);

#endif
