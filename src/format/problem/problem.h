/* problem.h - the contents of a file, before it becomes a model.
 *
 * Four shapes cover the formats:
 *   quadratic  E(x) = offset + sum_i linear_i x_i + sum_e value_e x_i x_j over
 *              binary {0,1} or spin {-1,+1} variables, each pair once;
 *   factors    U(x) = sum_f ln table_f(x_scope) over variables with any number
 *              of states, last variable of a scope fastest (model/factors.h);
 *   machine    a restricted Boltzmann machine with its hidden units summed out,
 *              U(v) = b.v + sum_j ln(1 + exp(c_j + sum_i W_ij v_i));
 *   tours      closed tours through cities, U = -length / temperature.
 * `maximize` says whether E is a cost (U = -E) or a gain (U = +E).  The
 * objective in the terms of the file's field (a cut, a number of satisfied
 * clauses) is scale * U + shift.  A state is indices: 0, 1 for 0/1 and for
 * -1/+1, else labels. */
#ifndef HS_FORMAT_PROBLEM_PROBLEM_H
#define HS_FORMAT_PROBLEM_PROBLEM_H

#include <stdbool.h>
#include <stdint.h>

#include <hiss/kind.h>
#include <hiss/status.h>

#include "base/error.h"
#include "model/factors.h"
#include "model/model.h"
#include "model/tour/cities.h"

typedef enum hs_problem_shape {
    HS_QUADRATIC,
    HS_FACTORS,
    HS_MACHINE,
    HS_TOURS,
} hs_problem_shape;

typedef struct hs_quadratic_problem {
    hiss_kind kind; /* HISS_BINARY or HISS_SPIN */
    bool maximize;  /* U = +E, else U = -E */
    double offset;
    double *linear; /* owned, [dim] */
    int64_t pairs;
    int *row, *column; /* owned, [pairs]: row < column, ascending, each once */
    double *value;     /* owned, [pairs] */
} hs_quadratic_problem;

typedef struct hs_machine_problem {
    int hidden;
    double *weight; /* owned, [dim * hidden], a row per visible unit */
    double *b, *c;  /* owned, [dim] and [hidden] */
} hs_machine_problem;

typedef struct hs_problem {
    hs_problem_shape shape;
    int dim;
    char **names; /* owned, [dim], or NULL if variables have no names */
    /* owned, variable after variable, or NULL */
    char **state_names;
    int state_name_count;
    hs_quadratic_problem quadratic;
    hs_factors factors; /* packed: hs_factors_init, hs_factors_add */
    hs_machine_problem machine;
    hs_cities cities; /* cities of tours */
    hs_tour_law law;
    const char *objective; /* "cut", "energy", "clique size"; NULL: U */
    double scale, shift;   /* objective = scale * U + shift */
    char *convention;      /* owned: log p in a formula, as the file was read;
                              NULL for that of the shape (reads.c) */
    char *note;            /* owned: a note for the user, or NULL */
    char *reads_as;        /* owned: one line about the contents, or NULL */
} hs_problem;

void hs_problem_clear(hs_problem *p);

/* Sets the convention: how the file was read, beginning with "log p = " and
 * with the sign in words.  hs_problem_remark adds to the note ("; "
 * separates). */
hiss_status hs_problem_assume(hs_problem *p, hiss_error *err,
                              const char *format, ...) HS_PRINTF(3, 4);
hiss_status hs_problem_remark(hs_problem *p, hiss_error *err,
                              const char *format, ...) HS_PRINTF(3, 4);

/* Makes a quadratic problem over dim variables with room for pairs; all
 * zero. */
hiss_status hs_problem_init_quadratic(hs_problem *p, hiss_kind kind,
                                      bool maximize, int dim, int64_t pairs,
                                      hiss_error *err);

/* Makes the model of a problem: sparse or dense quadratic, a factor graph, or a
 * Boltzmann machine.  May take tables from p, which can then only be
 * cleared. */
hiss_status hs_problem_model(hs_model **out, hs_problem *p, const char *name,
                             hiss_error *err);

/* Sets p->reads_as; title is that of the format. */
hiss_status hs_problem_say(hs_problem *p, const char *path, const char *title,
                           hiss_error *err);

/* U of a state, in double precision. */
double hs_problem_energy(const hs_problem *p, const int16_t *state);

/* The number of states of a variable. */
int hs_problem_states(const hs_problem *p, int i);

/* Convert to the same distribution in another shape; U is the same but for
 * rounding.  Factors convert to a quadratic form only if every factor has at
 * most two variables, all with two states, and no zeros; else HISS_EUNSUP with
 * the reason. */
hiss_status hs_problem_to_quadratic(hs_problem *out, const hs_problem *p,
                                    hiss_kind kind, bool maximize,
                                    hiss_error *err);
hiss_status hs_problem_to_factors(hs_problem *out, const hs_problem *p,
                                  hiss_error *err);

/* Whether b is the distribution of a: compares U of 64 random states, up to a
 * constant, which goes to *shift (U of b minus U of a).  HISS_EINTERNAL if it
 * is not. */
hiss_status hs_problem_compare(const hs_problem *a, const hs_problem *b,
                               double *shift, hiss_error *err);

#endif
