/* local_sampler.h - the plain sampler that fits a model. */
#ifndef HS_RUN_PILOT_LOCAL_SAMPLER_H
#define HS_RUN_PILOT_LOCAL_SAMPLER_H

#include <hiss/status.h>

#include "kernel/sampler.h"
#include "model/model.h"

/* Hidden units where there are any, single-site updates where they are cheap,
 * blocks where constraints would stop these and no temperature opens them
 * (is_softened), else moves by gradients. */
hiss_status hs_local_sampler(hs_sampler **out, const hs_model *m,
                             bool is_softened, hiss_error *err);

#endif
