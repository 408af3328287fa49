/* law.h - an enumerated distribution at any temperature, and exact draws. */
#ifndef HS_EXACT_LAW_H
#define HS_EXACT_LAW_H

#include <stdint.h>

#include <hiss/status.h>

#include "exact/enumerate.h"

typedef struct hs_law {
    int64_t states;
    double *p;    /* owned, [states]: sums to 1 */
    double *upto; /* owned, [states]: p[0] + ... + p[n] */
} hs_law;

/* p(n) proportional to e^(beta U), beta >= 0; a state with U = -infinity is
 * impossible at every beta.  Needs e->u. */
hiss_status hs_law_init(hs_law *law, const hs_exact *e, double beta,
                        hiss_error *err);
/* The same times exp(own[n]). */
hiss_status hs_law_init_weighed(hs_law *law, const hs_exact *e, double beta,
                                const double *own, hiss_error *err);
void hs_law_clear(hs_law *law);

/* Number of states with positive probability. */
int64_t hs_law_possible(const hs_law *law);

/* Draws a state number by inversion, with the random numbers of this (seed;
 * chain, replica) for purpose HS_DRAW_EXACT.  Never an impossible state;
 * probabilities are off by at most 2^-52. */
int64_t hs_law_draw(const hs_law *law, uint64_t seed, uint32_t chain,
                    uint32_t replica);

#endif
