/* coloring.h - coordinates that may be drawn at once: a color for each, so
 * that no two of one color share a table of the model.  Given the others they
 * are then independent, and their joint conditional is the product of those of
 * each. */
#ifndef HS_KERNEL_GIBBS_COLORING_H
#define HS_KERNEL_GIBBS_COLORING_H

#include <hiss/status.h>

#include "model/model.h"

typedef struct hs_coloring {
    int colors;
    int largest; /* coordinates of the most frequent one */
    int *color;  /* owned, [dim]: 0 .. colors - 1 */
    int *order;  /* owned, [dim]: coordinates, color by color */
    int *start;  /* owned, [colors + 1]: where each begins there */
} hs_coloring;

/* From a file of whole numbers, one for each coordinate in order and # before
 * comments, or found if path is NULL.  HISS_EUNSUP if the model is no sum of
 * tables; HISS_EARG, with two coordinates and what couples them, if they may
 * not have one color.  On failure clear is still due. */
hiss_status hs_coloring_init(hs_coloring *c, const hs_model *m,
                             const char *path, hiss_error *err);
void hs_coloring_clear(hs_coloring *c);

#endif
