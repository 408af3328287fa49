/* product.h - mixtures of product laws over coordinates of any kinds.
 *
 *     U(x) = ln sum_k exp a_k(x),  a_k(x) = ln w_k + sum_i ln p_ki(x_i)
 * Classes are the shares r_k = exp(a_k - U) of the components, whose means are
 * the weights w_k exactly, however much the components overlap. */
#ifndef HISS_ARENA_TARGETS_PRODUCT_H
#define HISS_ARENA_TARGETS_PRODUCT_H

#include "arena/targets/families.h"

#define PRODUCT_COMPONENTS 64

typedef struct product {
    int components, dim;
    hiss_kind *kind; /* owned, [dim] */
    int *states;     /* owned, [dim] */
    int *first;      /* owned, [dim]: the row of a coordinate's first value */
    double *log_p;   /* owned, [rows][components] */
    double log_weight[PRODUCT_COMPONENTS];
} product;

/* Coordinates of these kinds and numbers of states (copied; NULL: spins), equal
 * weights, laws to be filled in; NULL without memory. */
product *product_create(int components, int dim, const hiss_kind *kind,
                        const int *states);
void product_destroy(void *product); /* NULL is fine */

/* ln p_ki(v) of every component k. */
double *product_row(const product *p, int i, int v);
/* Makes the law of coordinate i in component k from weights e^u, [states]. */
void product_set(product *p, int k, int i, const double *u);

/* The instance owns p from now on.  Its model is a function that hiss knows
 * nothing about, unless there is one already. */
int product_use(instance *at, product *p);

#endif
