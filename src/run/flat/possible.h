/* possible.h - estimates the number of possible states, for log Z from infinite
 * temperature. */
#ifndef HS_RUN_FLAT_POSSIBLE_H
#define HS_RUN_FLAT_POSSIBLE_H

#include <hiss/status.h>

#include "model/model.h"

/* The share of possible states among random ones; its relative variance is (1 -
 * share) / (share * tried). */
hiss_status hs_possible_share(const hs_model *m, uint64_t seed, double *share,
                              double *tried, hiss_error *err);

#endif
