/* urn.h - weighted rows to draw from without replacement, lane by lane.
 *
 * Sums are kept by blocks of rows, in double, and a block that loses a row is
 * summed anew: what is left of a total after its largest parts are taken out
 * has no less precision than the total had. */
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

/* On failure clear is still due. */
hiss_status hs_urn_init(hs_urn *u, int rows, hiss_error *err);
void hs_urn_clear(hs_urn *u);

/* Weights e^(logit - max), all of them there. */
void hs_urn_fill(hs_urn *u, const hs_float_row *logits, const float *max);

/* What is left. */
double hs_urn_total(const hs_urn *u, int lane);

/* The row at `part` of the total, 0 < part < 1; of positive weight, if the
 * total is. */
int hs_urn_draw(const hs_urn *u, int lane, double part);

/* Takes rows first <= r < end out; their weight. */
double hs_urn_remove(hs_urn *u, int lane, int first, int end);

#endif
