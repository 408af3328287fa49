/* acuity.h - would the looks of a deflation have seen a narrow mode?
 *
 * Modes of half the width of a known one, of the same mass, are made up at
 * random places.  With a_i the gains of coordinate i round the known optimum,
 * numbers have gains -2 k_i (v - c)^2, k_i the curvature of a_i, which is
 * quartered; other values 2 a_i, moved round.  Such a mode shows at a look
 * where its U is above the last digits of the U that was found there. */
#ifndef HS_RUN_DISCOVERY_ACUITY_H
#define HS_RUN_DISCOVERY_ACUITY_H

#include "run/discovery/deflate.h"

#define HS_ACUITY_MODES 8

/* How many of HS_ACUITY_MODES made-up modes show at some look, beside mode 0 of
 * the deflation, whose optimum is `state`; -1 for memory. */
int hs_acuity(const hs_deflation *d, const int16_t *state, const hs_rng *rng);

#endif
