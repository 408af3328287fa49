/* packed_plan.h - a pair model in bundles of visits (lanes/gibbs/packed.c), or
 * the clauses of each visit (lanes/gibbs/clauses.c). */
#ifndef HS_KERNEL_GIBBS_SWEEPS_PACKED_PLAN_H
#define HS_KERNEL_GIBBS_SWEEPS_PACKED_PLAN_H

#include <stdbool.h>

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

/* Whether all coordinates are binary and all possible states are equally
 * probable, but not all states are possible. */
bool hs_packed_clauses_apply(const hs_model *m);

/* Makes a clause for every impossible entry of a table.  Visits are in the
 * model's numbering.  Clear it also on failure. */
hiss_status hs_packed_clauses_init(hs_packed_clauses *c, const hs_model *m,
                                   hiss_error *err);
void hs_packed_clauses_clear(hs_packed_clauses *c);

#endif
