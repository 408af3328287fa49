/* marginals.h - marginals and acceptance of a group.
 *
 * Marginals: the indicator of every value, summed over every step after
 * warm-up, over all chains and all replicas at the target, so they use more
 * than the kept draws.  A kernel that knows the conditional probability of a
 * site (gibbs) adds that instead of the indicator, which has the same mean and
 * less variance (Rao-Blackwell).  Memory: 5 bytes per lane and coordinate if
 * all have two states (a sum and a count), else 4 per lane and value; and 8 per
 * tile and coordinate, or value.
 *
 * Acceptance: the rate of a chain's decisions at the target since its last kept
 * draw. */
#ifndef HS_RUN_CHAIN_MARGINALS_H
#define HS_RUN_CHAIN_MARGINALS_H

#include <stdbool.h>
#include <stdint.h>

#include <hiss/status.h>

#include "kernel/kernel.h"

#define HS_TRAIL_STEPS 255 /* steps summed before a flush */

typedef struct hs_marginals {
    double seen[HS_LANES][2]; /* proposed, accepted, at the last kept draw */
    hs_float_row *recent;     /* owned, [tiles][rows], or NULL if not
                                 requested */
    double *sum;              /* owned, [tiles][sums]: totals of recent */
    double *count;            /* owned, [tiles]: lanes times steps in both */
    int counted;     /* dim if all coordinates have two states, else 0 */
    int rows;        /* rows of sums, and of counts behind them, if any */
    int sums;        /* rows of sums alone */
    int64_t pending; /* steps in recent */
} hs_marginals;

hiss_status hs_marginals_init(hs_marginals *t, const hs_group *g,
                              bool has_marginals, hiss_error *err);
void hs_marginals_clear(hs_marginals *t);

/* Call it at the end of warm-up: the next step is the first that counts. */
void hs_marginals_begin(hs_marginals *t, hs_group *g);
/* Call it before a step that counts, after a state was loaded. */
void hs_marginals_arm(hs_marginals *t, hs_group *g);
/* Call it after each later step, or after several that a kernel has made at
 * once and counted: at most as many as fit. */
void hs_marginals_step(hs_marginals *t, hs_group *g, int64_t steps);
int64_t hs_marginals_room(const hs_marginals *t);

/* Acceptance of a chain of the group since the last call; NaN if nothing was
 * proposed. */
float hs_marginals_accept(hs_marginals *t, const hs_group *g, int chain);
/* The same if a GPU counts (run/device/mirror.h): total proposals and
 * acceptances. */
float hs_marginals_rate(hs_marginals *t, int chain, double proposed,
                        double accepted);
/* The decisions of a tree at a lane, and whether a kernel counts there;
 * exchanges of levels do not count. */
void hs_marginals_decisions(const hs_kernel *k, int lane, double *proposed,
                            double *accepted);
bool hs_marginals_decides(const hs_kernel *k);

/* Moves everything in recent, of its own tiles, to the totals. */
void hs_marginals_flush(hs_marginals *t, const hs_group *g);
/* Adds the sums [sums] of one tile to those of every value, out [value_count].
 * Tile by tile, in order, the bits do not depend on which rank had them. */
void hs_marginals_add(const hs_marginals *t, const double *sum, double count,
                      double *out);

#endif
