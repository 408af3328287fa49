/* enumerate.h - ground truth by visiting every state.
 *
 * State number n = sum_i x_i stride_i with coordinate 0 the most significant
 * and the last one the fastest.  U = -infinity is probability 0. */
#ifndef HS_EXACT_ENUMERATE_H
#define HS_EXACT_ENUMERATE_H

#include <stdbool.h>
#include <stdint.h>

#include <hiss/status.h>

#include "base/poll.h"
#include "model/model.h"

#define HS_ENUMERATE_MAX (INT64_C(1) << 26)
#define HS_TABLE_MAX     (INT64_C(1) << 20) /* states whose U is kept */

typedef struct hs_top {
    double u;
    int64_t state;
} hs_top;

/* Needs the model no longer once it is made. */
typedef struct hs_exact {
    int dim;
    int64_t states;
    int *radix;       /* owned, [dim]: states of each coordinate */
    int *first;       /* owned, [dim + 1]: of its values and marginals */
    float *values;    /* owned, [first[dim]] */
    double *marginal; /* owned, [first[dim]]: P(x_i = v) */
    double log_z, max_u, mean_u;
    hs_top *top; /* owned, [tops]: falling u, equal ones by state number */
    int tops;
    double *u; /* owned, [states], or NULL: was not asked for */
} hs_exact;

typedef struct hs_exact_options {
    int threads; /* changes nothing but the time */
    int tops;    /* most probable states to keep, at most */
    bool has_u;  /* keep U of every state */
    /* States allowed, a power of 2 up to HS_ENUMERATE_MAX, and what is limited
     * so: "enumeration goes to 2^26". */
    int64_t limit;
    const char *what;
    const hs_poll *poll; /* borrowed; asked for every block, or NULL */
} hs_exact_options;

/* HISS_ELIMIT for too many states, HISS_ENUMERIC where U is NaN or +infinity,
 * HISS_EINFEASIBLE when every state has probability 0, HISS_ESTOP. */
hiss_status hs_exact_init(hs_exact *e, const hs_model *m,
                          const hs_exact_options *options, hiss_error *err);
void hs_exact_clear(hs_exact *e);

/* Indices of state number n, [dim]. */
void hs_exact_state(const hs_exact *e, int64_t n, int16_t *x);

/* Values of state number n, [dim]. */
void hs_exact_values(const hs_exact *e, int64_t n, double *values);

#endif
