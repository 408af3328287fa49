/* cold_start.h - starting states of a search, drawn from a truncated network at
 * a low temperature.
 *
 * A network of beta U (exact/network/network.h) draws states of low energy for
 * nearly planar models, such as glasses in two dimensions.  beta is doubled
 * while the best of sixteen draws improves.  The network need not be accurate,
 * because its draws are only starting points of anneals. */
#ifndef HS_RUN_SEARCH_COLD_START_H
#define HS_RUN_SEARCH_COLD_START_H

#include <hiss/status.h>

#include "exact/network/network.h"
#include "model/model.h"

struct hs_search;

typedef struct hs_cold_start {
    const hs_network *network; /* held; NULL if there is none */
    double beta;
    double sweeps; /* cost of finding it, in sweeps of single sites */
    double draw;   /* cost of 16 draws, likewise */
} hs_cold_start;

/* hot: the first beta.  It may spend a third of the search's budget, counted
 * from the beginning of the search.  c->network stays NULL if that is too
 * little, the model is not a sum of tables, or the search has given restarts or
 * temperatures. */
hiss_status hs_cold_start_init(hs_cold_start *c, const hs_model *m, double hot,
                               const struct hs_search *search, double started,
                               hiss_error *err);
void hs_cold_start_clear(hs_cold_start *c);

#endif
