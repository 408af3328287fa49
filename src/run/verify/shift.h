/* shift.h - compares states before and after, pair by pair.
 *
 * Counts are in cells, each of which must keep the distribution by itself:
 * phases of a cycle, or clocks common to chains.  There is one hs_shift per
 * thread; they are merged before the tests. */
#ifndef HS_RUN_VERIFY_SHIFT_H
#define HS_RUN_VERIFY_SHIFT_H

#include <stdint.h>

#include <hiss/status.h>

#include "diag/tests/flips.h"
#include "diag/tests/paired.h"
#include "run/verify/features.h"
#include "run/verify/tally.h"

/* counters of a thread; they limit the number of cells */
#define HS_SHIFT_COUNTERS (1 << 20)

typedef enum hs_shift_family {
    HS_SHIFT_U,
    HS_SHIFT_TAILS,
    HS_SHIFT_MARGINALS,
    HS_SHIFT_PAIRS,
    HS_SHIFT_SPREAD, /* spread of all indicators over the cells */
    HS_SHIFT_FAMILIES
} hs_shift_family;

typedef struct hs_shift {
    const hs_features *features; /* borrowed */
    int cells;
    int64_t replicates, moved;
    hs_flips *flips;  /* owned, [levels] */
    int64_t *sum;     /* owned, [levels]: sum of the differences of U */
    int64_t *squares; /* owned, [levels] */
} hs_shift;

/* Requests this many cells; there may be fewer. */
hiss_status hs_shift_init(hs_shift *s, const hs_features *f, int64_t cells,
                          hiss_error *err);
void hs_shift_clear(hs_shift *s);

/* Cell of `part` among `parts`, even if there are fewer cells. */
int hs_shift_cell(const hs_shift *s, int64_t part, int64_t parts);

/* Adds one replicate, [levels] state numbers. */
void hs_shift_add(hs_shift *s, int cell, const uint32_t *from,
                  const uint32_t *to);
void hs_shift_merge(hs_shift *s, hs_shift *other);

/* The smallest p of a family, times the number of its members.  False if it has
 * none. */
bool hs_shift_test(hs_shift *s, hs_shift_family family, hs_verify_test *out);

/* Mean of the difference of U at level 0 and its standard error, in sd. */
void hs_shift_bias(const hs_shift *s, double *bias, double *error);

/* 1 - the correlation of U before and after; the share that moved if U is
 * constant. */
double hs_shift_renewal(const hs_shift *s);

/* The smallest shift of the stationary mean of U, in sd, that a test at level p
 * detects with probability 0.9: the test of U or the best of its tails.  A
 * sampler whose stationary mean is off by B moves a mean by B (1 -
 * correlation), where 1 - correlation is half the variance of the difference in
 * units of that of U.  If a normal distribution of U is shifted by B, its tail
 * of probability q changes by B phi(z_q). */
double hs_shift_reach(hs_shift *s, double p);

#endif
