/* packed.h - the sweep of gibbs(packed=yes). */
#ifndef HS_KERNEL_GIBBS_SWEEPS_PACKED_H
#define HS_KERNEL_GIBBS_SWEEPS_PACKED_H

#include "kernel/gibbs/sweeps/sweeps.h"

extern const hs_sweep hs_sweep_packed;

/* What its state has, with the laws of beta = 1; borrowed. */
const hs_packed *hs_sweep_packed_plan(void *state);

#endif
