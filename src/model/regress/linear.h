/* linear.h - the gain or loss of a linear model by a variable.
 *
 * Columns x_i and the response y are centered and have length 1.  A model is
 * a set G of variables; with A = X'X + ridge I and L L' = A_GG,
 *     rss(G) = 1 - |L^-1 X_G'y|^2
 *     log p(G) = -power ln(base + slope rss(G)) + penalty[|G|]
 *                - 1/2 ln det A_GG   (only with has_determinant)
 * which covers Zellner's g prior, BIC and the spike and slab prior
 * (regression.c).  For each variable i two numbers are kept, given the others
 * in the model, G without i:
 *     d_i = x_i'x_i + ridge - |w|^2,   w = L^-1 A_Gi
 *     c_i = x_i'y - w' L^-1 X_G'y
 * so that adding i lowers rss by c_i^2 / d_i, and removing it raises rss by
 * that: each single change is exact in O(1).  A flip updates them in
 * O(|G| p + |G|^3). */
#ifndef HS_MODEL_REGRESS_LINEAR_H
#define HS_MODEL_REGRESS_LINEAR_H

#include <stdbool.h>
#include <stdint.h>

#include "model/model.h"
#include "model/regress/design.h"
#include "model/regress/gram.h"

/* How rss and the size of a model determine log p. */
typedef struct hs_linear_law {
    double power, base, slope, ridge;
    bool has_determinant;
    int most;        /* most variables in a model */
    double *penalty; /* owned, [most + 2]; the last is -infinity */
} hs_linear_law;

typedef struct hs_linear {
    hs_model base;
    hs_linear_law law;
    hs_design design;
    hs_gram gram;
    double *b; /* owned, [terms]: x_i' y */
} hs_linear;

/* Working memory for the model of one lane, in a point's scratch. */
typedef struct hs_linear_work {
    int count, room;         /* variables in the model; at most */
    int *active;             /* [room] */
    double *factor;          /* [room * room]: L, row by row */
    double *z;               /* [room]: L^-1 X_G'y */
    double *beta;            /* [room]: A_GG^-1 X_G'y */
    double *inverse;         /* [room]: the diagonal of A_GG^-1 */
    double *vector;          /* [room] */
    double *block;           /* [room * HS_LINEAR_BLOCK] */
    double *row;             /* [terms] */
    double *other;           /* [terms] */
    double rss, determinant; /* ln det A_GG */
} hs_linear_work;

#define HS_LINEAR_BLOCK 64

size_t hs_linear_work_bytes(const hs_linear *m);
void hs_linear_work_place(hs_linear_work *w, const hs_linear *m, void *scratch);

/* Computes the model of a lane: the variables, L, z, rss.  Returns log p,
 * -infinity if it is too large or has dependent columns. */
double hs_linear_visit(const hs_linear *m, const hs_point *p, int lane,
                       hs_linear_work *w);

/* Removes variables from a lane until its model is possible. */
void hs_linear_thin(const hs_linear *m, hs_point *p, int lane,
                    hs_linear_work *w);

/* Computes beta and inverse, after a visit. */
void hs_linear_solve(hs_linear_work *w);
/* v := A_GG^-1 v */
void hs_linear_apply(const hs_linear_work *w, double *v);

/* A variable with d below this depends on those in the model. */
#define HS_LINEAR_DEPENDENT 1e-10

double hs_linear_log_p(const hs_linear *m, double rss, double determinant,
                       int count);

#endif
