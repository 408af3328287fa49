/* reference.h - the reference path: tempering towards a learned distribution.
 *
 * With Q = sum_k w_k q_k, a mixture of product distributions (library.h), level
 * lambda of the path has
 *     ln p(x) = lambda U(x) + G(x) + constant,
 *     G(x) = ln sum_k (w_k q_k(x))^(1 - lambda):
 * the target at lambda = 1, Q at 0, where states are drawn afresh.  This is the
 * marginal distribution of x for a pair of x and a mode k with lambda U(x) + (1
 * - lambda) ln (w_k q_k(x)), which is a tilt given k (tilt.h). So k is drawn
 * given x, any kernel moves x given k, and k is forgotten.  Exchanges use G,
 * where k is summed out.
 *
 * With U - ln K in place of U, for K modes, the path estimates Z: Z_0 = 1 and
 * Z_1 = Z. */
#ifndef HS_KERNEL_COMPOSE_REFERENCE_H
#define HS_KERNEL_COMPOSE_REFERENCE_H

#include <hiss/status.h>

#include "kernel/library.h"
#include "kernel/tile.h"

#define HS_REFERENCE_MODES 64 /* the heaviest modes of a library */

typedef struct hs_reference {
    int modes;                                  /* 0 if Q is uniform */
    double log_modes;                           /* ln K */
    double below[HS_REFERENCE_MODES];           /* sum of the weights before */
    double log_weight[HS_REFERENCE_MODES];      /* ln w_k */
    const double *share[HS_REFERENCE_MODES];    /* borrowed, [values] */
    const float *log_share[HS_REFERENCE_MODES]; /* borrowed, [values] */
    double *mean;    /* owned, [values]: shares of the product distribution */
    float *log_mean; /* owned, [values] */
    double (*log_law)[HS_LANES]; /* owned, [modes]: ln w_k q_k of a tile */
    hs_tilt tilt;                /* owned: given k */
    int mode[HS_LANES];          /* k of the tilt, -1 before the first */
    float power[HS_LANES];       /* 1 - lambda of the tilt */
    hs_point y;                  /* owned: fresh states */
} hs_reference;

hiss_status hs_reference_init(hs_reference *r, const hs_model *m,
                              hiss_error *err);
void hs_reference_clear(hs_reference *r);

/* Sets Q: the modes of a library, or the product distribution with the same
 * marginals; uniform without a library.  Borrows the library. */
void hs_reference_attach(hs_reference *r, const hs_domain *d,
                         const hs_library *library, bool is_product);

/* Computes ln w_k q_k of the states of a tile, for the functions below. */
void hs_reference_look(hs_reference *r, const hs_domain *d,
                       const hs_index_row *x);

/* Computes G of the states last read, for 1 - lambda = power[lane]. */
void hs_reference_bias(const hs_reference *r, const float *power, double *out);

/* Draws k of every lane for the states last read, for 1 - lambda = power[lane],
 * and sets the tilt for it; flat if power is 0. */
void hs_reference_draw_modes(hs_reference *r, const hs_domain *d,
                             const hs_tile *x, const float *beta,
                             const float *power);

/* Draws fresh states of Q in these lanes; a lane whose fresh state is
 * impossible does not move.  taken[lane]: whether it moved. */
hiss_status hs_reference_renew(hs_reference *r, const hs_model *m, hs_tile *x,
                               const bool *wanted, bool *taken);

/* Computes G of one state by plain sums, for tests. */
double hs_reference_bias_of(const hs_reference *r, const hs_domain *d,
                            double lambda, const int16_t *state);

#endif
