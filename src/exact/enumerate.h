/* enumerate.h - exact answers by visiting every state.
 *
 * State number n = sum_i x_i stride_i, with coordinate 0 the most significant
 * and the last one the fastest.  U = -infinity means probability 0. */
#ifndef HS_EXACT_ENUMERATE_H
#define HS_EXACT_ENUMERATE_H

#include <stdbool.h>
#include <stdint.h>

#include <hiss/status.h>

#include "base/poll.h"
#include "model/model.h"

#define HS_ENUMERATE_MAX (INT64_C(1) << 26)
#define HS_TABLE_MAX     (INT64_C(1) << 20) /* most states whose U is stored */

typedef struct hs_top {
    double u;
    int64_t state;
} hs_top;

/* Does not need the model after it is made. */
typedef struct hs_exact {
    int dim;
    int64_t states;
    int *radix;       /* owned, [dim]: states of each coordinate */
    int *first;       /* owned, [dim + 1]: first index of its values and
                         marginals */
    float *values;    /* owned, [first[dim]] */
    double *marginal; /* owned, [first[dim]]: P(x_i = v) */
    double log_z, max_u, mean_u;
    hs_top *top; /* owned, [tops]: by falling u, ties by state number */
    int tops;
    double *u; /* owned, [states], or NULL if it was not requested */
} hs_exact;

typedef struct hs_exact_options {
    int threads; /* affects only the time */
    int tops;    /* most probable states to store */
    bool has_u;  /* store U of every state */
    /* Most states allowed, a power of 2 up to HS_ENUMERATE_MAX, and the name of
     * this limit in messages: "enumeration goes to 2^26". */
    int64_t limit;
    const char *what;
    const hs_poll *poll; /* borrowed, or NULL; called for every block */
} hs_exact_options;

/* HISS_ELIMIT for too many states, HISS_ENUMERIC if U is NaN or +infinity,
 * HISS_EINFEASIBLE if every state has probability 0, HISS_ESTOP. */
hiss_status hs_exact_init(hs_exact *e, const hs_model *m,
                          const hs_exact_options *options, hiss_error *err);
void hs_exact_clear(hs_exact *e);

/* Indices of state number n, [dim]. */
void hs_exact_state(const hs_exact *e, int64_t n, int16_t *x);

/* Values of state number n, [dim]. */
void hs_exact_values(const hs_exact *e, int64_t n, double *values);

#endif
