/* layer.h - which variables are eliminated together, and how their tables are
 * laid along the train.
 *
 * A layer is a run of the order.  Its *places* are the sites of the train above
 * it and the places of variables that appear there for the first time.  A
 * table of several variables is applied at the place of one of them; the values
 * of the others are *carried* there along the bonds, which multiplies each of
 * these bonds by the number of values.  A layer takes as many variables as it
 * can without making a bond grow by more than a given factor. */
#ifndef HS_EXACT_NETWORK_LAYER_H
#define HS_EXACT_NETWORK_LAYER_H

/* By how much a layer may make a bond grow, unless one variable makes it more:
 * open lattices of two values take whole rows at 2, periodic ones at 4. */
#define HS_LAYERS_GROWTH 4.0

#include <stdbool.h>
#include <stdint.h>

#include <hiss/status.h>

#include "exact/network/train.h"
#include "model/factors.h"

/* Of the train above: a variable is summed out there (`below` is another one or
 * -1) or stays (`below` is the same). */
typedef struct hs_layer_place {
    int above; /* -1: none */
    int below; /* -1: none */
    int site;  /* of the train above, -1: it has no tensor */
} hs_layer_place;

/* A variable is carried from its place to all places from..to. */
typedef struct hs_carried {
    int place, from, to;
} hs_carried;

typedef struct hs_layers {
    const hs_factors *f; /* borrowed */
    int *order; /* owned, [count]: variables, those drawn first first */
    int count;
    int *rank;         /* owned, [dim]: where it is in the order, -1: not */
    int64_t *own_at;   /* owned, [count + 1]: factors whose last variable has */
    int64_t *own;      /* owned: this rank */
    int *home;         /* owned, [f->count]: this rank */
    int64_t *touch_at; /* owned: the factors that every variable is in */
    int64_t *touch;
    int *list;           /* owned, [dim]: scratch */
    int *reach;          /* owned, [dim]: the last place of a layer's table that
                            a variable of the layer is in */
    int reaches;         /* by how much a bond grows while the layer is drawn */
    hs_carried *carried; /* owned, [dim]; place -1: not in this layer */
    hs_layer_place *place; /* owned, [count] */
    int places;
    int first, end;  /* ranks of the layer */
    int64_t *factor; /* owned, [f->count]: of the layer, */
    int *applied;    /* owned, [f->count]: each at this place */
    int64_t factors;
    double growth; /* the most by which a bond grows */
    double *width; /* owned, [count]: by how much the bond after a place
                         grows */
} hs_layers;

/* Whether the layer that was planned last eliminates a variable. */
static inline bool hs_layers_has(const hs_layers *l, int variable)
{
    return l->rank[variable] >= l->first && l->rank[variable] < l->end;
}

/* Takes `order` over, also on failure. */
hiss_status hs_layers_init(hs_layers *l, const hs_factors *f, int *order,
                           int count, hiss_error *err);
void hs_layers_clear(hs_layers *l);

/* Lays the layer of ranks first..end - 1 along a train. */
void hs_layers_plan(hs_layers *l, const hs_train *above, int first, int end);

/* The largest layer that ends before `end` and grows bonds by at most `most`
 * (one variable always will do); `guess` of them are tried first. */
void hs_layers_choose(hs_layers *l, const hs_train *above, int end, int guess,
                      double most);

/* The train below a layer that was planned, not compressed. */
hiss_status hs_layers_eliminate(const hs_layers *l, const double *weight,
                                const hs_train *above, hs_train *below,
                                hiss_error *err);

#endif
