/* spread.h - for quadratic U on pairs and balance 1/2.
 *
 * Everything but the normalizers of the proposal cancels from the acceptance
 * (lanes/langevin/odds.c).  So a point needs only its spread, the sum of ln(1 +
 * e^z_i) over all flips.  The spread of an accepted y serves the next step. */
#ifndef HS_KERNEL_LANGEVIN_PATHS_SPREAD_H
#define HS_KERNEL_LANGEVIN_PATHS_SPREAD_H

#include "kernel/langevin/paths/paths.h"

typedef struct hs_spread {
    double x[HS_LANES], y[HS_LANES];
    /* Validity of the values left at x by the last step: */
    bool is_kept;
    uint64_t clock; /* after that step */
    float beta[HS_LANES], stiffness[HS_LANES];
} hs_spread;

/* Whether the spread is all that the acceptance needs. */
bool hs_spread_decides(const hs_model *m, bool is_half);

/* Whether nothing happened since hs_spread_keep: x[] and the path's stored data
 * are those of the tile's state. */
bool hs_spread_is_known(const hs_spread *s, const hs_proposal *p);

/* Computes the ratio from both ends. */
void hs_spread_compare(const hs_spread *s, hs_proposal *p);

/* Call it after the move: the next step can use the values left at x. */
void hs_spread_keep(hs_spread *s, hs_proposal *p);

#endif
