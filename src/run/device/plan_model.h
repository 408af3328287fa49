/* plan_model.h - describes a model by numbers, for a GPU. */
#ifndef HS_RUN_DEVICE_PLAN_MODEL_H
#define HS_RUN_DEVICE_PLAN_MODEL_H

#include <hiss/status.h>

#include "device/plan.h"
#include "model/model.h"

/* Borrows from the model.  HISS_EUNSUP, with the reason, if no GPU can run
 * it. */
hiss_status hs_plan_model(hs_device_model *out, const hs_model *m,
                          hiss_error *err);

#endif
