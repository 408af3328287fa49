/* packed.h - the sweep of gibbs(packed=yes). */
#ifndef HS_KERNEL_GIBBS_SWEEPS_PACKED_H
#define HS_KERNEL_GIBBS_SWEEPS_PACKED_H

#include "kernel/gibbs/sweeps/sweeps.h"

extern const hs_sweep hs_sweep_packed;

/* Its sweeps leave states, U and counts as they were; this makes them good. */
hiss_status hs_sweep_packed_flush(void *state, const hs_model *m, hs_tile *x);

/* What its state has, with the laws of beta = 1; borrowed. */
const hs_packed *hs_sweep_packed_plan(void *state);

#endif
