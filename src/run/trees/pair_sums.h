/* pair_sums.h - which coordinates depend on each other inside modes.
 *
 * For pairs (j, i) of coordinates, in both orders, and states x of a mode,
 *     S(j = w, i = v) = sum over states with x_j = w of P(x_i = v | others).
 * S / sum_v S is p(x_i = v | x_j = w), as precise as conditionals make it
 * (conditionals.h), and S / n is the probability of both values.
 *
 * The pairs are those that share a table of the model.  If it has no tables, or
 * most pairs share one, they are all pairs of a small model, and none of a
 * large one.  Work and memory are bounded. */
#ifndef HS_RUN_TREES_PAIR_SUMS_H
#define HS_RUN_TREES_PAIR_SUMS_H

#include <stdbool.h>
#include <stdint.h>

#include <hiss/status.h>

#include "model/model.h"

typedef struct hs_pair_sums {
    int modes, dim;     /* 0 modes: there are no pairs */
    const int *value;   /* borrowed, [dim + 1]: that of the domain */
    bool is_complete;   /* all pairs, in the order of values: no lists */
    int64_t *at;        /* owned, [dim + 1]: where the list of j begins */
    int32_t *other;     /* owned: its i, ascending */
    int32_t *column;    /* owned: where i's values begin in a row of j */
    int64_t *row;       /* owned, [dim + 1]: where the rows of j begin */
    int32_t *width;     /* owned, [dim]: of a row of j */
    float *sum;         /* owned, [modes][row[dim]] */
    float *conditional; /* owned, [HS_LANES][values]: of the present states */
} hs_pair_sums;

hiss_status hs_pair_sums_init(hs_pair_sums *p, const hs_model *m, int modes,
                              hiss_error *err);
void hs_pair_sums_clear(hs_pair_sums *p);

/* Adds the state of a lane to a mode, its conditionals being set. */
void hs_pair_sums_add(hs_pair_sums *p, int mode, const hs_index_row *x,
                      int lane);

/* S(j = w, i = .), [states of i]; NULL: no such pair. */
const float *hs_pair_sums_row(const hs_pair_sums *p, int mode, int j, int w,
                              int i);

#endif
