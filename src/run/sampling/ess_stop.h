/* ess_stop.h - a run that ends when its smallest ESS is large enough.
 *
 * It is checked when HS_ESS_STOP_FIRST draws are kept, and then whenever the
 * steps since the warm-up have doubled.  So the end of a run depends on its
 * draws alone, neither on the clock nor on interruptions. */
#ifndef HS_RUN_SAMPLING_ESS_STOP_H
#define HS_RUN_SAMPLING_ESS_STOP_H

#include <stdbool.h>
#include <stdint.h>

#include <hiss/status.h>

#include "base/pool.h"
#include "run/chain/store.h"

#define HS_ESS_STOP_FIRST  128  /* steps, times the thinning */
#define HS_ESS_STOP_WARMUP 1000 /* default steps of warm-up, likewise */
/* steps before the run may be given up, likewise */
#define HS_ESS_STOP_LEAST (1 << 20)
#define HS_ESS_STOP_MOST  (1 << 30) /* most steps, likewise */

/* The first step after `step` at which to check. */
int64_t hs_ess_stop_next(int64_t step, int64_t warmup, int64_t thin);

/* Number of draws per chain that a run to this ESS should be able to store. */
int64_t hs_ess_stop_draws(double ess, int chains);

/* The smallest bulk ESS of U and of the coordinates (evenly spaced ones if
 * there are many) of the first n draws.  If some are below `ess`, it is the
 * smallest of those checked.  Constant columns have no ESS and are skipped; if
 * all are constant, the draws are counted.  A stuck column has ESS 0. */
hiss_status hs_ess_stop_smallest(const hs_store *s, int64_t n, double ess,
                                 hs_pool *pool, double *smallest,
                                 hiss_error *err);

/* Whether the ESS would need more than HS_ESS_STOP_MOST steps at its present
 * growth. */
bool hs_ess_stop_is_hopeless(double smallest, double ess, int64_t steps,
                             int64_t thin);

#endif
