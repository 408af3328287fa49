/* scaled.h - a model at another temperature: beta times its log p. */
#ifndef HS_MODEL_FACTOR_SCALED_H
#define HS_MODEL_FACTOR_SCALED_H

#include <hiss/status.h>

#include "model/model.h"

/* Replaces *model by one with beta times its U, 0 < beta < infinity.  The
 * objective stays what it was, and m->beta is the product of all calls.  A
 * model keeps its structure where it knows how (ops->scaled) or is a sum of
 * tables; any other is wrapped.  *model stays as it is on failure. */
hiss_status hs_model_scale(hs_model **model, double beta, hiss_error *err);

/* A model of its own with beta times the U of m, which stays as it is and must
 * outlive the copy. */
hiss_status hs_model_scaled_copy(hs_model **out, const hs_model *m, double beta,
                                 hiss_error *err);

#endif
