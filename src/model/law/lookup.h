/* lookup.h - a distribution given state by state. */
#ifndef HS_MODEL_LAW_LOOKUP_H
#define HS_MODEL_LAW_LOOKUP_H

#include <hiss/status.h>

#include "base/state/domain.h"
#include "model/model.h"

#define HS_LOOKUP_DIM_MAX    20
#define HS_LOOKUP_STATES_MAX (1 << 22)

/* u[n] is U of state n = sum_i x_i stride_i, coordinate 0 being the most
 * significant; -infinity is allowed.  Takes ownership of domain (empty
 * afterwards) and u (from hs_alloc_array), also on failure.  The domain must be
 * within the two limits above. */
hiss_status hs_lookup_create(hs_model **out, hs_domain *domain, double *u,
                             hiss_error *err);

#endif
