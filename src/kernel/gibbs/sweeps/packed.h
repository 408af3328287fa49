/* packed.h - the sweep of gibbs(packed=yes). */
#ifndef HS_KERNEL_GIBBS_SWEEPS_PACKED_H
#define HS_KERNEL_GIBBS_SWEEPS_PACKED_H

#include "kernel/gibbs/sweeps/sweeps.h"

extern const hs_sweep hs_sweep_packed;

/* A sweep does not update states, U and counts; this does. */
hiss_status hs_sweep_packed_flush(void *state, const hs_model *m, hs_tile *x);

/* The model of its state, with the thresholds of beta = 1; borrowed.  NULL for
 * clauses. */
const hs_packed *hs_sweep_packed_plan(void *state);

#endif
