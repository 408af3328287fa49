/* urn.h - draws weighted rows without replacement, lane by lane.
 *
 * Sums are stored by blocks of rows, in double.  A block that loses a row is
 * summed again, so a total without its largest parts is as precise as the total
 * was. */
#ifndef HS_KERNEL_INFORMED_URN_H
#define HS_KERNEL_INFORMED_URN_H

#include <hiss/status.h>

#include "base/lane.h"
#include "model/model.h"

typedef struct hs_urn {
    int rows, blocks;
    hs_float_row *weight;    /* owned, [rows] */
    double (*sum)[HS_LANES]; /* owned, [blocks] */
} hs_urn;

/* Clear it also on failure. */
hiss_status hs_urn_init(hs_urn *u, int rows, hiss_error *err);
void hs_urn_clear(hs_urn *u);

/* Fills it with weights e^(logit - max). */
void hs_urn_fill(hs_urn *u, const hs_float_row *logits, const float *max);

/* Returns the sum of the remaining weights. */
double hs_urn_total(const hs_urn *u, int lane);

/* Finds the row at `part` of the total, 0 < part < 1; its weight is positive if
 * the total is. */
int hs_urn_draw(const hs_urn *u, int lane, double part);

/* Removes rows first <= r < end; returns their weight. */
double hs_urn_remove(hs_urn *u, int lane, int first, int end);

#endif
