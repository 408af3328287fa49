/* flat_pilot.h - what multicanonical sampling needs to know beforehand: its
 * weights. */
#ifndef HS_RUN_FLAT_FLAT_PILOT_H
#define HS_RUN_FLAT_FLAT_PILOT_H

#include "kernel/sampler.h"
#include "run/account/pilot_account.h"

#define HS_FLAT_STARTS 64

/* Replaces a sampler that is multicanonical without weights by one with
 * weights, and says what was found, a line each; else nothing is changed.
 * sampler: kept.  start: owned, [HS_FLAT_STARTS][dim], where chains begin.
 * full: the sampler with every default. */
hiss_status hs_flat_pilot(hs_sampler **sampler, int16_t **start, char **text,
                          const hs_model *m, const hs_sampler *full,
                          hs_pilot_account *account, hiss_error *err);

#endif
