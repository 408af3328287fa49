/* packed_plan.h - a pair model in bundles of visits (lanes/gibbs/packed.c). */
#ifndef HS_KERNEL_GIBBS_SWEEPS_PACKED_PLAN_H
#define HS_KERNEL_GIBBS_SWEEPS_PACKED_PLAN_H

#include <hiss/status.h>

#include "lanes/shapes.h"
#include "model/model.h"

/* The reason why a model cannot be packed, in words; NULL if it can. */
const char *hs_packed_hindrance(const hs_model *m);

/* Prepares everything but the thresholds. */
hiss_status hs_packed_init(hs_packed *p, const hs_model *m, hiss_error *err);
void hs_packed_clear(hs_packed *p);

/* Computes thresholds at an inverse temperature.  P(high) has the precision of
 * heat_bath.c, cut to 32 bits, and is at most 1 - 2^-32. */
void hs_packed_set_beta(hs_packed *p, float beta);

#endif
