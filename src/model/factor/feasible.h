/* feasible.h - possible states of factors with entries of -infinity. */
#ifndef HS_MODEL_FACTOR_FEASIBLE_H
#define HS_MODEL_FACTOR_FEASIBLE_H

#include <stdint.h>

#include <hiss/status.h>

#include "base/lane.h"
#include "base/random/rng.h"
#include "model/factors.h"

/* Finds a random possible state in each of the first `lanes` lanes and copies
 * lane 0 to the others.  A lane depends on rng's lane alone.  HISS_EINFEASIBLE
 * if there is none, or none was found within a fixed number of dead ends. */
hiss_status hs_feasible_states(const hs_factors *f, const hs_rng *rng,
                               int lanes, int16_t (*x)[HS_LANES],
                               hiss_error *err);

/* Finds coordinates with only one possible value, by passing supports from
 * factor to factor.  at[i] is the only possible index of coordinate i, or -1 if
 * two remain or it is unknown.  HISS_EINFEASIBLE if a coordinate has no
 * possible value. */
hiss_status hs_feasible_forced(const hs_factors *f, int *at, hiss_error *err);

#endif
