/* factor_tables.h - factors by coordinate, as read by lanes/rows/factor.c. */
#ifndef HS_MODEL_FACTOR_FACTOR_TABLES_H
#define HS_MODEL_FACTOR_FACTOR_TABLES_H

#include <stdbool.h>
#include <stdint.h>

#include <hiss/status.h>

#include "lanes/shapes.h"
#include "model/factors.h"

/* Lists every factor that is not skipped (skip may be NULL) with each of its
 * coordinates, for changes of one coordinate.  Borrows the entries of f. */
hiss_status hs_tables_init_all(hs_tables *t, const hs_factors *f,
                               const bool *skip, hiss_error *err);

/* Lists every factor once, with its last coordinate, which then counts among
 * the others, for the contribution of a block of coordinates to U. */
hiss_status hs_tables_init_once(hs_tables *t, const hs_factors *f,
                                hiss_error *err);

void hs_tables_clear(hs_tables *t);

/* Makes a scan order, color by color: coordinates of a color share no factor.
 * Owned by the caller. */
hiss_status hs_factors_order(int **order, const hs_factors *f, hiss_error *err);

#endif
