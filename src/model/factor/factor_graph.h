/* factor_graph.h - models given as tables over a few coordinates each. */
#ifndef HS_MODEL_FACTOR_FACTOR_GRAPH_H
#define HS_MODEL_FACTOR_FACTOR_GRAPH_H

#include <hiss/status.h>

#include "base/state/domain.h"
#include "model/factors.h"
#include "model/model.h"

/* Variables with 2 states become binary coordinates, others categorical ones.
 * Copies `name`.  Takes ownership of the factors, which are empty afterwards,
 * also on failure. */
hiss_status hs_factor_graph_create(hs_model **out, const char *name,
                                   hs_factors *factors, hiss_error *err);

/* The same over coordinates of any kind; takes ownership of the domain too. */
hiss_status hs_factor_graph_create_over(hs_model **out, const char *name,
                                        hs_domain *domain, hs_factors *factors,
                                        hiss_error *err);

#endif
