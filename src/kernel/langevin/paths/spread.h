/* spread.h - where U is quadratic on pairs, and balance is 1/2.
 *
 * All but the normalizers of the proposal cancels from the acceptance
 * (lanes/langevin/odds.c), so a point needs only its spread, the sum of
 * ln(1 + e^z_i) over all flips.  That of an accepted y is the next step's. */
#ifndef HS_KERNEL_LANGEVIN_PATHS_SPREAD_H
#define HS_KERNEL_LANGEVIN_PATHS_SPREAD_H

#include "kernel/langevin/paths/paths.h"

typedef struct hs_spread {
    double x[HS_LANES], y[HS_LANES];
    /* What was left at x by the last step belongs to: */
    bool is_kept;
    uint64_t clock; /* after that step */
    float beta[HS_LANES], stiffness[HS_LANES];
} hs_spread;

/* Whether it is all that the acceptance needs. */
bool hs_spread_decides(const hs_model *m, bool is_half);

/* Whether nothing happened since hs_spread_keep: x[] and what its path keeps
 * beside it are those of where the tile stands. */
bool hs_spread_is_known(const hs_spread *s, const hs_proposal *p);

/* The ratio, from both ends. */
void hs_spread_compare(const hs_spread *s, hs_proposal *p);

/* After the move: what is left at x is known to the next step. */
void hs_spread_keep(hs_spread *s, hs_proposal *p);

#endif
