/* scan.h - lists of neighbors in scan order.
 *
 * For couplings J or -J: lanes/gibbs/scan.c counts neighbors and reads their
 * lists one after the other. */
#ifndef HS_MODEL_PAIR_SCAN_H
#define HS_MODEL_PAIR_SCAN_H

#include <stdbool.h>

#include <hiss/status.h>

#include "lanes/shapes.h"

/* Whether couplings are J or -J and degrees small enough; and whether sums of
 * couplings are exact. */
bool hs_scan_fits(const hs_sparse *j);
bool hs_scan_is_exact(const hs_sparse *j);

/* order: [dim], borrowed for the call; fields are borrowed from j.  s = low +
 * gap x; step as in hs_scan. */
hiss_status hs_scan_init(hs_scan *g, const hs_sparse *j, const int *order,
                         float low, float gap, float step, hiss_error *err);
void hs_scan_clear(hs_scan *g);

#endif
