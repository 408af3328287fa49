/* layer.h - chooses which variables are eliminated together, and lays their
 * tables along the train.
 *
 * A layer is a run of the order.  Its *places* are the sites of the train above
 * it and the places of variables that appear for the first time.  A table of
 * several variables is applied at the place of one of them.  The values of the
 * others are *carried* there along the bonds, which multiplies the size of each
 * of these bonds by the number of values.  A layer takes as many variables as
 * it can without a bond growing by more than a given factor. */
#ifndef HS_EXACT_NETWORK_LAYER_H
#define HS_EXACT_NETWORK_LAYER_H

/* Most growth of a bond by a layer, unless one variable alone exceeds it.  Open
 * lattices of two values take whole rows at 2, periodic ones at 4. */
#define HS_LAYERS_GROWTH 4.0

#include <stdbool.h>
#include <stdint.h>

#include <hiss/status.h>

#include "exact/network/train.h"
#include "model/factors.h"

/* A place of the train above: its variable is summed out (`below` is another
 * one or -1) or stays (`below` is the same). */
typedef struct hs_layer_place {
    int above; /* -1: none */
    int below; /* -1: none */
    int site;  /* site of the train above, -1 if it has no tensor */
} hs_layer_place;

/* A variable is carried from its place to all places from..to. */
typedef struct hs_carried {
    int place, from, to;
} hs_carried;

typedef struct hs_layers {
    const hs_factors *f; /* borrowed */
    int *order; /* owned, [count]: variables in the order of the draw */
    int count;
    int *rank;         /* owned, [dim]: rank in the order, or -1 */
    int64_t *own_at;   /* owned, [count + 1]: factors whose last variable has
                          this rank; */
    int64_t *own;      /* owned: this rank */
    int *home;         /* owned, [f->count]: the rank of a factor's last
                          variable */
    int64_t *touch_at; /* owned: the factors of every variable */
    int64_t *touch;
    int *list;           /* owned, [dim]: scratch */
    int *reach;          /* owned, [dim]: the last place of a layer's table with
                            this variable of the layer */
    int reaches;         /* growth of a bond while the layer is drawn */
    hs_carried *carried; /* owned, [dim]; place -1 if not in this layer */
    hs_layer_place *place; /* owned, [count] */
    int places;
    int first, end;  /* ranks of the layer */
    int64_t *factor; /* owned, [f->count]: factors of the layer, */
    int *applied;    /* owned, [f->count]: and the place of each */
    int64_t factors;
    double growth; /* largest growth of a bond */
    double *width; /* owned, [count]: growth of the bond after each place */
} hs_layers;

/* Whether the last planned layer eliminates a variable. */
static inline bool hs_layers_has(const hs_layers *l, int variable)
{
    return l->rank[variable] >= l->first && l->rank[variable] < l->end;
}

/* Takes ownership of `order`, also on failure. */
hiss_status hs_layers_init(hs_layers *l, const hs_factors *f, int *order,
                           int count, hiss_error *err);
void hs_layers_clear(hs_layers *l);

/* Plans the layer of ranks first..end - 1 along a train. */
void hs_layers_plan(hs_layers *l, const hs_train *above, int first, int end);

/* Chooses the largest layer that ends before `end` and grows bonds by at most
 * `most` (one variable is always allowed); tries `guess` of them first. */
void hs_layers_choose(hs_layers *l, const hs_train *above, int end, int guess,
                      double most);

/* Computes the train below a planned layer, not compressed. */
hiss_status hs_layers_eliminate(const hs_layers *l, const double *weight,
                                const hs_train *above, hs_train *below,
                                hiss_error *err);

#endif
