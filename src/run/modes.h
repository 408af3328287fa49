/* modes.h - which local optima the draws belong to. */
#ifndef HS_RUN_MODES_H
#define HS_RUN_MODES_H

#include <stdint.h>

#include <hiss/run.h>
#include <hiss/status.h>

#include "model/model.h"
#include "run/store.h"

/* Ascends draws (all of them, or evenly spaced ones when there are very many)
 * and counts the optima that they reach, by falling count, at most `most`.
 * log_z: to find exact masses by ascending every state, or NaN; only asked of
 * small domains.  states: [most][dim] values. */
hiss_status hs_modes_find(const hs_store *store, int64_t samples,
                          const hs_model *m, double log_z, int most, int *count,
                          hiss_mode *modes, double *states, hiss_error *err);

#endif
