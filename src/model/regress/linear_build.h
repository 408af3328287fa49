/* linear_build.h - builds the model of a linear regression. */
#ifndef HS_MODEL_REGRESS_LINEAR_BUILD_H
#define HS_MODEL_REGRESS_LINEAR_BUILD_H

#include "model/regress/linear.h"

/* Takes the contents of design and law and leaves both zero, unless memory for
 * the model itself is missing. */
hiss_status hs_linear_build(hs_model **out, hs_design *design,
                            hs_linear_law *law, hiss_error *err);

#endif
