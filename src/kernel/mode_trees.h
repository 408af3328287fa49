/* mode_trees.h - distributions of modes whose coordinates depend on each other
 * along trees: q_k(x) = prod_i p_ki(x_i
 * x_parent(i)).
 *
 * Every mode has its own forest: a coordinate has one parent or none, and a
 * table with a row for every value of the parent.  Tables are filled row by
 * row, then finished. */
#ifndef HS_KERNEL_MODE_TREES_H
#define HS_KERNEL_MODE_TREES_H

#include <stdint.h>

#include <hiss/status.h>

#include "base/random/intervals.h"
#include "model/model.h"

typedef struct hs_mode_trees {
    int modes, dim;
    int32_t *parent;   /* owned, [modes][dim]; -1 if none */
    int32_t *order;    /* owned, [modes][dim]: parents first */
    int64_t *table;    /* owned, [modes][dim]: the first cell */
    double *share;     /* owned, [cells]: p_ki(v | w) > 0, rows of v */
    double *start;     /* owned, [cells]: of the interval of v */
    float *log_share;  /* owned, [cells] */
    double *typical;   /* owned, [modes]: mean of ln q_k over q_k */
    double *spread;    /* owned, [modes]: and its standard deviation */
    int64_t cells;     /* cells of all tables */
    double accepted;   /* accepted share of jumps in a trial, */
    double as_product; /* the same for jumps with product distributions */
} hs_mode_trees;

/* Creates it from parents [modes][dim] without cycles (copied); shares are all
 * 0. */
hiss_status hs_mode_trees_create(hs_mode_trees **out, const hs_domain *d,
                                 int modes, const int32_t *parent,
                                 hiss_error *err);
void hs_mode_trees_destroy(hs_mode_trees *t);

/* The cell of value 0 in the table of coordinate i, given the parent's value
 * (any value without a parent). */
static inline size_t hs_mode_trees_row(const hs_mode_trees *t,
                                       const hs_domain *d, int mode, int i,
                                       int given)
{
    size_t at = (size_t)mode * (size_t)t->dim + (size_t)i;

    return (size_t)t->table[at] +
           (t->parent[at] < 0 ? 0 : (size_t)given * (size_t)d->states[i]);
}

/* The same with the parent's value in lane l of x. */
static inline size_t hs_mode_trees_row_of(const hs_mode_trees *t,
                                          const hs_domain *d, int mode, int i,
                                          const hs_index_row *x, int l)
{
    size_t at = (size_t)mode * (size_t)t->dim + (size_t)i;
    int32_t parent = t->parent[at];

    return (size_t)t->table[at] +
           (parent < 0 ? 0 : (size_t)x[parent][l] * (size_t)d->states[i]);
}

/* The n-th coordinate of a mode, parents first. */
static inline int hs_mode_trees_site(const hs_mode_trees *t, int mode, int n)
{
    return t->order[(size_t)mode * (size_t)t->dim + (size_t)n];
}

/* Normalizes rows of positive weights: shares, intervals, logarithms, and
 * typical values of a mode. */
hiss_status hs_mode_trees_finish(hs_mode_trees *t, const hs_domain *d,
                                 hiss_error *err);

/* Computes ln q_k(x) of the mode k = of[lane]. */
void hs_mode_trees_log(const hs_mode_trees *t, const hs_domain *d,
                       const hs_index_row *x, const int *of, double *out);

/* Mean number of coordinates with a parent, per mode. */
double hs_mode_trees_joined(const hs_mode_trees *t);

#endif
