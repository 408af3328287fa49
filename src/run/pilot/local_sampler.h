/* local_sampler.h - the plain sampler that fits a model. */
#ifndef HS_RUN_PILOT_LOCAL_SAMPLER_H
#define HS_RUN_PILOT_LOCAL_SAMPLER_H

#include <hiss/status.h>

#include "kernel/sampler.h"
#include "model/model.h"

/* Chooses hidden units if the model has any; single-site updates if they are
 * inexpensive; blocks if constraints would stop these and no temperature
 * relaxes them (is_softened); else moves by gradients. */
hiss_status hs_local_sampler(hs_sampler **out, const hs_model *m,
                             bool is_softened, hiss_error *err);

#endif
