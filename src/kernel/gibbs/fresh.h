/* fresh.h - makes an independent draw, coordinate by coordinate. */
#ifndef HS_KERNEL_GIBBS_FRESH_H
#define HS_KERNEL_GIBBS_FRESH_H

#include "exact/descent.h"
#include "kernel/tile.h"

typedef struct hs_fresh {
    const hs_descent *descent;  /* held */
    hs_count_walk walk;         /* owned: scratch for draws from a count */
    double (*weight)[HS_LANES]; /* owned, [states]: ln, of each value */
    hs_float_row *logits;       /* owned, [2 * states]: and of sums */
} hs_fresh;

/* Draws a fresh state in every lane.  U of the point becomes invalid. */
void hs_fresh_draw(hs_fresh *s, const hs_domain *d, hs_tile *x);

#endif
