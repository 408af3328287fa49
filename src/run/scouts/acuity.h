/* acuity.h - would the samples of a deflation have shown a narrow mode?
 *
 * To test this, narrow modes are made up at random places.  Each has the mass
 * of the heaviest known mode, and the shape of the widest known mode that
 * matters, with its width times r.  Let a_i be the gains of coordinate i around
 * the known optimum.  Then numbers have gains -k_i (v - c)^2 / (2 r^2), with
 * k_i the curvature of a_i; other values have gains a_i / r, permuted
 * cyclically.  A sample shows such a mode if the mode's U is above the last
 * digits of the U found there.
 *
 * With several known modes their widths can be compared, and r is 1/2.  With
 * one known mode the others may differ more, and r is .35. */
#ifndef HS_RUN_SCOUTS_ACUITY_H
#define HS_RUN_SCOUTS_ACUITY_H

#include "run/policy/policy.h"
#include "run/scouts/deflate.h"

#define HS_ACUITY_UNTESTED (-2) /* no evaluations were left to test this */

typedef struct hs_acuity {
    int seen;     /* number of the HS_NARROW_MODES made-up modes that some
                     sample shows; -1: not requested, or HS_ACUITY_UNTESTED */
    double width; /* r of the made-up modes */
} hs_acuity;

/* Tests with the modes of the deflation.  The result is unknown if there are
 * none or memory is short. */
hs_acuity hs_acuity_of(const hs_deflation *d, const hs_rng *rng);

#endif
