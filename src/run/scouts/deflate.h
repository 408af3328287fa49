/* deflate.h - what is left of U when the known modes are subtracted.
 *
 * A mode may be so narrow beside a wide one that no climb from a random state
 * ends in it.  Near an optimum x*, a product distribution has exactly
 *     U_k(x) = U(x*) + sum_i a_i(x_i),   a_i(v) = U(x* with x_i = v) - U(x*).
 * For several known modes, U is K(x), the logarithm of the sum of e^(U_k).
 * With one unknown mode n, the *remainder* R = U - K is
 *     ln(1 + e^(U_n - K)).
 * It is tiny at a random state, but double precision has sixteen digits to see
 * it, and it grows with every coordinate that gets its value in mode n.  So the
 * random states with the largest R take a step that raises R in every
 * coordinate; then they climb U.  Modes that are not product distributions
 * leave a remainder too.  The states that it leads to are ordinary starts.
 *
 * If there are very many optima, as on a lattice, U may be a sum over pairs of
 * coordinates.  Then K is that sum. */
#ifndef HS_RUN_SCOUTS_DEFLATE_H
#define HS_RUN_SCOUTS_DEFLATE_H

#include <hiss/status.h>

#include "kernel/tile.h"

#define HS_DEFLATED_MAX 16 /* capacity: modes that are taken away */

typedef struct hs_deflation {
    const hs_model *m; /* borrowed */
    /* states that were sampled */
    int16_t *state; /* owned, [room][dim] */
    double *u;      /* owned, [room] */
    bool *is_used;  /* owned, [room]: a climb began there */
    int64_t looks, room;
    /* modes */
    double *gain;                /* owned, [HS_DEFLATED_MAX][values]: a_i(v) */
    double top[HS_DEFLATED_MAX]; /* U of their optima */
    int modes;
    double *change; /* owned, [values]: of the state that is raised, */
    int16_t *next;  /* owned, [dim]: and the new value */
    /* if U is modeled as a sum over pairs of coordinates */
    int16_t *anchor; /* owned, [dim]: the state that changes are made to */
    double *pair;    /* owned, [values][values], or NULL */
} hs_deflation;

/* a_i(v) of mode k, [values]. */
static inline double *hs_deflation_gains(const hs_deflation *d, int k)
{
    return d->gain + (size_t)k * (size_t)d->m->domain.value_count;
}

/* Allocates memory for this many samples, a multiple of 16. */
hiss_status hs_deflation_init(hs_deflation *d, const hs_model *m, int64_t looks,
                              hiss_error *err);
void hs_deflation_clear(hs_deflation *d);

/* Samples the states of the tile's sixteen lanes: 16 evaluations. */
hiss_status hs_deflation_look(hs_deflation *d, hs_tile *t);

/* Subtracts the mode of an optimum, with an evaluation for every other value of
 * every coordinate.  Does nothing if there are HS_DEFLATED_MAX. */
hiss_status hs_deflation_add(hs_deflation *d, hs_tile *t, const int16_t *state);

/* Subtracts, instead of modes, the sum over pairs of coordinates that equals U
 * at a state and wherever at most two coordinates differ from it.  It takes an
 * evaluation for every pair of other values.  Call it once. */
hiss_status hs_deflation_add_pairs(hs_deflation *d, hs_tile *t,
                                   const int16_t *state);

/* Sets the tile's sixteen lanes to the unused states of largest remainder.  The
 * first `raised` of them also take a step that raises it, each for an
 * evaluation for every other value of every coordinate. */
hiss_status hs_deflation_start(hs_deflation *d, hs_tile *t, int raised);

#endif
