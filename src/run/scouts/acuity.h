/* acuity.h - would the samples of a deflation have seen a narrow mode?
 *
 * Modes of a part r of the width of a known one, the widest of those that
 * matter, and of the mass of the heaviest are made up at random places.  With
 * a_i the gains of coordinate i round the known optimum, numbers have gains
 * -k_i (v - c)^2 / (2 r^2), k_i the curvature of a_i; other values a_i / r,
 * moved round.  A sample sees such a mode if the mode's U is above the last
 * digits of the U found there.
 *
 * With several modes their widths can be compared, and r is a half.  With one
 * known mode all others may differ more, and r is .35. */
#ifndef HS_RUN_SCOUTS_ACUITY_H
#define HS_RUN_SCOUTS_ACUITY_H

#include "run/policy/policy.h"
#include "run/scouts/deflate.h"

#define HS_ACUITY_UNTESTED (-2) /* no evaluations were left to test this */

typedef struct hs_acuity {
    int seen;     /* of HS_NARROW_MODES made-up modes, those that show at some
                     look; -1: not asked for, or HS_ACUITY_UNTESTED */
    double width; /* r of them */
} hs_acuity;

/* Beside the modes of the deflation; not known for memory, or where there are
 * none. */
hs_acuity hs_acuity_of(const hs_deflation *d, const hs_rng *rng);

#endif
