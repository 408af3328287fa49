/* trail.h - what a group leaves behind beside its draws.
 *
 * Marginals: the indicator of every value, summed over every step after
 * warm-up and over all chains, so that they are not limited by the draws that
 * are kept.  A kernel that has the conditional probability of a site at hand
 * (gibbs) adds that instead of the indicator, which has the same mean and less
 * variance (Rao-Blackwell).  Memory: 4 bytes per lane and coordinate (or
 * value, where some coordinate has not two), and 8 per value and group.
 *
 * Acceptance: the rate of a chain's decisions at the target since its last
 * kept draw. */
#ifndef HS_RUN_TRAIL_H
#define HS_RUN_TRAIL_H

#include <stdbool.h>
#include <stdint.h>

#include <hiss/status.h>

#include "kernel/kernel.h"

typedef struct hs_trail {
    double seen[HS_LANES][2]; /* proposed, accepted at the last kept draw */
    hs_float_row *recent;     /* owned, [tiles][rows], or NULL: not wanted */
    double *sum;              /* owned, [rows]: what recent was added to */
    int rows;                 /* dim if all coordinates have two states */
    int64_t pending;          /* steps in recent */
    double count;             /* chains times steps in recent and sum */
} hs_trail;

hiss_status hs_trail_init(hs_trail *t, const hs_group *g, bool has_marginals,
                          hiss_error *err);
void hs_trail_clear(hs_trail *t);

/* At the end of warm-up: the next step is the first that counts. */
void hs_trail_begin(hs_trail *t, hs_group *g);
/* Before a step that counts, after a state was loaded. */
void hs_trail_arm(hs_trail *t, hs_group *g);
/* After each step from then on. */
void hs_trail_step(hs_trail *t, hs_group *g);

/* Acceptance of a chain of the group since this was last asked; NaN when
 * nothing was proposed. */
float hs_trail_accept(hs_trail *t, const hs_group *g, int chain);

/* Adds the sums of every value to out [value_count], and their number. */
void hs_trail_gather(hs_trail *t, const hs_group *g, double *out,
                     double *count);

#endif
