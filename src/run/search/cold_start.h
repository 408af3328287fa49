/* cold_start.h - states to begin a search from, drawn from a truncated network
 * at a low temperature.
 *
 * A network of beta U (exact/network/network.h) draws states of low energy of
 * models that are nearly flat, such as glasses in two dimensions.  beta is
 * doubled while the best of sixteen draws gets better.  Whether the network is
 * accurate does not matter here: its draws are where anneals begin. */
#ifndef HS_RUN_SEARCH_COLD_START_H
#define HS_RUN_SEARCH_COLD_START_H

#include <hiss/status.h>

#include "exact/network/network.h"
#include "model/model.h"

struct hs_search;

typedef struct hs_cold_start {
    const hs_network *network; /* held; NULL: there is none */
    double beta;
    double sweeps; /* that it cost to find, of single sites */
    double draw;   /* that 16 draws cost, likewise */
} hs_cold_start;

/* hot: beta to begin with.  A third of the budget of a search, which began
 * then, may be spent; c->network stays NULL where that is too little, the model
 * is no sum of tables, or the search gives restarts or temperatures. */
hiss_status hs_cold_start_init(hs_cold_start *c, const hs_model *m, double hot,
                               const struct hs_search *search, double started,
                               hiss_error *err);
void hs_cold_start_clear(hs_cold_start *c);

#endif
