/* fixed.h - conditioning: any model with some coordinates fixed. */
#ifndef HS_MODEL_FACTOR_FIXED_H
#define HS_MODEL_FACTOR_FIXED_H

#include <hiss/status.h>

#include "model/model.h"

/* Replaces *model by itself given x_i = index at[i] for every i with at[i] >=
 * 0, [dim], counted in the states before any conditioning.  Coordinates keep
 * their numbers; a fixed one has a single value, so kernels skip it.  U does
 * not change.  If nothing is to be fixed nothing happens.  On failure *model is
 * unchanged: HISS_EARG for an index out of range or in contradiction to an
 * earlier one, HISS_EINFEASIBLE if the fixed values are found impossible,
 * HISS_EUNSUP for tours. */
hiss_status hs_model_fix(hs_model **model, const int *at, hiss_error *err);

#endif
