/* ancestral.h - states of a factor graph drawn site after site. */
#ifndef HS_MODEL_FACTOR_ANCESTRAL_H
#define HS_MODEL_FACTOR_ANCESTRAL_H

#include <hiss/status.h>

#include "base/lane.h"
#include "base/random/rng.h"
#include "model/factors.h"

/* A state in each of 16 lanes, drawn in a random order of the coordinates: each
 * from the tables whose other coordinates are drawn already, and uniformly
 * where they leave nothing possible.  Numbers of purpose HS_DRAW_SCATTER; a
 * lane depends on its own and, for the order, on shared ones. */
hiss_status hs_ancestral_states(const hs_factors *f, const hs_rng *rng,
                                int16_t (*x)[HS_LANES]);

#endif
