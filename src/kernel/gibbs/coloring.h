/* coloring.h - a color for each coordinate, such that no two coordinates of one
 * color share a table of the model.  Given the others they are independent, and
 * their joint conditional is the product of the single ones. */
#ifndef HS_KERNEL_GIBBS_COLORING_H
#define HS_KERNEL_GIBBS_COLORING_H

#include <hiss/status.h>

#include "model/model.h"

typedef struct hs_coloring {
    int colors;
    int largest; /* size of the largest color */
    int *color;  /* owned, [dim]: 0 .. colors - 1 */
    int *order;  /* owned, [dim]: coordinates, color by color */
    int *start;  /* owned, [colors + 1]: start of each color there */
} hs_coloring;

/* Reads whole numbers, one for each coordinate in order, with # before
 * comments; or computes colors if path is NULL.  HISS_EUNSUP if the model is
 * not a sum of tables.  HISS_EARG, with two coordinates and their coupling, if
 * they may not have one color.  Clear it also on failure. */
hiss_status hs_coloring_init(hs_coloring *c, const hs_model *m,
                             const char *path, hiss_error *err);
void hs_coloring_clear(hs_coloring *c);

#endif
