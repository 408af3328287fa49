/* scatter.h - random numbers for the states where a search begins.
 *
 * Coordinate i has word i of purpose HS_DRAW_SCATTER.  Hidden choice j, such as
 * a unit or a component, has word j behind HS_SCATTER_HIDDEN blocks. */
#ifndef HS_MODEL_SCATTER_H
#define HS_MODEL_SCATTER_H

#include "base/random/rng.h"
#include "model/model.h"

#define HS_SCATTER_HIDDEN (UINT32_C(1) << 30)

/* Draws hidden units, on (1) or off (0), to on[units].  By clock % 3: each with
 * probability 1/2; a single one; or each with a probability that is itself
 * uniform in (0, 1), one for a lane. */
void hs_scatter_units(const hs_rng *rng, int units, hs_float_row *on);

/* Draws two-valued coordinate i < dim in all lanes from its log odds, which the
 * index replaces. */
void hs_scatter_coins(const hs_rng *rng, int dim, hs_float_row *odds,
                      hs_index_row *x);

#endif
