/* colouring.h - coordinates that may be drawn at once: a color for each, so
 * that no two of one color share a table of the model.  Given the others they
 * are then independent, and their joint conditional is the product of those of
 * each. */
#ifndef HS_KERNEL_GIBBS_COLOURING_H
#define HS_KERNEL_GIBBS_COLOURING_H

#include <hiss/status.h>

#include "model/model.h"

typedef struct hs_colouring {
    int colours;
    int largest; /* coordinates of the most frequent one */
    int *colour; /* owned, [dim]: 0 .. colours - 1 */
    int *order;  /* owned, [dim]: coordinates, color by color */
    int *start;  /* owned, [colours + 1]: where each begins there */
} hs_colouring;

/* From a file of whole numbers, one for each coordinate in order and # before
 * comments, or found if path is NULL.  HISS_EUNSUP if the model is no sum of
 * tables; HISS_EARG, with two coordinates and what couples them, if they may
 * not have one color.  On failure clear is still due. */
hiss_status hs_colouring_init(hs_colouring *c, const hs_model *m,
                              const char *path, hiss_error *err);
void hs_colouring_clear(hs_colouring *c);

#endif
