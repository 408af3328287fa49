/* feasible_clauses.h - a possible state by conflict-driven search. */
#ifndef HS_MODEL_FACTOR_FEASIBLE_CLAUSES_H
#define HS_MODEL_FACTOR_FEASIBLE_CLAUSES_H

#include <stdint.h>

#include <hiss/status.h>

#include "base/lane.h"
#include "base/random/rng.h"
#include "model/factors.h"

typedef enum hs_found {
    HS_FOUND,
    HS_FOUND_NEVER, /* no state is possible */
    HS_FOUND_NOT_YET,
} hs_found;

/* Finds a state for this lane of x, which depends on the lane's random words
 * alone.  HS_FOUND_NOT_YET after a fixed number of conflicts, or if a
 * coordinate has too many states. */
hiss_status hs_feasible_by_clauses(hs_found *found, const hs_factors *f,
                                   const hs_rng *rng, int lane,
                                   int16_t (*x)[HS_LANES], hiss_error *err);

#endif
