/* recombine.h - combines two states to the best, component by component.
 *
 * The coordinates in which two states differ form components that no factor of
 * the model connects.  U changes by a sum of terms, one for each exchanged
 * component, so visiting each component once finds the best of all 2^components
 * children: O(size of the factors).  With local interactions, as on a lattice,
 * there are hundreds of components, and the child is far better than both
 * parents.  On a dense graph there is one, and the child is the better parent.
 * (Isoenergetic cluster moves [Houdayer 2001] exchange such components at
 * random; partition crossover [Whitley et al.  2009] takes the best.) */
#ifndef HS_RUN_SEARCH_RECOMBINE_H
#define HS_RUN_SEARCH_RECOMBINE_H

#include <stdbool.h>
#include <stdint.h>

#include <hiss/status.h>

#include "model/factors.h"
#include "model/model.h"

/* The graph of factors; immutable, borrowed by any number of threads. */
typedef struct hs_recombine_parts {
    hs_factors factors; /* owned */
    int64_t *start;     /* owned, [dim + 1] */
    int64_t *factor;    /* owned: factors of each coordinate */
} hs_recombine_parts;

/* Scratch memory of one thread. */
typedef struct hs_recombine {
    const hs_recombine_parts *parts; /* borrowed */
    int *queue;                      /* owned, [dim] */
    uint8_t *mark;                   /* owned, [dim] */
    uint32_t *seen;                  /* owned, [factors] */
    uint32_t stamp;
} hs_recombine;

/* *out is NULL if the model is not a sum of small tables. */
hiss_status hs_recombine_parts_create(hs_recombine_parts **out,
                                      const hs_model *m, hiss_error *err);
void hs_recombine_parts_destroy(hs_recombine_parts *parts);

hiss_status hs_recombine_init(hs_recombine *r, const hs_recombine_parts *parts,
                              hiss_error *err);
void hs_recombine_clear(hs_recombine *r);

/* Copies the components of `other` that gain into `state`, and returns the gain
 * (rounded: compute U anew before reporting it).  Both must be possible.
 * is_mirrored: U(x) = U(1 - x), so the nearer of other and its mirror image is
 * used. */
double hs_recombine_best(hs_recombine *r, int16_t *state, const int16_t *other,
                         bool is_mirrored);

#endif
