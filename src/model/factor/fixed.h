/* fixed.h - conditioning: any model with some coordinates fixed. */
#ifndef HS_MODEL_FACTOR_FIXED_H
#define HS_MODEL_FACTOR_FIXED_H

#include <hiss/status.h>

#include "model/model.h"

/* Replaces *model by itself given x_i = index at[i] wherever at[i] is not
 * negative, [dim], counted in the states before any conditioning.  Coordinates
 * keep their numbers; a fixed one has a single value, so that kernels leave it
 * alone, and U is what it was.  Where nothing is to be fixed nothing changes.
 * *model stays as it is on failure: HISS_EARG for an index out of range or in
 * contradiction to one fixed before, HISS_EINFEASIBLE where the fixed values
 * are seen to be impossible, HISS_EUNSUP for tours. */
hiss_status hs_model_fix(hs_model **model, const int *at, hiss_error *err);

#endif
