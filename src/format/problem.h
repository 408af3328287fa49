/* problem.h - what a file says, before it becomes a model.
 *
 * Two shapes cover the formats:
 *   quadratic  E(x) = offset + sum_i linear_i x_i + sum_e value_e x_i x_j over
 *              binary {0,1} or spin {-1,+1} variables, each pair once;
 *   factors    U(x) = sum_f ln table_f(x_scope) over variables with any number
 *              of states, last variable of a scope fastest.
 * `sense` says whether E is a cost (U = -E) or a gain (U = +E).  The objective
 * that the file's own community speaks of (a cut, a number of satisfied
 * clauses) is scale * U + shift, so that results can be told in its words. */
#ifndef HS_FORMAT_PROBLEM_H
#define HS_FORMAT_PROBLEM_H

#include <stdbool.h>
#include <stdint.h>

#include <hiss/kind.h>
#include <hiss/status.h>

#include "model/model.h"

typedef enum hs_problem_shape { HS_QUADRATIC, HS_FACTORS } hs_problem_shape;

typedef struct hs_quadratic_problem {
    hiss_kind kind; /* HISS_BINARY or HISS_SPIN */
    bool maximise;  /* U = +E, else U = -E */
    double offset;
    double *linear; /* owned, [dim] */
    int64_t pairs;
    int *row, *column; /* owned, [pairs]: row < column, each pair once */
    double *value;     /* owned, [pairs] */
} hs_quadratic_problem;

typedef struct hs_factor {
    int size;      /* variables in its scope; 0: a constant */
    int *scope;    /* owned */
    int64_t count; /* entries: product of the states of its scope */
    double *log_table; /* owned: ln of the entries, -infinity for 0 */
} hs_factor;

typedef struct hs_factor_problem {
    int *states; /* owned, [dim] */
    int64_t factors;
    hs_factor *factor; /* owned, [factors] */
} hs_factor_problem;

typedef struct hs_problem {
    hs_problem_shape shape;
    int dim;
    char **names; /* owned, [dim], or NULL: variables have no names */
    hs_quadratic_problem quadratic;
    hs_factor_problem factors;
    const char *objective; /* "cut", "energy", "clique size"; NULL: U */
    double scale, shift;   /* objective = scale * U + shift */
    char *convention;      /* owned: what was assumed, for the output; NULL */
} hs_problem;

void hs_problem_clear(hs_problem *p);

/* The model of a problem: sparse or dense quadratic, or a factor graph. */
hiss_status hs_problem_model(hs_model **out, const hs_problem *p,
                             const char *name, hiss_error *err);

#endif
