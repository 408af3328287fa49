/* factor_tables.h - factors by coordinate, as lanes/rows/factor.c reads
 * them. */
#ifndef HS_MODEL_FACTOR_FACTOR_TABLES_H
#define HS_MODEL_FACTOR_FACTOR_TABLES_H

#include <stdbool.h>
#include <stdint.h>

#include <hiss/status.h>

#include "lanes/shapes.h"
#include "model/factors.h"

/* Every factor that is not skipped (skip may be NULL), listed with each of its
 * coordinates: what a change of one coordinate touches.  Borrows the entries
 * of f. */
hiss_status hs_tables_init_all(hs_tables *t, const hs_factors *f,
                               const bool *skip, hiss_error *err);

/* Every factor once, listed with its last coordinate, which then counts among
 * the others: what a block of coordinates adds to U. */
hiss_status hs_tables_init_once(hs_tables *t, const hs_factors *f,
                                hiss_error *err);

void hs_tables_clear(hs_tables *t);

/* A scan order, color by color: coordinates of a color share no factor.
 * Owned by the caller. */
hiss_status hs_factors_order(int **order, const hs_factors *f, hiss_error *err);

#endif
