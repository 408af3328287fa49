/* scaled.h - a model at another temperature: beta times its log p. */
#ifndef HS_MODEL_FACTOR_SCALED_H
#define HS_MODEL_FACTOR_SCALED_H

#include <hiss/status.h>

#include "model/model.h"

/* Replaces *model by one with beta times its U, 0 < beta < infinity.  The
 * objective does not change, and m->beta is the product over all calls.  A
 * model keeps its structure if it supports this (ops->scaled) or is a sum of
 * tables; any other is wrapped.  On failure *model is unchanged. */
hiss_status hs_model_scale(hs_model **model, double beta, hiss_error *err);

/* Makes a separate model with beta times the U of m, which is unchanged and
 * must outlive the copy. */
hiss_status hs_model_scaled_copy(hs_model **out, const hs_model *m, double beta,
                                 hiss_error *err);

#endif
