/* logistic_build.h - builds the model of a logistic regression. */
#ifndef HS_MODEL_REGRESS_LOGISTIC_BUILD_H
#define HS_MODEL_REGRESS_LOGISTIC_BUILD_H

#include <stdbool.h>

#include "model/model.h"
#include "model/regress/design.h"

/* How coefficients are weighed: their prior precision is
 * `alike` X'X / rows + `ridge` I, for columns of deviation 1. */
typedef struct hs_logistic_law {
    double alike, ridge;
    bool is_bic;     /* log p has the likelihood alone, without prior and
                        determinant */
    int most;        /* most variables in a model */
    double *penalty; /* owned, [most + 2]; the last is -infinity */
} hs_logistic_law;

/* Whether the response has two values only. */
bool hs_logistic_fits(const hs_design *design);
/* Takes the contents of design and law and leaves both zero, unless memory for
 * the model itself is missing. */
hiss_status hs_logistic_build(hs_model **out, hs_design *design,
                              hs_logistic_law *law, hiss_error *err);

#endif
