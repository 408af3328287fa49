/* marginals.h - what a group leaves behind beside its draws.
 *
 * Marginals: the indicator of every value, summed over every step after
 * warm-up, over all chains and all replicas at the target, so that they are not
 * limited by the draws that are kept.  A kernel that has the conditional
 * probability of a site at hand (gibbs) adds that instead of the indicator,
 * which has the same mean and less variance (Rao-Blackwell).  Memory: 5 bytes
 * per lane and coordinate where all have two states (a sum and a count), else 4
 * per lane and value; and 8 per tile and coordinate, or value.
 *
 * Acceptance: the rate of a chain's decisions at the target since its last
 * kept draw. */
#ifndef HS_RUN_CHAIN_MARGINALS_H
#define HS_RUN_CHAIN_MARGINALS_H

#include <stdbool.h>
#include <stdint.h>

#include <hiss/status.h>

#include "kernel/kernel.h"

#define HS_TRAIL_STEPS 255 /* that are summed before they are flushed */

typedef struct hs_marginals {
    double seen[HS_LANES][2]; /* proposed, accepted at the last kept draw */
    hs_float_row *recent;     /* owned, [tiles][rows], or NULL: not wanted */
    double *sum;     /* owned, [tiles][sums]: what recent was added to */
    double *count;   /* owned, [tiles]: lanes times steps in both */
    int counted;     /* dim if all coordinates have two states, else 0 */
    int rows;        /* of sums, and of counts behind them, if any */
    int sums;        /* without those of counts */
    int64_t pending; /* steps in recent */
} hs_marginals;

hiss_status hs_marginals_init(hs_marginals *t, const hs_group *g,
                              bool has_marginals, hiss_error *err);
void hs_marginals_clear(hs_marginals *t);

/* At the end of warm-up: the next step is the first that counts. */
void hs_marginals_begin(hs_marginals *t, hs_group *g);
/* Before a step that counts, after a state was loaded. */
void hs_marginals_arm(hs_marginals *t, hs_group *g);
/* After each step from then on, or after several that a kernel has made at once
 * and counted: as many as there is room for, at most. */
void hs_marginals_step(hs_marginals *t, hs_group *g, int64_t steps);
int64_t hs_marginals_room(const hs_marginals *t);

/* Acceptance of a chain of the group since this was last asked; NaN when
 * nothing was proposed. */
float hs_marginals_accept(hs_marginals *t, const hs_group *g, int chain);
/* The same where a GPU counts (run/device/mirror.h): what it has proposed and
 * accepted in all. */
float hs_marginals_rate(hs_marginals *t, int chain, double proposed,
                        double accepted);
/* The decisions of a tree at a lane, and whether a kernel counts there:
 * exchanges of levels do not. */
void hs_marginals_decisions(const hs_kernel *k, int lane, double *proposed,
                            double *accepted);
bool hs_marginals_decides(const hs_kernel *k);

/* Of its own tiles: nothing is left in recent. */
void hs_marginals_flush(hs_marginals *t, const hs_group *g);
/* Adds the sums [sums] of one tile to those of every value, out
 * [value_count].  Tile by tile, in their order, the bits do not depend on who
 * had them. */
void hs_marginals_add(const hs_marginals *t, const double *sum, double count,
                      double *out);

#endif
